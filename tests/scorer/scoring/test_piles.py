"""Squared piles: what they are made of, under each of the five sheets; worked by hand."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.rules import load_rules
from scorer.scoring.first_meld import check_first_meld
from scorer.sheets import SheetError, read_sheet
from tests.scorer.tables import codes, meld_codes, side

GG, TP, C22, HNF, TW = "golden-games", "tournament-play", "cutting-22", "hand-n-foot", "tanglewood"
WILD_GROUP = {"cards": 7, "wilds": ["JOKER"] * 4 + ["JESTER"] * 3}


@pytest.mark.parametrize(
    ("rules", "pile", "total", "broken"),
    [
        (HNF, {"rank": "9", "cards": 7, "caps": ["LADY"]}, 500 + 70 + 100, []),
        (HNF, {"rank": "9", "cards": 7, "caps": ["LADY", "LADY"]}, 500 + 70 + 100, ["cap-not-allowed"]),
        (HNF, {"rank": "9", "cards": 7, "wilds": ["JOKER"], "caps": ["LADY"]}, 60 + 50, ["cap-not-allowed"]),
        (HNF, {"rank": "9", "cards": 6, "caps": ["LADY"]}, 60, ["cap-not-allowed"]),
        (HNF, {**WILD_GROUP, "caps": ["LADY"]}, 2000 + 200 + 75 + 100, []),
        (HNF, {**WILD_GROUP, "caps": ["LADY", "LADY"]}, 2000 + 200 + 75 + 100, ["cap-not-allowed"]),
        (HNF, {"rank": "JOKER", "cards": 7, "caps": ["LADY"]}, 2000 + 350 + 100, []),
        (HNF, {"rank": "9", "cards": 7, "others": ["VILLAIN"]}, 70, ["mixed-ranks", "rank-not-meldable"]),
        (HNF, {"rank": "9", "cards": 8, "wilds": ["JOKER"] * 4}, 40 + 200, ["too-many-wilds"]),
        (GG, {"rank": "8", "cards": 7, "others": ["KH"]}, 70 + 10, ["mixed-ranks"]),
        (GG, {"rank": "8", "cards": 7, "others": ["3S"]}, 70 - 100, ["mixed-ranks", "rank-not-meldable"]),
        (GG, {"rank": "8", "cards": 7, "caps": ["LADY"]}, 70, ["not-in-deck", "mixed-ranks"]),
        (GG, {"cards": 0, "others": ["3S", "3S", "3C"]}, -300, ["rank-not-meldable"]),
        (GG, {"rank": "8", "cards": 7, "wilds": ["2S"] * 4}, 30 + 80, ["too-many-wilds"]),
        (TP, {"rank": "8", "cards": 7, "others": ["KH"]}, 70 + 10, ["mixed-ranks"]),
        (TP, {"rank": "8", "cards": 7, "wilds": ["2S"] * 4}, 30 + 80, ["too-many-wilds"]),
        (C22, {"rank": "8", "cards": 7, "others": ["3H"]}, 70, ["mixed-ranks", "rank-not-meldable"]),
        (C22, {"rank": "8", "cards": 7, "wilds": ["2S", "2S", "JK"]}, 40 + 90, ["too-many-wilds"]),
        (TW, {"rank": "9", "cards": 7, "others": ["3S"]}, 35 + 5, ["mixed-ranks", "rank-not-meldable"]),
        (TW, {"rank": "9", "cards": 7, "wilds": ["2S"] * 4}, 15 + 80, ["too-many-wilds"]),
    ],
)
def test_a_pile_is_worth_what_its_cards_are_worth_spread_out(
    rules: str, pile: dict[str, Any], total: int, broken: list[str]
) -> None:
    found = side(rules, melds=[pile])
    assert (found.total, codes(found)) == (total, broken)
    rank = pile.get("rank")
    known = [*pile.get("wilds", ()), *pile.get("caps", ()), *pile.get("others", ())]
    suit = "" if rules == HNF else "H"
    spread = [f"{rank}{suit}"] * (pile["cards"] - len(pile.get("wilds", ()))) + known
    again = side(rules, melds=[spread])
    assert (again.total, [code for code in codes(again) if code != "too-many-copies"]) == (total, broken)


def test_a_pile_keeps_its_caps_and_strange_cards_in_json() -> None:
    pile = {"rank": "9", "cards": 7, "wilds": [], "caps": ["LADY"], "others": ["KH"]}
    sheet = read_sheet({"rules": HNF, "round": 1, "players": 4, "sides": [{"melds": [pile]}]})
    assert sheet.as_json()["sides"][0]["melds"] == [pile]
    plain = {"rank": "9", "cards": 7, "wilds": []}
    older = read_sheet({"rules": HNF, "round": 1, "players": 4, "sides": [{"melds": [plain]}]})
    assert older.as_json()["sides"][0]["melds"] == [plain], "sheets of before stay as they are"


@pytest.mark.parametrize(
    ("pile", "sentence"),
    [
        (
            {"rank": "9", "cards": 7, "others": ["9H"]},
            "expected no 9 in others, as cards counts all of that rank, got 9H",
        ),
        ({"rank": "LADY", "cards": 3, "caps": ["LADY"]}, "expected no LADY in caps"),
        ({"rank": "9", "cards": 7, "caps": ["8X"]}, 'caps[0]: expected a card such as 8H, got "8X"'),
        ({"rank": "9", "cards": 7, "caps": "LADY"}, 'caps: expected a list, got "LADY"'),
    ],
)
def test_a_pile_that_contradicts_itself_is_refused(pile: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SheetError) as refused:
        read_sheet({"rules": GG, "round": 1, "players": 4, "sides": [{"melds": [pile]}]})
    assert sentence in str(refused.value)


def test_caps_and_strange_cards_count_among_the_copies_of_the_packs() -> None:
    piles = [{"rank": str(rank), "cards": 7, "caps": ["LADY"]} for rank in range(1, 12)]
    assert codes(side(HNF, melds=piles)) == ["too-many-copies"]
    assert codes(side(HNF, melds=piles[1:])) == []
    strange = [{"rank": rank, "cards": 7, "others": ["KH"]} for rank in ("4", "5", "6", "7", "8", "9")]
    assert codes(side(GG, melds=strange)).count("too-many-copies") == 1


def test_cards_of_another_deck_are_worth_nothing_wherever_they_lie() -> None:
    """Under Hand 'n Foot three 8s of hearts are no 8s of its own deck."""
    found = side(HNF, melds=[["8H", "8H", "8H"]])
    assert (found.total, codes(found)) == (0, ["not-in-deck"])
    places: dict[str, Any] = {"laid": ["3H"], "buried": ["8S"], "left": [["8H", "QS"], ["JK"]]}
    everywhere = side(HNF, **places)
    assert everywhere.total == 0 and codes(everywhere).count("not-in-deck") == 5
    pile = side(HNF, melds=[{"rank": "8", "cards": 7, "wilds": ["2S"], "others": ["JK"]}])
    assert (pile.total, codes(pile)) == (60, ["not-in-deck", "mixed-ranks"])
    other = side("tournament-play", melds=[["8", "8", "8"], {"rank": "LORD", "cards": 7}], left=[["8"]])
    assert (other.total, codes(other)) == (0, ["not-in-deck", "not-in-deck", "not-in-deck"])


def test_a_card_of_another_deck_is_no_copy_of_this_one() -> None:
    nines = [{"rank": "8", "cards": 16}]
    assert codes(side(HNF, melds=nines, left=[["8H"]])) == ["not-in-deck"]
    assert codes(side(HNF, melds=nines, left=[["8"]])) == ["too-many-copies"]


def test_a_wild_of_another_deck_helps_no_first_meld() -> None:
    rules = load_rules(GG)
    cards = read_sheet({"rules": GG, "round": 1, "players": 4, "sides": [{"laid": ["AH", "AS", "2"]}]}).sides[0].laid
    checked = check_first_meld(cards, rules, 1)
    assert checked.points == 0
    assert [line.reason for line in checked.left_out][-1] == "2s of another deck: not in the deck for these rules"


def test_black_threes_are_melded_by_the_side_that_goes_out() -> None:
    """Canasta: three or four of them, without wilds, in going out; red threes never."""
    canasta = ["8H", "8S", "8D", "8C", "8H", "8S", "8D"]
    out = side("canasta", melds=[canasta, ["3S", "3S", "3C"]], went_out=True)
    assert (out.total, codes(out)) == (500 + 70 + 15 + 100, [])
    assert out.lines[2].reason == "black 3s in meld of 3s: 3 × 5"
    stays = side("canasta", melds=[canasta, ["3S", "3S", "3C"]])
    assert (stays.total, codes(stays)) == (500 + 70 + 15, ["rank-not-meldable"])
    assert stays.violations[0].message == "Black 3s can be melded only by the side that goes out."
    wild = side("canasta", melds=[canasta, ["3S", "3S", "3C", "2H"]], went_out=True)
    assert codes(wild) == ["too-many-wilds"]
    red = side("canasta", melds=[canasta, ["3H", "3D", "3S"]], went_out=True)
    assert (codes(red), red.violations[0].message) == (["rank-not-meldable"], "Red 3s can’t be melded.")
    pile = side("canasta", melds=[canasta, {"rank": "3", "cards": 3}], went_out=True)
    assert (pile.total, codes(pile)) == (out.total, [])
    assert meld_codes("golden-games", "3S 3S 3C") == ["rank-not-meldable"], "other sheets never meld them"


def test_a_first_meld_leaves_out_what_is_melded_only_in_going_out() -> None:
    rules = load_rules("canasta")
    cards = read_sheet({"rules": "canasta", "round": 1, "players": 4, "sides": [{"laid": ["3S", "3S", "3C", "3H"]}]})
    checked = check_first_meld(cards.sides[0].laid, rules, 1)
    assert checked.points == 0
    assert [line.reason for line in checked.left_out] == [
        "black 3s: can be melded only by the side that goes out",
        "black 3s: can be melded only by the side that goes out",
        "black 3s: can be melded only by the side that goes out",
        "red 3s: laid on the table, not part of a first meld",
    ]
    as_meld = check_first_meld([cards.sides[0].laid[:3]], rules, 1)
    assert as_meld.points == 0 and "only by the side that goes out" in as_meld.left_out[0].reason


@pytest.mark.parametrize("players", range(2, 9))
def test_tour_of_lakes_is_for_three_to_six(players: int) -> None:
    """Its page: teams of four or six; three or five play for themselves."""
    rules = load_rules("tour-of-lakes")
    seatings = {
        3: ((1, 1, 1),),
        4: ((2, 2),),
        5: ((1, 1, 1, 1, 1),),
        6: ((3, 3), (2, 2, 2)),
    }
    assert rules.sides_for(players) == seatings.get(players, ())
    refused = [] if players in seatings else ["wrong-players"]
    assert codes(side("tour-of-lakes", players=players, melds=[["8H", "8S", "8D"]])) == refused


def test_partner_rules_are_for_those_who_have_partners() -> None:
    going_out = load_rules(HNF).going_out
    assert going_out.also_for(1) == ("a last discard is allowed and not needed",)
    assert going_out.also_for(2) == ("the partner has given permission", "a last discard is allowed and not needed")
