"""The memory over made-up sequences of readings."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from scorer.faces import Face
from tests.vision.memory.sequences import card, column, reading
from vision.memory.table_memory import TableMemory
from vision.values import HouseRules, Reading

EIGHTS = "8H 8C 8D 8S 8H 2S 8C"


def seen(*readings: Reading, memory: TableMemory | None = None) -> TableMemory:
    memory = memory or TableMemory()
    start = memory.state.second
    for i, one in enumerate(readings):
        memory.observe(one, start + i + 1)
    return memory


def told(memory: TableMemory) -> list[str]:
    return [change.what for change in memory.state.history]


def cards(memory: TableMemory) -> list[list[str]]:
    return [group["cards"] for group in memory.groups()]


def test_a_meld_is_laid_and_grows() -> None:
    short, long = column("8H 8C 8D", 100, 100), column("8H 8C 8D 2S", 100, 100)
    memory = seen(reading(*short), reading(*short), reading(*long))
    assert told(memory) == ["laid", "added"]
    assert cards(memory) == [["8H", "8C", "8D", "2S"]]
    assert memory.groups()[0]["seen"] == [1, 1, 1, 3]


def test_a_misread_card_is_outvoted() -> None:
    right, wrong = column("8H 8C 8D 8S", 100, 100), column("8H 8C 8D", 100, 100)
    memory = seen(reading(*right), reading(*wrong, card("3S", 100, 142, 0.6)), reading(*right), reading(*right))
    assert cards(memory) == [["8H", "8C", "8D", "8S"]]
    assert told(memory) == ["laid"]


@pytest.mark.parametrize("first_look", [0.9, 0.999])
def test_a_card_on_one_that_any_look_was_sure_of_is_another_card(first_look: float) -> None:
    begun, known = [*column("8H 8C", 100, 100), card("8D", 100, 128, first_look)], column("8H 8C 8D", 100, 100)
    covered = [*known[:2], card("KD", 101, 129)]
    memory = seen(reading(*begun), reading(*known), reading(*covered), reading(*covered))
    assert sorted((str(track.face), track.place) for track in memory.state.tracks.values()) == [
        ("8C", "shown"),
        ("8D", "under"),
        ("8H", "shown"),
        ("KD", "shown"),
    ]


def test_a_card_missed_twice_stays() -> None:
    whole = column("8H 8C 8D 8S", 100, 100)
    memory = seen(reading(*whole), reading(*whole[:-1]), reading(*whole[:-1]), reading(*whole))
    assert cards(memory) == [["8H", "8C", "8D", "8S"]]
    assert told(memory) == ["laid"]


def test_a_bump_changes_nothing() -> None:
    here = [*column("8H 8C 8D", 100, 100), *column("QH QD QC", 300, 100)]
    there = [*column("8H 8C 8D", 110, 104), *column("QH QD QC", 310, 104)]
    memory = seen(reading(*here), reading(*there))
    assert told(memory) == ["laid", "laid"]
    assert sorted(map(len, cards(memory))) == [3, 3]


BOXES = [[(0, 0), (280, 0), (280, 400), (0, 400)], [(280, 0), (600, 0), (600, 400), (280, 400)]]


def test_boxes_follow_a_bump_but_not_the_only_meld_that_is_pushed_a_little() -> None:
    """Else a box at the other end of the table is soon far from where that side lays its cards."""
    here, pushed = column("8H 8C 8D 8S", 100, 100), column("8H 8C 8D 8S", 110, 104)
    memory = seen(reading(*here), reading(*pushed), reading(*pushed), memory=TableMemory(zones=BOXES))
    assert [[*map(tuple, zone)] for zone in memory.zones] == BOXES and cards(memory) == [["8H", "8C", "8D", "8S"]]
    queens = column("QH QD QC", 300, 100)
    two = seen(reading(*here, *queens), memory=TableMemory(zones=BOXES))
    seen(reading(*pushed, *column("QH QD QC", 310, 104)), memory=two)
    assert two.zones[0][0] == pytest.approx([10, 4], abs=1)
    stays = seen(reading(*here, *queens[:2]), memory=TableMemory(zones=BOXES))
    seen(reading(*pushed, *queens[:2]), memory=stays)
    assert [[*map(tuple, zone)] for zone in stays.zones] == BOXES


def test_a_squared_book_keeps_its_cards() -> None:
    book = column(EIGHTS, 100, 100)
    memory = seen(reading(*book), reading(*book), reading(card("8H", 102, 120)), reading(card("8H", 102, 120)))
    group = memory.groups()[0]
    assert told(memory) == ["laid", "squared"]
    assert (group["kind"], group["book"], group["doubt"]) == ("pile", "dirty", None)
    assert sorted(group["cards"]) == sorted(EIGHTS.split())


def test_a_card_laid_on_a_pile_is_added_to_it() -> None:
    book, pile = column(EIGHTS, 100, 100), card("8H", 102, 120)
    on_top = reading(card("8D", 105, 123))
    memory = seen(reading(*book), reading(pile), on_top, on_top)
    assert told(memory) == ["laid", "squared", "added"]
    assert len(memory.groups()[0]["cards"]) == 8


def test_a_wild_that_peeps_from_under_a_pile_is_no_new_card() -> None:
    book, pile = column(EIGHTS, 100, 100), card("8H", 102, 120)
    crosswise = reading(pile, card("2C", 106, 128))
    memory = seen(reading(*book), reading(pile), crosswise, reading(pile), crosswise)
    assert told(memory) == ["laid", "squared"]
    assert len(memory.groups()[0]["cards"]) == 7


def test_a_meld_pushed_aside_is_the_same_meld() -> None:
    memory = seen(reading(*column("8H 8C 8D", 100, 100)), reading(*column("8H 8C 8D", 300, 140)))
    assert told(memory) == ["laid", "moved"]
    assert cards(memory) == [["8H", "8C", "8D"]]


def test_a_card_taken_back_is_gone() -> None:
    whole = column("8H 8C 8D 8S", 100, 100)
    memory = seen(reading(*whole), reading(*whole), *[reading(*whole[:-1])] * 4)
    assert told(memory) == ["laid", "taken-back"]
    assert cards(memory) == [["8H", "8C", "8D"]]


def test_a_book_squared_with_a_card_that_nobody_saw_is_doubted() -> None:
    top = reading(card("KH", 102, 120))
    memory = seen(reading(*column(EIGHTS, 100, 100)), top)
    group = memory.groups()[0]
    assert group["doubt"] == "changed-unseen"
    assert "check" in group["sentence"]


def test_what_lies_outside_the_zones_is_not_remembered() -> None:
    memory = TableMemory(zones=[[[0, 0], [200, 0], [200, 400], [0, 400]]])
    seen(reading(*column("8H 8C 8D", 100, 100), *column("QH QD QC", 300, 100)), memory=memory)
    assert cards(memory) == [["8H", "8C", "8D"]]
    assert memory.groups()[0]["side"] == 0


def test_the_memory_goes_on_from_its_json() -> None:
    before = seen(reading(*column(EIGHTS, 100, 100)))
    after = TableMemory.from_json(json.loads(json.dumps(before.to_json())))
    seen(reading(card("8H", 102, 120)), memory=after)
    assert told(after) == ["laid", "squared"]
    assert len(after.groups()[0]["cards"]) == 7


@pytest.mark.parametrize("data", [None, {}, {"state": {}, "zones": []}, {"state": [], "zones": []}])
def test_something_else_is_no_memory(data: object) -> None:
    with pytest.raises(ValueError, match="table's memory"):
        TableMemory.from_json(data)  # type: ignore[arg-type]


def test_wilds_laid_beside_a_pile_are_a_meld_of_their_own() -> None:
    book, pile = column(EIGHTS, 100, 100), card("8H", 102, 120)
    wilds = reading(pile, *column("2H 2C JK", 152, 110))
    memory = seen(reading(*book), reading(pile), wilds, wilds)
    assert sorted(map(len, cards(memory))) == [3, 7]


def test_a_suit_misread_while_a_book_is_squared_adds_no_card() -> None:
    pile = reading(card("8H", 102, 120), card("2C", 106, 128))
    memory = seen(reading(*column(EIGHTS, 100, 100)), pile, pile)
    assert told(memory) == ["laid", "squared"]
    assert len(memory.groups()[0]["cards"]) == 7


def test_several_cards_that_are_gone_are_doubted() -> None:
    whole = column("8H 8C 8D 8S 8C", 100, 100)
    memory = seen(reading(*whole), reading(*whole), *[reading(*whole[:-2])] * 4)
    assert cards(memory) == [["8H", "8C", "8D"]]
    assert memory.groups()[0]["doubt"] == "changed-unseen"


def test_a_lady_laid_on_a_book_caps_it_and_is_no_card_of_it() -> None:
    rules = HouseRules(frozenset({"JESTER", "JOKER"}), threes=frozenset(), caps=frozenset({"LADY"}))
    memory = TableMemory(rules)
    for second, faces in enumerate(["3 3 3 3 3 3", "3 3 3 3 3 3", "3 3 3 3 3 3 LADY", "3 3 3 3 3 3 LADY"], 1):
        memory.observe(reading(*column(faces, 100, 100)), second)
    (group,) = memory.groups()
    assert (group["kind"], group["rank"], group["book"], group["doubt"]) == ("meld", "3", None, None)
    assert len(group["cards"]) == 7 and "LADY" in group["cards"]


def test_a_meld_that_was_pushed_while_nobody_could_see_it_is_the_same() -> None:
    memory = TableMemory()
    for second, x in enumerate((100, 100, None, None, None, None, None, 300, 300)):
        memory.observe(reading(*([] if x is None else column("8H 8C 8D 8S", x, 100))), second)
    assert [(group["number"], sorted(group["cards"]), group["doubt"]) for group in memory.groups()] == [
        (0, ["8C", "8D", "8H", "8S"], None)
    ]
    assert memory.state.history[-1].what == "moved"


def test_a_card_that_lay_open_has_the_face_that_it_had_then() -> None:
    memory, meld = TableMemory(), column("8H 8C 8D", 100, 100)
    memory.observe(reading(*meld), 1)
    hidden = replace(meld[2], face=Face.parse("8H"), corners=meld[2].corners[:1])
    for second in range(2, 8):
        memory.observe(reading(meld[0], meld[1], hidden, card("8S", 100, 142)), second)
    assert sorted(memory.groups()[0]["cards"]) == ["8C", "8D", "8H", "8S"]
