"""Counting a pile that is dealt card by card under the camera.

The count is shared by everybody who views it, and stored in the data folder, so that it survives a restart.
"""

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
from webui.storage.files.atomic_files import read_json, replace_file

_ACTIVE_SECONDS = 5.0
"""So long after the last request for the cards, cards are counted."""
_FILE = "pile.json"
_log = logging.getLogger(__name__)
Read = Callable[[Frame], Reading]


@dataclass(frozen=True, slots=True)
class CountedCard:
    """A card of the pile: its face, None if none could be read; with ``doubt`` a person should look at it."""

    face: Face | None
    doubt: bool


class DealCount:
    """Counts cards while somebody asks for them; a card counts at once, and its face follows when it is read.

    Thread-safe.

    Args:
        folder: the data folder; None if the count need not survive a restart.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._path = folder / _FILE if folder else None
        self._lock, self._file_lock = threading.Lock(), threading.Lock()
        self._counter = DealCounter()
        self._cards = [_finished(card) for card in _load(self._path)]
        self._read: Read | None = None
        self._asked = -_ACTIVE_SECONDS
        self._executor = ThreadPoolExecutor(1, "read-dealt")

    @property
    def is_wanted(self) -> bool:
        """Whether somebody has asked for the cards in the last seconds."""
        return time.monotonic() - self._asked <= _ACTIVE_SECONDS

    def see(self, frame: Frame, at: float) -> None:
        """Handles the camera's next frame, taken ``at`` seconds; called in the camera's thread."""
        if time.monotonic() - self._asked > _ACTIVE_SECONDS or self._read is None:
            return
        with self._lock:
            spot = self._counter.see(frame.pixels, at)
            if spot is None:
                return
            picture = Frame(spot, frame.taken_at, frame.source)
            self._executor.submit(self._save)  # stored before it is read, so that a restart does not lose it
            card = self._executor.submit(_read_top_card, self._read, picture, self._counter.missed)
            self._cards.append(card)
        card.add_done_callback(lambda _: self._save())

    def cards(self, read: Read) -> list[CountedCard | None]:
        """The cards so far, None for one that is still being read; keeps the counting active.

        Args:
            read: reads the picture of a card.
        """
        if time.monotonic() - self._asked > _ACTIVE_SECONDS:
            self._counter = DealCounter()  # what changed meanwhile is not known
        self._asked, self._read = time.monotonic(), read
        return self._snapshot()

    def undo(self) -> None:
        """Removes the last card."""
        with self._lock:
            if self._cards:
                self._cards.pop()
        self._save()

    def restart(self) -> None:
        """Starts a new pile."""
        with self._lock:
            self._cards.clear()
        self._save()

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _snapshot(self) -> list[CountedCard | None]:
        with self._lock:
            return [card.result() if card.done() and not card.cancelled() else None for card in self._cards]

    def _save(self) -> None:
        """Writes the count to its file; the counting goes on if that fails."""
        if self._path is None:
            return
        with self._file_lock:
            document = [card and [str(card.face) if card.face else None, card.doubt] for card in self._snapshot()]
            try:
                replace_file(self._path, json.dumps(document).encode())
            except OSError as error:
                _log.warning("the pile that is dealt cannot be kept: %s", error)


def _load(path: Path | None) -> list[CountedCard]:
    """The stored cards, in doubt if they were not read yet; nothing if the file is missing or damaged."""
    try:
        document = read_json(path) if path else []
        entries = [entry or [None, True] for entry in document]
        return [CountedCard(Face.parse(face) if face else None, bool(doubt)) for face, doubt in entries]
    except (ValueError, TypeError, AttributeError):
        return []


def _finished(card: CountedCard) -> Future[CountedCard]:
    future: Future[CountedCard] = Future()
    future.set_result(card)
    return future


def _read_top_card(read: Read, frame: Frame, missed: bool) -> CountedCard:
    """Reads the card on top; its picture of some megabytes is not held on to."""
    try:
        top = top_card(read(frame))
    except VisionError:
        return CountedCard(None, True)
    except Exception:  # one card that cannot be read must not end the pile: it is asked for
        _log.exception("reading a card that was dealt failed")
        return CountedCard(None, True)
    return CountedCard(top.card.face if top.card else None, top.doubt or missed)
