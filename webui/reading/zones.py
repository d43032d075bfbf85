"""Which part of the table belongs to whom, where its printed marks are seen; kept in the data folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from vision.values import Pixels
from webui.storage.atomic_files import replace_file
from webui.storage.records import GameRecord

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in shares of the straightened picture."""
HALVES = ("left", "right", "top", "bottom")
_STRIP = 0.2
"""Of the table's height."""
_FILE = "zones.json"


@dataclass(frozen=True, slots=True)
class Zones:
    """Parts of the straightened table.

    ``first`` is the half where the first-named side lays its cards, one of HALVES, the other half is the other side's;
    None where the table is not shared out. ``strip`` keeps a fifth of it, at its lower edge as the picture shows it,
    for left-over cards.
    """

    first: str | None = None
    strip: bool = False

    @property
    def _end(self) -> float:
        """Where the table ends and the strip begins, as a share of the height."""
        return 1 - _STRIP if self.strip else 1.0

    def borders(self, fields: int = 1) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """The lines between the parts, each from (x, y) to (x, y), in shares of the straightened picture; the strip is
        cut into so many ``fields``."""
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
        """What of the straightened picture belongs to a side, 0 or 1: its table, or what is left."""
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
        """That part of a straightened picture (height, width, 3)."""
        height, width = pixels.shape[:2]
        x0, y0, x1, y1 = self.box(side, left)
        return pixels[round(y0 * height) : round(y1 * height), round(x0 * width) : round(x1 * width)]

    def fields(self, players: Sequence[int]) -> list[tuple[int, int]]:
        """Whose left-over cards lie where in the strip when both sides' lie there at once: (side, player), from the
        left as the picture shows it. ``players`` says how many the first side has, and the second."""
        order = (1, 0) if self.first == "right" else (0, 1)
        return [(side, player) for side in order for player in range(players[side])]

    def field(self, place: int, count: int) -> Box:
        """The field at a ``place`` of ``count`` in the strip, 0 the leftmost."""
        return (place / count, self._end, (place + 1) / count, 1.0)


def load_zones(folder: Path) -> Zones:
    """What was kept last; nothing shared out where nothing was, or it cannot be read."""
    try:
        held = json.loads((folder / _FILE).read_text(encoding="utf-8"))
        first = held["first"]
        return Zones(first if first in HALVES else None, bool(held["strip"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Zones()


def keep_zones(folder: Path, zones: Zones) -> None:
    """Raises OSError where it cannot be written."""
    replace_file(folder / _FILE, json.dumps(asdict(zones)).encode())


def shared_out(zones: Zones, game: GameRecord) -> bool:
    """Whether each of the game's sides has a part of the table to itself."""
    return zones.first is not None and len(game.sides) == 2
