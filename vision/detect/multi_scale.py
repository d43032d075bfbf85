"""Runs the detector at the scale that suits a picture's cards, in tiles where that is too large for one pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from vision.detect.detections import Detections
from vision.detect.detector import Detector, non_maximum_suppression
from vision.values import Pixels

BEST_CARD_WIDTH = 115.0
"""The detector is most accurate where cards are about this many pixels wide; see the model card."""
MIN_CARD_WIDTH = 70.0
"""Tiles are used only where cards would otherwise be narrower than this, in pixels."""
MAX_SIDE = 1920
"""Longest side of a single pass, in pixels: more does not help and costs time and memory."""
PROBE_SIDES = (640, 256, 1280)
"""Longest sides of the probing passes that measure the width of the cards. The small second one catches a single card
that fills the photo and is skipped where the first sees many; the later, larger ones are for small cards."""
CONFIDENT_SCORE = 0.3
"""Only detections with more than this score measure the width of the cards."""
ENOUGH, MANY = 2, 10
"""So many confident detections end the probing after two passes, and after the first. One card shows two indices."""
MIN_MEAN_SCORE = 0.6
"""Probing stops early only if the confident detections reach this mean: parts of larger cards score less."""
SMALLER_BY = 0.75
"""After the main pass, a wanted scale below this share of the used one shows that parts of cards passed for cards."""
MAX_CORRECTIONS = 2
"""So many times the scale is corrected."""
MAX_ENLARGED = 3.0
"""Enlarging further adds only blur."""
TILE = 1600
"""Longest side of a tile in input pixels."""
TILE_OVERLAP = 256
"""Overlap of tiles in input pixels; more than the width of a card where tiles are used."""
BLACK_PERCENTILE, WHITE_PERCENTILE = 1.0, 99.0
"""Percentiles of the values that contrast stretching maps to black and white."""
MIN_RANGE = 64.0
"""A narrower range of values is stretched as if it were this wide, so that the noise of a bare table stays noise."""
STRETCHED_PROBES = 2
"""So many of the first probing passes are repeated with the contrast stretched."""
MOST = 1500
"""So many of the most confident detections are kept: more than 300 cards show. What follows takes memory by the square
of their number: a picture of 1,600 tiny cards took 1.6 GB."""
PERCENTILE_STEP = 4
"""Every so many-th pixel, across and down, is enough to measure the percentiles."""


def detect(detector: Detector, pixels: Pixels) -> Detections:
    """Detects indices in a picture (height, width, 3) BGR of any size, the MOST confident ones.

    Probing passes measure the width of the cards, the main pass then uses the scale that suits it. If they see too
    little, the contrast is stretched: that shows a few pale cards on a pale or dim table.
    """
    found = _detect_all(detector, pixels)
    return found if len(found) <= MOST else found.select(np.argsort(-found.scores, kind="stable")[:MOST])


def _detect_all(detector: Detector, pixels: Pixels) -> Detections:
    whole_scale = MAX_SIDE / max(pixels.shape[:2])
    best, best_scale, most_confidence, best_picture = Detections.empty(), 1.0, (0.0, 0.0), pixels
    for number, (picture, scale) in enumerate(_probes(pixels, whole_scale)):
        probe = detect_at_scale(detector, picture, scale)
        if _confidence(probe) >= most_confidence:
            best, best_scale, most_confidence, best_picture = probe, scale, _confidence(probe), picture
        confident = best.scores[best.scores > CONFIDENT_SCORE]
        enough = len(confident) >= ENOUGH and float(confident.mean()) >= MIN_MEAN_SCORE
        if (probe.scores > CONFIDENT_SCORE).sum() >= MANY or (enough and number):
            break
    wanted = _wanted_scale(best, whole_scale)
    if not np.isfinite(wanted) or 0.85 < wanted / best_scale < 1.2:
        return best
    best, best_scale = detect_at_scale(detector, best_picture, wanted), wanted
    # where parts of large cards passed for small cards, a smaller scale finds more of them, and wider ones
    for _ in range(MAX_CORRECTIONS):
        wanted = _wanted_scale(best, whole_scale)
        if wanted > SMALLER_BY * best_scale:
            break
        corrected = detect_at_scale(detector, best_picture, wanted)
        if _confidence(corrected) < _confidence(best):
            break
        best, best_scale = corrected, wanted
    return best


def _confidence(detections: Detections) -> tuple[float, float]:
    """By which passes are compared: the sum of the log odds of the detections that are likelier right than not, and,
    where there are none, of the confident scores.

    On a court card that fills the picture a large pass has a dozen faint detections, whose scores add up to more than
    those of the two indices that a small pass is sure of.
    """
    confident = detections.scores[detections.scores > CONFIDENT_SCORE]
    likely = confident[confident > 0.5].clip(max=0.999)
    return float(np.log(likely / (1 - likely)).sum()), float(confident.sum())


def _wanted_scale(detections: Detections, whole_scale: float) -> float:
    """The scale that suits the confident detections' cards, infinite where there are none.

    ``whole_scale`` is the largest at which the picture fits into one pass.
    """
    confident = detections.scores > CONFIDENT_SCORE
    if not confident.any():
        return np.inf
    width = max(float(np.median(detections.card_widths()[confident])), 1.0)
    return min(BEST_CARD_WIDTH / width, max(whole_scale, min(MIN_CARD_WIDTH / width, 1.0)), MAX_ENLARGED)


def _probes(pixels: Pixels, whole_scale: float) -> Iterator[tuple[Pixels, float]]:
    """Pictures and scales to try until enough is seen; at last with the contrast stretched."""
    scales = [min(side / max(pixels.shape[:2]), whole_scale) for side in PROBE_SIDES]
    if whole_scale < 1:
        scales.append(1.0)
    yield from ((pixels, scale) for scale in dict.fromkeys(scales))
    stretched = stretch_contrast(pixels)
    yield from ((stretched, scale) for scale in dict.fromkeys(scales[:STRETCHED_PROBES]))


def stretch_contrast(pixels: Pixels) -> Pixels:
    """The picture (height, width, 3) BGR with its values stretched from black to white."""
    sample = pixels[::PERCENTILE_STEP, ::PERCENTILE_STEP]
    low, high = np.percentile(sample, (BLACK_PERCENTILE, WHITE_PERCENTILE))
    table = (np.arange(256) - low) * (255 / max(high - low, MIN_RANGE))
    return np.asarray(cv2.LUT(pixels, table.clip(0, 255).round().astype(np.uint8)), np.uint8)


def detect_at_scale(detector: Detector, pixels: Pixels, scale: float) -> Detections:
    """Detects indices in ``pixels`` resized by ``scale``, tile by tile where that exceeds MAX_SIDE."""
    height, width = pixels.shape[:2]
    if max(height, width) * scale <= MAX_SIDE + 1:
        return detector.detect(pixels, scale)
    parts = []
    for y0, y1 in _tile_ranges(height, scale):
        for x0, x1 in _tile_ranges(width, scale):
            part = detector.detect(np.ascontiguousarray(pixels[y0:y1, x0:x1]), scale)
            origin = np.array([x0, y0], np.float32)
            parts.append(replace(part, boxes=part.boxes + np.tile(origin, 2), quads=part.quads + origin))
    merged = Detections.concat(parts)
    return merged.select(np.array(non_maximum_suppression(merged.boxes, merged.scores), int))


def _tile_ranges(length: int, scale: float) -> Iterator[tuple[int, int]]:
    """Ranges of even length that overlap and cover a side of ``length`` pixels, none longer than a tile."""
    tile, overlap = TILE / scale, TILE_OVERLAP / scale
    count = max(int(np.ceil((length - overlap) / (tile - overlap))), 1)
    step = (length - overlap) / count
    for number in range(count):
        yield round(number * step), min(round(number * step + step + overlap), length)
