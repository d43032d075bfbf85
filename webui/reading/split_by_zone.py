"""One picture of the whole marked table shared out: each card goes to the part in which its middle lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import floats
from vision.checks.photo_checks import photo_warnings
from vision.groups.rule_prior import apply_rule_prior
from vision.values import Frame, HouseRules, Quad, Reading, SeenCard
from webui.reading.zones import Box

_BESIDE = 0.01
"""Of the picture's width, shown beside cards that reach over the border of their part."""


def share_out(frame: Frame, reading: Reading, boxes: Sequence[Box], house: HouseRules) -> list[tuple[Frame, Reading]]:
    """For each part of the table its picture and what was read there, in pixels of that picture.

    Args:
        frame: the straightened table.
        reading: of that picture.
        boxes: the parts, which cover the table and do not overlap.
        house: whose rules tell how cards lie together.
    """
    size, beside = floats([frame.width, frame.height]), _BESIDE * frame.width
    middles = [np.clip(floats(card.quad).mean(0) / size, 0, 0.9999) for card in reading.cards]
    shared = []
    for left, top, right, bottom in boxes:
        inside = [left <= x < right and top <= y < bottom for x, y in middles]
        cards = [card for card, here in zip(reading.cards, inside, strict=True) if here]
        others = [card for card, here in zip(reading.cards, inside, strict=True) if not here]
        low, high = floats([left, top]) * size, floats([right, bottom]) * size
        if cards:  # none of them is cut off, where one reaches over a border
            reach = np.concatenate([floats(card.quad) for card in cards])
            low = np.minimum(low, np.maximum(reach.min(0) - beside, 0))
            high = np.maximum(high, np.minimum(reach.max(0) + beside, size))
        x0, y0, x1, y1 = (int(at) for at in (*low, *np.ceil(high)))
        part = replace(frame, pixels=np.ascontiguousarray(frame.pixels[y0:y1, x0:x1]))
        decided, groups = apply_rule_prior([_moved(card, x0, y0) for card in cards], house)
        warnings = photo_warnings(part.pixels, decided, [_moved(card, x0, y0) for card in others])
        shared.append((part, Reading(part.width, part.height, reading.seconds, tuple(decided), groups, warnings)))
    return shared


def _moved(card: SeenCard, x: int, y: int) -> SeenCard:
    """The card in a picture that begins at (x, y)."""
    corners = [
        replace(corner, box=(x0 - x, y0 - y, x1 - x, y1 - y), quad=_moved_quad(corner.quad, x, y))
        for corner in card.corners
        for x0, y0, x1, y1 in [corner.box]
    ]
    return replace(card, quad=_moved_quad(card.quad, x, y), corners=tuple(corners))


def _moved_quad(quad: Quad, x: int, y: int) -> Quad:
    a, b, c, d = ((across - x, down - y) for across, down in quad)
    return a, b, c, d
