"""Watches a stream of frames: finds stills, reads them, and remembers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Protocol

from vision.memory.state import TableChange
from vision.memory.stills import StillFinder
from vision.memory.table_memory import TableMemory
from vision.values import Frame, Pixels, Reading


class Read(Protocol):
    """Reads the cards in a picture."""

    def __call__(self, frame: Frame, /) -> Reading: ...


Sink = Callable[[TableChange, Pixels], None]
"""Gets each change with the picture, (height, width, 3) BGR, in which it was seen; it may keep that or not."""


class Watching:
    """One table that is watched.

    Args:
        read: reads a picture.
        memory: what is known already, and the rules.
        sink: gets each change with its picture.
    """

    def __init__(self, read: Read, memory: TableMemory, sink: Sink | None = None) -> None:
        self._read, self.memory, self._sink = read, memory, sink
        self._stills = StillFinder()
        self.readings = 0

    @property
    def settled(self) -> bool:
        """Whether the last frame shows nothing that is still to be read."""
        return self._stills.settled

    def see(self, pixels: Pixels, second: float) -> tuple[TableChange, ...]:
        """Takes the next frame, (height, width, 3) BGR; returns what changed, which is nothing for most frames."""
        if not self._stills.see(pixels, second):
            return ()
        self.readings += 1
        changes = self.memory.observe(self._read(Frame(pixels, datetime.now(UTC), "table")), second, pixels)
        if self._sink is not None:
            for change in changes:
                self._sink(change, pixels)
        return changes

    def see_all(self, frames: Iterable[tuple[float, Pixels]]) -> float:
        """Watches to the end; returns the second of the last frame."""
        second = 0.0
        for second, pixels in frames:
            self.see(pixels, second)
        return second
