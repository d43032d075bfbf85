"""The draft of a side's table from the groups of a reading."""

from __future__ import annotations

from scorer.faces import Face
from vision.doubts import Doubt
from vision.groups.table_draft import draft_side
from vision.values import Group, Reading, SeenCard

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def reading(faces: str, *groups: Group) -> Reading:
    cards = tuple(SeenCard(Face.parse(face), 0.9, (), SQUARE) for face in faces.split())
    return Reading(100, 100, 0.1, cards, groups, ())


def test_melds_piles_and_threes_go_where_they_count_and_the_rest_is_loose() -> None:
    drafted = draft_side(
        reading(
            "5C 3H 8H 8S 8D KS 4S 9D",
            Group((0,), "single"),
            Group((1,), "threes", "3"),
            Group((2, 3, 4), "meld", "8", None, Doubt.ODD_ONE_OUT, "lie in a row"),
            Group((5,), "pile", "K", "dirty"),
            Group((6, 7), "hand"),
        )
    )
    assert [(group.kind, group.cards) for group in drafted.groups] == [
        ("meld", (2, 3, 4)),
        ("pile", (5,)),
        ("laid", (1,)),
        ("loose", (0,)),
        ("loose", (6, 7)),
    ]
    meld, pile = drafted.groups[:2]
    assert (meld.rank, meld.doubt, meld.reason) == ("8", Doubt.ODD_ONE_OUT, "lie in a row")
    assert pile.book == "dirty"


def test_every_card_is_in_exactly_one_group_even_an_ungrouped_one() -> None:
    drafted = draft_side(reading("8H 8S 8D 5C", Group((0, 1, 2), "meld", "8")))
    assert sorted(card for group in drafted.groups for card in group.cards) == [0, 1, 2, 3]
    assert drafted.groups[-1].kind == "loose"


def test_an_unknown_kind_of_group_is_loose() -> None:
    assert draft_side(reading("8H", Group((0,), "tower"))).groups[0].kind == "loose"


def test_no_cards_no_groups() -> None:
    assert draft_side(reading("")).groups == ()
