"""Melds of which nobody could see all that happened to them: they keep their cards, and none comes twice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.memory.sequences import HEIGHT, WIDTH, card, column, reading
from tests.vision.memory.sequences import picture as table
from tests.vision.memory.test_hidden import picture
from vision.arrays import floats
from vision.memory.joining import apart
from vision.memory.table_memory import TableMemory
from vision.values import SeenCard


def one_end(one: SeenCard) -> SeenCard:
    """A card of which others cover one end."""
    return replace(one, corners=one.corners[:1])


def small(one: SeenCard, share: float = 0.6) -> SeenCard:
    """A card whose outline is guessed too small, from the index in its first corner."""
    x, y = one.quad[0]
    quad = ((x, y), (x + share * WIDTH, y), (x + share * WIDTH, y + share * HEIGHT), (x, y + share * HEIGHT))
    return one_end(replace(one, quad=quad))


def cards(memory: TableMemory) -> list[list[str]]:
    return [sorted(group["cards"]) for group in memory.groups()]


def test_a_book_that_was_squared_while_cards_came_unseen_keeps_those_that_were_seen_and_is_doubted() -> None:
    memory, six = TableMemory(), "AC AC AD AC AS 2H"
    for second, still in enumerate([column(six, 100, 100)] * 2 + [[card("AS", 102, 120)]] * 6, 1):
        memory.observe(reading(*still), second)
    (group,) = memory.groups()
    assert (group["kind"], sorted(group["cards"])) == ("pile", sorted(six.split()))
    assert group["doubt"] == "changed-unseen"


def test_a_card_among_others_is_not_gone_while_something_lies_over_them() -> None:
    memory, meld, last = TableMemory(), column("8H 8C 8C 8D 8S", 100, 100), card("2S", 100, 174)
    for second in (1, 2, 3, 4):
        lying = meld[:3] if second < 3 else meld
        memory.observe(reading(*lying), second, picture(lying))
    shown = [*map(one_end, meld[:3]), one_end(last)]
    for second in range(5, 11):
        memory.observe(reading(*shown), second, picture([*meld, last], (90, 150, 150, 176)))
    assert cards(memory) == [["2S", "8C", "8C", "8D", "8H", "8S"]]


def test_a_wild_that_lies_open_beside_a_pile_is_none_of_it() -> None:
    book, pile = column("8H 8C 8D 8S 8H 2S 8C", 100, 100), card("8H", 102, 120)
    fives, wild = column("5D 5S 5D", 144, 68), card("2D", 144, 110)
    memory = TableMemory()
    for second, still in enumerate([[*book], [pile], [pile, *fives], [pile, *fives], *[[pile, *fives, wild]] * 2], 1):
        memory.observe(reading(*still), second, table(still))
    assert cards(memory) == [sorted(["8H", "8C", "8D", "8S", "8H", "2S", "8C"]), ["2D", "5D", "5D", "5S"]]


def test_cards_whose_size_is_guessed_otherwise_lie_where_they_lay() -> None:
    meld, memory = column("8C 8C 8C 8S", 100, 100), TableMemory()
    near, far = [*map(one_end, meld[:3]), meld[3]], [*map(small, meld[:3]), meld[3]]
    for second, still in enumerate((far, near, far, near), 1):
        memory.observe(reading(*still), second)
    assert cards(memory) == [["8C", "8C", "8C", "8S"]]
    assert [change.what for change in memory.state.history] == ["laid"]


def test_a_meld_that_is_pushed_along_itself_while_one_card_is_hidden_has_no_card_more() -> None:
    meld, memory = column("KC KS JK KD KH", 100, 100), TableMemory()
    pushed = column("KS JK KD KH", 100, 86)
    for second, still in enumerate([meld, meld, pushed, pushed], 1):
        memory.observe(reading(*still), second)
    assert cards(memory) == [sorted(["KC", "KS", "JK", "KD", "KH"])]


def test_a_fan_that_is_laid_anew_while_suits_are_misread_has_only_the_card_more_that_came() -> None:
    meld, memory = [*map(one_end, column("JS JC JD JH", 100, 100)[:3]), card("JH", 100, 142)], TableMemory()
    anew = [*map(one_end, column("JS JD JH JH", 100, 102)), card("JS", 100, 158)]
    for second, still in enumerate([meld, meld, anew, anew], 1):
        memory.observe(reading(*still), second)
    assert len(memory.groups()[0]["cards"]) == 5 and len(memory.groups()) == 1


def test_a_card_that_lies_another_way_is_far_though_its_first_corner_is_near() -> None:
    here = floats(card("8D", 100, 100).quad)
    there = floats([[100, 100], [60, 100], [60, 44], [100, 44]])
    assert apart(here, floats([there, here + 3])).tolist() == pytest.approx([np.hypot(WIDTH, HEIGHT), np.hypot(3, 3)])


@pytest.mark.parametrize("x, y", [(100, 121), (80, 134), (72, 130), (130, 128)])
def test_a_card_of_a_meld_that_one_still_shows_a_little_aside_is_none_that_came(x: float, y: float) -> None:
    meld, memory = [*map(one_end, column("JS JD JC", 100, 100)), card("JH", 100, 142)], TableMemory()
    aside = [*meld[:2], one_end(card("JC", x, y)), meld[3]]
    for second, still in enumerate([meld, meld, aside, meld], 1):
        memory.observe(reading(*still), second)
    assert cards(memory) == [["JC", "JD", "JH", "JS"]]
    two = [*meld[:3], one_end(card("JD", 100, 142)), card("JH", 100, 156)]
    for second in (5, 6):
        memory.observe(reading(*two), second)
    assert len(cards(memory)[0]) == 5


def test_what_one_still_showed_among_the_cards_of_a_book_is_not_its_top() -> None:
    book, top = column("8H 8C 8D 8S 8H 2S 8C", 100, 100), card("8D", 103, 120)
    once = one_end(card("8D", 104, 120, 0.6))
    memory = TableMemory()
    for second, still in enumerate([[*book, once], *[book] * 6, *[[top]] * 3], 1):
        memory.observe(reading(*still), second, table(book if second < 8 else [top]))
    assert cards(memory) == [sorted(["8H", "8C", "8D", "8S", "8H", "2S", "8C"])]


def test_a_card_of_a_meld_that_is_read_twice_in_one_still_is_one() -> None:
    meld, memory = [*map(one_end, column("JS JD JC", 100, 100)), card("JH", 100, 142)], TableMemory()
    twice = [*meld[:2], one_end(card("JS", 100, 115)), *meld[2:]]
    for second, still in enumerate([meld, meld, twice, twice], 1):
        memory.observe(reading(*still), second)
    assert cards(memory) == [["JC", "JD", "JH", "JS"]]


def test_a_meld_of_which_something_hides_all_but_one_end_is_not_squared() -> None:
    meld, memory = [*map(one_end, column("JS JD JC", 100, 100)), card("JH", 100, 142)], TableMemory()
    for second, still in enumerate([meld, meld, *[[one_end(meld[3])]] * 6, meld], 1):
        memory.observe(reading(*still), second)
    assert [change.what for change in memory.state.history] == ["laid"]
    assert cards(memory) == [["JC", "JD", "JH", "JS"]]


def test_two_ends_of_a_card_that_are_read_as_two_cards_where_nothing_changed_are_one() -> None:
    meld, memory = [*map(one_end, column("AD AS", 100, 100)), card("JK", 100, 128)], TableMemory()
    other_end = small(card("JK", 116, 150))
    ends = [*meld[:2], small(meld[2]), other_end]
    for second, still in enumerate([meld, meld, meld, ends, ends], 1):
        memory.observe(reading(*still), second, table(meld))
    assert cards(memory) == [["AD", "AS", "JK"]]


def test_a_card_laid_with_another_on_it_came_though_the_still_misses_one_of_their_rank() -> None:
    meld, memory = [*map(one_end, column("JS JD JC", 100, 100)), card("JH", 100, 142)], TableMemory()
    two = [*meld[:3], one_end(card("JC", 100, 156)), card("JD", 100, 170)]
    for second, still in enumerate([meld, meld, two, two, two], 1):
        memory.observe(reading(*still), second)
    assert len(cards(memory)[0]) == 6
