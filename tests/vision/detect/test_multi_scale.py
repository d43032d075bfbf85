"""The scale and the tiles in which a picture is looked at."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import floats
from vision.detect.detector import Detections
from vision.detect.multi_scale import CARD_AT_BEST, CARD_AT_LEAST, LONGEST_SIDE, detect, detect_at_scale, levelled
from vision.values import Pixels

MARK = 250


class Cards:
    """A finder that sees a card of a given width (pixels of the frame) at every white pixel of the picture given, if
    the card is wide enough at the scale it is shown, and notes what it was shown."""

    def __init__(self, width: float, least: float = 0.0) -> None:
        self.width, self.least = width, least
        self.shown: list[tuple[int, int, float]] = []

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        self.shown.append((pixels.shape[1], pixels.shape[0], scale))
        there = pixels[:, :, 0] >= (MARK if self.width * scale >= self.least else 256)
        places = np.argwhere(there)[:, ::-1]
        if not len(places):
            return Detections.empty()
        at = floats(places)[:, None]
        quads = floats([[0.0, 0.0], [1.0, 0.0], [1.0, 1.4], [0.0, 1.4]]) * self.width + at
        boxes = np.concatenate([at[:, 0], at[:, 0] + floats([0.18, 0.4]) * self.width], 1)
        return Detections(boxes, np.full(len(places), 0.9, np.float32), quads)


class Misled(Cards):
    """As ``Cards``, but where the cards are too small for it sees each as a card ``times`` as wide, with confidence
    ``score``."""

    def __init__(self, width: float, least: float, times: float, score: float) -> None:
        super().__init__(width, least)
        self.times, self.score = times, score

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        seen = super().detect(pixels, scale)
        if len(seen) or self.width * scale >= self.least:
            return seen
        wide = Cards(self.width * self.times).detect(pixels, scale)
        return Detections(wide.boxes, np.full(len(wide), self.score, np.float32), wide.quads)


class TooNear(Cards):
    """As ``Cards``, but in pictures of cards wider than ``most`` pixels it sees three alone, and holds what is
    PART pixels wide there for a card."""

    PART = 160.0

    def __init__(self, width: float, least: float, most: float) -> None:
        super().__init__(width, least)
        self.most = most

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        seen = super().detect(pixels, scale)
        if self.width * scale <= self.most:
            return seen
        return Cards(self.PART / scale).detect(pixels, scale).select(np.arange(len(seen)) < 3)


def picture(shape: tuple[int, int], *places: tuple[int, int]) -> Pixels:
    made = np.zeros((*shape, 3), np.uint8)
    for x, y in places:
        made[y, x] = 255
    return made


@pytest.mark.parametrize(
    ("shape", "width"), [((1080, 1920), 60), ((1080, 1920), 300), ((640, 1138), 110), ((3000, 4000), 400)]
)
def test_the_last_look_is_at_the_scale_that_suits_the_cards(shape: tuple[int, int], width: float) -> None:
    finder = Cards(width)
    detect(finder, picture(shape, (10, 10), (300, 300), (600, 500)))
    scale = finder.shown[-1][2]
    limit = LONGEST_SIDE / max(shape) * width
    assert min(CARD_AT_BEST, limit) * 0.8 < scale * width < CARD_AT_BEST * 1.25
    assert scale * max(shape) <= LONGEST_SIDE + 1


def test_a_few_hardly_sure_finds_are_not_enough_to_tell_how_wide_cards_are() -> None:
    """Cards far off, of which three are half believed and held for three times as wide, are looked at from nearer."""
    finder = Misled(100, 60, 3.0, 0.4)
    found = detect(finder, picture((1200, 1600), (10, 10), (900, 300), (600, 800)))
    assert len(found) == 3 and found.card_widths() == pytest.approx([100] * 3, abs=1)


def test_cards_of_which_parts_were_taken_for_cards_are_looked_at_from_further_off() -> None:
    cards = picture((1440, 1920), *((x, 700) for x in range(100, 1900, 200)))
    assert len(detect(TooNear(700, 100, 150), cards)) == 9
    # what is seen still less of from there is left as it was
    assert len(detect(TooNear(700, 125, 150), cards)) == 3


def test_small_cards_in_a_large_photo_are_looked_at_in_tiles_and_found_once_each() -> None:
    places = [(40, 40), (1500, 1600), (1530, 1640), (3900, 2900), (2000, 10)]
    finder = Cards(60, least=30)
    found = detect(finder, picture((3000, 4000), *places))
    assert finder.shown[-1][2] == pytest.approx(min(CARD_AT_LEAST / 60, 1.0))
    assert max(max(shown[:2]) * shown[2] for shown in finder.shown) <= LONGEST_SIDE + 1
    assert sorted((round(float(x)), round(float(y))) for x, y in found.quads[:, 0]) == sorted(places)


@pytest.mark.parametrize("size", [(1921, 2500), (2560, 8000), (5000, 3000)])
def test_tiles_cover_the_whole_picture(size: tuple[int, int]) -> None:
    height, width = size
    corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1), (width // 2, height // 2)]
    assert len(detect_at_scale(Cards(60), picture(size, *corners), 1.0)) == len(corners)


def test_an_empty_picture_gives_nothing_at_any_size() -> None:
    for shape in ((40, 40), (1080, 1920), (3000, 4000)):
        assert not len(detect(Cards(100), picture(shape)))


def test_pale_cards_are_found_where_little_else_is() -> None:
    pale = np.full((640, 640, 3), 90, np.uint8)
    pale[100:106, 200:210] = 160
    assert (pale < MARK).all() and len(detect(Cards(100), pale))
    finder = Cards(100)
    pale[(10, 300, 500), (10, 20, 30)] = 255
    assert len(detect(finder, pale)) == 3


def test_levelling_spreads_values_but_makes_no_cards_of_noise() -> None:
    rng = np.random.default_rng(3)
    dim = rng.integers(40, 141, (64, 64, 3)).astype(np.uint8)
    assert levelled(dim).min() == 0 and levelled(dim).max() == 255
    bare = rng.integers(98, 103, (64, 64, 3)).astype(np.uint8)
    assert np.ptp(levelled(bare)) < 20
    grey = np.full((8, 8, 3), 7, np.uint8)
    assert np.ptp(levelled(grey)) == 0
