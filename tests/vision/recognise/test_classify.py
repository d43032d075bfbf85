"""Every find named, and its corner put where the namer sees it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Flags, Floats, floats
from vision.crops.index_patch import PATCH_HEIGHT, PATCH_SHARE, PATCH_WIDTH, cut_patches
from vision.detect.detector import Detections
from vision.recognise.classify import FAR_OFF, classify_detections
from vision.recognise.index_classifier import ClassScores, OnnxIndexClassifier
from vision.recognise.outline_refiner import RefinedDetections
from vision.values import Pixels

TRUE = floats([[100, 100], [200, 100], [200, 240], [100, 240]])


class EdgeNamer(OnnxIndexClassifier):
    """Sees a white card on black: the corner is where white begins."""

    def __init__(self, none: float = 0.0) -> None:
        self.none = none
        self.looks: list[int] = []

    def classify(self, pixels: Pixels, quads: Floats, rights: Flags) -> ClassScores:
        patches = cut_patches(pixels, quads, rights)
        self.looks.append(len(patches))
        shifts = []
        for patch in patches:
            white = patch[:, :, 0] > 127
            x, y = float(white.any(0).argmax()) / PATCH_WIDTH, float(white.any(1).argmax()) / PATCH_HEIGHT
            shifts.append((x * PATCH_SHARE[0], y * PATCH_SHARE[1]))
        n = len(patches)
        ranks, suits = np.full((n, 14), 1 / 14, np.float32), np.full((n, 4), 0.25, np.float32)
        none, seen = np.full(n, self.none, np.float32), np.zeros((n, 192), np.float32)
        return ClassScores(ranks, suits, none, floats(shifts).reshape(-1, 2), seen)


def card() -> Pixels:
    canvas = np.zeros((320, 320, 3), np.uint8)
    cv2.fillPoly(canvas, [TRUE.astype(np.int32)], (255, 255, 255))
    return canvas


def settled(*quads: np.ndarray) -> RefinedDetections:
    """Finds, each less real than the one before."""
    boxes = floats([[*(quad[0] + 4), *(quad[0] + 20)] for quad in quads]).reshape(-1, 4)
    found = Detections(boxes, np.full(len(quads), 0.9, np.float32), floats(quads).reshape(-1, 4, 2))
    real = floats([0.9 - 0.1 * place for place in range(len(quads))])
    return RefinedDetections(found, real, np.tile(real[:, None], (1, 128)), np.where(real, -9, 9).astype(np.float32))


def test_an_outline_goes_to_the_corner_the_namer_sees_and_is_looked_at_again() -> None:
    namer = EdgeNamer()
    named = classify_detections(namer, card(), settled(TRUE - 12, TRUE))
    assert named.found.quads[0] == pytest.approx(TRUE, abs=1.5)
    assert named.found.quads[1] == pytest.approx(TRUE, abs=1.5)
    assert namer.looks == [2, 1], "only the one that was far off is looked at again"
    assert np.abs(named.names.shifts[0]).max() < FAR_OFF


def test_what_shows_no_index_stays_where_it_is() -> None:
    away = TRUE - 12
    named = classify_detections(EdgeNamer(none=0.9), card(), settled(away))
    assert named.found.quads[0] == pytest.approx(away)


def test_outlines_no_card_can_have_are_not_named() -> None:
    named = classify_detections(EdgeNamer(), card(), settled(TRUE[::-1], TRUE))
    assert list(named.places) == [1]
    assert len(named.names.none) == 1
    assert named.real == pytest.approx([0.8]) and named.windows[0, 0] == pytest.approx(0.8)


def test_nothing_found_nothing_named() -> None:
    named = classify_detections(EdgeNamer(), card(), settled())
    assert not len(named.found)
    assert not named.places
