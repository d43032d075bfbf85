"""Detections are classified, and their outlines moved to the corner the classifier sees."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.arrays import Flags, Floats, floats
from vision.crops.index_patch import PATCH_HEIGHT, PATCH_SHARE, PATCH_WIDTH, crop_patches
from vision.detect.detections import PATCH_EMBEDDING, WINDOW_EMBEDDING, ClassScores, RefinedDetections
from vision.recognise.classify import CLASSIFY_AGAIN_SHIFT, classify_detections
from vision.recognise.index_classifier import OnnxIndexClassifier
from vision.values import Pixels

TRUE = floats([[100, 100], [200, 100], [200, 240], [100, 240]])


class EdgeClassifier(OnnxIndexClassifier):
    """Sees a white card on black: the corner is where white begins."""

    def __init__(self, no_index: float = 0.0) -> None:
        self.no_index = no_index
        self.batches: list[int] = []

    def classify(self, pixels: Pixels, quads: Floats, index_on_right: Flags) -> ClassScores:
        patches = crop_patches(pixels, quads, index_on_right)
        self.batches.append(len(patches))
        shifts = []
        for patch in patches:
            white = patch[:, :, 0] > 127
            x, y = float(white.any(0).argmax()) / PATCH_WIDTH, float(white.any(1).argmax()) / PATCH_HEIGHT
            shifts.append((x * PATCH_SHARE[0], y * PATCH_SHARE[1]))
        n = len(patches)
        return ClassScores(
            ranks=np.full((n, 14), 1 / 14, np.float32),
            suits=np.full((n, 4), 0.25, np.float32),
            no_index=np.full(n, self.no_index, np.float32),
            shifts=floats(shifts).reshape(-1, 2),
            patch_embedding=np.zeros((n, PATCH_EMBEDDING), np.float32),
        )


def card() -> Pixels:
    canvas = np.zeros((320, 320, 3), np.uint8)
    cv2.fillPoly(canvas, [TRUE.astype(np.int32)], (255, 255, 255))
    return canvas


def refined(*quads: np.ndarray) -> RefinedDetections:
    """Detections with these outlines, each less probable than the one before."""
    p_index = floats([0.9 - 0.1 * number for number in range(len(quads))])
    return RefinedDetections(
        boxes=floats([[*(quad[0] + 4), *(quad[0] + 20)] for quad in quads]).reshape(-1, 4),
        scores=np.full(len(quads), 0.9, np.float32),
        quads=floats(quads).reshape(-1, 4, 2),
        p_index=p_index,
        right_logit=np.full(len(quads), -9, np.float32),
        embedding=np.tile(p_index[:, None], (1, WINDOW_EMBEDDING)),
    )


def test_an_outline_moves_to_the_corner_seen_and_is_classified_again() -> None:
    classifier = EdgeClassifier()
    classified = classify_detections(classifier, card(), refined(TRUE - 12, TRUE))
    assert classified.quads[0] == pytest.approx(TRUE, abs=1.5)
    assert classified.quads[1] == pytest.approx(TRUE, abs=1.5)
    assert classifier.batches == [2, 1], "only the one whose corner was far off is classified again"
    assert np.abs(classified.shifts[0]).max() < CLASSIFY_AGAIN_SHIFT


def test_an_outline_without_an_index_stays_where_it_is() -> None:
    away = TRUE - 12
    classified = classify_detections(EdgeClassifier(no_index=0.9), card(), refined(away))
    assert classified.quads[0] == pytest.approx(away)


def test_outlines_that_cannot_be_a_card_are_dropped() -> None:
    classified = classify_detections(EdgeClassifier(), card(), refined(TRUE[::-1], TRUE))
    assert len(classified) == 1
    assert classified.p_index == pytest.approx([0.8]) and classified.embedding[0, 0] == pytest.approx(0.8)


def test_without_detections_there_is_nothing_to_classify() -> None:
    assert len(classify_detections(EdgeClassifier(), card(), refined())) == 0
