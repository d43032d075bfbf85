"""What the agreed rounds of a household teach a reader of how its cards look."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Container, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from scorer.rules import RulesError, load_rules
from vision.looks.looks import MOST_LOOKS, Looks, LooksError, SeenIndices, joined
from webui.reading.reader_service import lower_priority
from webui.rounds.round_looks import RoundLooks, round_looks
from webui.rounds.round_view import view_round
from webui.storage.errors import StorageError
from webui.storage.records import GameRecord, RoundRecord
from webui.storage.store import Store

MOST_ROUNDS = 40
"""So many of the newest rounds count."""
_SETS, _ROUNDS = 2, 100
"""So many sets of decks and rounds are kept ready."""
_NAMED = 3
"""So many damaged files are named."""
_log = logging.getLogger(__name__)
_State = tuple[object, ...]
Decks = frozenset[str]


@dataclass(frozen=True, slots=True)
class KnownRound:
    """An agreed round that teaches: its game, as ``Store.games`` has it, its number and id, and what it teaches."""

    game: GameRecord
    number: int
    id: int
    taught: RoundLooks


class KnownLooks:
    """Computes what agreed rounds teach from their sheets as they are corrected now. Thread-safe.

    Nothing of it is stored but what was detected in the photos (``Store.looks``): a round that is corrected, removed or
    undone teaches something else from then on. Rounds that did not change are not computed again.

    Args:
        store: the storage.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.RLock()
        self._worker = ThreadPoolExecutor(1, "looks", initializer=lower_priority)
        self._versions: dict[int, int] = {}
        self._made: dict[int, tuple[_State, RoundLooks | None]] = {}
        self._joined: dict[Decks, tuple[_State, Looks | None]] = {}
        self._came: dict[Path, tuple[int, Looks]] = {}
        self._damaged: frozenset[Path] = frozenset()

    def of(self, game: GameRecord) -> Looks | None:
        """What a reader is told of the cards of a game, by rounds with no other cards than it has in play; None where
        nothing is known. Does not wait: what changed meanwhile is computed for the next photo.

        Raises:
            RulesError: the game's rule set does not exist any more.
        """
        self.renew(game)
        return self._joined.get(decks_of(game), (None, None))[1]

    def renew(self, game: GameRecord) -> Future[None]:
        """Computes in the background what ``of`` tells, where that has changed.

        Raises:
            RulesError: the game's rule set does not exist any more.
        """
        return self._worker.submit(self._join, decks_of(game))

    def _join(self, decks: Decks) -> None:
        try:
            with self._lock:
                known = self.rounds(lambda others: others <= decks)
                came = self._came_with(decks)
                state = (*((one.id, id(one.taught)) for one in known), *map(id, came))
                if self._joined.get(decks, (None,))[0] != state:
                    while len(self._joined) >= _SETS:
                        self._joined.pop(next(iter(self._joined)))
                    looks = joined([*(one.taught.looks for one in known), *came])
                    self._joined[decks] = state, looks
        except StorageError as error:
            _log.warning("what rounds teach cannot be read: %s", error)

    def rounds(self, fits: Callable[[Decks], bool]) -> list[KnownRound]:
        """The newest rounds that teach, of games whose decks are such, ``MOST_ROUNDS`` at most; the newest first.

        Raises:
            StorageError: the database cannot be read.
        """
        files, known = self._store.looks.by_round(), list[KnownRound]()
        with self._lock:
            for game in self._games(self._store.counted_games(), fits, files):
                held = [record for record in game.rounds if record.agreed_text is not None and record.id in files]
                if len(known) == MOST_ROUNDS:
                    break
                if held:
                    self._compute(game.id, {record.id: files[record.id] for record in held})
                for record in reversed(held):
                    taught = self._made.get(record.id, (None, None))[1]
                    if taught is not None and len(known) < MOST_ROUNDS:
                        known.append(KnownRound(game, record.number, record.id, taught))
        return known

    def with_deck(self, deck: str) -> tuple[list[KnownRound], int]:
        """The newest rounds that teach and were played with a deck, or with it and others, the newest first, as far as
        their looks count, and how many more there are that other networks read.

        Raises:
            StorageError: the database cannot be read.
        """
        known = self.rounds(lambda decks: deck in decks)
        alike = [one for one in known if one.taught.looks.networks == known[0].taught.looks.networks]
        newer = accumulate((len(one.taught.looks) for one in alike), initial=0)
        counting = [one for one, looks in zip(alike, newer, strict=False) if looks < MOST_LOOKS]
        return counting, len(known) - len(alike)

    def of_deck(self, deck: str) -> bytes | None:
        """What rounds with a deck alone taught, here and where it came from, as a file for another computer; None where
        that is nothing.

        Raises:
            StorageError: the database cannot be read.
        """
        own = {deck}
        looks = joined([*(one.taught.looks for one in self.rounds(lambda decks: decks == own)), *self._came_with(own)])
        return None if looks is None else looks.to_bytes()

    def came_with(self, deck: str) -> bool:
        """Whether something came with a deck of what rounds taught elsewhere."""
        return bool(self._came_with([deck]))

    def forget_what_came_with(self, decks: Iterable[str]) -> None:
        """Removes what came with decks of what rounds taught elsewhere.

        Raises:
            OSError: a file cannot be removed.
        """
        for deck in decks:
            self._store.looks.with_deck(deck).unlink(missing_ok=True)

    def _came_with(self, decks: Iterable[str]) -> list[Looks]:
        """What came with decks, without what is damaged; of a file that did not change the same object."""
        found = []
        for path in map(self._store.looks.with_deck, sorted(decks)):
            with suppress(OSError, LooksError):
                changed = path.stat().st_mtime_ns
                if self._came.get(path, (None,))[0] != changed:
                    self._came[path] = changed, Looks.from_bytes(path.read_bytes())
                found.append(self._came[path][1])
        return found

    def forget(self, rounds: Iterable[int] | None) -> None:
        """Forgets what was detected in the photos of rounds, for good; of all where ``rounds`` is None.

        Raises:
            OSError: a file cannot be removed.
        """
        with self._lock:
            gone = list(self._store.looks.by_round() if rounds is None else rounds)
            self._joined.clear()
            self._store.looks.forget(gone)
            for id in gone:
                self._made.pop(id, None)

    def ids_with(self, deck: str) -> list[int]:
        """The ids of the rounds that were played with a deck, agreed or not, of removed games too."""
        games = self._games(self._store.games(), lambda decks: deck in decks, self._store.looks.by_round())
        return [record.id for game in games for record in game.rounds]

    @property
    def damage(self) -> str | None:
        """What ``damage_of`` says of the files that could not be read."""
        return damage_of(self._damaged)

    def _games(
        self, games: Iterable[GameRecord], fits: Callable[[Decks], bool], ids: Container[int]
    ) -> Iterator[GameRecord]:
        """Those of the games that are played with such decks, and have rounds of these ids."""
        for game in games:
            try:
                if any(record.id in ids for record in game.rounds) and fits(decks_of(game)):
                    yield game
            except RulesError:  # its rule set is gone, and nothing of it can be computed
                continue

    def _compute(self, game_id: int, files: dict[int, dict[str, Path]]) -> None:
        """Computes what rounds of a game teach where they, or their files, are not as they were."""
        version = self._store.version(game_id)
        if self._versions.get(game_id) == version and all(
            id in self._made and self._made[id][0][0] == (*files[id],) for id in files
        ):
            return
        game = self._store.game(game_id)
        for record in game.rounds if game else ():
            if record.id in files:
                state: _State = ((*files[record.id],), *_state(record))
                if self._made.get(record.id, (None,))[0] != state:
                    assert game is not None
                    seen = _seen(files[record.id])
                    damaged = {path for photo, path in files[record.id].items() if photo not in seen}
                    for path in sorted(damaged):
                        _log.warning("a round teaches less: %s is damaged", path.name)
                    self._damaged |= damaged
                    self._made[record.id] = state, _taught(game, record, seen)
                    while len(self._made) > _ROUNDS:
                        self._made.pop(next(iter(self._made)))
        self._versions[game_id] = version


def decks_of(game: GameRecord) -> Decks:
    """The ids of the decks in play.

    Raises:
        RulesError: nobody said, and the rule set does not exist any more.
    """
    return frozenset(game.decks or (load_rules(game.rules).deck,))


def _state(record: RoundRecord) -> _State:
    """What changes when the cards of a round are corrected, or agreed anew; corrections never change themselves."""
    made = tuple(correction.id for correction in record.corrections)
    return record.agreed_sheet_id, made, len(record.photos), json.dumps(record.facts, sort_keys=True)


def damage_of(files: Iterable[Path]) -> str | None:
    """One sentence about those of the files of looks that are there and damaged; None where none is."""
    damaged = sorted(path.name for path in files if path.exists() and not _seen({"": path}))
    if not damaged:
        return None
    names, many = ", ".join(damaged[:_NAMED]), len(damaged) > 1
    are, them = (f"{len(damaged)} files in looks are", "them") if many else ("1 file in looks is", "it")
    return f"{are} damaged ({names}): photos are read without what was learned from {them}; remove {them}"


def _seen(files: dict[str, Path]) -> dict[str, SeenIndices]:
    """What was seen in photos, without those whose file is damaged."""
    seen = {}
    for photo, path in files.items():
        with suppress(OSError, LooksError):
            seen[photo] = SeenIndices.from_bytes(path.read_bytes())
    return seen


def _taught(game: GameRecord, record: RoundRecord, seen: dict[str, SeenIndices]) -> RoundLooks | None:
    try:
        return round_looks(view_round(game, record), seen) if seen else None
    except Exception:  # whatever a round of long ago holds, photos are read and the page is shown
        _log.exception("round %d of game %d teaches nothing", record.number, game.id)
        return None
