"""Finds that show the same printed index: which of them are one, and which stay.

What tells is weighed by decision trees, fitted to finds on drawn tables: in a tight row the next card's index lies as
near as a second find of the same one may, and the wide letters of a jumbo 10 are found twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.geometry import Floats, distances, floats, width_of
from vision.trees import Places, Trees, log_odds

NEAR = 0.45
"""Two finds whose cards' own corners lie further apart, in card widths, are not one; boxes count BOX_WEIGHT of it."""
BOX_WEIGHT = 0.45
"""How much the distance of the boxes adds to that of the corners."""
REPEATED = 0.42
"""A find that is likelier than this the same as a surer one is left out."""
REPEAT_SIGNS = (
    "along",
    "down",
    "box along",
    "box down",
    "tilt",
    "size",
    "rank",
    "suit",
    "joker",
    "surer",
    "less sure",
    "other side",
)
"""What is weighed of two finds, in order; see ``repeat_signs``."""


@dataclass(frozen=True, slots=True, eq=False)
class Corner:
    """One index as pairing needs it: its card's outline (4, 2) in pixels as it reads it, whether it stands in the right
    corner, the middle of its box (2,), its confidence, and rank (14,) and suit (4,) probabilities."""

    quad: Floats
    right: bool
    middle: Floats
    found: float
    ranks: Floats
    suits: Floats


def agreements(corners: Sequence[Corner]) -> tuple[Floats, Floats]:
    """How well the corners' ranks and their suits agree, (n, n) each, 0..1 (the Bhattacharyya coefficient)."""
    ranks, suits = (np.sqrt(np.stack(names)) for names in zip(*((c.ranks, c.suits) for c in corners), strict=True))
    return floats(ranks @ ranks.T), floats(suits @ suits.T)


def widths_of(corners: Sequence[Corner]) -> Floats:
    """The widths of the corners' cards, (n,), pixels."""
    return floats([width_of(corner.quad) for corner in corners])


def repeat_signs(corners: Sequence[Corner]) -> tuple[Places, Places, Floats]:
    """Places of each two corners that may be one index, the surer first, and what is weighed of them, (m, signs).

    How far the weaker find's own corner and box lie from the surer one's, along the top of the surer one's card (away
    from its corner) and down its side; how they differ in tilt, size and names; and how sure each is.
    """
    widths, middles = widths_of(corners), np.stack([corner.middle for corner in corners])
    owns = np.stack([corner.quad[int(corner.right)] for corner in corners])
    found = floats([corner.found for corner in corners])
    rights = np.array([corner.right for corner in corners])
    tops = np.stack([corner.quad[1] - corner.quad[0] for corner in corners])
    sides = np.stack([corner.quad[3] - corner.quad[0] for corner in corners])
    ranks, suits = agreements(corners)
    own, box = distances(owns), distances(middles)
    order = np.lexsort((np.arange(len(found)), -found)).argsort()
    near = own + BOX_WEIGHT * box < NEAR * np.minimum(widths[:, None], widths[None])
    one, two = np.nonzero(near & (tops @ tops.T >= 0) & (order[:, None] < order[None]))
    across = widths[one]
    away = np.where(rights, -1, 1)[one]

    def in_frame(points: Floats) -> tuple[Floats, Floats]:
        """How far the second's point lies from the first's: along the top, and down the side."""
        apart = points[two] - points[one]
        along = (apart * tops[one]).sum(1) / np.hypot(*tops[one].T) / across * away
        down = (apart * sides[one]).sum(1) / np.hypot(*sides[one].T) / across
        return floats(along), floats(down)

    angles = np.arctan2(tops[:, 1], tops[:, 0])
    tilt = np.abs((angles[one] - angles[two] + np.pi) % (2 * np.pi) - np.pi)
    return (
        one,
        two,
        floats(
            np.stack(
                [
                    *in_frame(owns),
                    *in_frame(middles),
                    tilt,
                    np.log(widths[two] / across),
                    ranks[one, two],
                    suits[one, two],
                    np.stack([corner.ranks for corner in corners]).argmax(1)[one] == corners[0].ranks.size - 1,
                    log_odds(found[one]),
                    log_odds(found[two]),
                    rights[one] != rights[two],
                ],
                1,
            )
        ),
    )


def without_repeats(corners: Sequence[Corner], same: Trees) -> list[int]:
    """Places of the corners left when each printed index is kept once, the surest find of it; ``same`` weighs which
    two are one."""
    if len(corners) < 2:
        return list(range(len(corners)))
    one, two, signs = repeat_signs(corners)
    likely = same(signs) > REPEATED
    of: dict[int, list[int]] = {}
    for i, j in zip(one[likely].tolist(), two[likely].tolist(), strict=True):
        of.setdefault(j, []).append(i)
    kept: set[int] = set()
    for j in sorted(range(len(corners)), key=lambda j: -corners[j].found):
        if not kept.intersection(of.get(j, ())):
            kept.add(j)
    return sorted(kept)
