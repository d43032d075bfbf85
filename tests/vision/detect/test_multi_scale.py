"""The scale and the tiles in which the detector sees a picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.arrays import floats
from vision.detect.detections import Detections
from vision.detect.multi_scale import (
    BEST_CARD_WIDTH,
    MAX_SIDE,
    MIN_CARD_WIDTH,
    MOST,
    detect,
    detect_at_scale,
    stretch_contrast,
)
from vision.values import Pixels

MARK = 250


class Cards:
    """A detector that reports a card ``width`` frame pixels wide at every white pixel, if it is ``least`` wide when
    resized; records its passes."""

    def __init__(self, width: float, least: float = 0.0) -> None:
        self.width, self.least = width, least
        self.passes: list[tuple[int, int, float]] = []

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        self.passes.append((pixels.shape[1], pixels.shape[0], scale))
        there = pixels[:, :, 0] >= (MARK if self.width * scale >= self.least else 256)
        places = np.argwhere(there)[:, ::-1]
        if not len(places):
            return Detections.empty()
        at = floats(places)[:, None]
        quads = floats([[0.0, 0.0], [1.0, 0.0], [1.0, 1.4], [0.0, 1.4]]) * self.width + at
        boxes = np.concatenate([at[:, 0], at[:, 0] + floats([0.18, 0.4]) * self.width], 1)
        return Detections(boxes, np.full(len(places), 0.9, np.float32), quads)


class MistakesSize(Cards):
    """As ``Cards``, but reports cards that are too small as ``times`` as wide, with confidence ``score``."""

    def __init__(self, width: float, least: float, times: float, score: float) -> None:
        super().__init__(width, least)
        self.times, self.score = times, score

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        detections = super().detect(pixels, scale)
        if len(detections) or self.width * scale >= self.least:
            return detections
        wide = Cards(self.width * self.times).detect(pixels, scale)
        return Detections(wide.boxes, np.full(len(wide), self.score, np.float32), wide.quads)


class MistakesParts(Cards):
    """As ``Cards``, but where cards are wider than ``most`` pixels it reports only three parts, PART pixels wide."""

    PART = 160.0

    def __init__(self, width: float, least: float, most: float) -> None:
        super().__init__(width, least)
        self.most = most

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        detections = super().detect(pixels, scale)
        if self.width * scale <= self.most:
            return detections
        return Cards(self.PART / scale).detect(pixels, scale).select(np.arange(len(detections)) < 3)


class CourtCard(Cards):
    """As ``Cards``, with confidence 0.75; where cards are wider than MOST pixels it reports faint parts instead."""

    MOST, PARTS, FAINT = 150.0, 14, 0.45

    def detect(self, pixels: Pixels, scale: float) -> Detections:
        seen = super().detect(pixels, scale)
        if self.width * scale <= self.MOST:
            return Detections(seen.boxes, np.full(len(seen), 0.75, np.float32), seen.quads)
        parts = Cards(180 / scale).detect(pixels, scale).select(np.zeros(self.PARTS, int)) if len(seen) else seen
        boxes = parts.boxes + np.arange(len(parts), dtype=np.float32)[:, None] * 200 / np.float32(scale)
        return Detections(boxes, np.full(len(parts), self.FAINT, np.float32), parts.quads)


def picture(shape: tuple[int, int], *places: tuple[int, int]) -> Pixels:
    made = np.zeros((*shape, 3), np.uint8)
    for x, y in places:
        made[y, x] = 255
    return made


@pytest.mark.parametrize(
    ("shape", "width"), [((1080, 1920), 60), ((1080, 1920), 300), ((640, 1138), 110), ((3000, 4000), 400)]
)
def test_the_last_pass_is_at_the_scale_that_suits_the_cards(shape: tuple[int, int], width: float) -> None:
    detector = Cards(width)
    detect(detector, picture(shape, (10, 10), (300, 300), (600, 500)))
    scale = detector.passes[-1][2]
    limit = MAX_SIDE / max(shape) * width
    assert min(BEST_CARD_WIDTH, limit) * 0.8 < scale * width < BEST_CARD_WIDTH * 1.25
    assert scale * max(shape) <= MAX_SIDE + 1


def test_few_detections_of_low_confidence_do_not_measure_the_cards() -> None:
    """Three small cards, reported as three times as wide with low confidence."""
    detector = MistakesSize(100, 60, 3.0, 0.4)
    detections = detect(detector, picture((1200, 1600), (10, 10), (900, 300), (600, 800)))
    assert len(detections) == 3 and detections.card_widths() == pytest.approx([100] * 3, abs=1)


def test_the_scale_is_reduced_where_parts_passed_for_cards() -> None:
    cards = picture((1440, 1920), *((x, 700) for x in range(100, 1900, 200)))
    assert len(detect(MistakesParts(700, 100, 150), cards)) == 9
    # a pass that sees still less is discarded
    assert len(detect(MistakesParts(700, 125, 150), cards)) == 3


def test_small_cards_in_a_large_photo_are_read_in_tiles_and_found_once_each() -> None:
    places = [(40, 40), (1500, 1600), (1530, 1640), (3900, 2900), (2000, 10)]
    detector = Cards(60, least=30)
    detections = detect(detector, picture((3000, 4000), *places))
    assert detector.passes[-1][2] == pytest.approx(min(MIN_CARD_WIDTH / 60, 1.0))
    assert max(max(shown[:2]) * shown[2] for shown in detector.passes) <= MAX_SIDE + 1
    assert sorted((round(float(x)), round(float(y))) for x, y in detections.quads[:, 0]) == sorted(places)


@pytest.mark.parametrize("shape", [(960, 1280), (1920, 2560), (3000, 4000), (6000, 8000)])
@pytest.mark.parametrize("indices", [1, 2])
def test_a_court_card_that_fills_the_picture_is_seen_at_any_size(shape: tuple[int, int], indices: int) -> None:
    """Faint parts of its figure, seen in large passes, are many: their scores add up to more than two sure indices."""
    width = 0.45 * shape[1]
    detector = CourtCard(width)
    detections = detect(detector, picture(shape, *[(30, 40), (400, 700)][:indices]))
    assert len(detections) == indices and detections.scores == pytest.approx(0.75)
    assert detections.card_widths() == pytest.approx([width] * indices, rel=0.01)
    if indices == 2:
        assert max(max(shown[:2]) * shown[2] for shown in detector.passes) <= 641, "no large pass was needed"


@pytest.mark.parametrize("size", [(1921, 2500), (2560, 8000), (5000, 3000)])
def test_tiles_cover_the_whole_picture(size: tuple[int, int]) -> None:
    height, width = size
    corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1), (width // 2, height // 2)]
    assert len(detect_at_scale(Cards(60), picture(size, *corners), 1.0)) == len(corners)


def test_no_picture_has_more_detections_than_memory_allows() -> None:
    """A mosaic of thousands of tiny cards holds up nobody else's photo: the surest are read, the others are not."""
    many = picture((1200, 1600), *((x, y) for x in range(8, 1600, 24) for y in range(8, 1200, 24)))
    assert (many[:, :, 0] > 0).sum() > 2 * MOST
    assert len(detect(Cards(30, least=10), many)) == MOST


def test_an_empty_picture_gives_no_detections_at_any_size() -> None:
    for shape in ((40, 40), (1080, 1920), (3000, 4000)):
        assert not len(detect(Cards(100), picture(shape)))


def test_pale_cards_are_found_where_little_else_is() -> None:
    pale = np.full((640, 640, 3), 90, np.uint8)
    pale[100:106, 200:210] = 160
    assert (pale < MARK).all() and len(detect(Cards(100), pale))
    detector = Cards(100)
    pale[(10, 300, 500), (10, 20, 30)] = 255
    assert len(detect(detector, pale)) == 3


def test_stretched_contrast_leaves_noise_alone() -> None:
    rng = np.random.default_rng(3)
    dim = rng.integers(40, 141, (64, 64, 3)).astype(np.uint8)
    assert stretch_contrast(dim).min() == 0 and stretch_contrast(dim).max() == 255
    bare = rng.integers(98, 103, (64, 64, 3)).astype(np.uint8)
    assert np.ptp(stretch_contrast(bare)) < 20
    grey = np.full((8, 8, 3), 7, np.uint8)
    assert np.ptp(stretch_contrast(grey)) == 0
