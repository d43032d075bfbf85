"""Whether a find is an index that a person could read: what all networks said of it and of those around it, weighed.

What weighs them are decision trees, fitted to finds on drawn tables.
"""

from __future__ import annotations

import numpy as np

from scorer.faces import RANKS
from vision.geometry import Flags, Floats, distances, floats
from vision.naming import Named
from vision.trees import log_odds

SIGNS = (
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
"""What is weighed of a find, in order; see ``signs``."""
AROUND, THERE = 0.3, 0.15
"""Card widths between the middles of two finds that may be one, and that are at one place."""
STRONG = 0.5
"""Finds of more confidence than this say how large cards are."""


def signs(named: Named, real: Floats) -> Floats:
    """What is weighed of each named find, (n, len(SIGNS)); ``real`` is the settler's word on all finds.

    Beside what the networks said: how much the finder saw around it of the same rank (a word across a joker's head is
    found in several places, each too weak to be believed) and of others, how its card's size fits that of the sure
    finds, and how well another find shows the same card's other end.
    """
    found, names = named.found, named.names
    places = np.array(named.places, int)
    scores, quads = found.scores[places], found.quads[places].astype(np.float64)
    if not len(places):
        return np.zeros((0, len(SIGNS)), np.float32)
    widths = floats(np.maximum(found.widths()[places], 1))
    middles = floats((found.boxes[places, :2] + found.boxes[places, 2:]) / 2)
    apart = distances(middles) / widths[:, None]
    same = names.ranks.argmax(1)[:, None] == names.ranks.argmax(1)[None]
    others = ~np.eye(len(places), dtype=bool)

    def most(where: Flags) -> Floats:
        return log_odds(np.where(where & others, scores[None], 0).max(1), 1e-3)

    around = apart < AROUND
    pooled = 1 - np.prod(np.where(around & same, 1 - scores[None], 1), 1)
    strong = scores > STRONG
    usual = np.median(widths[strong]) if strong.sum() > 2 else np.median(widths)
    far_end = np.hypot(*(quads[:, None] - np.roll(quads, 2, axis=1)[None]).transpose(3, 0, 1, 2)).mean(2)
    mates = np.where(same & others, scores[None] * np.exp(-far_end / widths[:, None] / 0.15), 0).max(1)
    return floats(
        np.stack(
            [
                log_odds(scores, 1e-3),
                log_odds(real[places]),
                -log_odds(names.none),
                log_odds(names.ranks.max(1)),
                log_odds(names.suits.max(1)),
                names.ranks.argmax(1) == len(RANKS),
                log_odds(pooled, 1e-3),
                most(around & same),
                most(around & ~same),
                most(apart < THERE),
                np.abs(np.log(widths / usual)),
                np.abs(names.shifts).max(1) * 10,
                mates,
            ],
            1,
        )
    )
