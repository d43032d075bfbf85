"""What looks the same is the same, whatever was read of it; and what another look gave another face is another card."""

from __future__ import annotations

import pytest

from tests.vision.memory.sequences import card, column, picture, reading
from vision.arrays import floats
from vision.memory.pictures.places import Places
from vision.memory.state import Track
from vision.memory.table_memory import TableMemory
from vision.values import SeenCard

BOOK = column("8H 8C 8D 8S 8H 2S 8C", 100, 100)
TOP, OTHER, LIKE = card("8H", 102, 120), card("8D", 103, 121), card("8H", 104, 121)
UNDER_IT = card("8S", 108, 128, 0.9)


def after(*stills: tuple[list[SeenCard], list[SeenCard]]) -> TableMemory:
    """The memory after a book was squared and stills of which each is what lies there, and what is read of it."""
    memory = TableMemory()
    for second, (lying, read) in enumerate([(BOOK, BOOK), (BOOK, BOOK), ([TOP], [TOP]), ([TOP], [TOP]), *stills], 1):
        memory.observe(reading(*read), second, picture(lying))
    return memory


def cards(memory: TableMemory) -> list[list[str]]:
    return [sorted(group["cards"]) for group in memory.groups()]


def book(*more: str) -> list[list[str]]:
    return [sorted([*(str(one.face) for one in BOOK), *more])]


@pytest.mark.parametrize(
    ("now", "light", "is_same"), [(TOP, 1.0, True), (TOP, 0.8, True), (OTHER, 1.0, False), (LIKE, 1.0, False)]
)
def test_a_card_looks_the_same_under_another_light_and_another_card_does_not(
    now: SeenCard, light: float, is_same: bool
) -> None:
    places = Places()
    for second, still in enumerate((picture([TOP]), picture([TOP]), picture([now], light), picture([now], light))):
        places.see(still, second)
    assert places.same_since(floats(now.quad), 1) is is_same
    assert places.same_since(floats(now.quad), 2), "nothing has changed since then"
    assert places.same_since(floats([[600, 300], [640, 300], [640, 356], [600, 356]]), 1)


def test_of_the_first_still_nobody_knows_what_changed() -> None:
    places = Places()
    assert not places.same_since(floats(TOP.quad), 0)
    places.see(picture([TOP]), 1)
    assert not places.same_since(floats(TOP.quad), 1)


def test_what_happened_before_the_first_still_is_not_known() -> None:
    places = Places()  # such as after a restart: cards may have been taken while nobody watched
    places.see(picture([TOP]), 100.0)
    places.see(picture([TOP]), 101.0)
    assert not places.same_since(floats(TOP.quad), 50.0)
    assert places.same_since(floats(TOP.quad), 100.0)


def test_a_top_that_is_misread_while_it_looks_the_same_has_no_card_upon_it() -> None:
    assert cards(after(([TOP], [OTHER]), ([TOP], [TOP]))) == book()
    misread = card("8D", 102, 120)
    assert cards(after(([TOP], [misread]), ([TOP], [misread]))) == book()
    assert cards(after(([OTHER], [OTHER]), ([OTHER], [OTHER]))) == book("8D")


def test_two_looks_at_what_came_upon_a_top_are_believed_though_neither_is_sure() -> None:
    unsure = card("8D", 103, 121, 0.9)
    assert cards(after(([OTHER], [unsure]), ([OTHER], [unsure]))) == book("8D")
    memory = after(([LIKE], [unsure]))
    assert cards(memory) == book() and memory.groups()[0]["doubt"] == "changed-unseen", "the next look decides"
    assert "8D" not in cards(after(([OTHER], [unsure]), ([OTHER], [TOP])))[0][5:]


def test_a_part_of_the_top_that_is_read_as_a_card_is_none() -> None:
    assert cards(after(([TOP], [TOP, UNDER_IT]), ([TOP], [TOP, UNDER_IT]))) == book()


def test_a_card_that_is_not_read_for_long_while_its_place_looks_the_same_is_still_there() -> None:
    memory = TableMemory()
    for second in range(10):
        memory.observe(reading(*(BOOK if second < 3 else BOOK[:-1])), second, picture(BOOK))
    assert cards(memory) == book() and memory.groups()[0]["doubt"] is None


@pytest.mark.parametrize(
    ("votes", "is_guessed"),
    [
        ({"8H": 1.0}, False),
        ({"8H": 1.2, "8D": 1.0}, True),
        ({"8H": 1.2, "9D": 1.0}, False),
        ({"8H": 1.2, "8D": 0.4, "KD": 1.1}, False),
        ({"JK": 1.2, "2H": 1.0}, False),
    ],
)
def test_a_suit_is_a_guess_by_the_looks_that_gave_its_rank(votes: dict[str, float], is_guessed: bool) -> None:
    """A rank in question says nothing of the suit, and a joker has none."""
    assert Track(1, [], votes, 0.0, 0.0).guessed is is_guessed
