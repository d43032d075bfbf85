"""Watches a stream of frames: finds stills, reads them, and remembers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from vision.memory.pictures.parts import PartReader, Read, Region
from vision.memory.pictures.stills import StillFinder
from vision.memory.state import TableChange
from vision.memory.table_memory import TableMemory
from vision.values import Pixels, Reading

Sink = Callable[[TableChange, Pixels], None]
"""Gets each change with the picture, (height, width, 3) BGR, in which it was seen; it may keep that or not."""


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """One still: its second, the picture (height, width, 3) BGR, all cards that lie there, and the parts of the picture
    that were read for it."""

    second: float
    pixels: Pixels
    reading: Reading
    parts: tuple[Region, ...]


class Watching:
    """One table that is watched.

    Args:
        read: reads a picture.
        memory: what is known already, and the rules.
        sink: gets each change with its picture.
    """

    def __init__(self, read: Read, memory: TableMemory, sink: Sink | None = None) -> None:
        self._reader, self.memory, self._sink = PartReader(read, memory.places), memory, sink
        self._stills = StillFinder()
        self.readings = 0

    @property
    def settled(self) -> bool:
        """Whether the last frame shows nothing that is still to be read."""
        return self._stills.settled

    def see(self, pixels: Pixels, second: float) -> tuple[TableChange, ...]:
        """Takes the next frame, (height, width, 3) BGR; returns what changed, which is nothing for most frames."""
        look = self.look(pixels, second)
        return self.take(look) if look else ()

    def look(self, pixels: Pixels, second: float) -> Look | None:
        """Reads the next frame, (height, width, 3) BGR, if it is one to be read."""
        if not self._stills.see(pixels, second, self.memory.zones):
            return None
        self.readings += 1
        return Look(second, pixels, *self._reader.read(pixels, second, self.memory.zones))

    def take(self, look: Look) -> tuple[TableChange, ...]:
        """Puts what was read into the memory; returns what changed."""
        changes = self.memory.observe(look.reading, look.second, look.pixels, look.parts)
        if self._sink is not None:
            for change in changes:
                self._sink(change, look.pixels)
        return changes

    def see_all(self, frames: Iterable[tuple[float, Pixels]]) -> float:
        """Watches to the end; returns the second of the last frame."""
        second = 0.0
        for second, pixels in frames:
            self.see(pixels, second)
        return second
