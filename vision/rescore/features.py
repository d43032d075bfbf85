"""Features of each detection: what detector and RoI head say of it and of those around it, and how its card lies.

The relations take these together with how detections lie to one another (``pair_features``). Order and scale of all
features are baked into their weights.
"""

from __future__ import annotations

import numpy as np

from vision.arrays import Flags, Floats, floats
from vision.detect.detections import ClassifiedDetections
from vision.geometry import distances, log_odds

BASE_FEATURES = (
    "score",
    "index",
    "rank",
    "suit",
    "score around",
    "same rank around",
    "other rank around",
    "any at this place",
    "size",
    "opposite corner",
)
"""Names of the ``base_features``, in order."""
GEOMETRY_FEATURES = 1 + 2 + 1 + 4 + 2
"""Number of ``geometry_features`` of a detection."""
AROUND, SAME_PLACE = 0.3, 0.15
"""Card widths between the box centres of detections that may show one index, and that lie at one place."""
CONFIDENT_SCORE = 0.5
"""Detections with a higher detector score measure the usual size of cards."""
MAX_EDGE_DISTANCE = 1.5
"""Card widths from the picture's edge; cards further inside are not cut off by it."""
VISIBILITY_GRID = np.linspace(0.1, 0.9, 5)
"""Positions across and down a card at which it is tested whether they lie inside the picture."""


def usual_width(widths: Floats, scores: Floats) -> float:
    """The usual width of cards: the median of the confident detections, or of all where few are confident."""
    confident = scores > CONFIDENT_SCORE
    return float(np.median(widths[confident]) if confident.sum() > 2 else np.median(widths))


def opposite_corner_support(detections: ClassifiedDetections) -> Floats:
    """How well another detection of the same rank shows the opposite corner of each card, (n,)."""
    quads, widths = detections.quads, detections.card_widths(at_least=1)
    ranks = detections.ranks.argmax(1)
    mates = (ranks[:, None] == ranks[None]) & ~np.eye(len(ranks), dtype=bool)
    turned = np.roll(quads, 2, axis=1)
    apart = np.hypot(*(quads[:, None] - turned[None]).transpose(3, 0, 1, 2)).mean(2)
    fit = np.exp(-apart / widths[:, None] / 0.15)
    return floats(np.where(mates, detections.scores[None] * fit, 0).max(1))


def base_features(detections: ClassifiedDetections) -> Floats:
    """BASE_FEATURES of each detection, (n, len(BASE_FEATURES)); probabilities as log odds.

    Besides what the networks say: the scores of detections around it, of the same rank (a word across a joker's head is
    detected in several places, each too weak by itself) and of others; how far its card's size is from the usual one;
    how well another detection shows the card's opposite corner.
    """
    if not len(detections):
        return np.zeros((0, len(BASE_FEATURES)), np.float32)
    scores, widths = detections.scores, detections.card_widths(at_least=1)
    apart = distances(detections.box_centres()) / widths[:, None]
    ranks = detections.ranks.argmax(1)
    same_rank = ranks[:, None] == ranks[None]
    others = ~np.eye(len(scores), dtype=bool)

    def highest_score(where: Flags) -> Floats:
        return log_odds(np.where(where & others, scores[None], 0).max(1), 1e-3)

    around = apart < AROUND
    any_of_rank = 1 - np.prod(np.where(around & same_rank, 1 - scores[None], 1), 1)
    return floats(
        np.stack(
            [
                log_odds(scores, 1e-3),
                log_odds(detections.p_index),
                log_odds(detections.ranks.max(1)),
                log_odds(detections.suits.max(1)),
                log_odds(floats(any_of_rank), 1e-3),
                highest_score(around & same_rank),
                highest_score(around & ~same_rank),
                highest_score(apart < SAME_PLACE),
                np.abs(np.log(widths / usual_width(widths, scores))),
                opposite_corner_support(detections),
            ],
            1,
        )
    )


def geometry_features(detections: ClassifiedDetections) -> Floats:
    """How each detection's card lies in the picture, (n, GEOMETRY_FEATURES).

    In order: the side of its index; box size in card widths; distance from the picture's edge; the share of each
    quarter of the card inside the picture; the card's size against the usual one, and its height against its width.
    """
    if not len(detections):
        return np.zeros((0, GEOMETRY_FEATURES), np.float32)
    boxes, widths = detections.boxes, detections.card_widths(at_least=1)
    corners, along, down = card_axes(detections)
    width, height = detections.picture_size
    centres = detections.box_centres()
    to_edge = np.stack([centres[:, 0], width - centres[:, 0], centres[:, 1], height - centres[:, 1]], 1).min(1)
    across, under = (part.ravel() for part in np.meshgrid(VISIBILITY_GRID, VISIBILITY_GRID))
    points = corners[:, None] + along[:, None] * across[None, :, None] + down[:, None] * under[None, :, None]
    inside: Flags = np.asarray(((points > 0) & (points < floats([width, height]))).all(2), bool)
    near, high = across < 0.55, under < 0.55
    quarters = [inside[:, (near == a) & (high == b)].mean(1) for a in (True, False) for b in (True, False)]
    return floats(
        np.column_stack(
            [
                detections.index_on_right,
                (boxes[:, 2:] - boxes[:, :2]) / widths[:, None],
                np.minimum(to_edge / widths, MAX_EDGE_DISTANCE),
                *quarters,
                np.log(widths / usual_width(widths, detections.scores)),
                np.hypot(*down.T) / np.maximum(np.hypot(*along.T), 1),
            ]
        )
    )


def card_axes(detections: ClassifiedDetections) -> tuple[Floats, Floats, Floats]:
    """For each detection the card's corner at its index, and the vectors from there along the top and down the side.

    (n, 2) pixels each; mirrored for an index in the right corner.
    """
    quads, right = detections.quads, detections.index_on_right.astype(int)
    rows = np.arange(len(quads))
    corners = quads[rows, right]
    return corners, floats(quads[rows, 1 - right] - corners), floats(quads[rows, 3 - right] - corners)
