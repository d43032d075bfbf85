"""The evaluation of taught decks."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from datasets.arrays import Floats
from datasets.decks.unsuited.draw import FIXED_NAMES, QUIRKY, fixed_unsuited_decks
from models.evaluate.taught import HEAD, NAMES, chosen_decks, draw, house_rules_of, learn, profile_of, row, score_deck
from models.samples.drawn_tables import readable_table
from scorer.faces import Face
from vision.values import Frame, HouseRules, Quad, Reading, SeenCard


def test_the_decks_are_those_held_out_and_nine_others() -> None:
    assert len(NAMES) == 27 and NAMES[18:] == (*FIXED_NAMES, *QUIRKY)
    assert {profile_of(name) for name in NAMES} == {"standard", "hand-n-foot", "remastered"}
    with pytest.raises(ValueError, match="got aces"):
        list(chosen_decks(["aces"]))


def test_a_deck_is_taught_from_its_photographs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ((number, deck),) = chosen_decks(["suitless-pips"])
    folder = tmp_path / deck.name
    draw(folder, number, deck, (640, 480))
    photos = sorted((folder / "photos").glob("*.jpg"))
    faces = json.loads((folder / "photos" / "faces.json").read_text())
    assert len(photos) == len(faces) > 1 and {face for shown in faces for face in shown} == set(map(str, deck.faces))
    ran: list[list[str]] = []
    monkeypatch.setattr(subprocess, "run", lambda command, check: ran.append(command))
    learn(folder)
    data, told = folder / "data", folder / "photos" / "faces.json"
    options = ["--faces", str(told), "--base", "remastered", "--data", str(data)]
    assert ran[0][3:] == ["learn", "suitless-pips", *map(str, photos), *options]


def quad(corners: Floats) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def test_a_deck_is_scored_by_what_lies_there() -> None:
    deck = fixed_unsuited_decks()[0]
    number = NAMES.index(deck.name)
    drawn = iter([readable_table(870_000 + number, n, [deck], 16.0) for n in range(2)] * 2)

    def read(frame: Frame, rules: HouseRules) -> Reading:
        assert rules.faces == set(deck.faces) and "JESTER" in rules.wild_ranks
        table = next(drawn)
        cards = [SeenCard(card.face, 0.99, (), quad(card.quad), None, ()) for card in table.cards]
        if worse:
            cards[0] = replace(cards[0], face=next(face for face in deck.faces if face != cards[0].face))
        return Reading(frame.width, frame.height, 0.1, tuple(cards), (), ())

    worse = False
    counts = score_deck(read, number, deck, 2)
    assert (counts.exact, counts.wrong, counts.missed) == (2, 0, 0)
    line = f"| {deck.name} | 2 of 2 | {counts.found} | 0 | 0 | 0 |"
    assert row(deck.name, counts).startswith(line) and HEAD.splitlines()[1].count("|") == row("", counts).count("|")
    worse = True
    counts = score_deck(read, number, deck, 2)
    assert (counts.exact, counts.undoubted_wrong, counts.wrong) == (0, 2, 2)


def test_what_a_reading_is_told_of_a_deck_without_suits() -> None:
    rules = house_rules_of(fixed_unsuited_decks()[4])
    assert rules.wild_ranks == {"W20", "W50"} and rules.threes == {"R3", "B3"} and Face("A") in rules.copies
