"""How the finds of a picture lie to one another, as each of them sees it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, floats
from vision.geometry import distances, log_odds
from vision.recognise.classify import ClassifiedDetections
from vision.rescore.features import card_axes, middles_of, quads_of

NEIGHBOURS = 20
"""So many finds around it each find is told of, the nearest."""
FARTHEST = 4.0
"""Card widths; what lies further off is none of its neighbours."""
EDGE_FEATURES = 25
"""So many numbers tell how a neighbour lies."""
FINE = 5.0
"""Small distances are told once more, this much larger."""


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """For each of n finds its nearest: their ``places`` (n, NEIGHBOURS) among the n, which of these are ``there``, and
    how they lie, ``told`` (n, NEIGHBOURS, EDGE_FEATURES); zeros where none is there."""

    places: NDArray[np.int64]
    there: NDArray[np.bool_]
    told: Floats


def find_neighbours(named: ClassifiedDetections) -> Neighbours:
    """The neighbours of each named find.

    Where a neighbour's corner and index lie, told along the top of the find's card away from its corner and down its
    side, in widths of that card; where the find's index lies on the neighbour's card; how the cards are turned and
    sized to each other; how near they come to being one card from its other end, or one card; how well the names agree;
    and how sure the finder was of both.
    """
    count = len(named.places)
    places = np.zeros((count, NEIGHBOURS), np.int64)
    there = np.zeros((count, NEIGHBOURS), bool)
    if count < 2:
        return Neighbours(places, there, np.zeros((count, NEIGHBOURS, EDGE_FEATURES), np.float32))
    quads, widths = quads_of(named)
    own, along, down = card_axes(named)
    middles, right = middles_of(named), np.asarray(named.rights, bool)
    scores = log_odds(named.found.scores[list(named.places)])
    apart = distances(middles) / widths[:, None]
    np.fill_diagonal(apart, np.inf)
    near = np.argsort(apart, 1, kind="stable")[:, : min(NEIGHBOURS, count - 1)]
    places[:, : near.shape[1]] = near
    there[:, : near.shape[1]] = np.take_along_axis(apart, near, 1) < FARTHEST
    here, other = np.broadcast_to(np.arange(count)[:, None], places.shape), places
    ways = [way / np.maximum(np.hypot(*way.T), 1)[:, None] for way in (along, down)]

    def as_seen(apart: Floats, by: NDArray[np.int64]) -> Floats:
        """Distances (n, NEIGHBOURS, 2) along and down the cards of ``by``, in their widths."""
        return floats(np.stack([(apart * way[by]).sum(-1) for way in ways], -1) / widths[by][..., None])

    corner = as_seen(own[other] - own[here], here)
    index = as_seen(middles[other] - middles[here], here)
    on_it = as_seen(middles[here] - own[other], other)
    tops = quads[:, 1] - quads[:, 0]
    angles = np.arctan2(tops[:, 1], tops[:, 0])
    turned = angles[other] - angles[here]

    def off(a: Floats, b: Floats) -> Floats:
        return floats(np.hypot(*(a - b).transpose(3, 0, 1, 2)).mean(-1) / widths[here])

    far_end, whole = off(quads[here], np.roll(quads, 2, axis=1)[other]), off(quads[here], quads[other])
    ranks, suits = (np.sqrt(part) for part in (named.names.ranks, named.names.suits))
    told = np.stack(
        [
            *np.moveaxis(np.clip(corner, -3, 3), -1, 0),
            *np.moveaxis(np.clip(corner * FINE, -1.5, 1.5), -1, 0),
            *np.moveaxis(np.clip(index, -3, 3), -1, 0),
            *np.moveaxis(np.clip(index * FINE, -1.5, 1.5), -1, 0),
            *np.moveaxis(np.clip(on_it, -1, 2), -1, 0),
            np.sin(turned),
            np.cos(turned),
            np.clip(np.log(widths[other] / widths[here]), -1.5, 1.5),
            *(np.exp(-distance / near) for distance in (far_end, whole) for near in (0.1, 0.4)),
            (ranks[here] * ranks[other]).sum(-1),
            (suits[here] * suits[other]).sum(-1),
            scores[other] / 3,
            (scores[other] - scores[here]) / 3,
            scores[other] > scores[here],
            right[here] != right[other],
            right[other],
            np.exp(-np.hypot(*np.moveaxis(index, -1, 0)) / 0.2),
        ],
        -1,
    )
    return Neighbours(places, there, floats(np.where(there[..., None], told, 0)))
