"""Learning the household's decks: a process of its own, which works while the table is played at and after a restart.

The process (``python -m models.learn``) says how far it is in a file. So whoever asks need not have started it: a page
after a restart of the program, or another process of a club.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from filelock import FileLock, Timeout

from scorer.deck import load_deck, own_decks
from webui.decks.learnt import is_up_to_date, read_learnt
from webui.decks.taught import TaughtDecks
from webui.storage.errors import StorageError
from webui.storage.files.atomic_files import read_file
from webui.storage.files.deck_files import LEARNT
from webui.storage.files.learnt_files import LOCK, forget_deck
from webui.translation import _, ngettext

PROGRESS, WANTED, FAULTS = "progress.jsonl", "wanted", "faults.txt"
"""Files in the folder of what was learnt: how far the process is, that it is to go on after a restart, and what was
said of a fault. While it works it holds the lock LOCK."""
_ENDING_SECONDS, _MOST_BYTES = 10.0, 16 * 1024 * 1024
"""How long it may take to end, and the most that is read of what it said."""
MODULE = "models.learn"
_MINUTE = 60


@dataclass(frozen=True, slots=True)
class LearningState:
    """How far learning is.

    Attributes:
        kind: ``nothing`` to learn or learnt before; ``running``; ``stopped``; ``done``; ``failed``.
        share: the share done, 0..1.
        seconds_left: about how long it still takes, if known.
        told: the result or the error, a sentence.
    """

    kind: Literal["nothing", "running", "stopped", "done", "failed"]
    share: float = 0.0
    seconds_left: int | None = None
    told: str = ""


class DeckLearning:
    """Starts, watches and cancels the learning of all taught decks of a data folder.

    Args:
        decks: the household's decks.
        command: what is run; the decks' folder and hashes are added.
        with_parent: the process ends when this one does, however it ends; else it outlives a restart of the page.
    """

    def __init__(
        self,
        decks: TaughtDecks,
        command: tuple[str, ...] = (sys.executable, "-m", MODULE),
        with_parent: bool = False,
    ) -> None:
        self._decks, self._command, self._with_parent = decks, command, with_parent
        self._folder = decks.folder / LEARNT
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the learning, or starts one anew that was stopped; nothing where it runs already.

        Raises:
            StorageError: there is nothing to learn, or the folder cannot be written.
        """
        decks = [deck for deck in self._decks.all() if deck.pictures]
        if not decks:
            raise StorageError("there are no photos of your cards yet; take some first")
        if self._is_running():
            return
        bound = ["--with-parent"] if self._with_parent else []
        named = [part for deck in decks for part in ("--deck", f"{deck.id}={deck.content_hash()}")]
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / WANTED).touch()
            with (self._folder / PROGRESS).open("wb") as progress, (self._folder / FAULTS).open("wb") as faults:
                self._process = subprocess.Popen(
                    [*self._command, str(self._decks.folder), *bound, *named],
                    stdin=subprocess.PIPE if self._with_parent else subprocess.DEVNULL,
                    stdout=progress,
                    stderr=faults,
                    env={**os.environ, "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"},
                    start_new_session=True,  # Ctrl-C and a restart of the page are not for it
                )
        except OSError as error:
            raise StorageError("learning cannot be started: the data folder cannot be written") from error

    def renew(self) -> None:
        """Starts the learning for the decks as they are now, in place of one of them as they were."""
        self._end()
        self.start()

    def go_on(self) -> None:
        """After a restart of the program: starts a learning anew that was under way."""
        if self._has(WANTED) and self.state().kind == "stopped":
            with suppress(StorageError):
                self.start()

    def cancel(self) -> None:
        """Stops the learning."""
        (self._folder / WANTED).unlink(missing_ok=True)
        pid = next((line["pid"] for line in self._lines() if "pid" in line), None)
        if isinstance(pid, int) and self._is_running():
            with suppress(OSError):
                os.kill(pid, signal.SIGTERM)
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(10)

    def forget(self, id: str) -> None:
        """Ends the learning of a deck that was removed for good, and removes what was learned of it; goes on with the
        others.

        Raises:
            StorageError: the disk does not take it.
        """
        was_running = self._is_running()
        self._end()
        if self._folder.is_dir():
            forget_deck(self._folder, id, lambda other: load_deck(other).faces if other in own_decks() else ())
        if was_running and self.is_behind():
            self.start()

    def _end(self) -> None:
        """Ends the learning where it runs, and waits for that."""
        if self._is_running():
            self.cancel()
            end = time.monotonic() + _ENDING_SECONDS
            while self._is_running() and time.monotonic() < end:
                time.sleep(0.05)

    def state(self) -> LearningState:
        """How far it is."""
        lines = self._lines()
        last = lines[-1] if lines else {}
        if "error" in last:
            return LearningState("failed", told=str(last["error"]))
        if "told" in last:
            return LearningState("done", 1.0, 0, str(last["told"]))
        share, seconds = last.get("share", 0.0), last.get("seconds_left")
        done = float(share) if isinstance(share, (int, float)) else 0.0
        left = int(seconds) if isinstance(seconds, (int, float)) else None
        if self._is_running():
            return LearningState("running", done, left)
        if self._has(WANTED) or lines:
            return LearningState("stopped", done)
        return LearningState("nothing")

    def wait(self) -> LearningState:
        """Waits for the process that ``start`` started; returns the last state."""
        if self._process is not None:
            self._process.wait()
        return self.state()

    def is_behind(self) -> bool:
        """Whether there are pictures that were not learnt as they are now."""
        decks = [deck for deck in self._decks.all() if deck.pictures]
        return bool(decks) and not is_up_to_date(read_learnt(self._decks.folder.parent), decks)

    def catch_up(self) -> None:
        """Starts the learning where there are pictures that were not learnt, as of a deck that was brought in. Where it
        cannot be started, the page of the decks has a button."""
        if self.is_behind():
            with suppress(StorageError):
                self.renew()

    def _lines(self) -> list[dict[str, object]]:
        """What the process said so far; a line that is half written is left out."""
        found = []
        with suppress(OSError):
            for line in read_file(self._folder / PROGRESS, _MOST_BYTES).splitlines():
                with suppress(ValueError, RecursionError):
                    told = json.loads(line)
                    if isinstance(told, dict):
                        found.append(told)
        return found

    def _has(self, name: str) -> bool:
        """Whether there is such a file; not where the folder cannot be looked into."""
        try:
            return (self._folder / name).exists()
        except OSError:
            return False

    def _is_running(self) -> bool:
        if self._process is not None and self._process.poll() is None:
            return True
        lock = self._folder / LOCK
        if not self._has(LOCK):
            return False
        try:
            with FileLock(lock, timeout=0):
                return False
        except (Timeout, OSError):
            return True


def progress_text(state: LearningState) -> str:
    """``40 % done, about 30 seconds left``; while nothing tells the time left, how long it usually takes."""
    percent = int(100 * state.share)
    if state.seconds_left is None and state.kind == "running":
        return _("%(percent)s %% done, about a minute in all", percent=percent)
    if state.seconds_left is None:
        return _("%(percent)s %% done", percent=percent)
    if state.seconds_left < 2 * _MINUTE:
        left = ngettext("about %(num)s second left", "about %(num)s seconds left", state.seconds_left)
        return _("%(percent)s %% done, %(left)s", percent=percent, left=left)
    minutes = round(state.seconds_left / _MINUTE)
    left = ngettext("about %(num)s minute left", "about %(num)s minutes left", minutes)
    return _("%(percent)s %% done, %(left)s", percent=percent, left=left)
