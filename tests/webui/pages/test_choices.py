"""Whatever is chosen in a form is one of what it offers: for anything else there is a sentence, and nothing changes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.evenings import SIXTEEN, begin, play_stage, seat
from tests.webui.helpers.forms import forms_of
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import store_of
from webui.events.steps import actions, draws

NO_CHOICES = {
    "token",
    "once",
    "seen",
    "ask",
    "from",
    "asks-decks",
    "unseen",
    "over",
    "mark",
    "understood",
    "op",
    "cut_number",
}
"""Fields that say where a form stood or what its visitor had seen, and a number that counts beside one choice alone."""
NAMES = ("side", "player")
"""What the names of people begin with, who may be called anything."""
STRANGE = ("quatsch", "x" * 3000, "-7", "0x1", "99999999999999999999", "²")
PAGES = (
    "/",
    "/display",
    "/game/1/",
    "/game/1/round/1/out",
    "/game/1/round/1/unseen",
    "/game/1/round/1/side/0/",
    "/evenings/",
    "/evenings/new",
    "/evenings/new?how=own",
    *(f"/evening/{number}/" for number in range(1, 8)),
    "/camera/setup",
)


@pytest.fixture
def visited(person: Person) -> Person:
    """A game with a photo, and evenings at every point of their way."""
    store = store_of(person)
    round = person.begin()
    person.photo(f"{round}/side/0", photo(NORTH_TABLE))
    seat(store, begin(store, SIXTEEN[:4]), 1)
    ties = begin(store, SIXTEEN[:4])
    medals = begin(store, SIXTEEN[:4], cut="all")
    sets = begin(store, tuple(f"P{n}, {'woman' if n % 2 else 'man'}" for n in range(8)), "tournament-play")
    for event_id, stages in ((ties, 1), (medals, 2), (sets, 1)):
        for stage in range(1, stages + 1):
            seat(store, event_id, stage)
            play_stage(store, event_id, stage, lambda *_: 10)
    draws.draw(store, begin(store, SIXTEEN[:6]), 1, "1")
    for state in ("finished", "removed"):
        actions.set_state(store, begin(store, SIXTEEN[:6]), state)
    return person


def stored(folder: Path) -> dict[str, str]:
    """Everything in the database."""
    with sqlite3.connect(folder / "data" / "handfoot.db") as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: repr(database.execute(f'SELECT * FROM "{name}"').fetchall()) for name in tables}


def test_what_no_form_offers_is_refused_with_a_sentence(visited: Person, tmp_path: Path) -> None:
    before, tried, done = stored(tmp_path), 0, set[tuple[str, str]]()
    for path in PAGES:
        for form in forms_of(visited, path):
            for name, kind in form.choices.items():
                if (
                    name in NO_CHOICES
                    or (form.action == "/new" and name.startswith(NAMES))
                    or (form.action, name) in done
                ):
                    continue
                done.add((form.action, name))
                for value in STRANGE:
                    fields = {key: of for key, of in form.fields.items() if key != "once"} | {name: value}
                    visited.send(form.action, **fields)
                    told = f"{form.action} of {path}: {name}={value[:20]} ({kind}): {visited.status}"
                    assert stored(tmp_path) == before, told
                    assert visited.status in (400, 404, 409) or visited.notices(), told
                    tried += 1
    assert tried > 200


def test_a_state_that_is_none_does_not_go_on_with_an_evening(visited: Person) -> None:
    for fields in ({"state": "quatsch"}, {}):
        visited.send("/evening/6/state", **fields)
        assert visited.status == 400
        visited.open("/evening/6/")
        assert "Go on with this evening" in visited.text
    visited.send("/evening/6/state", state="")
    assert "Go on with this evening" not in visited.text


def test_a_decision_names_each_team_once_and_none_that_is_not_asked_about(visited: Person) -> None:
    one, two = SIXTEEN[:2]
    for names, sentence in (
        ((one, one), "Choose exactly 2 of them."),
        ((one, "Nobody"), "Nobody cannot be chosen here."),
    ):
        visited.send("/evening/2/2/cut", name=list(names))
        assert sentence in visited.text
    visited.send("/evening/2/2/cut", name=[one, two])
    assert "Please decide" not in visited.text
