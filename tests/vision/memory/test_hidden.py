"""What a picture tells of cards that no longer show: something hides them, or the table lies bare."""

from __future__ import annotations

import numpy as np

from tests.vision.memory.sequences import column, reading
from vision.arrays import floats
from vision.memory.pictures.ground import Ground
from vision.memory.table_memory import TableMemory
from vision.values import Pixels, SeenCard

GREEN, CHECKED, WHITE, CUP = (60, 110, 40), (50, 90, 30), (235, 240, 240), (40, 40, 160)
MELD = column("8H 8C 8D 8S", 100, 100)


def picture(cards: list[SeenCard], *things: tuple[int, int, int, int]) -> Pixels:
    """A green checked cloth with white cards, and things of another colour: left, top, right, bottom."""
    pixels = np.full((720, 1280, 3), GREEN, np.uint8)
    pixels[::40] = pixels[:, ::40] = CHECKED
    pixels = np.asarray(pixels.astype(int) + np.random.default_rng(5).integers(-4, 5, pixels.shape), np.uint8)
    for one in cards:
        (left, top), _, (right, bottom), _ = one.quad
        pixels[int(top) : int(bottom), int(left) : int(right)] = WHITE
    for left, top, right, bottom in things:
        pixels[top:bottom, left:right] = CUP
    return pixels


def test_the_table_is_told_from_what_lies_on_it() -> None:
    pixels = picture(MELD, (300, 300, 420, 420))
    outlines = [floats(one.quad) for one in MELD]
    ground = Ground()
    ground.see(pixels, outlines)
    place = floats([[620, 300], [660, 300], [660, 356], [620, 356]])
    at_the_edge = floats([[1277, 300], [1317, 300], [1317, 356], [1277, 356]])
    bare, hidden = ground.bare(place), ground.bare(floats(place - [300, 0]))
    assert bare is not None and bare > 0.9
    assert hidden is not None and hidden < 0.1
    assert ground.bare(outlines[0], outlines[:1]) is None, "a card lies over all of it"
    assert ground.bare(at_the_edge) is None, "it reaches out of the picture"


def test_a_card_under_a_cup_is_still_there_and_one_that_was_taken_is_not() -> None:
    left = MELD[:-1]
    for things, cards in ((((90, 156, 160, 210),), "8H 8C 8D 8S"), ((), "8H 8C 8D")):
        memory = TableMemory()
        memory.observe(reading(*MELD), 1, picture(MELD))
        memory.observe(reading(*MELD), 2, picture(MELD))
        for second in range(3, 9):
            memory.observe(reading(*left), second, picture(left, *things))
        assert [group["cards"] for group in memory.groups()] == [cards.split()]


def test_cards_under_somebody_who_leans_over_a_fifth_of_the_table_are_still_there() -> None:
    memory = TableMemory()
    for second in range(1, 19):
        leans = second > 12
        read = [] if leans else MELD
        memory.observe(reading(*read), second, picture(MELD, *[(0, 0, 420, 450)] * leans))
    assert memory.groups()[0]["doubt"] is None
    assert [change.what for change in memory.state.history] == ["laid"]


def test_a_book_half_under_a_paper_is_not_squared() -> None:
    book = column("8H 8C 8D 8S 8H 2S 8C", 100, 100)
    memory = TableMemory()
    memory.observe(reading(*book), 1, picture(book))
    for second in (2, 3):
        memory.observe(reading(*book[:2]), second, picture(book, (60, 126, 200, 300)))
    assert [change.what for change in memory.state.history] == ["laid"]
    memory.observe(reading(*book), 4, picture(book))
    assert memory.groups()[0]["kind"] == "meld" and memory.groups()[0]["doubt"] is None
