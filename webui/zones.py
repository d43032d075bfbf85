"""Which part of the table belongs to whom, where its printed marks are seen; kept in the data folder."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from vision.values import Pixels

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

    def borders(self) -> list[tuple[tuple[float, float], tuple[float, float]]]:
        """The lines between the parts, each from (x, y) to (x, y), in shares of the straightened picture."""
        end, lines = self._end, []
        if self.strip:
            lines.append(((0.0, end), (1.0, end)))
        if self.first in ("left", "right"):
            lines.append(((0.5, 0.0), (0.5, end)))
        elif self.first is not None:
            lines.append(((0.0, end / 2), (1.0, end / 2)))
        return lines

    def part(self, pixels: Pixels, side: int, left: bool) -> Pixels:
        """What of a straightened picture (height, width, 3) belongs to a side, 0 or 1: its table, or what is left."""
        height, width = pixels.shape[:2]
        end = round(height * self._end)
        if left:
            return pixels[end:] if self.strip else pixels
        if self.first is None:
            return pixels[:end]
        before = (self.first in ("left", "top")) == (side == 0)
        if self.first in ("left", "right"):
            return pixels[:end, : width // 2] if before else pixels[:end, width // 2 :]
        return pixels[: end // 2] if before else pixels[end // 2 : end]


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
    new = folder / f"{_FILE}.new"
    new.write_text(json.dumps(asdict(zones)), encoding="utf-8")
    new.replace(folder / _FILE)
