"""Looking at a picture at the scale that suits its cards, in tiles where that is larger than one look can be."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.detect.detector import Detections, Detector, non_maximum_suppression
from vision.values import Pixels

CARD_AT_BEST = 115.0
"""The finder is surest where cards are about this many pixels wide; see the model card."""
CARD_AT_LEAST = 70.0
"""A picture is looked at in tiles only where its cards would otherwise be narrower than this."""
LONGEST_SIDE = 1920
"""One look is never at more than this, in pixels."""
QUICK_SIDES = (640, 256, 1280)
"""First looks that tell how wide the cards are. The second, from far off, where a single card fills the photo, is
spared where there are many; those from nearer, at last at the picture's own size, where enough was seen."""
FIRST_LOOK_TRUST, ENOUGH_TRUST = 0.3, 0.5
"""Finds of more confidence than the first are sure; the second is the least mean of them where they may be enough."""
ENOUGH, MANY = 3, 10
"""So many sure finds are enough after two looks, and after the first."""
FURTHER_OFF = 0.75
"""The second look is followed by another from further off where its cards want a scale under this share of its own."""
SECOND_THOUGHTS = 2
"""So many times at most."""
MOST_ENLARGED = 3.0
TILE = 1600
"""The longest side of a tile as it is looked at, in pixels."""
SHARED = 256
"""How far tiles reach into each other, in the same pixels: more than a card where tiles are used."""
DARKEST, LIGHTEST = 1.0, 99.0
"""Percentiles of a picture's values that become black and white where it is levelled."""
LEAST_RANGE = 64.0
"""Values nearer together than this are spread as if they were so far apart: the noise of a bare table stays noise."""
LEVELLED_LOOKS = 2
"""So many of the quick looks, the first ones, are tried again at the levelled picture."""
LEVELLED_BY = 4
"""Every so many-th pixel of both directions tells the percentiles."""


def detect(finder: Detector, pixels: Pixels) -> Detections:
    """Finds indices in a picture (height, width, 3) BGR of any size, at the scale that suits the cards' width, which
    quick looks tell first.

    Where too little is seen, a levelled picture may show more: a few pale cards on a pale or dim table.
    """
    at_once = LONGEST_SIDE / max(pixels.shape[:2])
    best, best_scale, most_seen, seen_on = Detections.empty(), 1.0, 0.0, pixels
    for number, (picture, scale) in enumerate(_quick_looks(pixels, at_once)):
        seen = detect_at_scale(finder, picture, scale)
        sure = seen.scores > FIRST_LOOK_TRUST
        if _surely(seen) >= most_seen:
            best, best_scale, most_seen, seen_on = seen, scale, _surely(seen), picture
        telling = best.scores[best.scores > FIRST_LOOK_TRUST]
        enough = len(telling) >= ENOUGH and float(telling.mean()) >= ENOUGH_TRUST
        if sure.sum() >= MANY or (enough and number):
            break
    wanted = _wanted(best, at_once)
    if not np.isfinite(wanted) or 0.85 < wanted / best_scale < 1.2:
        return best
    best, best_scale = detect_at_scale(finder, seen_on, wanted), wanted
    # what took parts of large cards for small ones sees more and wider ones from further off
    for _ in range(SECOND_THOUGHTS):
        wanted = _wanted(best, at_once)
        if wanted > FURTHER_OFF * best_scale:
            break
        further = detect_at_scale(finder, seen_on, wanted)
        if _surely(further) < _surely(best):
            break
        best, best_scale = further, wanted
    return best


def _surely(seen: Detections) -> float:
    """How much of what was ``seen`` is sure: the sum of its confidences."""
    return float(seen.scores[seen.scores > FIRST_LOOK_TRUST].sum())


def _wanted(seen: Detections, at_once: float) -> float:
    """The scale that suits the width of the cards that were surely ``seen``, in a picture that can be looked at as a
    whole ``at_once`` times its size; infinite where none were."""
    sure = seen.scores > FIRST_LOOK_TRUST
    if not sure.any():
        return np.inf
    wide = max(float(np.median(seen.card_widths()[sure])), 1.0)
    # a small picture may be enlarged, but not until there is nothing but blur
    return min(CARD_AT_BEST / wide, max(at_once, min(CARD_AT_LEAST / wide, 1.0)), MOST_ENLARGED)


def _quick_looks(pixels: Pixels, at_once: float) -> Iterator[tuple[Pixels, float]]:
    """Pictures and scales to try until enough is seen: at last the picture levelled, in which pale cards stand out."""
    scales = [min(side / max(pixels.shape[:2]), at_once) for side in QUICK_SIDES]
    if at_once < 1:
        scales.append(1.0)
    yield from ((pixels, scale) for scale in dict.fromkeys(scales))
    clearer = levelled(pixels)
    yield from ((clearer, scale) for scale in dict.fromkeys(scales[:LEVELLED_LOOKS]))


def levelled(pixels: Pixels) -> Pixels:
    """The picture (height, width, 3) BGR with its values spread from black to white."""
    low, high = np.percentile(pixels[::LEVELLED_BY, ::LEVELLED_BY], (DARKEST, LIGHTEST))
    spread = (np.arange(256) - low) * (255 / max(high - low, LEAST_RANGE))
    return np.asarray(cv2.LUT(pixels, spread.clip(0, 255).round().astype(np.uint8)), np.uint8)


def detect_at_scale(finder: Detector, pixels: Pixels, scale: float) -> Detections:
    """Finds indices in ``pixels`` looked at ``scale`` times its size; a large one tile by tile."""
    height, width = pixels.shape[:2]
    if max(height, width) * scale <= LONGEST_SIDE + 1:
        return finder.detect(pixels, scale)
    parts = []
    for y0, y1 in _stretches(height, scale):
        for x0, x1 in _stretches(width, scale):
            found = finder.detect(np.ascontiguousarray(pixels[y0:y1, x0:x1]), scale)
            at = np.array([x0, y0], np.float32)
            parts.append(Detections(found.boxes + np.tile(at, 2), found.scores, found.quads + at))
    boxes, scores, quads = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("boxes", "scores", "quads")
    )
    return Detections(boxes, scores, quads).select(np.array(non_maximum_suppression(boxes, scores), int))


def _stretches(length: int, scale: float) -> Iterator[tuple[int, int]]:
    """Even stretches of a side that reach into each other and cover it, none longer than a tile."""
    tile, shared = TILE / scale, SHARED / scale
    count = max(int(np.ceil((length - shared) / (tile - shared))), 1)
    step = (length - shared) / count
    for place in range(count):
        yield round(place * step), min(round(place * step + step + shared), length)
