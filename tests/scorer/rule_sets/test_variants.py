"""House rules beyond the five sheets: what each adds to the family."""

from __future__ import annotations

import pytest

from scorer.game import is_over, who_starts
from scorer.rules import describe, load_rules
from scorer.scoring.first_meld import check_first_meld
from tests.scorer.tables import CLEAN_8S, CLEAN_9S, DIRTY_4S, DIRTY_5S, DIRTY_6S, codes, faces, meld_codes, side

CLEAN_7S = ["7H", "7S", "7D", "7C", "7H", "7S", "7D"]


def test_canasta_the_first_meld_goes_by_the_total() -> None:
    rules = load_rules("canasta")
    totals = (-5, 0, 1495, 1500, 2995, 3000, 4995)
    assert [rules.minimum_first_meld(1, total) for total in totals] == [15, 50, 50, 90, 90, 120, 120]
    # the example of the page: 6-6-6 and K-K-K-2 are 65, 6-6-6 and A-A-A-2 are 95
    few, more = [faces("6H 6S 6D"), faces("KH KS KD 2S")], [faces("6H 6S 6D"), faces("AH AS AD 2S")]
    assert [check_first_meld(few, rules, 2, total=total).enough for total in (0, 1600)] == [True, False]
    assert [check_first_meld(more, rules, 2, total=total).enough for total in (1600, 3000)] == [True, False]


@pytest.mark.parametrize(("laid", "points"), [(1, 100), (2, 200), (3, 300), (4, 800)])
def test_canasta_red_threes_are_doubled_when_all_four_are_held(laid: int, points: int) -> None:
    threes = ["3H", "3D", "3H", "3D"][:laid]
    assert side("canasta", melds=[CLEAN_8S[:3]], laid=threes).total == 30 + points
    assert side("canasta", laid=threes).total == -points
    assert side("canasta", melds=[["8H", "8S"]], laid=threes).total == 20 - points


def test_canasta_goes_out_with_one_canasta_of_any_kind() -> None:
    for book in (CLEAN_8S, DIRTY_4S, ["2S", "2S", "2H", "2H", "2D", "JK", "JK"]):
        assert codes(side("canasta", melds=[book], went_out=True)) == []
    assert codes(side("canasta", melds=[CLEAN_8S[:6]], went_out=True)) == ["out-without-books"]


def test_canasta_has_as_many_naturals_as_wilds_and_one_meld_of_a_rank() -> None:
    assert meld_codes("canasta", "8H 8S 8D 2S 2H 2D") == []
    assert meld_codes("canasta", "8H 8S 2S 2H 2D") == ["too-many-wilds"]
    assert codes(side("canasta", melds=[["8H", "8S", "8D"], ["8C", "8H", "2S"]])) == ["same-rank-twice"]


def test_canasta_is_over_at_5000_and_has_no_foot() -> None:
    rules = load_rules("canasta")
    assert is_over(rules, 4, 3, {"us": 5000, "them": 4000})
    assert not is_over(rules, 4, 9, {"us": 4995, "them": 4000})
    assert (rules.hand_size(1), rules.foot_cards) == (11, 0)


def test_roth_family_a_black_book_has_seven_cards_exactly_and_a_red_one_may_grow() -> None:
    assert side("roth-family", melds=[DIRTY_4S]).total == 300 + 30 + 20
    assert meld_codes("roth-family", " ".join([*DIRTY_4S, "4C"])) == ["meld-too-large"]
    assert side("roth-family", melds=[[*CLEAN_9S, "9C"]]).total == 500 + 8 * 5


def test_roth_family_loose_cards_keep_a_grown_meld_free_of_wilds() -> None:
    rules = load_rules("roth-family")
    grown = faces("KH KS KD KC KH KS KD KC 2S")
    assert check_first_meld([grown], rules, 1).points == 0
    found = check_first_meld(grown, rules, 1)
    assert (found.points, {line.where for line in found.counts}) == (80 + 20, {"melds[0]", "melds[1]"})
    assert check_first_meld([faces("KH KS KD KC KH KS 2S 2S")], rules, 1).points == 0
    assert check_first_meld(faces("KH KS KD KC KH KS 2S 2S"), rules, 1).points == 60 + 40, "three and three"


def test_roth_family_minimum_by_total() -> None:
    rules = load_rules("roth-family")
    totals = (-100, 0, 2499, 2500, 5000, 7500)
    assert [rules.minimum_first_meld(9, total) for total in totals] == [50, 50, 50, 90, 120, 150]


def test_good_sams_three_hands_of_thirteen_and_thirteen() -> None:
    rules = load_rules("good-sams-florida")
    assert [rules.minimum_first_meld(round) for round in (1, 2, 3)] == [90, 120, 150]
    assert (rules.rounds.for_players(4), rules.hand_size(1), rules.foot_cards) == (3, 13, 13)
    assert who_starts(rules, ("N", "E", "S", "W"), "N", 2) is None


@pytest.mark.parametrize(("round", "clean", "dirty"), [(1, 3, 3), (2, 3, 3), (3, 4, 4), (4, 5, 5)])
def test_vegas_more_books_from_round_to_round(round: int, clean: int, dirty: int) -> None:
    rules = load_rules("vegas")
    needed = rules.going_out.books_for(4, round)
    assert (needed.clean, needed.dirty) == (clean, dirty)
    assert rules.minimum_first_meld(round) == (90, 120, 150, 180)[round - 1]


def test_vegas_packs_by_players() -> None:
    assert [load_rules("vegas").packs.for_players(players) for players in (4, 6)] == [6, 8]
    assert "packs in play: 6 with 4 players, 8 with 6 players" in describe(load_rules("vegas")).splitlines()


def test_tour_of_lakes_sevens_have_a_clean_book_of_their_own() -> None:
    assert side("tour-of-lakes", melds=[CLEAN_7S]).total == 1500 + 35
    assert side("tour-of-lakes", melds=[[*CLEAN_7S[:6], "2S"]]).total == 300 + 30 + 20
    assert side("tour-of-lakes", melds=[CLEAN_8S]).total == 500 + 70
    needed = [CLEAN_7S, DIRTY_5S, DIRTY_6S]
    assert codes(side("tour-of-lakes", melds=needed, went_out=True)) == []


@pytest.mark.parametrize(
    ("rules", "rows"),
    [
        (
            "canasta",
            [
                "points a side's first meld of a round needs: 15, 50 from a total of 0, 90 from a total of 1500, "
                "120 from a total of 3000",
                "  4 or more of red 3: 400 more",
                "    1 book of any kind",
                "points that end the game, after any number of rounds: 5000",
                "  a side can have only one meld of a rank: yes",
            ],
        ),
        ("tour-of-lakes", ["    7: clean 1500"]),
        (
            "golden-games",
            [
                "wild cards: 2, JK",
                "cards in a hand, round by round; the last one stays: 13, 15, 17, 19",
                "cards laid out on the table beside the melds: red 3",
                "spare cards can be buried face down and still count: no",
                "  4, 5, 6, 7: 5 on the table, -5 left in a hand or foot",
                "a card you can put on a finished book for extra points: none",
                "  prizes, highest first: gold, silver, bronze",
            ],
        ),
        (
            "tanglewood",
            [
                "cards laid out on the table beside the melds: none",
                "extra points for cards laid out: none",
                "spare cards can be buried face down and still count: yes",
            ],
        ),
        (
            "vegas",
            [
                "    3 clean and 3 dirty books",
                "    from round 3: 4 clean and 4 dirty books",
                "    from round 4: 5 clean and 5 dirty books",
            ],
        ),
        ("tanglewood", ["    with 8 or more players: 4 clean and 5 dirty books"]),
        ("hand-n-foot", ["  2 against 2, and a floater who plays on side 1, 2, 2, 1, round by round"]),
    ],
)
def test_a_rule_set_is_described_in_words(rules: str, rows: list[str]) -> None:
    lines = describe(load_rules(rules)).splitlines()
    for row in rows:
        assert row in lines
