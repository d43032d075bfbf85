"""A pile that is dealt through under the camera: the cards counted so far, shared by everybody who looks on."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

from vision.dealing import Dealt, DealWatch, top_card
from vision.errors import VisionError
from vision.values import Frame, Reading

_ASKED_LATELY = 5.0
Read = Callable[[Frame], Reading]


class DealTable:
    """Counts cards while somebody asks for the count; a card counts at once, and its name follows when it is read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._watch = DealWatch()
        self._cards: list[Future[Dealt]] = []
        self._read: Read | None = None
        self._asked = -_ASKED_LATELY
        self._reading = ThreadPoolExecutor(1, "read-dealt")

    def see(self, frame: Frame, at: float) -> None:
        """The camera's next picture, ``at`` seconds; called in the camera's own thread."""
        if time.monotonic() - self._asked > _ASKED_LATELY or self._read is None:
            return
        with self._lock:
            spot = self._watch.see(frame.pixels, at)
            if spot is not None:
                shown = Frame(spot, frame.taken_at, frame.source)
                self._cards.append(self._reading.submit(_top, self._read, shown, self._watch.missed))

    def cards(self, read: Read) -> list[Dealt | None]:
        """The cards so far, None for one that is still being read; keeps the count going for a while."""
        if time.monotonic() - self._asked > _ASKED_LATELY:
            self._watch = DealWatch()  # what lay there before nobody looked is not known
        self._asked, self._read = time.monotonic(), read
        with self._lock:
            return [card.result() if card.done() else None for card in self._cards]

    def undo(self) -> None:
        """Takes the last card back."""
        with self._lock:
            if self._cards:
                self._cards.pop()

    def again(self) -> None:
        """Begins a new pile."""
        with self._lock:
            self._cards.clear()

    def close(self) -> None:
        self._reading.shutdown(wait=False, cancel_futures=True)


def _top(read: Read, frame: Frame, missed: bool) -> Dealt:
    try:
        found = top_card(read(frame), frame.pixels)
        return replace(found, doubt=found.doubt or missed)
    except VisionError:
        return Dealt(None, True, frame.pixels)
