"""Learning on the page: progress, stopping, the result, and going on after a restart."""

from __future__ import annotations

import html
import re
import sys
import textwrap
from collections.abc import Callable, Iterator

import pytest
from flask import Flask

from scorer.deck import load_deck
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
    assert "Not shown; it reads these by itself" in person.open("/decks/ours/"), "the others of a standard deck"
    decks.add("Feet", "hand-n-foot", pictures([Face.parse("LADY")]))
    assert "It never saw these: show or type them" in person.open("/decks/feet/")
    write_learnt(decks, {"ours": decks.get("ours").content_hash(), "feet": decks.get("feet").content_hash()})
    assert "It never saw these: show or type them" in person.open("/decks/feet/")


def test_the_page_of_a_deck_says_which_cards_are_read_well(learner: Flask) -> None:
    person, decks = Person(learner), services_of(learner).decks
    feet = decks.add("Feet", "hand-n-foot", pictures([Face.parse(name) for name in ("LADY", "8", "9")]))
    person.open("/decks/feet/")
    assert "3 pictures" in person.text and "How well it reads them" not in person.text
    write_learnt(decks, {"feet": feet.content_hash(), "ours": decks.get("ours").content_hash()})
    person.open("/decks/feet/")
    parts = (
        "It hardly finds these: type them Lady",
        "for another: look at them 8",
        "It reads these well 9",
    )
    assert all(part in person.text for part in parts)


def test_progress_stopping_and_the_result(learner: Flask, make_app: Callable[[], Flask]) -> None:
    person, learning = Person(learner), services_of(learner).learning
    assert "Learn these cards" in person.open("/decks/ours/") and "Learn these cards" in person.open("/decks/")
    person.send("/decks/learning/start", of_deck="ours")
    until(lambda: learning.state().share == 0.4)
    person.open("/decks/ours/")
    assert (
        "40 % done, about 90 seconds left" in person.text
        and "getting to know your cards" in person.text
        and "You can start a game meanwhile" in person.text
    )
    assert person.client.get("/decks/learning/state").json == {
        "kind": "running",
        "share": 0.4,
        "text": "40 % done, about 90 seconds left",
    }
    again = Person(make_app())
    assert "40 % done" in again.open("/decks/"), "after a restart of the page it still runs"
    person.send("/decks/learning/cancel", of_deck="ours")
    assert person.path == "/decks/ours/"
    learning.wait()
    person.open("/decks/ours/")
    assert "Learning was stopped." in person.text and "Learn these cards" in person.text
    person.send("/decks/learning/start")
    assert person.path == "/decks/"
    until(lambda: learning.state().share == 0.4)
    folder = services_of(learner).decks.folder / LEARNT
    (folder / "go").touch()
    learning.wait()
    decks = services_of(learner).decks
    write_learnt(decks, {"ours": decks.get("ours").content_hash()})
    person.open("/decks/ours/")
    assert "How well it reads them" in person.text and "Learn these cards" not in person.text
    assert "Taught and learned." in person.open("/decks/")


def test_until_the_time_left_is_known_it_says_how_long_it_usually_takes(
    learner: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = {"running": "0 % done, about a minute in all", "stopped": "Learning was stopped. 0 % done."}
    for kind, said in states.items():
        monkeypatch.setattr(DeckLearning, "state", lambda _self, kind=kind: LearningState(kind))
        person = Person(learner)
        person.open("/decks/")
        assert said in person.text


def test_a_failure_is_told_in_its_sentence(learner: Flask) -> None:
    folder = services_of(learner).decks.folder / LEARNT
    folder.mkdir(parents=True)
    (folder / PROGRESS).write_text('{"error": "Learning ended because the disk is full."}\n')
    person = Person(learner)
    person.open("/decks/")
    assert "Learning ended because the disk is full." in person.text and "Try again" in person.text


def test_devices_that_only_play_see_how_far_it_is_and_do_not_start_it(learner: Flask) -> None:
    phone = let_in(learner)
    phone.open("/decks/")
    assert "Learning is started on the computer itself" in phone.text
    assert "Teach your cards" in phone.text, "they may show cards"


def test_a_game_is_started_with_the_deck_by_rules_for_such_cards(learner: Flask) -> None:
    person, decks = Person(learner), services_of(learner).decks
    decks.add("Feet", "hand-n-foot", pictures(load_deck("hand-n-foot").faces))
    for deck, rules, chosen in (("feet", "hand-n-foot", ["feet"]), ("ours", "golden-games", ["standard", "ours"])):
        person.open(f"/decks/{deck}/")
        link = re.search(r'href="(/new[^"]*)">Start a game with these cards', person.page)
        assert link and f"rules={rules}" in link[1]
        person.open(html.unescape(link[1]))
        assert re.findall(r'name="deck" value="([^"]+)"\s+checked', person.page) == chosen


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
