"""Learning decks in a process of its own: how far it is, cancelling, and going on after a restart."""

from __future__ import annotations

import sys
import textwrap
import time
from collections.abc import Callable, Iterator

import pytest

from scorer.faces import JOKER
from tests.webui.decks.pictures import pictures
from webui.decks.learning import PROGRESS, WANTED, DeckLearning
from webui.decks.taught import TaughtDecks
from webui.storage.errors import StorageError
from webui.storage.files.deck_files import LEARNT

WORK = """
import json, os, sys, time
from pathlib import Path
from filelock import FileLock
folder, parent = Path(sys.argv[1]) / "learnt", os.getppid()
with FileLock(folder / "learning.lock"):
    print(json.dumps({"pid": os.getpid()}), flush=True)
    print(json.dumps({"share": 0.4, "seconds_left": 90}), flush=True)
    while os.getppid() == parent and not (folder / "go").exists():
        time.sleep(0.02)
    print(json.dumps({"told": " ".join(sys.argv[2:])}), flush=True)
"""
"""Stands for the process that learns: it works until a file appears, or the test's process is gone."""


def until(condition: Callable[[], bool]) -> None:
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("never so")


@pytest.fixture
def learning(decks: TaughtDecks) -> Iterator[DeckLearning]:
    decks.add("Ours", "standard", pictures([JOKER]))
    yield DeckLearning(decks, (sys.executable, "-c", textwrap.dedent(WORK)))
    DeckLearning(decks).cancel()  # what a test that failed left at work


def test_it_says_how_far_it_is_and_ends_with_the_result(decks: TaughtDecks, learning: DeckLearning) -> None:
    assert learning.state().kind == "nothing" and learning.is_behind()
    learning.start()
    until(lambda: learning.state().share == 0.4)
    state = learning.state()
    assert (state.kind, state.seconds_left) == ("running", 90)
    watching = DeckLearning(decks)
    assert watching.state() == state, "another process sees the same"
    watching.start()  # it runs already: nothing happens
    (decks.folder / LEARNT / "go").touch()
    told = learning.wait()
    assert (told.kind, told.share) == ("done", 1.0)
    assert told.told == f"--deck ours={decks.get('ours').content_hash()}"


def test_a_cancelled_learning_stays_stopped_and_a_killed_one_goes_on(
    decks: TaughtDecks, learning: DeckLearning
) -> None:
    learning.start()
    until(lambda: learning.state().share == 0.4)
    DeckLearning(decks).cancel()  # from another process
    learning.wait()
    assert learning.state().kind == "stopped" and not (decks.folder / LEARNT / WANTED).exists()
    learning.go_on()
    assert learning.state().kind == "stopped", "cancelled by a person"
    learning.start()
    until(lambda: learning.state().share == 0.4)
    process = learning._process
    assert process is not None
    process.kill()
    process.wait()
    assert learning.state().kind == "stopped"
    after_restart = DeckLearning(decks, (sys.executable, "-c", textwrap.dedent(WORK)))
    after_restart.go_on()
    until(lambda: after_restart.state().kind == "running")
    (decks.folder / LEARNT / "go").touch()
    assert after_restart.wait().kind == "done"
    (decks.folder / LEARNT / PROGRESS).write_text('{"error": "no room on the disk"}\n{"sha')
    assert (after_restart.state().kind, after_restart.state().told) == ("failed", "no room on the disk")


def test_a_process_that_is_not_to_outlive_the_command_holds_a_pipe_of_it(
    decks: TaughtDecks, learning: DeckLearning
) -> None:
    bound = DeckLearning(decks, (sys.executable, "-c", textwrap.dedent(WORK)), with_parent=True)
    bound.start()
    assert bound._process is not None and bound._process.stdin is not None
    (decks.folder / LEARNT / "go").touch()
    assert bound.wait().told.startswith("--with-parent --deck ours=")


def test_without_pictures_a_sentence_says_what_to_do(decks: TaughtDecks, learning: DeckLearning) -> None:
    decks.remove("ours")
    with pytest.raises(StorageError, match="no photos of your cards yet"):
        learning.start()
    assert learning.state().kind == "nothing"


def test_cards_that_changed_are_learned_anew(decks: TaughtDecks, learning: DeckLearning) -> None:
    learning.start()
    until(lambda: learning.state().share == 0.4)
    before = learning._process
    decks.add_picture("ours", JOKER, pictures([JOKER])[0][1])
    learning.renew()
    until(lambda: learning.state().share == 0.4)
    assert before is not None and before.poll() is not None
    (decks.folder / LEARNT / "go").touch()
    assert learning.wait().told == f"--deck ours={decks.get('ours').content_hash()}"
