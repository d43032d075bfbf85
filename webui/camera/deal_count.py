"""A pile that is dealt through under the camera: the cards counted so far, shared by everybody who looks on, and kept
in the data folder, so that the count goes on where it was when the page begins anew."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from scorer.faces import Face
from vision.errors import VisionError
from vision.live.deal_counter import DealCounter, top_card
from vision.values import Frame, Reading
from webui.storage.atomic_files import replace_file

_ASKED_LATELY = 5.0
_FILE = "pile.json"
_log = logging.getLogger(__name__)
Read = Callable[[Frame], Reading]


@dataclass(frozen=True, slots=True)
class Counted:
    """A card of the pile: its face, or None where none could be read; ``doubt`` says that a person should look."""

    face: Face | None
    doubt: bool


class DealTable:
    """Counts cards while somebody asks for the count; a card counts at once, and its name follows when it is read.

    Args:
        folder: the data folder, or none where the count need not outlive the page.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._path = folder / _FILE if folder else None
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._watch = DealCounter()
        self._cards = [_done(card) for card in _load(self._path)]
        self._read: Read | None = None
        self._asked = -_ASKED_LATELY
        self._reading = ThreadPoolExecutor(1, "read-dealt")

    def see(self, frame: Frame, at: float) -> None:
        """The camera's next picture, ``at`` seconds; called in the camera's own thread."""
        if time.monotonic() - self._asked > _ASKED_LATELY or self._read is None:
            return
        with self._lock:
            spot = self._watch.see(frame.pixels, at)
            if spot is None:
                return
            shown = Frame(spot, frame.taken_at, frame.source)
            self._reading.submit(self._keep)  # it counts, though the page ends while it is read
            card = self._reading.submit(_top, self._read, shown, self._watch.missed)
            self._cards.append(card)
        card.add_done_callback(lambda _: self._keep())

    def cards(self, read: Read) -> list[Counted | None]:
        """The cards so far, None for one that is still being read; keeps the count going for a while."""
        if time.monotonic() - self._asked > _ASKED_LATELY:
            self._watch = DealCounter()  # what lay there before nobody looked is not known
        self._asked, self._read = time.monotonic(), read
        return self._so_far()

    def undo(self) -> None:
        """Takes the last card back."""
        with self._lock:
            if self._cards:
                self._cards.pop()
        self._keep()

    def again(self) -> None:
        """Begins a new pile."""
        with self._lock:
            self._cards.clear()
        self._keep()

    def close(self) -> None:
        self._reading.shutdown(wait=False, cancel_futures=True)

    def _so_far(self) -> list[Counted | None]:
        with self._lock:
            return [card.result() if card.done() and not card.cancelled() else None for card in self._cards]

    def _keep(self) -> None:
        """Writes the count down; where that cannot be done it goes on all the same."""
        if self._path is None:
            return
        with self._writing:
            held = [card and [str(card.face) if card.face else None, card.doubt] for card in self._so_far()]
            try:
                replace_file(self._path, json.dumps(held).encode())
            except OSError as error:
                _log.warning("the pile that is dealt cannot be kept: %s", error)


def _load(path: Path | None) -> list[Counted]:
    """What was counted; a card that was not read yet is asked for. Nothing where nothing was, or it cannot be read."""
    try:
        held = json.loads(path.read_text(encoding="utf-8")) if path else []
        known = [card or [None, True] for card in held]
        return [Counted(Face.parse(face) if face else None, bool(doubt)) for face, doubt in known]
    except (OSError, ValueError, TypeError, AttributeError):
        return []


def _done(card: Counted) -> Future[Counted]:
    future: Future[Counted] = Future()
    future.set_result(card)
    return future


def _top(read: Read, frame: Frame, missed: bool) -> Counted:
    """Only what is asked for is kept of a card: not its picture, which takes megabytes."""
    try:
        found = top_card(read(frame), frame.pixels)
    except VisionError:
        return Counted(None, True)
    return Counted(found.card.face if found.card else None, found.doubt or missed)
