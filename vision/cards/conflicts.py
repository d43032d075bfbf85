"""Drops cards that cannot lie on the table together: whichever of the two lay on top would hide a visible index of the
other.

Mostly one of the two is not a card. A joker whose word runs along an edge is read a second time from another corner, a
quarter turned, and the two outlines may share no more than that corner; or an index at the far end of a card is misread
and gets an outline of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scorer.faces import JOKER
from vision.arrays import Flags, Floats, floats
from vision.geometry import RATIO, card_widths, distances, position_on_card
from vision.values import SeenCard

HIDDEN = 0.06
"""An index is hidden by a card that it lies inside of by this many card widths; nearer to an edge it may show."""
HIDDEN_CROSSED = 0.0
"""The same for jokers across each other; their outlines are distinct."""
SHARED_CORNER = 0.1
"""Card widths between the corner of a joker in which its index stands and a corner of a joker across it. Below this the
two are one joker read a quarter turned: no two cards fall so exactly."""
CROSSED = 0.5
"""Greatest cosine of the angle between two cards' top edges at which they count as lying across each other."""
SIDES = floats([1.0, RATIO])
"""Width and height of a card, in card widths."""
REACH = 1.7
"""Card widths between the centres of two cards within which one can hide the other's index."""


def without_conflicts(cards: Sequence[SeenCard]) -> tuple[list[SeenCard], list[Floats]]:
    """Resolves conflicts in favour of the more confident card.

    Only cards of different ranks and jokers across each other can be in conflict: two outlines of one rank in a row are
    often off by more than the cards lie apart.

    Returns:
        The remaining cards in their order, and the outlines (4, 2) of the dropped ones.
    """
    conflicts = _conflicts(cards)
    kept: list[int] = []
    for i in sorted(range(len(cards)), key=lambda i: -cards[i].confidence):
        if not conflicts[i, kept].any():
            kept.append(i)
    dropped = [floats(card.quad) for i, card in enumerate(cards) if i not in kept]
    return [cards[i] for i in sorted(kept)], dropped


def _conflicts(cards: Sequence[SeenCard]) -> Flags:
    """Which two cards are in conflict, (n, n)."""
    conflicts = np.zeros((len(cards), len(cards)), bool)
    if len(cards) < 2:
        return conflicts
    quads = floats([card.quad for card in cards])
    widths, tops = card_widths(quads), quads[:, 1] - quads[:, 0]
    near = distances(quads.mean(1)) < REACH * np.maximum(widths[:, None], widths)
    directions = tops / np.maximum(np.hypot(*tops.T)[:, None], 1)
    ranks = np.array([card.face.rank for card in cards])
    jokers = ranks == JOKER.rank
    crossed = jokers[:, None] & jokers & (np.abs(directions @ directions.T) < CROSSED)
    a, b = np.nonzero(np.triu(near & (crossed | (ranks[:, None] != ranks)), 1))
    depth = np.minimum(_index_depths(cards, quads, a, b), _index_depths(cards, quads, b, a))
    hidden = depth >= np.where(crossed[a, b], HIDDEN_CROSSED, HIDDEN)
    corner_gap = np.minimum(_corner_gaps(cards, quads, a, b), _corner_gaps(cards, quads, b, a))
    conflicts[a, b] = conflicts[b, a] = hidden | (crossed[a, b] & (corner_gap < SHARED_CORNER))
    return conflicts


def _corner_gaps(cards: Sequence[SeenCard], quads: Floats, these: NDArray[np.intp], those: NDArray[np.intp]) -> Floats:
    """For n pairs of cards the least distance between a corner of ``these`` in which an index stands and any corner of
    ``those``, (n,) card widths; infinite where no index is known."""
    pair, centres = _index_centres(cards, these)
    own = quads[these[pair]]
    index_corner = np.hypot(*(own - centres[:, None]).transpose(2, 0, 1)).argmin(1)
    corner = own[np.arange(len(pair)), index_corner]
    gap = np.hypot(*(quads[those[pair]] - corner[:, None]).transpose(2, 0, 1)).min(1) / card_widths(own)
    least = np.full(len(these), np.inf, np.float32)
    np.minimum.at(least, pair, gap)
    return least


def _index_centres(cards: Sequence[SeenCard], these: NDArray[np.intp]) -> tuple[NDArray[np.intp], Floats]:
    """All printed indices of the cards ``these`` (n,): to which of the n each belongs, (m,), and its centre, (m, 2)
    pixels."""
    counts = np.array([len(card.corners) for card in cards])
    boxes = floats([corner.box for card in cards for corner in card.corners]).reshape(-1, 4)
    centres = floats((boxes[:, :2] + boxes[:, 2:]) / 2)
    pair = np.repeat(np.arange(len(these)), counts[these])
    first = np.cumsum(counts) - counts
    nth = np.arange(len(pair)) - (np.cumsum(counts[these]) - counts[these])[pair]
    return pair, centres[first[these[pair]] + nth]


def _index_depths(cards: Sequence[SeenCard], quads: Floats, over: NDArray[np.intp], under: NDArray[np.intp]) -> Floats:
    """For n pairs of cards how deep inside ``over`` the deepest index of ``under`` lies, (n,) card widths: negative
    outside, minus infinity where no index is known."""
    pair, centres = _index_centres(cards, under)
    position = position_on_card(quads[over[pair]], centres)
    deepest = np.full(len(over), -np.inf, np.float32)
    np.maximum.at(deepest, pair, (np.minimum(position, 1 - position) * SIDES).min(1))
    return deepest
