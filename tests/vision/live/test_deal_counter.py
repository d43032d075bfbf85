"""Counting a dealt pile: a card for each motion that leaves something new, none for a passing hand."""

from __future__ import annotations

from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.card_render import lay_card
from datasets.scenes.layouts import CARD_MM, SceneCard
from scorer.faces import Face
from vision.engines.weights import weights_report
from vision.live.deal_counter import DealCounter, deal_spot, mask_outside_spot, top_card
from vision.reader import load_reader
from vision.values import CornerReading, Frame, Pixels, Quad, Reading, SeenCard

RATE = 12


def table() -> Pixels:
    cells = np.random.default_rng(2).integers(70, 130, (9, 16, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(cells, (640, 360), interpolation=cv2.INTER_CUBIC), np.uint8)


def laid(pixels: Pixels, rank: str, dx: int = 0, dy: int = 0) -> Pixels:
    """Draws one more card on the pile in the middle."""
    drawn = pixels.copy()
    x, y = 256 + dx, 90 + dy
    cv2.rectangle(drawn, (x, y), (x + 128, y + 180), (240, 240, 240), -1)
    cv2.rectangle(drawn, (x, y), (x + 128, y + 180), (90, 90, 90), 1)
    for place in ((x + 10, y + 40), (x + 60, y + 100), (x + 84, y + 168)):
        cv2.putText(drawn, rank, place, cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 160), 3, cv2.LINE_AA)
    return drawn


def hand_over(pixels: Pixels, reach: int) -> Pixels:
    drawn = pixels.copy()
    cv2.line(drawn, (330, 380), (320, 360 - reach), (110, 140, 190), 60)
    return drawn


def dealing(pictures: list[Pixels], tops: list[Pixels]) -> list[Pixels]:
    """A film in which a hand lays each of ``tops`` on the pile, half a second apart."""
    film = list(pictures)
    for top in tops:
        before = film[-1]
        film += [hand_over(before, 60), hand_over(before, 180), hand_over(top, 180), hand_over(top, 60)]
        film += [top] * 6
    return film


def counted(film: list[Pixels]) -> int:
    counter, grain = DealCounter(), np.random.default_rng(1)
    seen = 0
    for number, pixels in enumerate(film):
        noisy = np.asarray(np.clip(pixels + grain.normal(0, 4, pixels.shape), 0, 255), np.uint8)
        seen += counter.see(noisy, number / RATE) is not None
    return seen


def test_equal_cards_in_a_row_are_counted() -> None:
    empty = table()
    places = [(0, 0), (4, 2), (-3, 3), (2, -4), (5, 1), (-4, -2), (1, 4)]
    tops, now = [], empty
    for rank, (dx, dy) in zip("8882888", places, strict=True):
        now = laid(now, rank, dx, dy)
        tops.append(now)
    assert counted(dealing([empty] * 6, tops)) == 7


def test_a_passing_hand_counts_nothing() -> None:
    pile = laid(table(), "8")
    assert counted(dealing([table()] * 6, [pile, pile, pile])) == 1


def test_a_change_of_light_counts_nothing() -> None:
    pile = laid(table(), "8")
    dim = [np.asarray(pile * share, np.uint8) for share in np.linspace(1, 0.7, 4)]
    assert counted([pile] * 6 + dim + [dim[-1]] * 12) == 0


def seen(face: str, x: float, corners: int, doubt: str | None = None) -> SeenCard:
    quad: Quad = ((x, 0), (x + 60, 0), (x + 60, 90), (x, 90))
    index = CornerReading(((Face.parse(face), 1.0),), (0, 0, 9, 9), quad, 0.9)
    return SeenCard(Face.parse(face), 0.99, (), quad, doubt, (index,) * corners)


@pytest.mark.parametrize(
    ("cards", "face", "doubt"),
    [
        ((seen("8H", 70, 2), seen("4S", 75, 1)), "8H", False),
        ((seen("8H", 20, 2), seen("4S", 72, 2)), "4S", False),
        ((seen("8H", 70, 1),), "8H", True),
        ((seen("8H", 70, 2, "low-confidence"),), "8H", True),
        ((), None, True),
    ],
)
def test_the_top_card_has_most_indices_and_is_nearest_to_the_centre(
    cards: tuple[SeenCard, ...], face: str | None, doubt: bool
) -> None:
    found = top_card(Reading(200, 100, 0.1, cards, (), ()))
    assert (str(found.card.face) if found.card else None, found.doubt) == (face, doubt)


def test_the_spot_is_the_middle_of_the_picture() -> None:
    white = np.full((100, 200, 3), 255, np.uint8)
    assert deal_spot(white).shape == (88, 80, 3)
    alone = mask_outside_spot(white)
    assert alone.shape == white.shape and (deal_spot(alone) == 255).all() and (alone == 255).mean() < 0.36


def test_a_drawn_pile_is_counted_and_named() -> None:
    if not all(row["ok"] for row in weights_report()):
        pytest.skip("the shipped weights are not here")
    deck, rng, now = draw_deck("pile", 0), np.random.default_rng(7), table()
    across = 128 / CARD_MM
    onto, owner = np.array([[across, 0, 320], [0, across, 180], [0, 0, 1]]), np.zeros((360, 640), np.int16)
    faces, tops = [Face("8", "H"), Face("8", "H"), Face("2", "S")], []
    for face in faces:
        x, y, turn = rng.normal(0, (2.5, 2.5, 0.05))
        now = now.copy()
        lay_card(now, owner, SceneCard(deck, face, deck.faces[face][0], x, y, turn, 0, "meld"), 0, onto, (0, 0, 0.3))
        tops.append(now)
    reader, counter, dealt = load_reader(), DealCounter(), []
    for number, pixels in enumerate(dealing([table()] * 6, tops)):
        spot = counter.see(pixels, number / RATE)
        if spot is not None:
            dealt.append(top_card(reader.read(Frame(spot, datetime.now(UTC), "pile"))))
    assert [top.card and top.card.face for top in dealt] == faces and not any(top.doubt for top in dealt)
