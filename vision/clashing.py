"""Cards that cannot both be there: whichever of the two lay on top would hide an index of the other that is seen.

Mostly one of them is no card. A joker whose word stands along an edge is read once more from another of its corners, a
quarter turned; or an index at the far end of a card is misread, and outlined as another card's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scorer.faces import JOKER
from vision.geometry import Flags, Floats, card_widths, distances, floats, place_on
from vision.plane import RATIO
from vision.values import SeenCard

WITHIN = 0.06
"""Card widths from every edge of the other card: nearer to one an index may be seen beside it."""
WITHIN_ACROSS = 0.0
"""The same of jokers that lie across each other: their outlines are far enough from one another's."""
ACROSS = 0.5
"""The cosine of the angle between two cards' top edges, up to which they lie across each other."""
SIDES = floats([1.0, RATIO])
"""A card's width and height in its widths."""
NEAR = 1.7
"""Card widths between the middles of two cards up to which one may lie over the other's index."""


def without_clashes(cards: Sequence[SeenCard]) -> tuple[list[SeenCard], list[Floats]]:
    """The ``cards`` in their order, without those that cannot be there beside a surer one that stays; and the outlines
    (4, 2) of those left out.

    Only cards of unlike ranks are told so, and jokers across each other: two outlines of one rank in a row are often
    off by more than their cards lie apart.
    """
    clashes = _clashes(cards)
    kept: list[int] = []
    for place in sorted(range(len(cards)), key=lambda place: -cards[place].confidence):
        if not clashes[place, kept].any():
            kept.append(place)
    left_out = [floats(card.quad) for place, card in enumerate(cards) if place not in kept]
    return [cards[place] for place in sorted(kept)], left_out


def _clashes(cards: Sequence[SeenCard]) -> Flags:
    """Which two cards cannot both be there, (n, n)."""
    clashes = np.zeros((len(cards), len(cards)), bool)
    if len(cards) < 2:
        return clashes
    quads = floats([card.quad for card in cards])
    widths, tops = card_widths(quads), quads[:, 1] - quads[:, 0]
    near = distances(quads.mean(1)) < NEAR * np.maximum(widths[:, None], widths)
    along = tops / np.maximum(np.hypot(*tops.T)[:, None], 1)
    ranks = np.array([card.face.rank for card in cards])
    jokers = ranks == JOKER.rank
    across = jokers[:, None] & jokers & (np.abs(along @ along.T) < ACROSS)
    one, two = np.nonzero(np.triu(near & (across | (ranks[:, None] != ranks)), 1))
    deep = np.minimum(_deepest(cards, quads, one, two), _deepest(cards, quads, two, one))
    clashes[one, two] = clashes[two, one] = deep >= np.where(across[one, two], WITHIN_ACROSS, WITHIN)
    return clashes


def _deepest(cards: Sequence[SeenCard], quads: Floats, over: NDArray[np.intp], under: NDArray[np.intp]) -> Floats:
    """How far inside the cards ``over`` (n,) the indices of ``under`` (n,) lie, that of each which lies furthest in,
    (n,) card widths; below nought outside, and no number where none was seen."""
    counts = np.array([len(card.corners) for card in cards])
    boxes = floats([corner.box for card in cards for corner in card.corners]).reshape(-1, 4)
    middles = floats((boxes[:, :2] + boxes[:, 2:]) / 2)
    # a row for each index of each of ``under``
    pair = np.repeat(np.arange(len(under)), counts[under])
    first = np.cumsum(counts) - counts
    nth = np.arange(len(pair)) - (np.cumsum(counts[under]) - counts[under])[pair]
    place = place_on(quads[over[pair]], middles[first[under[pair]] + nth])
    deepest = np.full(len(over), -np.inf, np.float32)
    np.maximum.at(deepest, pair, (np.minimum(place, 1 - place) * SIDES).min(1))
    return deepest
