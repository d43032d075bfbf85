"""Groups printed indices into physical cards.

All indices of one card predict the same outline, those at its far end turned by half a turn. A card has four positions
for an index and each holds at most one: two indices that claim one position are two cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np

from vision.arrays import Flags, Floats, floats
from vision.cards.dedupe import Corner, class_agreement, widths_of
from vision.geometry import card_beside, card_widths, distances

MAX_COST = 0.4
"""Two indices are linked only where the link costs less than this; costs are in card widths."""
MAX_REACH = 2.2
"""Card widths between the centres of two indices beyond which they cannot be on one card."""
FOUR_CORNER_SHARE = 0.15
"""A larger share of indices in right-hand corners than this means that the deck has four indices a card."""
MAX_ALTERNATIVES = 12
"""Rejected links that are tried first instead, in each round, and the number of rounds."""
CERTAIN_COST = 0.45
"""Only links cheaper than this are evidence for the kind of deck."""
SWAP_COST = 0.08
"""Cost of moving an index to the other upper corner, for each unit of log odds against it."""
FORESHORTENED = 0.5
"""Weight of what two outlines of one card, predicted from its two ends, differ by along its height, which is guessed
where the view is low."""
DISAGREEMENT_COST = 0.9
"""Cost of a link between two indices whose class probabilities do not agree at all."""


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """An index as part of a card: ``index`` is its position in the list given, ``corner`` the index as it was used,
    perhaps moved to the other side, ``turn`` its half turns (0 or 1) against the card's first member."""

    index: int
    corner: Corner
    turn: int


def other_side(corner: Corner) -> Corner:
    """The same index as part of the card beside, of which it is the index in the other upper corner."""
    return replace(corner, quad=card_beside(corner.quad, back=not corner.right), right=not corner.right)


class _Link(NamedTuple):
    """Indices ``i`` and ``j`` as one card: its cost, whether half a turn lies between them, and whether either is moved
    to its other side."""

    cost: float
    i: int
    j: int
    turned: bool
    swap_i: bool
    swap_j: bool


_Card = list[tuple[int, bool, int]]
"""The members of a card: index, whether it is moved to its other side, and half turns as in ``Member``."""


def _possible_links(corners: Sequence[Corner]) -> list[_Link]:
    """All links cheaper than ``MAX_COST``, cheapest first."""
    if len(corners) < 2:
        return []
    widths, (ranks, suits) = widths_of(corners), class_agreement(corners)
    disagreement = DISAGREEMENT_COST * (1 - ranks * (0.7 + 0.3 * suits))
    apart = distances(np.stack([corner.centre for corner in corners]))
    one, two = np.nonzero(np.triu((disagreement <= MAX_COST) & (apart <= MAX_REACH * widths[:, None]), 1))
    own, right = np.stack([corner.quad for corner in corners]), np.array([corner.right for corner in corners])
    # each index as it is, and moved as by ``other_side``
    quads = np.stack([own, np.where(right[:, None, None], card_beside(own), card_beside(own, back=True))], 1)
    rights = np.stack([right, ~right], 1)
    scale = np.maximum(np.minimum(widths[one], widths[two]), 1)
    swap_cost = SWAP_COST * np.maximum(floats([corner.side_log_odds for corner in corners]), 0)
    links = []
    for swap_i, swap_j, turned in product((False, True), repeat=3):
        right_i, right_j = rights[one, int(swap_i)], rights[two, int(swap_j)]
        distance = _outline_distance(quads[one, int(swap_i)], quads[two, int(swap_j)], right_i, right_j, turned)
        costs = distance / scale + disagreement[one, two] + swap_cost[one] * swap_i + swap_cost[two] * swap_j
        # not turned and on the same side both claim one position on the card: they are two cards
        possible = (costs < MAX_COST) & (turned | (right_i != right_j))
        for k in np.flatnonzero(possible):
            links.append(_Link(float(costs[k]), int(one[k]), int(two[k]), turned, swap_i, swap_j))
    return sorted(links)


def _outline_distance(a: Floats, b: Floats, right_a: Flags, right_b: Flags, turned: bool) -> Floats:
    """Distance of the outlines ``a`` and ``b`` (m, 4, 2), each predicted by an index in a right or left corner, (m,)
    pixels.

    An outline is most exact near its own index, so most weight is on the two corners where the indices stand.
    """
    apart = a - (np.roll(b, 2, axis=1) if turned else b)
    if turned:
        down = (a[:, 3] - a[:, 0]) + (a[:, 2] - a[:, 1])
        down = down / np.maximum(np.hypot(*down.T), 1e-6)[:, None]
        along = (apart * down[:, None]).sum(2, keepdims=True) * down[:, None]
        apart = apart - (1 - FORESHORTENED) * along
    distance = np.hypot(*apart.transpose(2, 0, 1))
    rows = np.arange(len(a))
    near = (distance[rows, np.where(right_a, 1, 0)] + distance[rows, np.where(right_b, 1, 0) + 2 * turned]) / 2
    return np.asarray(0.7 * near + 0.3 * distance.mean(1), np.float32)


def _has_four_corners(corners: Sequence[Corner], links: Sequence[_Link]) -> bool:
    """Whether the deck has indices in all four corners.

    Evidence is a card whose index links to one beside it and to one at its far end. Two neighbours of a deck with two
    indices never show that: where one lies on the other it hides the index at the far end. Only with four indices may
    an index be moved to its other side; otherwise two neighbours could become one card.
    """
    if sum(corner.right for corner in corners) > FOUR_CORNER_SHARE * len(corners):
        return True
    certain = [link for link in links if link.cost < CERTAIN_COST]
    beside = {end for link in certain if not link.turned for end in ((link.i, link.swap_i), (link.j, link.swap_j))}
    far = {end for link in certain if link.turned for end in ((link.i, link.swap_i), (link.j, link.swap_j))}
    return bool(beside & far)


def pair(corners: Sequence[Corner]) -> list[list[Member]]:
    """Groups indices into cards; every index is in exactly one card.

    Searches for the grouping with the greatest gain (the sum of ``MAX_COST`` minus cost over its links): the cheapest
    links first, then local improvements in which a rejected link is set before all others.
    """
    links = _possible_links(corners)
    if not _has_four_corners(corners, links):
        links = [link for link in links if not link.swap_i and not link.swap_j]
    cards: list[_Card] = []
    rights = [corner.right for corner in corners]
    for component in _components(len(corners), links):
        within = set(component)
        local = [link for link in links if link.i in within]
        best, gain, used = _joined(rights, component, local)
        for _ in range(MAX_ALTERNATIVES):
            better = None
            for rejected in [link for link in local if link not in used][:MAX_ALTERNATIVES]:
                other = _joined(rights, component, [rejected, *(link for link in local if link is not rejected)])
                if other[1] > gain + 1e-6:
                    better, gain = other, other[1]
            if better is None:
                break
            best, gain, used = better
        cards += best
    return [
        [Member(i, other_side(corners[i]) if swapped else corners[i], turn) for i, swapped, turn in card]
        for card in cards
    ]


def _components(count: int, links: Sequence[_Link]) -> list[list[int]]:
    """Connected components of ``count`` indices under ``links``."""
    parent = list(range(count))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    for link in links:
        parent[root(link.j)] = root(link.i)
    components: dict[int, list[int]] = {}
    for i in range(count):
        components.setdefault(root(i), []).append(i)
    return list(components.values())


def _joined(
    rights: Sequence[bool], component: Sequence[int], links: Sequence[_Link]
) -> tuple[list[_Card], float, set[_Link]]:
    """Applies ``links`` in their order, skipping those that contradict earlier ones.

    ``rights`` says of every index whether it was read in the right-hand corner.

    Returns:
        The cards, their gain, and the links that were used.
    """
    cards = {i: [i] for i in component}
    card_of = {i: i for i in component}
    swapped, turns = dict.fromkeys(component, False), dict.fromkeys(component, 0)
    gain, used = 0.0, set()
    for link in links:
        i, j = link.i, link.j
        one, two = cards[card_of[i]], cards[card_of[j]]
        # an index that is part of a larger card keeps its side
        if one is two or (link.swap_i != swapped[i] and len(one) > 1) or (link.swap_j != swapped[j] and len(two) > 1):
            continue
        flip = (turns[i] + turns[j] + link.turned) % 2
        positions = {(turns[k], rights[k] != (link.swap_i if k == i else swapped[k])) for k in one}
        positions |= {((turns[k] + flip) % 2, rights[k] != (link.swap_j if k == j else swapped[k])) for k in two}
        if len(positions) < len(one) + len(two):
            continue
        swapped[i], swapped[j] = link.swap_i, link.swap_j
        for k in two:
            turns[k] = (turns[k] + flip) % 2
        del cards[card_of[j]]
        card_of.update(dict.fromkeys(two, card_of[i]))
        one += two
        gain += MAX_COST - link.cost
        used.add(link)
    return [[(k, swapped[k], turns[k]) for k in card] for card in cards.values()], gain, used


def outlines(cards: Sequence[Sequence[Member]]) -> Floats:
    """One outline for each of n cards, (n, 4, 2) pixels, clockwise from the top left as its best index is read.

    Each corner is a weighted mean of what the card's indices predict: by their ``p_keep`` and the inverse square of
    their distance from that corner.
    """
    members = [member for card in cards for member in card]
    if not members:
        return np.zeros((0, 4, 2), np.float32)
    best_turns = [max(card, key=lambda member: member.corner.p_keep).turn for card in cards]
    counts = [len(card) for card in cards]
    turned = np.array([member.turn for member in members]) != np.repeat(best_turns, counts)
    quads = np.stack([member.corner.quad for member in members])
    quads = np.where(turned[:, None, None], np.roll(quads, 2, axis=1), quads)
    index_corner = np.array([member.corner.right for member in members]) + 2 * turned
    distance = np.hypot(*(quads - quads[np.arange(len(quads)), index_corner][:, None]).transpose(2, 0, 1))
    distance /= np.maximum(card_widths(quads), 1)[:, None]
    weights = floats([member.corner.p_keep for member in members])[:, None] / (0.1 + distance) ** 2
    first = np.cumsum([0, *counts[:-1]])
    total = np.add.reduceat(quads * weights[..., None], first)
    return floats(total / np.add.reduceat(weights, first)[..., None])
