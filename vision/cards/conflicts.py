"""Cards that cannot both be there: whichever of the two lay on top would hide an index of the other that is seen.

Mostly one of them is no card. A joker whose word stands along an edge is read once more from another of its corners, a
quarter turned, and then the two may share no more than that corner; or an index at the far end of a card is misread,
and outlined as another card's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scorer.faces import JOKER
from vision.arrays import Flags, Floats, floats
from vision.geometry import RATIO, card_widths, distances, place_on
from vision.values import SeenCard

WITHIN = 0.06
"""Card widths from every edge of the other card: nearer to one an index may be seen beside it."""
WITHIN_ACROSS = 0.0
"""The same of jokers that lie across each other: their outlines are far enough from one another's."""
SHARED = 0.1
"""Card widths between a joker's corner in which its index stands and a corner of a joker across it, up to which the
index is that other one's, read a quarter turned: no two cards fall so."""
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
    both = deep >= np.where(across[one, two], WITHIN_ACROSS, WITHIN)
    shared = np.minimum(_nearest_corner(cards, quads, one, two), _nearest_corner(cards, quads, two, one))
    clashes[one, two] = clashes[two, one] = both | (across[one, two] & (shared < SHARED))
    return clashes


def _nearest_corner(cards: Sequence[SeenCard], quads: Floats, of: NDArray[np.intp], to: NDArray[np.intp]) -> Floats:
    """How near the corner in which an index of the cards ``of`` (n,) stands lies to a corner of the cards ``to`` (n,),
    that of each which lies nearest, (n,) card widths; no number where no index was seen."""
    pair, middles = _indices(cards, of)
    own = quads[of[pair]]
    stands = np.hypot(*(own - middles[:, None]).transpose(2, 0, 1)).argmin(1)
    corner = own[np.arange(len(pair)), stands]
    apart = np.hypot(*(quads[to[pair]] - corner[:, None]).transpose(2, 0, 1)).min(1) / card_widths(own)
    nearest = np.full(len(of), np.inf, np.float32)
    np.minimum.at(nearest, pair, apart)
    return nearest


def _indices(cards: Sequence[SeenCard], of: NDArray[np.intp]) -> tuple[NDArray[np.intp], Floats]:
    """All indices seen of the cards ``of`` (n,): to which of the n each belongs, (m,), and where it is, (m, 2)."""
    counts = np.array([len(card.corners) for card in cards])
    boxes = floats([corner.box for card in cards for corner in card.corners]).reshape(-1, 4)
    middles = floats((boxes[:, :2] + boxes[:, 2:]) / 2)
    # a row for each index of each of ``of``
    pair = np.repeat(np.arange(len(of)), counts[of])
    first = np.cumsum(counts) - counts
    nth = np.arange(len(pair)) - (np.cumsum(counts[of]) - counts[of])[pair]
    return pair, middles[first[of[pair]] + nth]


def _deepest(cards: Sequence[SeenCard], quads: Floats, over: NDArray[np.intp], under: NDArray[np.intp]) -> Floats:
    """How far inside the cards ``over`` (n,) the indices of ``under`` (n,) lie, that of each which lies furthest in,
    (n,) card widths; below nought outside, and no number where none was seen."""
    pair, middles = _indices(cards, under)
    place = place_on(quads[over[pair]], middles)
    deepest = np.full(len(over), -np.inf, np.float32)
    np.maximum.at(deepest, pair, (np.minimum(place, 1 - place) * SIDES).min(1))
    return deepest
