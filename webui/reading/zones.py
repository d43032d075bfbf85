"""Zones of the marked table: which part belongs to which side. Stored in the data folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from vision.values import Pixels
from webui.storage.files.atomic_files import read_json, replace_file
from webui.storage.records import GameRecord
from webui.translation import N_

Box = tuple[float, float, float, float]
"""Left, top, right, bottom as fractions of the straightened picture."""
HALVES = {
    "left": N_("in the left half"),
    "right": N_("in the right half"),
    "top": N_("in the top half"),
    "bottom": N_("in the bottom half"),
}
"""How each half is named in a choice."""
_STRIP = 0.2
"""Height of the strip for left-over cards, as a fraction of the table's."""
_FILE = "zones.json"


@dataclass(frozen=True, slots=True)
class Zones:
    """How the straightened table is divided.

    Attributes:
        first: the half of the first side, one of ``HALVES``, the other half being the second side's; None if the table
            is not divided.
        strip: whether the lowest fifth of the picture is for left-over cards.
    """

    first: str | None = None
    strip: bool = False

    @property
    def _end(self) -> float:
        """The lower end of the table above the strip, as a fraction of the height."""
        return 1 - _STRIP if self.strip else 1.0

    def borders(self, fields: int = 1) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """The lines between zones, each from (x, y) to (x, y), as fractions of the straightened picture.

        Args:
            fields: into how many the strip is divided.
        """
        end, lines = self._end, []
        if self.strip:
            lines.append(((0.0, end), (1.0, end)))
            lines += [((field / fields, end), (field / fields, 1.0)) for field in range(1, fields)]
        if self.first in ("left", "right"):
            lines.append(((0.5, 0.0), (0.5, end)))
        elif self.first is not None:
            lines.append(((0.0, end / 2), (1.0, end / 2)))
        return lines

    def box(self, side: int, left: bool) -> Box:
        """The zone of a side, 0 or 1: its table, or its left-over cards."""
        end = self._end
        if left:
            return (0.0, end if self.strip else 0.0, 1.0, 1.0)
        before = (self.first in ("left", "top")) == (side == 0)
        if self.first in ("left", "right"):
            return (0.0, 0.0, 0.5, end) if before else (0.5, 0.0, 1.0, end)
        if self.first is None:
            return (0.0, 0.0, 1.0, end)
        return (0.0, 0.0, 1.0, end / 2) if before else (0.0, end / 2, 1.0, end)

    def part(self, pixels: Pixels, side: int, left: bool) -> Pixels:
        """The zone cut out of a straightened picture, (height, width, 3) BGR."""
        height, width = pixels.shape[:2]
        x0, y0, x1, y1 = self.box(side, left)
        return pixels[round(y0 * height) : round(y1 * height), round(x0 * width) : round(x1 * width)]

    def fields(self, players: Sequence[int]) -> list[tuple[int, int]]:
        """The fields of the strip if it holds both sides' left-over cards: (side, player) from left to right.

        Args:
            players: the number of players of each side.
        """
        order = (1, 0) if self.first == "right" else (0, 1)
        return [(side, player) for side in order for player in range(players[side])]

    def field(self, index: int, count: int) -> Box:
        """The box of one of ``count`` fields of the strip, 0 being the leftmost."""
        return (index / count, self._end, (index + 1) / count, 1.0)


def load_zones(folder: Path) -> Zones:
    """The stored zones; undivided if there are none or they cannot be read."""
    try:
        stored = read_json(folder / _FILE)
        first = stored["first"]
        return Zones(first if first in HALVES else None, bool(stored["strip"]))
    except (KeyError, TypeError):
        return Zones()


def save_zones(folder: Path, zones: Zones) -> None:
    """Stores the zones.

    Raises:
        OSError: they cannot be written.
    """
    replace_file(folder / _FILE, json.dumps(asdict(zones)).encode())


def has_two_zones(zones: Zones, game: GameRecord) -> bool:
    """Whether each side of the game has a zone of its own."""
    return zones.first is not None and len(game.sides) == 2
