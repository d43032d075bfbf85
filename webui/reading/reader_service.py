"""The card reader as pages and commands use it: loaded once in the background; whoever needs it first waits for it."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Protocol

from scorer.deck import DeckProfile
from scorer.faces import Face
from scorer.rules import RuleSet
from vision.detect.trace import Trace
from vision.groups.merge_photos import merge
from vision.looks.looks import Looks, SeenIndices
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Reading
from webui.decks.in_play import deck_in_play
from webui.storage.records import GameRecord

REPEAT_BELOW_SECONDS = 0.7
"""Further frames of a scene are read only if the last took fewer seconds than this."""
_LOADING_SECONDS = 30.0
"""How long the end of the program waits for the reader to be loaded."""
Read = tuple[Reading, SeenIndices | None]
"""A reading, and what was detected; None where nothing was looked for."""
_log = logging.getLogger(__name__)
_NICE = 10
"""The niceness, nice(2), of threads that read; those that answer requests run at 0, or as the process was started."""


class Reader(Protocol):
    """Reads the cards in a picture. Thread-safe."""

    def read(self, frame: Frame, house_rules: HouseRules = ..., taught: TaughtFaces | None = None) -> Reading: ...

    def read_traced(
        self,
        frame: Frame,
        house_rules: HouseRules = ...,
        taught: TaughtFaces | None = None,
        *,
        looks: Looks | None = None,
    ) -> tuple[Reading, Trace]: ...


def lower_priority() -> None:
    """Lowers the priority of this thread and those that it starts, so that pages are answered first. Linux only."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


def house_rules(rules: RuleSet, players: int = 4, deck: DeckProfile | None = None) -> HouseRules:
    """The rules of a game as the reader needs them; ``deck`` is what is in play, None for the first of the rules."""
    deck = rules.all_decks[0] if deck is None else deck
    packs = rules.packs.for_players(players)
    return HouseRules(
        frozenset(rules.wilds),
        rules.book_size,
        {face: count * packs for face, count in deck.copies.items()},
        frozenset(face.rank for face in deck.faces if rules.called(face).rank == "3" and not _is_melded(face, rules)),
        frozenset(deck.faces),
        frozenset(face.rank for face in deck.faces if rules.is_cap(face)),
        rules.runs.ranks if rules.runs else (),
        rules.runs.most_wilds if rules.runs else 0,
    )


def house_rules_of(game: GameRecord, rules: RuleSet) -> HouseRules:
    """The rules of a stored game as the reader needs them, with the cards in play."""
    return house_rules(rules, game.players, deck_in_play(game.decks, rules))


def _is_melded(face: Face, rules: RuleSet) -> bool:
    """Whether a card forms melds as any other does, at any time."""
    return not (rules.is_laid(face) or rules.is_never_melded(face) or rules.is_melded_going_out(face))


def merge_readings(readings: Sequence[Reading], house_rules: HouseRules = DEFAULT_HOUSE_RULES) -> Reading:
    """Merges readings of a scene from one viewpoint, in pixels of the first; half of them must have seen a card."""
    if len(readings) == 1:
        return readings[0]
    return merge(readings, house_rules, min_seen=(len(readings) + 1) // 2).reading


def read_together(
    reader: Reader,
    frames: Sequence[Frame],
    house_rules: HouseRules,
    taught: TaughtFaces | None = None,
    looks: Looks | None = None,
) -> Read:
    """Reads frames of one scene from one viewpoint; the others besides the first only if the reader is fast enough.

    Args:
        reader: reads.
        frames: the pictures.
        house_rules: the rules and the cards in play.
        taught: the jokers and picture cards that were taught.
        looks: what agreed rounds taught.

    Returns:
        The merged reading, in pixels of the first frame, and what was detected in that one.
    """
    reading, trace = reader.read_traced(frames[0], house_rules, taught, looks=looks)
    seen = None if trace.scored is None else SeenIndices.of(trace.scored, trace.networks)
    readings = [reading]
    for frame in frames[1:]:
        if readings[-1].seconds >= REPEAT_BELOW_SECONDS:
            break
        readings.append(reader.read_traced(frame, house_rules, taught, looks=looks)[0])
    return merge_readings(readings, house_rules), seen


class ReaderService:
    """Loads a reader in the background and provides it. Thread-safe.

    An error of the loading is raised for everybody who asks for the reader.

    Args:
        load: loads it.
        state: tells what it would be loaded from now; where that has changed, it is loaded anew, and the one that
            there is stays if that fails.
    """

    def __init__(self, load: Callable[[], Reader], state: Callable[[], object] = lambda: None) -> None:
        self._load, self._state = load, state
        self._loaded_from: object = None
        self._changing = threading.Lock()
        self._reader: Future[Reader] = Future()
        self._started = threading.Lock()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Starts to load, once; does not wait."""
        if self._started.acquire(blocking=False):
            self._thread = threading.Thread(target=self._run, name="load-reader", daemon=True)
            self._thread.start()

    def get(self) -> Reader:
        """The reader; waits until it is loaded, also where it has to be loaded anew: no photo is read without what was
        learned a moment ago.

        Raises:
            WeightsError: the weights are missing or not the shipped ones.
        """
        self.start()
        self._reader.result()
        while self._is_outdated():
            self.renew()
            with self._changing:  # held while it is loaded anew
                pass
        with self._changing:
            return self._reader.result()

    def renew(self) -> None:
        """Loads the reader anew where that would be another one now; does not wait."""
        if not self._is_outdated() or not self._changing.acquire(blocking=False):
            return
        self._thread = threading.Thread(target=self._replace, name="load-reader", daemon=True)
        self._thread.start()

    def _is_outdated(self) -> bool:
        return self.loaded and self._state() != self._loaded_from

    def close(self) -> None:
        """Waits until nothing is being loaded: a library that is at it while the process ends aborts the process."""
        if self._thread is not None:
            self._thread.join(_LOADING_SECONDS)

    @property
    def loaded(self) -> bool:
        """Whether the reader can be had without waiting."""
        return self._reader.done() and self._reader.exception() is None

    @property
    def error(self) -> str | None:
        """Why it could not be loaded; None if it could, or is still being loaded."""
        error = self._reader.exception() if self._reader.done() else None
        return None if error is None else str(error)

    def _run(self) -> None:
        lower_priority()
        self._loaded_from = self._state()
        try:
            self._reader.set_result(self._load())
        except BaseException as error:  # raised in the threads that ask for the reader
            self._reader.set_exception(error)

    def _replace(self) -> None:
        lower_priority()
        try:
            self._loaded_from = self._state()
            reader = self._load()
            renewed: Future[Reader] = Future()
            renewed.set_result(reader)
            self._reader = renewed
        except Exception as error:
            _log.warning("the reader could not be loaded anew: %s", error)
        finally:
            self._changing.release()
