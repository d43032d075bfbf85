"""The card reader as the page and the commands use it: loaded once, in the background, waited for when first needed."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Protocol

from scorer.deck import load_deck
from scorer.rules import RuleSet
from vision.groups.merge_photos import merge
from vision.values import ANY_HOUSE, Frame, HouseRules, Reading

QUICK = 0.7
"""Another look is taken only where the last took fewer seconds than this."""
_MODEST = 10
"""How nice (nice(2)) the threads are that read; the page's own are at 0, or as it was started."""


class Reader(Protocol):
    """What reads the cards in a picture; safe to call from several threads."""

    def read(self, frame: Frame, house: HouseRules = ...) -> Reading: ...


def lower_priority() -> None:
    """Lets this thread, and those that it begins, work where no page waits for an answer; Linux alone knows how."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _MODEST)


def house_rules(rules: RuleSet, players: int = 4) -> HouseRules:
    """What the reader needs to know of a rule set that so many play."""
    copies = load_deck(rules.deck).copies
    packs = rules.packs_for(players)
    return HouseRules(
        frozenset(rules.wild_ranks), rules.book_size, {face: count * packs for face, count in copies.items()}
    )


def as_one(readings: Sequence[Reading], house: HouseRules = ANY_HOUSE) -> Reading:
    """Looks from one spot as one reading, in pixels of the first; of three a card must have been seen in two."""
    if len(readings) == 1:
        return readings[0]
    return merge(readings, house, min_seen=(len(readings) + 1) // 2).reading


def read_together(reader: Reader, frames: Sequence[Frame], house: HouseRules) -> Reading:
    """Reads pictures that show the same from the same spot: the first and, where looks are quick, the others too.

    The reading is in pixels of the first.
    """
    readings = [reader.read(frames[0], house)]
    for frame in frames[1:]:
        if readings[-1].seconds >= QUICK:
            break
        readings.append(reader.read(frame, house))
    return as_one(readings, house)


class ReaderService:
    """Loads a reader in the background and hands it out.

    What went wrong while loading is raised again for everyone who asks.
    """

    def __init__(self, load: Callable[[], Reader]) -> None:
        self._load = load
        self._reader: Future[Reader] = Future()
        self._started = threading.Lock()

    def start(self) -> None:
        """Begins to load, once; returns at once."""
        if self._started.acquire(blocking=False):
            threading.Thread(target=self._run, name="load-reader", daemon=True).start()

    def get(self) -> Reader:
        """The reader, waiting until it is loaded.

        Raises:
            WeightsError: as the loading did.
        """
        self.start()
        return self._reader.result()

    @property
    def loaded(self) -> bool:
        """Whether it can be had at once."""
        return self._reader.done() and self._reader.exception() is None

    @property
    def trouble(self) -> str | None:
        """Why it could not be loaded; None where it could, or is still being loaded."""
        error = self._reader.exception() if self._reader.done() else None
        return None if error is None else str(error)

    def _run(self) -> None:
        lower_priority()
        try:
            self._reader.set_result(self._load())
        except BaseException as error:  # kept for whoever asks, in their own thread
            self._reader.set_exception(error)
