"""Decks that are shipped as examples: one tap leads to a practice game in which their cards are read."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from scorer.deck import use_deck_folder
from scorer.faces import Face
from scorer.rules import load_rules, use_folder
from scorer.scoring.points import score
from scorer.sheets import read_sheet
from tests.webui.helpers.playing import Person
from vision.images.decode import load_photo
from webui.context.practice import practice_file
from webui.context.services import services_of
from webui.decks.examples import example_folder, example_kinds
from webui.decks.learnt import read_learnt
from webui.games.rule_choice import rules_for
from webui.reading.engine_choice import load_chosen_reader
from webui.reading.reader_service import house_rules
from webui.rounds.round_view import view_round
from webui.settings import DEFAULT_RULES, SAMPLES, use_own_files

KINDS = ("hand-n-foot", "remastered")
PLACES = ((0, None), (0, 0), (1, None), (1, 0), (0, 1), (1, 1))
"""Of a practice round, in the order of the pictures: a side, and which of its hands; None for its table."""


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


@pytest.mark.parametrize("kind", ["hand-n-foot", pytest.param("remastered", marks=pytest.mark.by_hand)])
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
        frames = [load_photo(practice_file(game, side, hand)) for side, hand in PLACES]
    assert len({frame.pixels.tobytes() for frame in frames}) == len(PLACES), "no place has the picture of another"
    reader = load_chosen_reader(services.settings.data_dir)[1]
    asked = 0
    for frame, line in zip(frames, lines, strict=True):
        reading = reader.read(frame, house_rules(view.rules, 4, view.deck), services.pictures.of([deck.id]))
        read = Counter(str(card.face) for card in reading.cards)
        true = Counter(card["face"] for card in json.loads(line)["cards"])
        assert (read & true).total() >= 0.9 * true.total() and (read - true).total() <= 1
        asked += sum(card.doubt is not None for card in reading.cards)
    assert asked <= 3


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


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("out", [0, 1])
def test_either_side_of_an_example_may_go_out(kind: str, out: int) -> None:
    usual = load_rules(DEFAULT_RULES)
    rules = rules_for(kind, usual) or usual
    lines = [json.loads(line) for line in (example_folder(SAMPLES, kind) / "truth.jsonl").read_text().splitlines()]
    sides = []
    for side in (0, 1):
        groups = [[c["face"] for c in lines[2 * side]["cards"] if c["group"] == n] for n in range(7)]
        laid = [face for group in groups for face in group if rules.is_laid(Face.parse(face))]
        melds = [group for group in groups if group and group[0] not in laid]
        sides.append({"name": f"Side {side}", "melds": melds, "laid": laid, "went_out": side == out})
    tally = score(read_sheet({"rules": rules.id, "round": 1, "players": 4, "sides": sides}), rules)
    assert not [found for side in tally.sides for found in side.violations]


def test_a_place_without_practice_cards_offers_none(make_app: Callable[..., Flask], tmp_path: Path) -> None:
    shutil.copy(next(SAMPLES.glob("1-*.jpg")), tmp_path)
    person = Person(make_app(samples=tmp_path))
    person.send("/practice")
    for side, offered in ((0, True), (1, False)):
        person.open(f"/game/1/round/1/side/{side}/")
        assert ("Practice cards</button>" in person.page) == offered
