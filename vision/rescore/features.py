"""What is known of each find: what all networks said of it, of those around it, and how its card lies in the picture.

The judge (``relation_model``) weighs this, together with how the finds lie to one another (``pair_features``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scorer import faces
from vision.arrays import Flags, Floats, floats
from vision.geometry import distances, log_odds
from vision.recognise.classify import ClassifiedDetections

BASE_FEATURES = (
    "found",
    "real",
    "some",
    "rank",
    "suit",
    "joker",
    "found around",
    "same rank around",
    "other rank around",
    "anything there",
    "size",
    "corner off",
    "mate",
)
"""What ``base_features`` tells of a find, in order."""
RANKS, SUITS = len(faces.RANKS) + 1, len(faces.SUITS)
"""So many ranks have a name, the joker's among them, and so many suits."""
NODE_FEATURES = len(BASE_FEATURES) + RANKS + SUITS + 2 + 1 + 2 + 1 + 4 + 2
"""So many numbers ``node_features`` has for a find."""
RANKS_FROM = len(BASE_FEATURES)
"""Of these numbers the first that tells of ranks; RANKS of them do."""
LOG_PROBABILITY_SCALE = 3.0
"""Logarithms of names are divided by this, so that they are about as large as the other numbers."""
LEAST_NAME = 1e-4
"""Is added to a name's probability before its logarithm is taken."""
AROUND, THERE = 0.3, 0.15
"""Card widths between the middles of two finds that may be one, and that are at one place."""
STRONG = 0.5
"""Finds of more confidence than this say how large cards are."""
FAR_FROM_EDGE = 1.5
"""Card widths from the picture's edge; what lies further inside is not cut off by it."""
ASKED = np.linspace(0.1, 0.9, 5)
"""Places across a card and down it where it is asked whether they lie in the picture."""


def middles_of(named: ClassifiedDetections) -> Floats:
    """Where the boxes of the named finds have their middles, (n, 2) pixels."""
    return named.found.box_centres()[list(named.places)].reshape(-1, 2)


def quads_of(named: ClassifiedDetections) -> tuple[Floats, Floats]:
    """The outlines (n, 4, 2) of the named finds' cards, and how wide they are (n,), at least a pixel."""
    places = list(named.places)
    return named.found.quads[places].reshape(-1, 4, 2), floats(np.maximum(named.found.card_widths()[places], 1))


def usual_width(widths: Floats, scores: Floats) -> float:
    """How wide cards are: the median of the sure finds, or of all where few are sure."""
    strong = scores > STRONG
    return float(np.median(widths[strong]) if strong.sum() > 2 else np.median(widths))


def opposite_corner_support(named: ClassifiedDetections, places: NDArray[np.intp] | slice = slice(None)) -> Floats:
    """How well another find of the same rank shows the other end of the card of each named find at ``places`` (m,),
    (m,)."""
    quads, widths = quads_of(named)
    scores, ranks = named.found.scores[list(named.places)], named.names.ranks.argmax(1)
    others = (ranks[places, None] == ranks[None]) & ~np.eye(len(ranks), dtype=bool)[places]
    far_end = np.hypot(*(quads[places, None] - np.roll(quads, 2, axis=1)[None]).transpose(3, 0, 1, 2)).mean(2)
    near = np.exp(-far_end / widths[places, None] / 0.15)
    return floats(np.where(others, scores[None] * near, 0).max(1))


def base_features(named: ClassifiedDetections) -> Floats:
    """What the networks said of each named find, and of those around it, (n, len(BASE_FEATURES)).

    How much the finder saw around it of the same rank (a word across a joker's head is found in several places, each
    too weak to be believed) and of others, how its card's size fits that of the sure finds, and how well another find
    shows the same card's other end.
    """
    if not len(named.places):
        return np.zeros((0, len(BASE_FEATURES)), np.float32)
    names, scores = named.names, named.found.scores[list(named.places)]
    widths = quads_of(named)[1]
    apart = distances(middles_of(named)) / widths[:, None]
    same = names.ranks.argmax(1)[:, None] == names.ranks.argmax(1)[None]
    others = ~np.eye(len(scores), dtype=bool)

    def most(where: Flags) -> Floats:
        return log_odds(np.where(where & others, scores[None], 0).max(1), 1e-3)

    around = apart < AROUND
    pooled = 1 - np.prod(np.where(around & same, 1 - scores[None], 1), 1)
    return floats(
        np.stack(
            [
                log_odds(scores, 1e-3),
                log_odds(named.real),
                -log_odds(names.none),
                log_odds(names.ranks.max(1)),
                log_odds(names.suits.max(1)),
                names.ranks.argmax(1) == RANKS - 1,
                log_odds(floats(pooled), 1e-3),
                most(around & same),
                most(around & ~same),
                most(apart < THERE),
                np.abs(np.log(widths / usual_width(widths, scores))),
                np.abs(names.shifts).max(1) * 10,
                opposite_corner_support(named),
            ],
            1,
        )
    )


def node_features(named: ClassifiedDetections) -> Floats:
    """All that the judge is told of each named find by itself, (n, NODE_FEATURES).

    Its ``base_features``; its names; how far its corner was seen off; its side; its box against its card; how near the
    edge of the picture it lies and which quarters of its card are in the picture; its card's size against the others',
    and its shape.
    """
    if not len(named.places):
        return np.zeros((0, NODE_FEATURES), np.float32)
    names, boxes = named.names, named.found.boxes[list(named.places)]
    widths = quads_of(named)[1]
    own, along, down = card_axes(named)
    width, height = named.size
    middles = middles_of(named)
    edges = np.stack([middles[:, 0], width - middles[:, 0], middles[:, 1], height - middles[:, 1]], 1).min(1)
    across, under = (part.ravel() for part in np.meshgrid(ASKED, ASKED))
    asked = own[:, None] + along[:, None] * across[None, :, None] + down[:, None] * under[None, :, None]
    inside: Flags = np.asarray(((asked > 0) & (asked < floats([width, height]))).all(2), bool)
    near, high = across < 0.55, under < 0.55
    quarters = [inside[:, (near == a) & (high == b)].mean(1) for a in (True, False) for b in (True, False)]
    usual = usual_width(widths, named.found.scores[list(named.places)])
    return floats(
        np.column_stack(
            [
                base_features(named),
                np.log(names.ranks + LEAST_NAME) / LOG_PROBABILITY_SCALE,
                np.log(names.suits + LEAST_NAME) / LOG_PROBABILITY_SCALE,
                names.shifts * 10,
                named.rights,
                (boxes[:, 2:] - boxes[:, :2]) / widths[:, None],
                np.minimum(edges / widths, FAR_FROM_EDGE),
                *quarters,
                np.log(widths / usual),
                np.hypot(*down.T) / np.maximum(np.hypot(*along.T), 1),
            ]
        )
    )


def card_axes(named: ClassifiedDetections) -> tuple[Floats, Floats, Floats]:
    """For each named find its card's own corner, the way from there along the top to the other corner, and the way down
    the side, (n, 2) pixels each: for an index in the right-hand corner as in a mirror."""
    quads, _ = quads_of(named)
    each, right = np.arange(len(quads)), np.asarray(named.rights, int)
    own = quads[each, right]
    return own, floats(quads[each, 1 - right] - own), floats(quads[each, 3 - right] - own)
