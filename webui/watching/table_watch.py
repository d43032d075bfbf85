"""Watches the table while a round is played, one round at a time, in a thread of its own.

A reading begins only while nobody waits for a photo, the live picture or a card that is dealt. All that is known is
stored after each change, so that a program that was killed goes on.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from scorer.rules import RulesError, load_rules
from vision.cameras.watcher import Watcher
from vision.errors import VisionError
from vision.values import Frame, HouseRules, Pixels, Reading
from webui.games.progress import game_progress
from webui.reading.reader_service import house_rules_of, lower_priority
from webui.storage import clock
from webui.storage.errors import StorageError
from webui.storage.records import GameRecord
from webui.storage.store import Store
from webui.translation import _
from webui.watching.areas import Corners
from webui.watching.film import End, Film
from webui.watching.films import Films
from webui.watching.frames import Frames
from webui.watching.recorder import Recorder

LOST_AFTER = 300.0
"""Seconds without a picture after which watching ends."""
LAST_LOOK, LAST_READING = 2.5, 8.0
"""Seconds at the end of a round in which the table is to lie still once more, and until a reading has to be done."""
_CHECK_SECONDS = 2.0
_log = logging.getLogger(__name__)
ReadFor = Callable[[GameRecord, HouseRules], Callable[[Frame], Reading]]
"""What reads pictures of a game's cards."""


class WatchError(Exception):
    """The table cannot be watched; the message is a sentence for people."""


@dataclass(slots=True)
class _Run:
    """A film that is being made, and how its thread is told to end."""

    film: Film
    recorder: Recorder
    stop: threading.Event = field(default_factory=threading.Event)
    last_look: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)
    trouble: str | None = None


class TableWatch:
    """Watches one round at a time. Thread-safe.

    Args:
        watcher: the camera.
        store: the games.
        films: where they are kept.
        read_for: reads pictures by the rules and cards of a game.
        is_busy: whether somebody waits for the reader.
    """

    def __init__(
        self, watcher: Watcher, store: Store, films: Films, read_for: ReadFor, is_busy: Callable[[], bool]
    ) -> None:
        self._watcher, self._store, self.films, self._read_for = watcher, store, films, read_for
        self.is_busy = is_busy
        self._lock = threading.RLock()
        self._run: _Run | None = None
        self._revision = int(time.time())  # larger than any before the last start, so that open pages see news

    @property
    def revision(self) -> int:
        """Grows with every change that was seen, and with every start and end."""
        return self._revision

    @property
    def now(self) -> Film | None:
        """The film that is being made; None while nothing is watched."""
        run = self._run
        return run.film if run else None

    @property
    def trouble(self) -> str | None:
        """Why nothing can be seen now, as a sentence; None while all is well."""
        run = self._run
        return run.trouble if run else None

    def picture(self, film: Film) -> Pixels | None:
        """What the camera sees now, (height, width, 3) BGR, turned as the film is; None where it sees nothing of it."""
        run = self._run
        return run.recorder.picture if run and run.film is film else None

    def film(self, game: GameRecord, number: int) -> Film | None:
        """What is known of a round, None where it was never watched or that was removed."""
        run = self._run
        if run and (run.film.game, run.film.number) == (game.id, number):
            return run.film
        return self.films.find(game, number)

    def films_of(self, game: GameRecord) -> list[Film]:
        """The films of a game, by round."""
        found = (self.film(game, number) for held, number in self.films.files.rounds() if held == game.id)
        return [film for film in found if film]

    def start(self, game: GameRecord, number: int, by: str) -> Film:
        """Begins to watch a round, or goes on with it.

        Raises:
            WatchError: another round is watched.
            StorageError: what is seen cannot be stored.
            RulesError: the game's rules cannot be loaded.
        """
        with self._lock:
            if (now := self.now) is not None:
                if (now.game, now.number) == (game.id, number):
                    return now
                raise WatchError(_("The camera is watching another round already. Stop that one first."))
            film = self.film(game, number) or Film(game.id, game.created_at, number, by, clock.now().isoformat())
            film.areas = film.areas or self.films.usual_areas(len(game.sides))
            film.on, film.by, film.end, film.ended = True, by, None, None
            film.forget_end()
            self.films.save(film)
            self._store.log_watching(game.id, number, True)
            self._begin(film, game)
        return film

    def stop(self, end: End = "stopped") -> None:
        """Ends watching."""
        with self._lock:
            if (run := self._run) is not None:
                run.stop.set()
                self._end(run, end)

    def finish(self, game_id: int, number: int) -> None:
        """Ends watching a round that was played, after a last look at the table; takes a few seconds at most."""
        run = self._run
        if run is None or (run.film.game, run.film.number) != (game_id, number):
            return
        run.last_look.set()
        run.done.wait(LAST_LOOK + LAST_READING)
        self.stop("round")

    def set_hints(self, on: bool) -> None:
        """Says whether the house wants to be told of a meld that breaks the rules.

        Raises:
            OSError: it cannot be stored.
        """
        self.films.set_hints(on)
        self._news()

    def set_areas(self, film: Film, boxes: list[Corners]) -> None:
        """Says where each side lays its cards, as fractions of the picture, also for what lies there already.

        Raises:
            StorageError: it cannot be stored.
        """
        run = self._run
        if run is not None and run.film is film:
            run.recorder.set_areas(boxes)
        else:
            self.films.set_areas(film, boxes)
        self._revision += 1

    def remove(self, game_id: int, number: int | None = None) -> None:
        """Removes the pictures and the history of a round, or of all rounds of a game; ends watching it.

        Raises:
            StorageError: they cannot be removed.
        """
        now = self.now
        if now is not None and now.game == game_id and number in (None, now.number):
            run = self._run
            self.stop()
            if run is not None:
                run.done.wait(LAST_READING)
        self.films.remove(game_id, number)
        self._revision += 1

    def resume(self) -> None:
        """Goes on with what was watched when the program ended."""
        for game_id, number in self.films.files.rounds():
            try:
                game = self._store.game(game_id)
                film = self.film(game, number) if game else None
                if game is not None and film is not None and film.on and self._run is None:
                    self._begin(film, game)
            except (StorageError, RulesError) as error:
                _log.warning("watching a round cannot go on: %s", error)

    def close(self) -> None:
        """Ends the thread; what is watched goes on after the next start."""
        run = self._run
        if run is not None:
            run.stop.set()
            run.done.wait(LAST_READING)

    def _begin(self, film: Film, game: GameRecord) -> None:
        house = house_rules_of(game, load_rules(game.rules))
        self._run = _Run(film, Recorder(film, self.films.files, self._read_for(game, house), house, self._news))
        self._revision += 1
        threading.Thread(target=self._watch, args=(self._run,), name="watch-table", daemon=True).start()

    def _news(self) -> None:
        self._revision += 1
        self._store.change_signal.notify()

    def _end(self, run: _Run, end: End) -> None:
        """Ends a run, once."""
        with self._lock:
            if self._run is not run:
                return
            film = run.film
            film.on, film.end, film.ended = False, end, clock.now().isoformat()
            try:
                run.recorder.look_around()
            except VisionError as error:
                _log.warning("the table could not be read once more when watching ended: %s", error)
            try:
                run.recorder.save()
                self._store.log_watching(film.game, film.number, False)
            except StorageError as error:
                _log.warning("that watching ended cannot be stored: %s", error)
            self._run = None  # only now: a page that is opened meanwhile must not find the film as it was stored before
            self._news()

    # The rest runs in the thread of a run.

    def _watch(self, run: _Run) -> None:
        lower_priority()
        frames = Frames(self._watcher)
        try:
            with frames.taken():
                self._read_on(run, frames)
        except Exception:
            _log.exception("watching the table failed")
            self._end(run, "stopped")
        finally:
            run.done.set()

    def _read_on(self, run: _Run, frames: Frames) -> None:
        checked, last_look_from, seen_until = 0.0, 0.0, 0.0
        version: object = None
        while not run.stop.is_set():
            now = time.monotonic()
            if run.last_look.is_set():
                last_look_from = last_look_from or now
                is_seen = run.recorder.settled and seen_until >= last_look_from
                if is_seen or now > last_look_from + LAST_LOOK:
                    return
            if self.is_busy():
                frames.drop()
                run.trouble = None
            if (taken := frames.next()) is not None and not self.is_busy():
                self._see(run, *taken)
                seen_until = taken[1]
            if frames.trouble:
                run.trouble = frames.trouble
                if time.monotonic() - frames.seen_at > LOST_AFTER:
                    self._end(run, "camera-lost")
                    return
            if now - checked > _CHECK_SECONDS:
                checked = now
                version, end = self._why_over(run.film, version)
                if end is not None:
                    self._end(run, end)
                    return

    def _see(self, run: _Run, frame: Frame, at: float) -> None:
        try:
            run.recorder.see(frame.pixels, at)
            run.trouble = run.recorder.trouble
        except StorageError as error:
            run.trouble = str(error)
        except VisionError as error:
            run.trouble = f"{error}."

    def _why_over(self, film: Film, version: object) -> tuple[object, End | None]:
        """The game's version, and why its round is over, if it is; asked anew only after a change."""
        try:
            now = self._store.version(film.game)
            if now == version:
                return now, None
            game = self._store.game(film.game)
            if game is None or game.state in ("removed", "ended"):
                return now, "game-over"
            record = game.round(film.number)
            if record is not None and record.agreed_text is not None:
                return now, "round"
            return now, "game-over" if game_progress(game, load_rules(game.rules)).over else None
        except (StorageError, RulesError):
            return None, None
