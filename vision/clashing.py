"""Cards that cannot both be there: whichever of the two lay on top would hide an index of the other that is seen.

Mostly one of them is no card. A joker whose word stands along an edge is read once more from another of its corners, a
quarter turned; or an index at the far end of a card is misread, and outlined as another card's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scorer.faces import JOKER
from vision.geometry import Floats, card_widths, distances, floats, place_on
from vision.values import SeenCard

WITHIN = 0.06
"""Card widths from every edge of the other card: nearer to one an index may be seen beside it."""
WITHIN_CROSSED = 0.0
"""The same of jokers that lie across each other, of whose outlines no more is in doubt."""
CROSSED = 0.5
"""The cosine of the angle between two cards' top edges, up to which they lie across each other."""
SIDES = floats([1.0, 1.4])
"""A card's width and height in its widths, about."""
NEAR = 1.7
"""Card widths between the middles of two cards up to which one may lie over the other's index."""


def without_clashes(cards: Sequence[SeenCard]) -> tuple[list[SeenCard], list[Floats]]:
    """The ``cards`` without the less sure one of every two that cannot both be there, and the outlines (4, 2) of those
    left out.

    Only cards of unlike ranks are told so, and jokers across each other: two outlines of one rank in a row are often
    off by more than their cards lie apart.
    """
    left_out: set[int] = set()
    for a, b in _clashes(cards):
        if a not in left_out and b not in left_out:
            left_out.add(a if cards[a].confidence < cards[b].confidence else b)
    kept = [card for place, card in enumerate(cards) if place not in left_out]
    return kept, [floats(cards[place].quad) for place in sorted(left_out)]


def _clashes(cards: Sequence[SeenCard]) -> list[tuple[int, int]]:
    """Places of every two cards that cannot both be there."""
    if len(cards) < 2:
        return []
    quads = floats([card.quad for card in cards])
    widths = card_widths(quads)
    tops = quads[:, 1] - quads[:, 0]
    along = tops / np.maximum(np.hypot(*tops.T)[:, None], 1)
    near = np.triu(distances(quads.mean(1)) < NEAR * widths[:, None], 1)
    crossed = np.abs(along @ along.T) < CROSSED
    ranks = np.array([card.face.rank for card in cards])
    jokers = ranks == JOKER.rank
    least = np.where(jokers[:, None] & jokers & crossed, WITHIN_CROSSED, WITHIN)
    one, two = np.nonzero(near & ((ranks[:, None] != ranks) | (least < WITHIN)))
    deep = np.minimum(_deepest(cards, quads, one, two), _deepest(cards, quads, two, one))
    return [(int(one[n]), int(two[n])) for n in np.flatnonzero(deep >= least[one, two])]


def _deepest(cards: Sequence[SeenCard], quads: Floats, over: NDArray[np.intp], under: NDArray[np.intp]) -> Floats:
    """How far inside the cards ``over`` (n,) the indices of ``under`` (n,) lie, that of each which lies furthest in,
    (n,) card widths; below nought outside."""
    counts = np.array([len(card.corners) for card in cards])
    boxes = floats([corner.box for card in cards for corner in card.corners])
    middles = floats((boxes[:, :2] + boxes[:, 2:]) / 2)
    # a row for each index of each of ``under``
    pair = np.repeat(np.arange(len(under)), counts[under])
    first = np.cumsum(counts) - counts
    nth = np.arange(len(pair)) - (np.cumsum(counts[under]) - counts[under])[pair]
    place = place_on(quads[over[pair]], middles[first[under[pair]] + nth])
    deepest = np.full(len(over), -np.inf, np.float32)
    np.maximum.at(deepest, pair, (np.minimum(place, 1 - place) * SIDES).min(1))
    return deepest
