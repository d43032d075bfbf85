"""Round sheets: parsing, serialising, and errors with their location."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.faces import Face
from scorer.sheets import Pile, SheetError, read_sheet

CONTRACT_SHEET: dict[str, Any] = {
    "rules": "golden-games",
    "round": 1,
    "players": 4,
    "sides": [
        {
            "name": "North–South",
            "melds": [
                ["8H", "8S", "8D", "8C", "8C", "8D", "8S"],
                ["QH", "QD", "2S"],
                {"rank": "9", "cards": 7, "wilds": ["2S"]},
            ],
            "laid": ["3H"],
            "buried": [],
            "left": [["4S", "JK"], []],
            "went_out": True,
            "exact_deals": 1,
            "improper_melds": 0,
        }
    ],
}


def with_side(**keys: Any) -> dict[str, Any]:
    return {"rules": "golden-games", "round": 1, "players": 4, "sides": [keys]}


def test_the_contract_s_sheet_comes_back_as_the_same_json() -> None:
    assert read_sheet(CONTRACT_SHEET).as_json() == CONTRACT_SHEET


def test_missing_keys_mean_none() -> None:
    (side,) = read_sheet(with_side()).sides
    assert [*side.melds, *side.laid, *side.buried, *side.left] == []
    assert (side.name, side.went_out, side.exact_deals, side.improper_melds) == ("", False, 0, 0)
    assert read_sheet(with_side(melds=[{"cards": 2, "rank": "9"}])).sides[0].melds == (Pile(rank="9", cards=2),)


def test_cards_are_parsed_in_any_spelling() -> None:
    assert read_sheet(with_side(laid=["3h", " 3D "])).sides[0].laid == (Face("3", "H"), Face("3", "D"))


def test_a_squared_wild_book_has_no_rank() -> None:
    wilds = ["2S", "2H", "2D", "JK", "JK", "JK", "JK"]
    (pile,) = read_sheet(with_side(melds=[{"cards": 7, "wilds": wilds}])).sides[0].melds
    assert isinstance(pile, Pile)
    assert (pile.rank, pile.naturals) == (None, 0)


@pytest.mark.parametrize(
    ("sheet", "sentence"),
    [
        (with_side(melds=[[], [], ["8H", "8X"]]), 'sides[0].melds[2][1]: expected a card such as 8H, got "8X"'),
        (with_side(left=[[], ["LADYBIRD"]]), 'sides[0].left[1][0]: expected a card such as 8H, got "LADYBIRD"'),
        (with_side(laid=[8]), "sides[0].laid[0]: expected a card such as 8H, got 8"),
        (with_side(laid="3H"), 'sides[0].laid: expected a list, got "3H"'),
        (with_side(exact_deals=-1), "sides[0].exact_deals: expected 0 or more, got -1"),
        (with_side(improper_melds=1.0), "sides[0].improper_melds: expected a whole number, got 1.0"),
        (with_side(exact_deals=True), "sides[0].exact_deals: expected a whole number, got true"),
        (with_side(went_out=1), "sides[0].went_out: expected a valid boolean, got 1"),
        (with_side(score=3), "sides[0].score: unknown key, expected one of name, melds, laid,"),
        (with_side(melds=[{"rank": "9", "cards": -7}]), "sides[0].melds[0].cards: expected 0 or more, got -7"),
        (with_side(melds=[{"rank": "9", "cards": 7, "top": "9H"}]), "sides[0].melds[0].top: unknown key, expected"),
        (with_side(melds=[{"rank": "15", "cards": 7}]), "sides[0].melds[0].rank: expected a rank such as"),
        (
            with_side(melds=[{"rank": 9, "cards": 7}]),
            'sides[0].melds[0].rank: expected a rank such as "8" or "A", got 9',
        ),
        (with_side(melds=[{"rank": "9", "cards": 7, "wilds": ["8S"]}]), "sides[0].melds[0]: expected wilds only"),
        (with_side(melds=[{"rank": "9", "cards": 1, "wilds": ["2S", "JK"]}]), "2 wilds in 1 cards"),
        (with_side(melds=[{"cards": 7, "wilds": ["2S"]}]), "sides[0].melds[0]: expected the rank of 6 cards"),
        (with_side(melds=[{"rank": "9", "cards": 1, "wilds": ["2S"]}]), "expected a 9 in a pile of rank 9"),
        (with_side(melds=[{"rank": "9"}]), "sides[0].melds[0].cards: expected this key, got nothing"),
        ({**with_side(), "round": 0}, "round: expected 1 or more, got 0"),
        ({**with_side(), "players": -4}, "players: expected 1 or more, got -4"),
        ({**with_side(), "camera": 1}, "camera: unknown key, expected one of rules, round, players, sides, got 1"),
        ({**with_side(), "rules": "\ud800"}, "rules: expected text of whole characters"),
        ({"sides": []}, "rules: expected this key, got nothing"),
        ([], "expected an object with keys, got []"),
        (None, "expected an object with keys, got null"),
    ],
)
def test_invalid_sheets_are_refused_with_the_location(sheet: object, sentence: str) -> None:
    with pytest.raises(SheetError) as refused:
        read_sheet(sheet)
    assert sentence in str(refused.value)


def test_all_problems_are_in_one_sentence() -> None:
    with pytest.raises(SheetError) as refused:
        read_sheet(with_side(melds=[["8X"]], laid=["zz"], exact_deals=-1))
    assert str(refused.value) == (
        'sides[0].melds[0][0]: expected a card such as 8H, got "8X"; '
        'sides[0].laid[0]: expected a card such as 8H, got "zz"; '
        "sides[0].exact_deals: expected 0 or more, got -1"
    )
