"""Learning on the page: progress, stopping, the result, and going on after a restart."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from scorer.faces import JOKER, Face
from tests.webui.access.test_access_code import let_in
from tests.webui.decks.learnt import write_learnt
from tests.webui.decks.pictures import pictures
from tests.webui.decks.test_learning import WORK, until
from tests.webui.helpers.playing import Person
from webui.context.services import services_of
from webui.decks.learning import PROGRESS, DeckLearning, LearningState
from webui.decks.taught import TaughtDecks
from webui.storage.files.deck_files import LEARNT, LEARNT_FILES
from webui.storage.files.learnt_files import set_aside_misfit


def stub(decks: TaughtDecks) -> DeckLearning:
    return DeckLearning(decks, (sys.executable, "-c", textwrap.dedent(WORK)))


@pytest.fixture
def learner(app: Flask) -> Iterator[Flask]:
    """The page with a deck to learn; what learns works until a file appears."""
    services_of(app).decks.add("Ours", "standard", pictures([JOKER]))
    yield app
    services_of(app).learning.cancel()


@pytest.fixture(autouse=True)
def stubbed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.app.DeckLearning", stub)


def test_cards_that_were_never_shown_are_told_before_and_after(learner: Flask) -> None:
    person, decks = Person(learner), services_of(learner).decks
    assert "never shown" not in person.open("/decks/learning"), "the others of a standard deck are read anyway"
    decks.add("Feet", "hand-n-foot", pictures([Face.parse("LADY")]))
    missing = f"{len(decks.get('feet').missing)} cards of Feet were never shown, so they can’t be read."
    assert missing in (person.open("/decks/learning") and person.text)
    write_learnt(decks, {"ours": decks.get("ours").content_hash(), "feet": decks.get("feet").content_hash()})
    assert "Your cards are learned." in (person.open("/decks/learning") and person.text) and missing in person.text


def test_progress_stopping_and_the_result(learner: Flask, make_app: Callable[[], Flask]) -> None:
    person, learning = Person(learner), services_of(learner).learning
    assert "Learn these cards" in person.open("/decks/learning")
    person.send("/decks/learning/start")
    until(lambda: learning.state().share == 0.4)
    person.open("/decks/learning")
    assert (
        "40 % done, about 90 seconds left" in person.text
        and "getting to know your cards" in person.text
        and "You can play meanwhile" in person.text
    )
    assert person.client.get("/decks/learning/state").json == {
        "kind": "running",
        "share": 0.4,
        "text": "40 % done, about 90 seconds left",
    }
    assert "Learning: 40 % done" in person.open("/decks/")
    again = Person(make_app())
    assert "40 % done" in again.open("/decks/learning"), "after a restart of the page it still runs"
    person.send("/decks/learning/cancel")
    learning.wait()
    person.open("/decks/learning")
    assert "Learning was stopped." in person.text and "Learn these cards" in person.text
    person.send("/decks/learning/start")
    until(lambda: learning.state().share == 0.4)
    folder = services_of(learner).decks.folder / LEARNT
    (folder / "go").touch()
    learning.wait()
    decks = services_of(learner).decks
    write_learnt(decks, {"ours": decks.get("ours").content_hash()})
    person.open("/decks/learning")
    assert "Your cards are learned." in person.text and "Learn these cards" not in person.text
    assert "These cards are learned." in person.open("/decks/ours/")


def test_until_the_time_left_is_known_it_says_how_long_it_usually_takes(
    learner: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = {"running": "0 % done, about a minute in all", "stopped": "Learning was stopped. 0 % done."}
    for kind, said in states.items():
        monkeypatch.setattr(DeckLearning, "state", lambda _self, kind=kind: LearningState(kind))
        person = Person(learner)
        person.open("/decks/learning")
        assert said in person.text


def test_a_failure_is_told_in_its_sentence(learner: Flask) -> None:
    folder = services_of(learner).decks.folder / LEARNT
    folder.mkdir(parents=True)
    (folder / PROGRESS).write_text('{"error": "Learning ended because the disk is full."}\n')
    person = Person(learner)
    person.open("/decks/learning")
    assert "Learning ended because the disk is full." in person.text and "Try again" in person.text


def test_devices_that_only_play_see_how_far_it_is_and_do_not_start_it(learner: Flask) -> None:
    phone = let_in(learner)
    phone.open("/decks/learning")
    assert "Learning is started on the computer itself" in phone.text
    assert "Teach your cards" in phone.open("/decks/"), "they may show cards"


def test_nothing_to_learn_leads_to_teaching(app: Flask) -> None:
    person = Person(app)
    person.open("/decks/learning")
    assert "There are no pictures of your cards yet." in person.text and 'href="/decks/new"' in person.page


def test_what_a_file_brought_in_is_used_on_a_yes_and_what_was_here_comes_back(learner: Flask) -> None:
    person, decks = Person(learner), services_of(learner).decks
    theirs = decks.add("Theirs", "standard", pictures([Face("K", "H")]))
    write_learnt(decks, {"ours": decks.get("ours").content_hash()})
    write_learnt(decks, {"theirs": theirs.content_hash()}, place="offered")
    person.open("/decks/")
    assert "If you use it, these are not learned any more: Ours." in person.text
    person.send("/decks/learning/use", what="offered")
    assert "What the other computer learned is in use now." in person.text
    assert "What was learned of Ours was replaced." in person.text and "Use what it learned" not in person.text
    person.send("/decks/learning/use", what="before")
    assert "What was learned before is in use again." in person.text
    write_learnt(decks, {"theirs": theirs.content_hash()}, place="offered")
    person.send("/decks/learning/keep")
    assert "What was learned here stays in use." in person.text and "Learned on another computer" not in person.text
    person.send("/decks/learning/use", what="offered")
    assert "What was brought in is gone; bring the file in again." in person.text


def test_what_was_set_aside_is_told(learner: Flask) -> None:
    folder = write_learnt(services_of(learner).decks, {})
    (folder / "faces.deck.npz").write_bytes(b"half")
    set_aside_misfit(folder, "20261128")
    person = Person(learner)
    person.open("/decks/")
    assert (
        "can’t be used: its files are damaged. It is kept as “set-aside-20261128”. Learn the cards again."
        in person.text
    )


def test_removal_for_good_takes_what_was_learned_along(learner: Flask) -> None:
    person, decks = Person(learner), services_of(learner).decks
    folder = write_learnt(decks, {"ours": decks.get("ours").content_hash()})
    person.send("/decks/ours/remove")
    assert "Its pictures and what was learned of it are deleted" in person.text
    person.send("/decks/ours/remove-for-good")
    assert "Ours is removed for good." in person.text
    assert not any((folder / name).exists() for name in LEARNT_FILES)
