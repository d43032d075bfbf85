"""The sections of the Hand 'n Foot directions that bear on points; each test is named after its section."""

from __future__ import annotations

import pytest

from scorer.deck import load_deck
from scorer.faces import Face
from scorer.rules import load_rules
from scorer.scoring.first_meld import check_first_meld
from scorer.scoring.tally import Line
from tests.scorer.tables import codes, faces, meld_codes, side

ID = "hand-n-foot"
RULES = load_rules(ID)
DECK = load_deck("hand-n-foot")
CLEAN, WILD = ["5"] * 7, ["JOKER"] * 4 + ["JESTER"] * 3
DIRTY, DIRTY_TOO = ["9"] * 6 + ["JESTER"], ["LORD"] * 6 + ["JOKER"]
NEEDED = [CLEAN, DIRTY, DIRTY_TOO]


def test_contents_262_cards() -> None:
    assert sum(DECK.copies.values()) == 262
    assert sum(DECK.copies[Face(str(rank))] for rank in range(1, 13)) == 192
    assert [DECK.copies[Face(rank)] for rank in ("1", "LORD", "LADY", "VILLAIN", "JESTER", "JOKER")] == [
        16,
        20,
        10,
        10,
        20,
        10,
    ]
    assert [RULES.packs.for_players(players) for players in (2, 6)] == [1, 1]


def test_players_two_and_three_alone_four_and_five_and_six_in_teams() -> None:
    assert RULES.sides_for(2) == ((1, 1),)
    assert RULES.sides_for(3) == ((1, 1, 1),)
    assert RULES.sides_for(4) == ((2, 2),)
    assert RULES.sides_for(6) == ((3, 3),)
    assert RULES.sides_for(1) == RULES.sides_for(7) == ()


def test_players_the_fifth_plays_rounds_1_and_4_on_one_team_and_2_and_3_on_the_other() -> None:
    assert [RULES.sides_for(5, round) for round in (1, 2, 3, 4)] == [((3, 2),), ((2, 3),), ((2, 3),), ((3, 2),)]


@pytest.mark.parametrize("group", [CLEAN, WILD])
def test_lady_caps_a_clean_group_for_100(group: list[str]) -> None:
    capped = side(ID, melds=[[*group, "LADY"]])
    assert (capped.total, codes(capped)) == (side(ID, melds=[group]).total + 100, [])


@pytest.mark.parametrize("group", [DIRTY, CLEAN[:6], ["5", "5", "5"], ["JOKER"] * 3])
def test_lady_caps_no_other_group(group: list[str]) -> None:
    assert codes(side(ID, melds=[group])) == []
    capped = side(ID, melds=[[*group, "LADY"]])
    assert codes(capped) == ["cap-not-allowed"]
    assert capped.total == sum(RULES.played(Face(card)) for card in group)


def test_lady_one_a_group() -> None:
    """Only the second Lady is at fault: the group keeps its bonus and its first cap."""
    capped = side(ID, melds=[[*CLEAN, "LADY", "LADY"]])
    assert (capped.total, codes(capped)) == (500 + 35 + 100, ["cap-not-allowed"])
    wild = side(ID, melds=[[*WILD, "LADY", "LADY", "LADY"]])
    assert (wild.total, codes(wild)) == (2000 + 4 * 50 + 3 * 25 + 100, ["cap-not-allowed"])
    gone_out = side(ID, melds=[[*CLEAN, "LADY", "LADY"], DIRTY, DIRTY_TOO], went_out=True)
    assert codes(gone_out) == ["cap-not-allowed"], "it is still one of the books that going out needs"


def test_lady_has_a_line_of_its_own() -> None:
    found = side(ID, melds=[[*CLEAN, "LADY"]])
    assert found.lines == (
        Line("clean book of 5s", 500, (*CLEAN, "LADY"), "melds[0]"),
        Line("cap on clean book of 5s", 100, ("LADY",), "melds[0]"),
        Line("5s in clean book of 5s: 7 × 5", 35, tuple(CLEAN), "melds[0]"),
        Line("ladies in clean book of 5s: 1 × 0", 0, ("LADY",), "melds[0]"),
    )


def test_lady_is_no_seventh_card() -> None:
    assert side(ID, melds=[[*CLEAN[:6], "LADY"]]).total == 30


def test_lady_in_a_hand_costs_500() -> None:
    assert side(ID, left=[["LADY"], ["LADY", "1"]]).total == -1005


def test_lady_and_villain_form_no_meld_and_lie_nowhere_else() -> None:
    assert meld_codes(ID, "LADY LADY LADY") == ["rank-not-meldable"]
    assert meld_codes(ID, "VILLAIN VILLAIN VILLAIN") == ["rank-not-meldable"]
    assert codes(side(ID, laid=["LADY"])) == codes(side(ID, laid=["VILLAIN"])) == ["not-laid-here"]


def test_lord_plays_as_the_suit_cards() -> None:
    assert meld_codes(ID, "LORD LORD JOKER") == []
    assert side(ID, melds=[["LORD"] * 7]).total == 500 + 7 * 20


def test_villain_counts_nothing() -> None:
    assert side(ID, left=[["VILLAIN", "VILLAIN"]]).total == 0


def test_wild_cards_one_may_be_played_with_two_suit_cards() -> None:
    assert meld_codes(ID, "5 5 JESTER") == meld_codes(ID, "5 5 JOKER") == []
    assert meld_codes(ID, "5 JESTER JOKER") == ["too-few-naturals", "too-many-wilds"]


def test_how_to_begin_100_for_exactly_22_cards() -> None:
    assert RULES.hand_size(1) == RULES.foot_cards == 11
    assert side(ID, exact_deals=2).total == 200
    assert codes(side(ID, players=2, exact_deals=2)) == ["too-many-exact-deals"]


@pytest.mark.parametrize("cards", ["5 5 JOKER JESTER", "5 5 5 JOKER JESTER JESTER"])
def test_melds_as_many_wilds_as_suit_cards_are_legal(cards: str) -> None:
    assert meld_codes(ID, cards) == []


@pytest.mark.parametrize("cards", ["5 5 JOKER JOKER JESTER", "5 5 5 5 5 JOKER JOKER JESTER JESTER"])
def test_melds_never_more_wilds_than_suit_cards_nor_more_than_three(cards: str) -> None:
    assert meld_codes(ID, cards) == ["too-many-wilds"]


def test_initial_meld_requirements_by_round() -> None:
    assert [RULES.minimum_first_meld(round) for round in (1, 2, 3, 4)] == [50, 90, 120, 150]
    assert RULES.rounds.for_players(4) == 4


def test_initial_meld_requirements_2_a_group_among_the_meld_counts_its_cards_alone() -> None:
    assert check_first_meld([faces(" ".join(["12"] * 7))], RULES, 1).points == 70


def test_groups_seven_or_more_cards() -> None:
    assert side(ID, melds=[CLEAN]).total == 500 + 35
    assert side(ID, melds=[CLEAN[:6]]).total == 30
    assert side(ID, melds=[[*CLEAN, "5", "5"]]).total == 500 + 9 * 5
    assert meld_codes(ID, "5 6 7") == ["mixed-ranks"]


def test_groups_4_a_wild_added_to_a_clean_group_makes_it_dirty() -> None:
    found = side(ID, melds=[[*CLEAN, "JOKER"]])
    assert (found.total, codes(found)) == (300 + 35 + 50, [])


def test_groups_5_wilds_alone_count_2000() -> None:
    assert side(ID, melds=[WILD]).total == 2000 + 4 * 50 + 3 * 25
    found = side(ID, melds=[["JOKER", "JESTER", "JESTER"]])
    assert (found.total, codes(found)) == (50 + 2 * 25, [])


@pytest.mark.parametrize(
    ("card", "points"),
    [("JOKER", 50), ("JESTER", 25), ("LORD", 20), ("12", 10), ("7", 10), ("6", 5), ("1", 5), ("VILLAIN", 0)],
)
def test_card_values(card: str, points: int) -> None:
    assert side(ID, melds=[[card]]).total == points
    assert side(ID, left=[[card]]).total == -points


def test_going_out_1_needs_two_dirty_groups_and_a_clean_one() -> None:
    assert codes(side(ID, melds=NEEDED, went_out=True)) == []
    for missing in range(3):
        books = [book for i, book in enumerate(NEEDED) if i != missing]
        assert codes(side(ID, melds=books, went_out=True)) == ["out-without-books"]


def test_going_out_1_a_group_of_wilds_is_no_clean_one() -> None:
    assert codes(side(ID, melds=[WILD, DIRTY, DIRTY_TOO], went_out=True)) == ["out-without-books"]


def test_going_out_2_one_player_has_played_the_last_card() -> None:
    assert codes(side(ID, melds=NEEDED, left=[[], ["1"]], went_out=True)) == []
    assert codes(side(ID, melds=NEEDED, left=[["2"], ["1"]], went_out=True)) == ["out-with-cards"]


def test_going_out_3_nobody_goes_out_when_the_deck_is_drawn() -> None:
    assert side(ID, melds=[CLEAN], left=[["LORD"], ["1"]]).total == 535 - 25


def test_scoring_going_out_is_100() -> None:
    assert side(ID, melds=NEEDED, went_out=True).total == side(ID, melds=NEEDED).total + 100


def test_helpful_hints_two_groups_of_a_rank_may_be_made_by_one_team() -> None:
    assert codes(side(ID, melds=[CLEAN, ["5", "5", "5"]])) == []
