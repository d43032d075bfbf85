"""Splits the reading of a whole table by zone: each card belongs to the zone in which its centre lies.

The cards stay as they were read: the rules had their say on the whole table, and know less of a part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.arrays import floats
from vision.checks.photo_checks import photo_warnings
from vision.geometry import position_on_card
from vision.groups.rule_prior import group_cards
from vision.looks.looks import SeenIndices
from vision.values import Frame, HouseRules, Reading, SeenCard
from webui.reading.zones import Box

_MARGIN = 0.01
"""Share of the picture's width around cards that reach over the border of their zone."""


def split_by_zone(
    frame: Frame, reading: Reading, boxes: Sequence[Box], house_rules: HouseRules, seen: SeenIndices | None = None
) -> list[tuple[Frame, Reading, SeenIndices | None]]:
    """The picture and reading of each zone, in pixels of that picture, and what was seen of it but on cards of others.

    Args:
        frame: the straightened table.
        reading: of that frame.
        boxes: the zones; they cover the table and do not overlap.
        house_rules: the rules by which cards are grouped.
        seen: all detections of that frame.
    """
    size, margin = floats([frame.width, frame.height]), _MARGIN * frame.width
    centres = [np.clip(floats(card.quad).mean(0) / size, 0, 0.9999) for card in reading.cards]
    parts = []
    for left, top, right, bottom in boxes:
        inside = [left <= x < right and top <= y < bottom for x, y in centres]
        cards = [card for card, here in zip(reading.cards, inside, strict=True) if here]
        others = [card for card, here in zip(reading.cards, inside, strict=True) if not here]
        low, high = floats([left, top]) * size, floats([right, bottom]) * size
        if cards:  # the picture is enlarged where a card reaches over the border
            reach = np.concatenate([floats(card.quad) for card in cards])
            low = np.minimum(low, np.maximum(reach.min(0) - margin, 0))
            high = np.maximum(high, np.minimum(reach.max(0) + margin, size))
        x0, y0, x1, y1 = (int(at) for at in (*low, *np.ceil(high)))
        part = replace(frame, pixels=np.ascontiguousarray(frame.pixels[y0:y1, x0:x1]))
        moved = [card.moved(-x0, -y0) for card in cards]
        groups = group_cards(moved, house_rules)
        warnings = photo_warnings(part.pixels, moved, [card.moved(-x0, -y0) for card in others])
        seen_here = seen and _apart(seen, others).cropped(x0, y0, part.width, part.height)
        parts.append(
            (part, Reading(part.width, part.height, reading.seconds, tuple(moved), groups, warnings), seen_here)
        )
    return parts


def _apart(seen: SeenIndices, cards: Sequence[SeenCard]) -> SeenIndices:
    """Those detections whose middle lies on none of these cards."""
    if not cards:
        return seen
    place = position_on_card(floats([card.quad for card in cards])[:, None], seen.centres()[None])
    inside = ((place > 0) & (place < 1)).all(2).any(0)
    return seen.select(np.asarray(~inside, bool))
