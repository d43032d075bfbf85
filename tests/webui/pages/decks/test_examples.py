"""Decks that are shipped as examples: one tap leads to a practice game in which their cards are read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from scorer.deck import use_deck_folder
from scorer.rules import use_folder
from tests.webui.helpers.playing import Person
from webui.context.practice import practice_frame
from webui.context.services import services_of
from webui.decks.examples import example_folder, example_kinds
from webui.decks.learnt import read_learnt
from webui.reading.engine_choice import load_chosen_reader
from webui.reading.reader_service import house_rules
from webui.rounds.round_view import view_round
from webui.settings import SAMPLES, use_own_files

KINDS = ("hand-n-foot", "remastered")


@pytest.fixture
def person(make_app: Callable[..., Flask], tmp_path: Path) -> Iterator[Person]:
    use_own_files(tmp_path / "data")
    yield Person(make_app(samples=SAMPLES))
    use_folder(None)
    use_deck_folder(None)


def test_two_small_examples_are_shipped(person: Person) -> None:
    assert tuple(example_kinds(SAMPLES)) == KINDS
    assert all((example_folder(SAMPLES, kind) / "deck.zip").stat().st_size < 500_000 for kind in KINDS)
    person.open("/decks/")
    assert "Try an example deck" in person.text and all(f'value="{kind}"' in person.page for kind in KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_an_example_is_known_at_once_and_its_table_is_read(person: Person, kind: str) -> None:
    app = person.client.application
    person.send("/practice", example=kind)
    assert person.path == "/game/1/round/1/out" and "Practice game" in person.text
    services = services_of(app)
    (game,), (deck,) = services.store.games(), services.decks.all()
    learnt = read_learnt(services.settings.data_dir)
    assert game.practice and game.decks == (deck.id,) and not deck.missing
    assert learnt is not None and learnt.covers(deck) and learnt.tests[deck.id]
    record = game.round(1)
    assert record is not None
    view = view_round(game, record)
    lines = (example_folder(SAMPLES, kind) / "truth.jsonl").read_text().splitlines()
    with app.test_request_context():
        frames = [practice_frame(game, side, hand) for side, hand in ((0, None), (1, 0))]
    reader = load_chosen_reader(services.settings.data_dir)[1]
    for frame, line in zip(frames, lines, strict=True):
        reading = reader.read(frame, house_rules(view.rules, 4, view.deck), services.pictures.of([deck.id]))
        read = Counter(str(card.face) for card in reading.cards)
        true = Counter(card["face"] for card in json.loads(line)["cards"])
        assert (read & true).total() >= 0.9 * true.total() and (read - true).total() <= 1


def test_an_example_that_was_removed_comes_back_and_is_there_once(person: Person) -> None:
    decks = services_of(person.client.application).decks
    person.send("/practice", example="remastered")
    (deck,) = decks.all()
    decks.remove(deck.id)
    person.send("/practice", example="remastered")
    person.send("/practice", example="remastered")
    assert [one.id for one in decks.all()] == [deck.id] and not decks.all(removed=True)
    person.send("/practice", example="../samples")
    assert person.status == 400
