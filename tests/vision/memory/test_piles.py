"""What lies on, in and under piles: cards like their top, ends that peep out, small pushes; and threes."""

from __future__ import annotations

import json
from dataclasses import replace
from math import cos, radians, sin

import numpy as np
import pytest

from scorer.faces import Face
from tests.vision.memory.sequences import HEIGHT, WIDTH, card, column, picture, reading
from vision.memory.joining import Lying, same_places
from vision.memory.table_memory import TableMemory
from vision.values import SeenCard

BOOK = column("8H 8C 8D 8S 8H 2S 8C", 100, 100)
PILE = card("8H", 102, 120)
OTHERS = [*column("QH QD QC", 400, 100), *column("9H 9D 9C", 600, 100)]
"""They lie still, so that it shows what moved."""


def turned(one: SeenCard, degrees: float) -> SeenCard:
    x, y = one.quad[0][0] + WIDTH / 2, one.quad[0][1] + HEIGHT / 2
    a, b = cos(radians(degrees)), sin(radians(degrees))
    first, second, third, fourth = ((x + a * (p - x) - b * (q - y), y + b * (p - x) + a * (q - y)) for p, q in one.quad)
    return replace(one, quad=(first, second, third, fourth))


def after_squaring(*stills: list[SeenCard], lying: list[SeenCard] | None = None) -> TableMemory:
    """The memory after a book was squared and more stills; ``lying`` in them, if that is not what is read."""
    memory = TableMemory()
    for second, still in enumerate([BOOK, [PILE], [PILE], *stills], 1):
        there = still if lying is None or second <= 3 else lying
        memory.observe(
            reading(*still, *OTHERS), second, picture([*BOOK, *OTHERS] if second == 1 else [*there, *OTHERS])
        )
    return memory


def pile(memory: TableMemory) -> list[str]:
    return next(list(group["cards"]) for group in memory.groups() if group["kind"] == "pile")


@pytest.mark.parametrize("laid", [turned(PILE, 3), card("8H", 104, 120), turned(card("8H", 102.4, 120.3), 1.5)])
def test_a_card_laid_on_its_like_is_one_more(laid: SeenCard) -> None:
    memory = after_squaring([laid], [laid])
    assert sorted(pile(memory)) == ["2S", "8C", "8C", "8D", "8H", "8H", "8H", "8S"]
    assert [change.what for change in memory.state.history][-1] == "added"


@pytest.mark.parametrize("killed", range(1, 6))
def test_a_program_that_is_killed_between_any_two_stills_goes_on(killed: int) -> None:
    unsure = replace(card("8D", 102, 120), confidence=0.9, others=((Face.parse("8H"), 0.25),))
    memories = [TableMemory(), TableMemory()]
    for number, still in enumerate([BOOK, BOOK, [BOOK[4]], [BOOK[4]], [unsure], [unsure]]):
        if number == killed:
            memories[1] = TableMemory.from_json(json.loads(json.dumps(memories[1].to_json())))
        for one, restarted in zip(memories, (False, number == killed), strict=True):
            one.observe(reading(*still), number, picture(still), None if restarted else ((40, 40, 300, 400),))
    assert memories[0].groups() == memories[1].groups() and len(pile(memories[0])) == 8


def test_a_top_that_lies_aside_was_pushed_or_got_its_like_and_is_doubted() -> None:
    aside = card("8H", 108, 122)
    memory = after_squaring([aside], [aside])
    assert len(pile(memory)) == 7
    doubted = next(group for group in memory.groups() if group["kind"] == "pile")
    assert doubted["doubt"] == "changed-unseen" and "check whether" in doubted["sentence"]


def test_a_top_that_is_read_a_little_otherwise_is_the_same() -> None:
    memory = after_squaring([turned(card("8H", 102.4, 120.3), 0.6)], [PILE], [turned(PILE, -0.6)], lying=[PILE])
    assert len(pile(memory)) == 7


def test_a_top_of_which_one_end_alone_is_read_tells_nothing() -> None:
    one_end = turned(PILE, 3)
    memory = after_squaring([replace(one_end, corners=one_end.corners[:1])], [PILE], lying=[PILE])
    assert len(pile(memory)) == 7


def test_what_lies_over_a_part_of_a_top_is_no_card_like_it() -> None:
    memory, aside = after_squaring(), turned(PILE, 1.2)
    cup = picture([PILE, *OTHERS])
    cup[110:160, 90:125] = 20
    for second, pixels in enumerate((cup, cup, picture([PILE, *OTHERS])), 4):
        memory.observe(reading(aside, *OTHERS), second, pixels)
    assert len(pile(memory)) == 7


def test_a_card_of_another_rank_is_not_put_into_the_pile_on_which_it_lies_and_is_told() -> None:
    strange = card("KD", 103, 121)
    memory = after_squaring(*[[strange]] * 4)
    found = next(group for group in memory.groups() if group["kind"] == "pile")
    assert "KD" not in found["cards"] and found["doubt"] == "changed-unseen"
    for second in range(8, 14):
        memory.observe(reading(PILE, *OTHERS), second, picture([PILE, *OTHERS]))
    assert next(group for group in memory.groups() if group["kind"] == "pile")["doubt"] is None
    assert len(pile(memory)) == 7


def test_the_end_of_a_wild_that_is_read_for_a_card_beside_its_pile_is_none() -> None:
    beside = card("2S", 152, 118)
    end = replace(beside, corners=beside.corners[:1])
    across = turned(card("2S", 104, 122), 90)
    memory = after_squaring([PILE, across, end], [PILE, across, end], lying=[across, PILE])
    assert len(pile(memory)) == 7
    assert len(memory.groups()) == 3


def test_a_wild_that_shows_as_its_pile_is_squared_is_the_one_that_was_laid() -> None:
    memory, across = TableMemory(), turned(card("2S", 104, 122), 90)
    for second, still in enumerate([BOOK, BOOK, [PILE, replace(across, face=Face.parse("2H"))], [PILE, across]], 1):
        lying = BOOK if second < 3 else [across, PILE]
        memory.observe(reading(*still, *OTHERS), second, picture([*lying, *OTHERS]))
    assert sorted(pile(memory)) == sorted(str(one.face) for one in BOOK)


def test_a_meld_that_is_pushed_while_a_suit_is_misread_has_no_card_more() -> None:
    memory = TableMemory()
    for second, faces, x in ((1, "8H 8C 2S", 100), (2, "8H 8C 2S", 100), (3, "8H 8C 2C", 300), (4, "8H 8C 2S", 300)):
        memory.observe(reading(*column(faces, x, 100)), second)
    assert [group["cards"] for group in memory.groups()] == [["8H", "8C", "2S"]]


def test_a_pile_that_is_pushed_a_little_with_its_wild_has_no_card_more() -> None:
    across = turned(card("2S", 104, 122), 90)
    pushed = [card("8H", 106, 120), turned(card("2S", 108, 122), 90)]
    memory = after_squaring([PILE, across], [PILE, across], pushed, pushed)
    assert len(pile(memory)) == 7


def test_a_card_laid_on_its_like_is_one_more_whatever_wild_shows_from_under_it() -> None:
    across, laid = turned(card("2S", 104, 122), 90), turned(PILE, 3)
    memory = after_squaring([across, PILE], [across, PILE], [across, laid], [across, laid])
    assert sorted(pile(memory)) == ["2S", "8C", "8C", "8D", "8H", "8H", "8H", "8S"]


def test_a_card_laid_while_the_wild_under_the_pile_is_not_read_is_not_that_wild() -> None:
    across, laid = turned(card("2S", 104, 122), 90), card("8D", 103, 121)
    memory = after_squaring([PILE, across], [laid], [laid, across])
    assert sorted(pile(memory)) == ["2S", "8C", "8C", "8D", "8D", "8H", "8H", "8S"]


def test_a_wild_under_a_pile_that_is_read_as_another_suit_when_a_card_comes_is_no_other() -> None:
    across, laid = turned(card("2S", 104, 122), 90), card("8D", 103, 121)
    other = replace(across, face=Face.parse("2C"))
    memory = after_squaring([PILE], [other, laid], [laid])
    assert sorted(pile(memory)) == ["2S", "8C", "8C", "8D", "8D", "8H", "8H", "8S"]


def test_wilds_that_lie_beside_a_pile_with_a_wild_of_theirs_are_a_meld() -> None:
    memory, wilds = after_squaring(), column("2S 2H 2S 2C", 152, 100)
    wilds = [*(replace(one, corners=one.corners[:1]) for one in wilds[:-1]), wilds[-1]]
    for second in range(4, 7):
        memory.observe(reading(PILE, *wilds, *OTHERS), second, picture([PILE, *wilds, *OTHERS]))
    assert sorted(memory.groups()[-1]["cards"]) == ["2C", "2H", "2S", "2S"]


def test_a_pile_that_is_not_seen_again_is_doubted() -> None:
    memory = after_squaring(*[[]] * 6)
    found = next(group for group in memory.groups() if group["kind"] == "pile")
    assert found["doubt"] == "changed-unseen" and "what became of it" in found["sentence"]


def test_a_wild_that_shows_on_both_sides_of_the_top_is_one() -> None:
    one_end, other_end = turned(card("2S", 94, 122), 90), turned(card("2S", 114, 122), 90)
    memory = after_squaring([PILE, one_end, other_end], [PILE, one_end, other_end])
    assert len(pile(memory)) == 7
    assert len(memory.groups()) == 3


def test_cards_of_a_meld_close_by_are_not_what_a_book_became() -> None:
    beside = column("QH QD QC", 144, 100)
    memory = TableMemory()
    for second, own in enumerate([BOOK, BOOK, [PILE], [PILE]], 1):
        memory.observe(reading(*own, *beside), second)
    assert [change.what for change in memory.state.history] == ["laid", "laid", "squared"]
    assert sorted(pile(memory)) == sorted(str(one.face) for one in BOOK)


def test_a_three_is_laid_beside_those_of_its_side_or_by_itself() -> None:
    memory = TableMemory(zones=[[[0, 0], [300, 0], [300, 400], [0, 400]], [[300, 0], [900, 0], [900, 400], [300, 400]]])
    first, second, other_side = card("3H", 100, 100), card("3D", 150, 104), card("3H", 500, 100)
    for at, still in enumerate(([first], [first, second], [first, second, other_side]), 1):
        memory.observe(reading(*still), at)
    assert [(group["kind"], group["side"], group["cards"]) for group in memory.groups()] == [
        ("threes", 0, ["3H", "3D"]),
        ("threes", 1, ["3H"]),
    ]


def test_a_shadow_over_an_edge_of_a_top_is_no_card_like_it() -> None:
    memory, dark = after_squaring(), picture([PILE, *OTHERS])
    shade = 1 - 0.7 * np.clip((np.arange(96, 148) - 137) / 4, 0, 1)[None, :, None]
    dark[114:184, 96:148] = (dark[114:184, 96:148] * shade).astype(np.uint8)
    for second in (4, 5, 6):
        memory.observe(reading(PILE, *OTHERS), second, dark)
    assert len(pile(memory)) == 7


def test_a_book_is_squared_beside_a_meld_of_which_suits_are_misread() -> None:
    beside, memory = column("QH QD QC QH", 142, 100), TableMemory()
    misread = [replace(one, face=Face.parse("QS"), corners=one.corners[:1]) for one in beside[:3]] + beside[3:]
    for second, still in enumerate([[*BOOK, *beside]] * 2 + [[card("2S", 102, 120), *misread]] * 2, 1):
        memory.observe(reading(*still), second)
    assert sorted(pile(memory)) == sorted(str(one.face) for one in BOOK)
    assert all(group["doubt"] is None for group in memory.groups())


@pytest.mark.parametrize(
    ("in_pile", "is_steady", "is_new"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_another_suit_on_a_pile_is_another_card_where_the_one_before_was_never_in_question(
    in_pile: bool, is_steady: bool, is_new: bool
) -> None:
    """A card whose suit was read now so, now so, is read so once more; on a spread meld nothing lies on it."""
    before = Lying(Face.parse("KH"), np.array(card("KH", 100, 100).quad, np.float32), 0.99, in_pile, is_steady)
    assert same_places({7: before}, [card("KS", 101, 100)]) == ({} if is_new else {0: 7})
    assert same_places({7: before}, [card("KH", 101, 100)]) == {0: 7}
    assert same_places({7: before}, [card("KS", 101, 100, confidence=0.9)]) == {0: 7}, "it may be misread"
