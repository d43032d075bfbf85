"""The evaluation of taught decks."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.arrays import Floats
from datasets.decks.pictured_deck import pictured_deck
from datasets.decks.unsuited.draw import FIXED_NAMES, QUIRKY, fixed_unsuited_decks
from models.evaluate.taught import __main__ as command
from models.evaluate.taught.decks import NAMES, chosen_decks, profile_of, write_deck
from models.evaluate.taught.scoring import (
    DeckResult,
    as_markdown,
    bars,
    house_rules_of,
    load_results,
    save_result,
    score_deck,
)
from models.samples.drawn_tables import readable_table
from scorer.faces import Face
from vision.values import Frame, HouseRules, Quad, Reading, SeenCard

RESULT = DeckResult("paris", "standard", 20, 19, 700, 1, 1, 0, 40, 0)
OTHER = DeckResult("hand-n-foot-pips", "hand-n-foot", 20, 18, 700, 1, 1, 0, 0, 0)


def test_the_decks_are_those_held_out_and_nine_others() -> None:
    assert len(NAMES) == 27 and NAMES[18:] == (*FIXED_NAMES, *QUIRKY)
    assert {profile_of(name) for name in NAMES} == {"standard", "hand-n-foot", "remastered"}
    with pytest.raises(ValueError, match="got aces"):
        list(chosen_decks(["aces"]))


def test_photographs_and_true_pictures_of_a_deck_are_written(tmp_path: Path) -> None:
    deck = fixed_unsuited_decks()[3]
    write_deck(tmp_path, NAMES.index(deck.name), deck, (640, 480), pictures=True)
    folder = tmp_path / deck.name
    told = json.loads((folder / "deck.json").read_text())
    assert told["profile"] == "remastered" and len(list((folder / "photos").glob("*.jpg"))) == told["photos"] in (
        2,
        3,
        4,
    )
    assert 'profile = "remastered"' in (folder / "data" / "decks" / deck.name / "deck.toml").read_text()
    again = pictured_deck(folder / "data" / "decks" / deck.name / "faces", deck.play)
    assert set(again.faces) == set(deck.faces)


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
        if not worse:
            return Reading(frame.width, frame.height, 0.1, tuple(cards), (), ())
        lord = next((n for n, card in enumerate(cards) if card.face.rank == "LORD"), 0)
        cards[lord] = replace(cards[lord], face=Face("LADY"))
        return Reading(frame.width, frame.height, 0.1, tuple(cards), (), ())

    worse = False
    result = score_deck(read, number, deck, 2)
    assert (result.exact, result.wrong, result.missed, result.taken) == (2, 0, 0, ())
    worse = True
    result = score_deck(read, number, deck, 2)
    assert (result.exact, result.undoubted_wrong, result.wrong) == (0, 2, 2)
    assert set(result.taken) <= {"LORD>LADY"}


def test_results_are_held_against_the_bars(tmp_path: Path) -> None:
    save_result(tmp_path / "paris", RESULT)
    save_result(tmp_path / "hand-n-foot-pips", replace(OTHER, taken=("LADY>LORD",)))
    results = load_results(tmp_path)
    held = {bar.what: bar.holds for bar in bars(results)}
    assert held == {
        "standard decks, exactly right": True,
        "the worst of them, paris": True,
        "jokers missed": True,
        "wrong and undoubted": True,
        "other decks, card F1": True,
        "other decks, exactly right": True,
        "named cards taken for each other, undoubted": False,
    }
    text = as_markdown(results)
    assert "95.0% (19 of 20; 76.4% to 99.1%)" in text and "1 LADY>LORD | no" in text
    assert [bar.holds for bar in bars([replace(RESULT, exact=13, jokers_missed=3, undoubted_wrong=1)])] == [False] * 4


def test_what_a_reading_is_told_of_a_deck_without_suits() -> None:
    rules = house_rules_of(fixed_unsuited_decks()[4])
    assert rules.wild_ranks == {"W20", "W50"} and rules.threes == {"R3", "B3"} and Face("A") in rules.copies


def test_the_command_that_learns_is_filled_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    photos = tmp_path / "paris" / "photos"
    photos.mkdir(parents=True)
    for number in (1, 2):
        (photos / f"photo-{number}.jpg").write_bytes(b"")
    code = "import json, pathlib, sys; pathlib.Path(sys.argv[1], 'told.json').write_text(json.dumps(sys.argv[2:]))"
    told = f'{{python}} -c "{code}" {{data}} {{deck}} {{photos}} --faces {{faces}} --base {{profile}}'
    monkeypatch.setattr(sys, "argv", ["taught", "learn", str(tmp_path), "--decks", "paris", "--command", told])
    command.main()
    data = tmp_path / "paris" / "data"
    words = json.loads((data / "told.json").read_text())
    assert words[0] == "paris" and [Path(one).name for one in words[1:3]] == ["photo-1.jpg", "photo-2.jpg"]
    assert words[-2:] == ["--base", "standard"] and Path(words[-3]).name == "faces.json"
    assert np.isfinite(json.loads((tmp_path / "paris" / "learnt_seconds.json").read_text()))
