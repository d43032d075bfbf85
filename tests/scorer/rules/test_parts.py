"""Sections of a rule set: their text and their numbers."""

from __future__ import annotations

import pytest

from scorer.faces import JOKER, Face
from scorer.rules.book_parts import Book, BookPoints, BooksNeeded, MadeBook, RankBook
from scorer.rules.card_parts import LaidSet, MeldNeeds, RankMeld, matches
from scorer.rules.table_parts import ByScore, FirstMeld, PerPlayers, Seating


@pytest.mark.parametrize(
    ("part", "text"),
    [
        (RankBook(ranks=("7", "A"), clean=1500, dirty=800), "7, A: clean 1500, dirty 800"),
        (RankBook(ranks=("7",), dirty=0), "7: dirty 0"),
        (LaidSet(cards=("red 3", "black 3"), count=4, points=400), "4 or more of red 3, black 3: 400 more"),
        (BooksNeeded(clean=2, dirty=3), "2 clean and 3 dirty books"),
        (BooksNeeded(clean=2, dirty=2, wild=1), "2 clean, 2 dirty and 1 wild book"),
        (BooksNeeded(clean=1), "1 clean book"),
        (BooksNeeded(dirty=2), "2 dirty books"),
        (BooksNeeded(all=1), "1 book of any kind"),
        (BooksNeeded(clean=1, all=2), "1 clean book, altogether 2 books of any kind"),
        (BooksNeeded(), "no books"),
        (BooksNeeded(from_players=2, clean=1), "with 2 or more players: 1 clean book"),
        (BooksNeeded(from_players=6, from_round=2, wild=1), "with 6 or more players from round 2: 1 wild book"),
        (PerPlayers(fixed=5), "5"),
        (PerPlayers(per_player=1), "one a player"),
        (PerPlayers(per_player=2), "2 a player"),
        (PerPlayers(per_player=1, fixed=1), "one a player and 1 more"),
        (PerPlayers(by_players={6: 8, 4: 6}), "6 with 4 players, 8 with 6 players"),
        (PerPlayers(by_players={4: 6}, fixed=5), "6 with 4 players, 5"),
        (Seating(sides=(2, 2, 2)), "2 against 2 against 2"),
        (FirstMeld(by_round=(50, 90)), "50, 90"),
        (FirstMeld(by_round=(50,), step=20), "50, then 20 more each round"),
        (FirstMeld(by_score=(ByScore(points=15), ByScore(least=0, points=50))), "15, 50 from a total of 0"),
    ],
)
def test_a_section_prints_itself(part: object, text: str) -> None:
    assert str(part) == text


def test_a_number_by_players_is_listed_or_grows_or_falls_back_to_the_next_lower_count() -> None:
    assert [PerPlayers(fixed=1, per_player=2).for_players(players) for players in (2, 4)] == [5, 9]
    listed = PerPlayers(by_players={4: 6, 6: 8})
    assert [listed.for_players(players) for players in (2, 4, 5, 6, 9)] == [6, 6, 6, 8, 8]
    with_rest = PerPlayers(by_players={4: 6}, fixed=5)
    assert [with_rest.for_players(players) for players in (2, 4, 5)] == [5, 6, 5]


def test_the_minimum_of_a_first_meld_stays_or_steps_after_the_list() -> None:
    assert [FirstMeld(by_round=(60, 90)).in_round(round) for round in (1, 2, 3)] == [60, 90, 90]
    assert [FirstMeld(by_round=(60, 90), step=20).in_round(round) for round in (1, 2, 3, 4)] == [60, 90, 110, 130]


def test_a_card_name_is_a_rank_a_colour_and_rank_or_a_face() -> None:
    red, black = Face("3", "D"), Face("3", "S")
    assert [matches("red 3", face) for face in (red, black, Face("3"), Face("4", "D"))] == [True, False, False, False]
    assert [matches("black 3", face) for face in (red, black, Face("3"), Face("4", "S"))] == [False, True, False, False]
    assert [matches("3", face) for face in (red, black, Face("3"), Face("4", "D"))] == [True, True, True, False]
    assert matches("3D", red) and not matches("3D", Face("3", "H"))
    assert matches("JK", JOKER) and not matches("green 3", red) | matches("green 3", Face("3"))


@pytest.mark.parametrize(
    ("needs", "allowed"),
    [
        (MeldNeeds(most_wilds=3), [0, 1, 2, 3, 3]),
        (MeldNeeds(most_wilds=3, naturals_more=1), [0, 0, 1, 2, 3]),
        (MeldNeeds(most_wilds=2, naturals_per_wild=2), [0, 0, 1, 1, 2]),
        (MeldNeeds(most_wilds=0), [0, 0, 0, 0, 0]),
        (MeldNeeds(most_wilds=3, naturals_per_wild=0), [3, 3, 3, 3, 3]),
        (MeldNeeds(most_wilds=3, naturals_per_wild=0, of_ranks=(RankMeld(ranks=("7",), most_wilds=1),)), [3] * 5),
    ],
)
def test_wilds_allowed_by_naturals(needs: MeldNeeds, allowed: list[int]) -> None:
    assert [needs.wilds_allowed(naturals) for naturals in range(5)] == allowed


def test_the_most_cards_of_a_meld_with_and_without_wilds() -> None:
    assert [MeldNeeds(most_wilds=3).most_with(wilds) for wilds in (0, 1)] == [None, None]
    seven = MeldNeeds(most_wilds=3, most_cards_with_wilds=7)
    assert [seven.most_with(wilds) for wilds in (0, 1)] == [None, 7]
    both = MeldNeeds(most_wilds=3, most_cards=9, most_cards_with_wilds=7)
    assert [both.most_with(wilds) for wilds in (0, 1)] == [9, 7]


def test_book_bonuses_by_kind_and_rank() -> None:
    books = BookPoints(
        clean=500, dirty=300, of_ranks=(RankBook(ranks=("7",), clean=1500), RankBook(ranks=("A",), dirty=9))
    )
    assert [books.bonus("clean", rank) for rank in ("7", "A", "8")] == [1500, 500, 500]
    assert [books.bonus("dirty", rank) for rank in ("7", "A", "8")] == [300, 9, 300]
    assert books.bonus("wild") == 0
    assert BookPoints(clean=500, dirty=300, wild=2000).bonus("wild") == 2000


def made(counts: dict[Book, int]) -> list[MadeBook]:
    return [MadeBook(kind) for kind, count in counts.items() for _ in range(count)]


def test_books_that_are_runs_to_go_out() -> None:
    needed = BooksNeeded(runs=1, all=2)
    run, book = MadeBook("clean", is_run=True), MadeBook("dirty", "8")
    assert [needed.missing(have) for have in ([run, book], [run, run], [book, book], [run], [])] == [
        False,
        False,
        True,
        True,
        True,
    ]
    assert needed.needs == "1 book that is a run, altogether 2 books of any kind"
    assert BooksNeeded(runs=2).needs == "2 books that are runs"
    assert BooksNeeded(runs=1).has_needs


@pytest.mark.parametrize(
    ("needed", "enough", "few"),
    [
        (BooksNeeded(clean=1, dirty=1), {"clean": 1, "dirty": 1}, {"clean": 2}),
        (BooksNeeded(wild=1), {"wild": 1}, {"clean": 5, "dirty": 5}),
        (BooksNeeded(all=2), {"wild": 1, "dirty": 1}, {"wild": 1}),
        (BooksNeeded(clean=1, all=2), {"clean": 2}, {"dirty": 2}),
    ],
)
def test_missing_books_to_go_out(needed: BooksNeeded, enough: dict[Book, int], few: dict[Book, int]) -> None:
    assert not needed.missing(made(enough))
    assert needed.missing(made(few))
