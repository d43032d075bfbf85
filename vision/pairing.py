"""Corner readings to cards: which indices stand on the same physical card.

The indices of one card predict the same outline; those at opposite ends predict it turned by half a turn. Each card has
four places for an index, and each place holds at most one: two readings that claim one place are two cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.geometry import width_of

Floats = NDArray[np.float32]
MOST_APART = 0.6
"""Outlines further apart than this share of a card's width are not tried as one card."""
LIKENESS_WEIGHT = 0.8
"""How much unlike names add to the distance of two outlines, in card widths."""


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


def likeness(a: Corner, b: Corner) -> float:
    """How well two corners' names agree, 0..1 (the Bhattacharyya coefficient of their ranks, and of suits in part)."""
    ranks = float(np.sqrt(a.ranks * b.ranks).sum())
    suits = float(np.sqrt(a.suits * b.suits).sum())
    return ranks * (0.7 + 0.3 * suits)


def _apart(a: Corner, b: Corner, turned: bool) -> float:
    """The distance of two outlines in card widths. A corner is best known near its own index, so each index's own
    corner is compared with where the other puts it."""
    other = np.roll(b.quad, 2, axis=0) if turned else b.quad
    distance = np.hypot(*(a.quad - other).T)
    own_a = 1 if a.right else 0
    own_b = (3 if b.right else 2) if turned else (1 if b.right else 0)
    near = (distance[own_a] + distance[own_b]) / 2
    return float(0.7 * near + 0.3 * distance.mean()) / max(min(width_of(a.quad), width_of(b.quad)), 1.0)


def _same_index(a: Corner, b: Corner) -> bool:
    """Two finds of one printed index: the boxes' middles all but coincide."""
    return float(np.hypot(*(a.middle - b.middle))) < 0.055 * min(width_of(a.quad), width_of(b.quad))


def without_repeats(corners: list[Corner]) -> list[int]:
    """Places of the corners left when each printed index is kept once, the surest find of it."""
    kept: list[int] = []
    for i in sorted(range(len(corners)), key=lambda i: -corners[i].found):
        if not any(_same_index(corners[i], corners[k]) for k in kept):
            kept.append(i)
    return sorted(kept)


def pair(corners: list[Corner]) -> list[list[tuple[int, int]]]:
    """Puts corners together that stand on one card.

    Returns for each card its corners as (place in ``corners``, half turns against the card's first corner: 0 or 1).
    """
    tries = []
    for i, a in enumerate(corners):
        for j in range(i + 1, len(corners)):
            b = corners[j]
            if np.hypot(*(a.quad.mean(0) - b.quad.mean(0))) > 1.2 * width_of(a.quad):
                continue
            for turned in (True, False):
                if not turned and a.right == b.right:
                    continue  # the same place on the card: two cards
                apart = _apart(a, b, turned)
                if apart < MOST_APART:
                    cost = apart + LIKENESS_WEIGHT * (1 - likeness(a, b))
                    if cost < MOST_APART:
                        tries.append((cost, i, j, turned))
    member = {i: i for i in range(len(corners))}
    groups: dict[int, list[tuple[int, int]]] = {i: [(i, 0)] for i in range(len(corners))}
    for _, i, j, turned in sorted(tries):
        one, two = member[i], member[j]
        if one == two:
            continue
        turn_i = dict(groups[one])[i]
        turn_j = dict(groups[two])[j]
        flip = (turn_i + turn_j + int(turned)) % 2
        joined = groups[one] + [(k, (turn + flip) % 2) for k, turn in groups[two]]
        places = {(turn, corners[k].right) for k, turn in joined}
        if len(places) < len(joined):
            continue
        groups[one] = joined
        for k, _ in groups.pop(two):
            member[k] = one
    return list(groups.values())


def outline(corners: list[Corner], members: list[tuple[int, int]]) -> Floats:
    """One outline (4, 2) for a card, each of its corners taken mostly from the index nearest to it.

    It starts at the top left as the surest of the card's indices is read.
    """
    _, best_turn = max(members, key=lambda member: corners[member[0]].found)
    total, weights = np.zeros((4, 2)), np.zeros((4, 1))
    for k, turn in members:
        corner = corners[k]
        quad = np.roll(corner.quad, 2, axis=0) if turn != best_turn else corner.quad
        own = 1 if corner.right else 0
        if turn != best_turn:
            own += 2
        distance = np.hypot(*(quad - quad[own]).T)[:, None] / max(width_of(quad), 1.0)
        weight = corner.found / (0.1 + distance) ** 2
        total += quad * weight
        weights += weight
    return np.asarray(total / weights, np.float32)
