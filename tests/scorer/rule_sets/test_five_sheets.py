"""What the five printed sheets say beside points: teams, packs, deal, first melds, who starts, and odd melds by name.

Their points are counted once more in ``tests/scorer/independent``.
"""

from __future__ import annotations

from typing import Any

import pytest

from scorer.deck import load_deck
from scorer.faces import Face
from scorer.game import who_starts
from scorer.rules import load_rules
from scorer.scoring.first_meld import check_first_meld
from scorer.scoring.tally import Line
from tests.scorer.tables import CLEAN_8S, codes, faces, meld_codes, side, tally

FIVES = ["5"] * 7
SEATS = ("N", "E", "S", "W")


@pytest.mark.parametrize(
    ("id", "packs", "rounds", "hands", "first_melds", "starts"),
    [
        ("golden-games", 5, 4, [13, 15, 17, 19], [60, 90, 120, 150], ["S", "W", "N"]),
        ("tournament-play", 4, 2, [11, 11, 11, 11], [50, 120, 50, 120], ["S", None, None]),
        ("cutting-22", 5, 4, [11, 11, 11, 11], [50, 70, 90, 110], ["S", "W", "N"]),
        ("hand-n-foot", 1, 4, [11, 11, 11, 11], [50, 90, 120, 150], ["S", None, None]),
        ("tanglewood", 4, 4, [11, 11, 11, 11], [50, 90, 120, 150], ["S", None, None]),
    ],
)
def test_four_people_play_as_the_sheet_says(
    id: str, packs: int, rounds: int, hands: list[int], first_melds: list[int], starts: list[str | None]
) -> None:
    rules = load_rules(id)
    assert (rules.packs.for_players(4), rules.rounds.for_players(4), rules.foot_cards) == (packs, rounds, 11)
    assert [rules.hand_size(round) for round in (1, 2, 3, 4)] == hands
    assert [rules.minimum_first_meld(round) for round in (1, 2, 3, 4)] == first_melds
    assert [who_starts(rules, SEATS, "S", round) for round in (1, 2, 3)] == starts


def test_teams_are_those_of_the_sheets() -> None:
    assert [load_rules("golden-games").sides_for(players) for players in (4, 6)] == [((2, 2),), ()]
    assert [load_rules("tournament-play").sides_for(players) for players in (4, 6)] == [((2, 2),), ()]
    cutting = load_rules("cutting-22")
    assert [cutting.sides_for(players) for players in (1, 2, 4)] == [(), ((1, 1),), ((2, 2), (1, 1, 1, 1))]
    assert cutting.sides_for(5) == ((1, 1, 1, 1, 1), (3, 2))
    own = load_rules("hand-n-foot")
    assert [own.sides_for(players) for players in (1, 2, 3, 4)] == [(), ((1, 1),), ((1, 1, 1),), ((2, 2),)]
    assert [own.sides_for(5, round) for round in (1, 2, 3, 4)] == [((3, 2),), ((2, 3),), ((2, 3),), ((3, 2),)]
    assert codes(side("tanglewood", players=9)) == ["wrong-players"]
    assert [load_rules("tanglewood").packs.for_players(players) for players in (6, 8)] == [6, 8]
    tournament = load_rules("tournament-play")
    assert (tournament.hands_in_set, tournament.own_totals) == (2, True)


def test_the_own_deck_has_262_cards() -> None:
    copies = load_deck("hand-n-foot").copies
    assert sum(copies.values()) == 262 and sum(copies[Face(str(rank))] for rank in range(1, 13)) == 192
    assert [copies[Face(name)] for name in ("LORD", "LADY", "VILLAIN", "JESTER", "JOKER")] == [20, 10, 10, 20, 10]


@pytest.mark.parametrize("group", [[*["9"] * 6, "JESTER"], FIVES[:6], ["5", "5", "5"], ["JOKER"] * 3])
def test_a_lady_caps_no_dirty_or_unfinished_group(group: list[str]) -> None:
    capped = side("hand-n-foot", melds=[[*group, "LADY"]])
    assert codes(capped) == ["cap-not-allowed"]
    assert capped.total == sum(load_rules("hand-n-foot").played(Face(card)) for card in group)


def test_of_two_ladies_on_a_group_the_second_alone_is_at_fault() -> None:
    capped = side("hand-n-foot", melds=[[*FIVES, "LADY", "LADY"]])
    assert (capped.total, codes(capped)) == (500 + 35 + 100, ["cap-not-allowed"])
    needed = [[*FIVES, "LADY", "LADY"], [*["9"] * 6, "JESTER"], [*["LORD"] * 6, "JOKER"]]
    assert codes(side("hand-n-foot", melds=needed, went_out=True)) == ["cap-not-allowed"], "it is still a book"


def test_a_lady_has_a_line_of_its_own() -> None:
    assert side("hand-n-foot", melds=[[*FIVES, "LADY"]]).lines == (
        Line("clean book of 5s", 500, (*FIVES, "LADY"), "melds[0]"),
        Line("cap on clean book of 5s", 100, ("LADY",), "melds[0]"),
        Line("5s in clean book of 5s: 7 × 5", 35, tuple(FIVES), "melds[0]"),
        Line("ladies in clean book of 5s: 1 × 0", 0, ("LADY",), "melds[0]"),
    )


@pytest.mark.parametrize(
    ("id", "cards", "expected"),
    [
        ("golden-games", "8H 8S", ["meld-too-small"]),
        ("golden-games", "8H 8S 9D", ["mixed-ranks"]),
        ("golden-games", "3H 3S 3D", ["rank-not-meldable"]),
        ("golden-games", "8H 2S 2D", ["too-few-naturals", "too-many-wilds"]),
        ("golden-games", "8H 8S 8D 2S 2H", []),
        ("golden-games", "8H 8S 2S 2H", ["too-many-wilds"]),
        ("golden-games", "8H 8S 8D 8C 8H 8S 8D 2S 2H JK JK", ["too-many-wilds"]),
        ("tournament-play", "8H 2S 2H", ["too-few-naturals", "too-many-wilds"]),
        ("tournament-play", "8H 8S 8D 8C 8H 8S 8D 2S 2H JK", []),
        ("tournament-play", "8H 8S 8D 8C 8H 8S 8D 2S 2H JK JK", ["too-many-wilds"]),
        ("cutting-22", "AH AS AD AC 2H 2S", []),
        ("cutting-22", "AH AS 2D 2C", ["too-many-wilds"]),
        ("cutting-22", "2S 2H 2D 2C 2S JK JK", ["wild-book-not-allowed", "too-few-naturals"]),
        ("hand-n-foot", "5 5 5 JOKER JESTER JESTER", []),
        ("hand-n-foot", "5 JESTER JOKER", ["too-few-naturals", "too-many-wilds"]),
        ("hand-n-foot", "VILLAIN VILLAIN VILLAIN", ["rank-not-meldable"]),
        ("tanglewood", "8H 8S 8D 8C 2S 2H JK", []),
        ("tanglewood", "8H 8S 8D 2S 2H JK", ["too-many-wilds"]),
    ],
)
def test_melds_and_what_is_wrong_with_others(id: str, cards: str, expected: list[str]) -> None:
    assert meld_codes(id, cards) == expected


def test_a_first_meld_counts_its_cards_alone() -> None:
    golden = load_rules("golden-games")
    melds = [faces("4H 4S 4D"), faces("10H 10S 10D 10C 10H 10S")]
    assert [(found.points, found.enough) for found in (check_first_meld(melds, golden, round) for round in (1, 2))] == [
        (75, True),
        (75, False),
    ]
    assert check_first_meld(faces("3H 3D 10H 10S 10D"), golden, 1).points == 30, "red 3s do not count"
    assert check_first_meld([faces("2S 2H 2D 2C 2S JK JK")], golden, 1).points == 0, "nor does a wild book"
    assert check_first_meld([faces(" ".join(["12"] * 7))], load_rules("hand-n-foot"), 1).points == 70


@pytest.mark.parametrize(
    ("id", "players", "clean", "dirty"),
    [
        ("golden-games", 4, 2, 3),
        ("tournament-play", 4, 2, 3),
        ("cutting-22", 4, 2, 2),
        ("hand-n-foot", 4, 1, 2),
        ("tanglewood", 4, 2, 3),
        ("tanglewood", 6, 3, 4),
        ("tanglewood", 8, 4, 5),
    ],
)
def test_going_out_needs_so_many_books_and_no_fewer(id: str, players: int, clean: int, dirty: int) -> None:
    own = id == "hand-n-foot"
    ranks = [*"456789", "10", *(("11", "12") if own else ("J", "Q"))]
    books = [[rank if own else f"{rank}{suit}" for suit in "HSDCHSD"] for rank in ranks]
    needed = [*books[:clean], *([*book[:6], "JESTER" if own else "2H"] for book in books[clean : clean + dirty])]
    assert codes(side(id, players=players, melds=needed, went_out=True)) == []
    for missing in range(len(needed)):
        fewer = needed[:missing] + needed[missing + 1 :]
        assert codes(side(id, players=players, melds=fewer, went_out=True)) == ["out-without-books"]


@pytest.mark.parametrize("id", ["golden-games", "tournament-play", "cutting-22", "tanglewood"])
def test_a_side_may_have_several_melds_of_a_rank_and_as_many_cards_as_the_packs(id: str) -> None:
    assert codes(side(id, melds=[CLEAN_8S, ["8H", "8S", "8D"], ["8H", "8S", "2D"], ["8C", "8C", "2S"]])) == []
    packs = load_rules(id).packs.for_players(4)
    assert [codes(side(id, left=[["JK"] * jokers])) for jokers in (2 * packs, 2 * packs + 1)] == [
        [],
        ["too-many-copies"],
    ]


def test_whoever_goes_out_has_played_all_cards_and_the_partner_may_hold_some() -> None:
    held = codes(side("golden-games", melds=[CLEAN_8S], left=[["4S"], []], went_out=True))
    assert held == ["out-without-books"]
    held = codes(side("golden-games", melds=[CLEAN_8S], left=[["4S"], ["5S"]], went_out=True))
    assert held == ["out-without-books", "out-with-cards"]


def test_a_side_can_have_as_many_exact_deals_as_the_other_sides_leave_players() -> None:
    def too_many(players: int, cuts: int, sides: int) -> bool:
        others: list[dict[str, Any]] = [{}] * (sides - 1)
        first = tally("cutting-22", {"exact_deals": cuts}, *others, players=players).sides[0]
        return ("too-many-exact-deals", "exact_deals") in [(found.code, found.where) for found in first.violations]

    assert [too_many(5, cuts, 2) for cuts in (4, 5)] == [False, True]
    assert [too_many(5, cuts, 1) for cuts in (4, 5)] == [False, True]
    assert [too_many(5, cuts, 3) for cuts in (3, 4)] == [False, True]
    assert [too_many(6, cuts, 6) for cuts in (1, 2)] == [False, True]
    (found,) = tally("cutting-22", {"exact_deals": 2}, {"exact_deals": 2}, players=3).sides[1].violations
    assert (found.code, found.where) == ("too-many-exact-deals", "sides")
    assert found.message == "3 players can have at most 3 exact deals, but 4 are counted."
