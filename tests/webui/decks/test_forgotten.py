"""What was learned of a deck that is removed for good goes too, and so does the learning of it."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

from scorer.faces import JOKER, Face
from tests.webui.decks.learnt import write_learnt
from tests.webui.decks.pictures import pictures
from tests.webui.decks.test_learning import WORK, until
from tests.webui.decks.test_taught import LADY, OWN
from vision.recognise.deck_head import load_deck_head
from webui.decks.learning import DeckLearning
from webui.decks.learnt import read_learnt
from webui.decks.taught import TaughtDecks
from webui.storage.files.learnt_files import check_learnt

COMMAND = (sys.executable, "-c", textwrap.dedent(WORK))
WIZARD = Face("WIZARD")


@pytest.fixture
def learnt(decks: TaughtDecks) -> Path:
    """What was learnt of two decks, of which one was removed for good."""
    hashes = {}
    for name, profile, faces in (("Ours", OWN, [LADY]), ("Jokers", "standard", [JOKER])):
        deck = decks.add(name, profile, pictures(faces))
        hashes[deck.id] = deck.content_hash()
    folder = write_learnt(decks, hashes, whole=["ours"], faces=[LADY, WIZARD, JOKER])
    decks.remove("ours")
    decks.remove_for_good("ours")
    return folder


def test_its_names_go_and_those_of_other_decks_stay(decks: TaughtDecks, learnt: Path) -> None:
    DeckLearning(decks, COMMAND).forget("ours")
    found = check_learnt(learnt)
    assert found is not None and found.decks.keys() == {"jokers"} and not found.whole and not found.self_test
    assert found.tests.keys() == {"jokers"}
    assert found.covers(decks.get("jokers"))
    assert load_deck_head(found.names).vocabulary.faces == (JOKER,)
    decks.remove("jokers")
    decks.remove_for_good("jokers")
    DeckLearning(decks, COMMAND).forget("jokers")
    assert read_learnt(decks.folder.parent) is None


def test_learning_of_it_ends_and_goes_on_with_the_others(decks: TaughtDecks, learnt: Path) -> None:
    decks.add_picture("jokers", JOKER, pictures([JOKER])[0][1])
    learning = DeckLearning(decks, COMMAND)
    learning.start()
    until(lambda: learning.state().share == 0.4)
    first = learning._process
    learning.forget("ours")
    assert first is not None and first.poll() is not None
    until(lambda: learning.state().kind == "running")
    (learnt / "go").touch()
    assert learning.wait().told == f"--deck jokers={decks.get('jokers').content_hash()}"
