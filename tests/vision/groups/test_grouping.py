"""Grouping finds the groups that people see."""

from __future__ import annotations

import numpy as np
import pytest

from scorer.faces import Face
from vision.arrays import floats
from vision.doubts import Doubt
from vision.groups.grouping import group
from vision.groups.relations import PlacedCard
from vision.values import Group, HouseRules


def placed(face: str, x: float, y: float, turn: float = 0.0) -> PlacedCard:
    quad = floats([[-50, -70], [50, -70], [50, 70], [-50, 70]])
    cos, sin = np.cos(turn), np.sin(turn)
    turned = quad @ floats([[cos, sin], [-sin, cos]])
    return PlacedCard(Face.parse(face), (turned + floats([x, y])).astype(np.float32))


def column(faces: str, x: float, y: float = 0.0, step: float = 35.0) -> list[PlacedCard]:
    return [placed(face, x, y + step * i) for i, face in enumerate(faces.split())]


def groups(cards: list[PlacedCard]) -> list[Group]:
    found = group(cards, HouseRules())
    assert sorted(i for one in found for i in one.cards) == list(range(len(cards)))
    return list(found)


@pytest.mark.parametrize(
    ("faces", "book"),
    [
        ("8H 8S 8D 8C 8C 8D 8S", "clean"),
        ("8H 8S 8D 8C 2C 8D JK", "dirty"),
        ("2H JK 2D 2C JK 2D 2S", "wild"),
        ("8H 8S 2C", None),
    ],
)
def test_a_spread_column_is_one_meld(faces: str, book: str | None) -> None:
    (found,) = groups(column(faces, 0))
    assert (found.kind, found.book) == ("meld", book)


def test_a_hand_lying_over_a_meld_does_not_break_it() -> None:
    meld = column("8H 8S 8D 8C 2C", 0)
    hand = [placed(face, -60 + 30 * i, 150, 1.2 + 0.1 * i) for i, face in enumerate(["KH", "4S", "9D", "5C"])]
    found = groups(meld + hand)
    assert {(one.kind, one.cards) for one in found} == {("meld", (0, 1, 2, 3, 4)), ("hand", (5, 6, 7, 8))}


def test_melds_of_one_rank_that_touch_at_an_angle_are_two() -> None:
    across = [placed(face, 80 + 40 * i, 40, np.pi / 2) for i, face in enumerate(["8C", "8C", "8D"])]
    found = groups(column("8H 8S 8D", 0) + across)
    assert [one.cards for one in found] == [(0, 1, 2), (3, 4, 5)]


def test_a_sorted_hand_with_three_of_a_kind_is_a_hand() -> None:
    fan = [placed(face, 30 * i, 0, 0.06 * i) for i, face in enumerate(["4H", "4S", "4D", "5C", "9D", "9H", "KS"])]
    assert [one.kind for one in groups(fan)] == ["hand"]


def test_a_book_that_a_hand_adjoins_is_a_meld() -> None:
    meld, hand = "8H 8S 2C 8D 8C 8C JK 8D", "KH 4S 9D 5C 5H JC"
    found = groups(column(f"{meld} {hand}", 0))
    assert {(one.kind, one.cards) for one in found} == {
        ("meld", (0, 1, 2, 3, 4, 5, 6, 7)),
        ("hand", (8, 9, 10, 11, 12, 13)),
    }


def test_a_wild_between_two_melds_in_line_is_in_one_of_them() -> None:
    found = groups(column("8H 8S 8D 8C 8C 8D 8S 2C QC QC QD QH QS QD QC KH 4S", 0))
    assert [(one.kind, one.rank, len(one.cards)) for one in found] == [
        ("meld", "8", 8),
        ("meld", "Q", 7),
        ("hand", None, 2),
    ]


def test_a_hand_with_five_of_a_kind_is_a_hand() -> None:
    faces = ["4D", "5S", "6H", "8H", "8S", "8D", "8C", "8C", "KD", "QS", "JC"]
    assert [one.kind for one in groups([placed(face, 30 * i, 0, 0.06 * i) for i, face in enumerate(faces)])] == ["hand"]


BOOK = "8H 8S 8D 8C 8C 8D 8S"


def squared(faces: str, x: float) -> list[PlacedCard]:
    return [placed(face, x + 2 * (i % 2), 0) for i, face in enumerate(faces.split())]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (column(BOOK, 0), column(BOOK, 0, 35 * 6 + 142)),
        (squared(BOOK, 0), squared(BOOK, 102)),
        (squared(BOOK, 0), column("8C 8C 8D", 102, step=6)),
    ],
    ids=["end to end", "squared", "nearly squared"],
)
def test_books_of_one_rank_that_touch_are_two(first: list[PlacedCard], second: list[PlacedCard]) -> None:
    assert [len(one.cards) for one in groups(first + second)] == [len(first), len(second)]


def test_a_stranger_at_the_end_of_a_meld_stays_in_it_with_a_doubt() -> None:
    (found,) = groups(column("8H 8S 8D 8C 8C 8D KH", 0))
    assert (found.kind, found.doubt) == ("meld", Doubt.ODD_ONE_OUT)


def test_a_wild_across_the_end_of_a_book_belongs_to_it_even_with_little_overlap() -> None:
    for y in (-105.0, 280.0, 295.0):
        (found,) = groups([*column("8H 8S 8D 8C 8C 8D", 0), placed("2C", 0, y, np.pi / 2)])
        assert (found.kind, found.book) == ("meld", "dirty")


def test_two_wilds_across_a_meld_belong_to_it() -> None:
    across = [placed("2C", 0, 100, np.pi / 2), placed("2D", 20, 100, np.pi / 2)]
    (found,) = groups([*column("8H 8S 8D 8C 8C", 0), *across])
    assert (found.kind, found.book) == ("meld", "dirty")


@pytest.mark.parametrize("faces", ["2C 2D 2H", "8C 8D 8H"])
def test_three_cards_fanned_over_a_book_are_a_meld_of_their_own(faces: str) -> None:
    book = column("8H 8S 8D 8C 8C 8D 8S", 0)
    fan = [placed(face, 10 * i, 60 + 40 * i, 1.2 + 0.4 * i) for i, face in enumerate(faces.split())]
    assert [(one.kind, one.cards) for one in groups(book + fan)] == [("meld", (*range(7),)), ("meld", (7, 8, 9))]


def test_two_cards_that_continue_a_book_belong_to_it() -> None:
    (found,) = groups(column(BOOK, 0) + column("8C 8D", 0, 35 * 6 + 100))
    assert (found.book, len(found.cards)) == ("clean", 9)


def test_two_cards_of_one_rank_are_too_few_for_a_meld() -> None:
    (found,) = groups(column("8H 8S", 0))
    assert (found.kind, found.reason) == ("hand", "too few of one rank for a meld")


def test_a_card_of_a_hand_does_not_join_the_meld_that_it_touches() -> None:
    hand = [placed(face, 100 * i, 105 + 142) for i, face in enumerate(("8C", "KH", "4S", "9D"))]
    found = groups([*column("8H 8S 8D 8C", 0), *hand])
    assert {(one.kind, len(one.cards)) for one in found} == {("meld", 4), ("hand", 4)}


def test_a_stranger_among_threes_leaves_them_threes() -> None:
    (found,) = groups(column("3H 3D 8C 3H 3D", 0))
    assert (found.kind, found.doubt) == ("threes", Doubt.ODD_ONE_OUT)


def test_outlines_without_area_are_grouped() -> None:
    assert [one.kind for one in groups([PlacedCard(Face.parse("8H"), floats(np.zeros((4, 2))))])] == ["single"]


def test_the_order_of_the_cards_does_not_matter() -> None:
    rng = np.random.default_rng(8)
    for _ in range(40):
        faces, places = rng.choice(["8H", "8S", "QD", "2C", "KS"], 9), rng.uniform(0, 320, (9, 2))
        cards = [
            placed(face, x, y, rng.choice([0, 0.2, np.pi / 2])) for face, (x, y) in zip(faces, places, strict=True)
        ]
        order = rng.permutation(9)
        plain = {frozenset(one.cards) for one in groups(cards)}
        assert {frozenset(int(order[i]) for i in one.cards) for one in groups([cards[i] for i in order])} == plain


@pytest.mark.parametrize("more", ["8C 8C 8D", "8C"])
@pytest.mark.parametrize("gap", [100.0, 140.0])
def test_a_meld_continues_over_a_card_that_was_not_read(more: str, gap: float) -> None:
    (found,) = groups(column("8H 8S 8D", 0) + column(more, 0, 70 + gap))
    assert (found.kind, found.rank) == ("meld", "8")


def test_two_books_of_one_rank_side_by_side_that_touch_are_two() -> None:
    found = groups(column("8H 8S 8D", 0) + column("8C 8C 8D", 102))
    assert [one.cards for one in found] == [(0, 1, 2), (3, 4, 5)]


def test_a_wild_that_only_touches_the_side_of_a_meld_is_not_part_of_it() -> None:
    meld = column("9H 9S 9D 9C", 0)
    for x, kinds in ((60, ["meld"]), (102, ["meld", "single"])):
        found = groups([*meld, placed("JK", x, 50, 1.0 if x == 60 else 0.0)])
        assert [one.kind for one in found] == kinds


def test_a_stranger_half_under_a_meld_is_not_part_of_it() -> None:
    found = groups([*column("8H 8S 8D 8C 8C", 0), placed("4C", 60, 70)])
    assert {one.cards for one in found} == {(0, 1, 2, 3, 4), (5,)}


def test_melds_of_different_ranks_that_touch_are_separated() -> None:
    found = groups(column("8H 8S 8D 8C", 0) + column("QC QC QD QH", 98))
    assert {(one.kind, one.rank, one.cards) for one in found} == {
        ("meld", "8", (0, 1, 2, 3)),
        ("meld", "Q", (4, 5, 6, 7)),
    }


def test_threes_are_threes_side_by_side_or_alone() -> None:
    assert [one.kind for one in groups(column("3H 3D", 0))] == ["threes"]
    assert [one.kind for one in groups([placed("3H", 0, 0)])] == ["threes"]


def test_mixed_ranks_that_overlap_are_a_hand() -> None:
    (found,) = groups([placed(face, 40.0 * i, 0) for i, face in enumerate(["4H", "9S", "JD", "2C", "KC"])])
    assert found.kind == "hand"


def test_cards_squared_on_each_other_are_a_pile() -> None:
    (found,) = groups([placed("8H", 0, 0), placed("2S", 1, 2)])
    assert found.kind == "pile"


def test_a_card_that_touches_nothing_is_single() -> None:
    assert [one.kind for one in groups([placed("8H", 0, 0), placed("8H", 300, 0)])] == ["single", "single"]


def test_no_cards_no_groups() -> None:
    assert group([], HouseRules()) == ()


def capped(cards: list[PlacedCard]) -> list[tuple[str, str | None, str | None, tuple[int, ...]]]:
    """Kind, rank, book and cards of the groups under rules in which threes are melded, and a Lady caps books."""
    rules = HouseRules(frozenset({"JESTER", "JOKER"}), threes=frozenset(), caps=frozenset({"LADY"}))
    found = group(cards, rules)
    assert sorted(i for one in found for i in one.cards) == list(range(len(cards)))
    return [(one.kind, one.rank, one.book, one.cards) for one in found]


@pytest.mark.parametrize(
    ("faces", "rank", "book"),
    [
        ("7 7 7 7 7 7 7 LADY", "7", "clean"),
        ("LADY 7 7 7 7 7 7 7", "7", "clean"),
        ("JOKER JESTER JOKER JESTER JOKER JESTER JOKER LADY", None, "wild"),
        ("9 9 9 9 9 9 LADY JOKER", "9", "dirty"),
        ("12 12 12 12 12 12 LADY", "12", None),
    ],
)
def test_a_cap_belongs_to_the_meld_that_it_lies_on_and_does_not_count_for_its_book(
    faces: str, rank: str | None, book: str | None
) -> None:
    assert capped(column(faces, 0)) == [("meld", rank, book, tuple(range(len(faces.split()))))]


def test_a_cap_beside_a_meld_or_among_a_hand_is_none_of_the_melds() -> None:
    meld = column("7 7 7 7", 0)
    assert capped([*meld, placed("LADY", 104, 60)]) == [
        ("meld", "7", None, (0, 1, 2, 3)),
        ("single", "LADY", None, (4,)),
    ]
    hand = [placed(face, 30 * i, 0) for i, face in enumerate(["4", "9", "LADY", "12"])]
    assert capped(hand) == [("hand", None, None, (0, 1, 2, 3))]


def test_a_cap_on_a_squared_pile_is_on_that_pile_and_not_on_the_meld_beside_it() -> None:
    pile = [placed("9", 0, 0), placed("9", 2, 1), placed("LADY", 1, 2)]
    assert capped([*pile, *column("7 7 7", 103)])[0][::3] == ("pile", (0, 1, 2))


def test_threes_are_melded_where_the_rules_lay_none() -> None:
    assert capped(column("3 3 3 3 3 3 JOKER", 0)) == [("meld", "3", "dirty", tuple(range(7)))]
    assert capped([placed("3", 0, 0)]) == [("single", "3", None, (0,))]
