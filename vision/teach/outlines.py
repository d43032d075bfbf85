"""The outlines of all cards laid out in plain sight in a photo, whether they have an index or not.

Candidates are the quadrilaterals of ``contours`` and what the reader's cards predict. Of them those are chosen that
agree on one size of card, which changes evenly over a photo; then cards are looked for where a neighbour's row goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.crops.pyramid import resized
from vision.geometry import overlap_share
from vision.teach.card_size import CardSize, fitted_size, log_sides
from vision.teach.contours import candidate_quads, clockwise
from vision.teach.sides import evidence, paper_step, snapped
from vision.values import Pixels

SMALL_SIDE = 1000
"""Longest side in pixels of the photo in which cards are looked for."""
SAME = 0.85
"""Share of their union that two candidates for one card have in common."""
MIN_EVIDENCE, MIN_SIDE = 0.7, 0.35
"""Least mean share of its four sides that shows in the picture, and of each of them."""
EVEN = 0.05
"""Cards of one pack differ by no more than this, in the median; a pattern of the table does."""
MOST = 120
"""More cards than this are not looked for in one photo."""
SIZE_SPREAD, SIZE_MISS = 0.22, 0.12
"""Natural logarithms by which cards of one photo differ in width or height, and differ from what their place says."""
MAX_OVERLAP = 0.06
"""Share of the smaller one that two cards in plain sight may have in common by an error of their outlines."""
ROUNDS = 6
"""So many times rows are continued."""
CUT_OFF = 0.05
"""Card widths by which a card reaches over the photo's edge that is cut off there."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadOutline:
    """What the reader said of one card: its outline (4, 2) in pixels, and whether both ends of the card said so."""

    quad: Floats
    both_ends: bool


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """The cards of one photo, in pixels of it.

    Attributes:
        quads: (n, 4, 2), whole cards, clockwise, the first side a short one and uppermost in the picture.
        cut_off: (k, 4, 2), about where cards lie that the photo's edge cuts off.
        overlapping: (m, 4, 2), cards of which a part is under another.
    """

    quads: Floats
    cut_off: Floats
    overlapping: Floats


def find_outlines(pixels: Pixels, read: Sequence[ReadOutline] = ()) -> Outlines:
    """Finds the cards in a photo (height, width, 3) BGR, given what the reader outlined in it."""
    scale = min(SMALL_SIDE / max(pixels.shape[:2]), 1.0)
    height, width = (max(round(side * scale), 1) for side in pixels.shape[:2])
    small = resized(pixels, width, height)
    known = [ReadOutline(portrait(clockwise(floats(one.quad * scale))), one.both_ends) for one in read]
    inside = [one for one in known if not _reaches_out(one.quad, small)]
    quads, scores = _candidates(small)
    chosen, size = _of_one_size(small, quads, scores, inside)
    if size is not None:
        chosen = _continued(small, chosen, size, inside, quads)
    cut = [one.quad for one in known if _reaches_out(one.quad, small) and not _taken(one.quad, chosen)]
    whole, overlapping = _apart(chosen, [one.quad for one in inside])
    step = paper_step(small, whole)
    fine = [snapped(pixels, floats(quad / scale), (4, 3), step) for quad in whole]
    return Outlines(_stacked(fine), *(_stacked(part) / scale for part in (cut, overlapping)))


def _stacked(quads: Sequence[Floats]) -> Floats:
    return floats(list(quads)).reshape(-1, 4, 2)


def portrait(quad: Floats) -> Floats:
    """The clockwise outline (4, 2) with a short side first, that of the two which is further up in the picture."""
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        quad = np.roll(quad, -1, axis=0)
    top, bottom = quad[:2].mean(0), quad[2:].mean(0)
    # of a card that lies across, the left short side counts as the upper one
    upright = abs(bottom[1] - top[1]) >= abs(bottom[0] - top[0])
    turned = top[1] > bottom[1] if upright else top[0] > bottom[0]
    return floats(np.roll(quad, 2, axis=0) if turned else quad)


def _reaches_out(quad: Floats, small: Pixels) -> bool:
    width = float(np.exp(log_sides(quad[None])[0, 0]))
    margin = CUT_OFF * width
    return bool((quad < -margin).any() or (quad > np.array([small.shape[1], small.shape[0]]) + margin).any())


def _same(quad: Floats, others: Floats) -> Floats:
    """Share of the union that ``quad`` (4, 2) has in common with each of ``others`` (n, 4, 2)."""
    shares = np.zeros(len(others), np.float32)
    reach = float(np.abs(quad - quad.mean(0)).max())
    near = np.flatnonzero(np.abs(others.mean(1) - quad.mean(0)).max(1, initial=0) < reach)
    area = cv2.contourArea(quad)
    for n in near:
        common = float(cv2.intersectConvexConvex(quad, others[n])[0])
        shares[n] = common / max(area + cv2.contourArea(others[n]) - common, 1.0)
    return shares


def _candidates(small: Pixels) -> tuple[Floats, Floats]:
    """Different candidates (n, 4, 2) of the photo and how well their sides show, (n,)."""
    found = _stacked([portrait(quad) for quad in candidate_quads(small)])
    left, quads = np.ones(len(found), bool), []
    while left.any():
        first = int(np.flatnonzero(left)[0])
        alike = left & (_same(found[first], found) > SAME)
        alike[first] = True
        middle = floats(np.median(found[alike], axis=0))
        quads.append(middle)
        left &= ~alike
    shares = [evidence(small, quad) for quad in quads]
    good = [n for n, share in enumerate(shares) if share.mean() >= MIN_EVIDENCE and share.min() >= MIN_SIDE]
    return _stacked([quads[n] for n in good]), floats([shares[n].mean() for n in good])


def _of_one_size(
    small: Pixels, quads: Floats, scores: Floats, read: Sequence[ReadOutline]
) -> tuple[list[Floats], CardSize | None]:
    """The disjoint candidates that agree on a size of card, and that size."""
    sure = _stacked([one.quad for one in read if one.both_ends])
    usual = np.median(log_sides(sure), axis=0) if len(sure) else None
    logs = log_sides(quads)
    possible = np.ones(len(quads), bool)
    if usual is not None:
        possible = np.abs(logs - usual).max(1, initial=0) < SIZE_SPREAD
    best: tuple[float, list[int]] = (0.0, [])
    for seed in np.flatnonzero(possible)[np.argsort(-scores[possible])]:
        alike = np.flatnonzero(possible & (np.abs(logs - logs[seed]).max(1) < SIZE_SPREAD))
        chosen = _disjoint(quads, alike, scores)
        worth = float(scores[chosen].sum()) * (1 + 0.5 * float(logs[seed].sum() - logs.sum(1).min()))
        if worth > best[0]:
            best = (worth, chosen)
    found = quads[best[1]]
    unmatched = [quad for quad in sure if not _taken(quad, list(found), 0.3)]
    if not len(found) and not unmatched:
        return [], None
    size = fitted_size(np.concatenate([found, _stacked(unmatched)]), small)
    if not len(sure) and float(np.median(size.misses(found))) > EVEN:
        return [], None
    return [quad for quad in found if size.misses(quad[None])[0] < SIZE_MISS], size


def _disjoint(quads: Floats, rows: np.ndarray[tuple[int, ...], np.dtype[np.intp]], scores: Floats) -> list[int]:
    """Of the candidates at ``rows`` those that cover no better one."""
    chosen: list[int] = []
    for n in sorted(rows.tolist(), key=lambda row: -float(scores[row])):
        if not _taken(quads[n], [quads[m] for m in chosen]):
            chosen.append(n)
    return chosen


def _taken(quad: Floats, others: Sequence[Floats], share: float = MAX_OVERLAP) -> bool:
    """Whether ``quad`` covers a part of one of ``others``."""
    reach = np.abs(quad - quad.mean(0)).max()
    return any(
        np.abs(other.mean(0) - quad.mean(0)).max() < reach + np.abs(other - other.mean(0)).max()
        and overlap_share(quad, other) > share
        for other in others
    )


def _continued(
    small: Pixels, chosen: list[Floats], size: CardSize, read: Sequence[ReadOutline], quads: Floats
) -> list[Floats]:
    """The ``chosen`` cards and those that the reader saw, or that continue their rows and show."""
    result = list(chosen)
    step = paper_step(small, result or [one.quad for one in read if one.both_ends])
    for one in sorted(read, key=lambda one: not one.both_ends):
        if not _taken(one.quad, result, 0.3):
            result += _as_read(small, one.quad, size, result, step) if one.both_ends else []
            result += _accepted(small, one.quad, size, result, step)
    for quad in quads:
        if not _taken(quad, result):
            result += _accepted(small, quad, size, result, step)
    tried: set[tuple[int, ...]] = set()
    for _ in range(ROUNDS):
        fresh: list[Floats] = []
        for guess in _neighbour_places(result, size, small):
            place = tuple(np.rint(guess.mean(0) / 3).astype(int).tolist())
            if place not in tried and not _taken(guess, [*result, *fresh], 0.3):
                tried.add(place)
                fresh += _accepted(small, guess, size, [*result, *fresh], step)
        result += fresh
        if not fresh or len(result) > MOST:
            break
        size = fitted_size(_stacked(result), small)
    return result


def _as_read(
    small: Pixels, quad: Floats, size: CardSize, others: Sequence[Floats], step: Floats | None
) -> list[Floats]:
    """The outline that both indices of a card gave, a little corrected, in a list; empty if it has another size."""
    near = snapped(small, quad, (6, 4), step)
    if evidence(small, near).mean() < MIN_EVIDENCE or _taken(near, others):
        near = quad
    fits = size.misses(near[None])[0] < 1.5 * SIZE_MISS and not _reaches_out(near, small)
    return [near] if fits and not _taken(near, others, 2 * MAX_OVERLAP) else []


def _accepted(
    small: Pixels, quad: Floats, size: CardSize, others: Sequence[Floats], step: Floats | None
) -> list[Floats]:
    """The outline as it shows in the picture, in a list; empty if no card of the right size shows there."""
    quad = snapped(small, quad, step=step)
    if _reaches_out(quad, small) or not cv2.isContourConvex(quad) or size.misses(quad[None])[0] > SIZE_MISS:
        return []
    shares = evidence(small, quad)
    if shares.mean() < MIN_EVIDENCE or shares.min() < MIN_SIDE or _taken(quad, others):
        return []
    return [quad]


def _neighbour_places(quads: Sequence[Floats], size: CardSize, small: Pixels) -> list[Floats]:
    """Outlines beside each of ``quads``, where cards of a row or a column would lie: touching, and as far apart as
    their neighbours do."""
    places = []
    for quad in quads:
        right = (quad[1] + quad[2] - quad[0] - quad[3]) / 2
        down = (quad[2] + quad[3] - quad[0] - quad[1]) / 2
        for along, across in ((right, down), (down, right)):
            step = _usual_step(quad, along, across, quads)
            for sign in (-1, 1):
                for gap in {0.01, round(step, 2)}:
                    moved = quad + along * np.float32(sign * (1 + gap))
                    expected, own = np.exp(size.at(moved.mean(0)[None])[0]), np.exp(log_sides(moved[None])[0])
                    moved = floats((moved - moved.mean(0)) * np.sqrt((expected / own).prod()) + moved.mean(0))
                    if not _reaches_out(moved, small):
                        places.append(moved)
    return places


def _usual_step(quad: Floats, along: Floats, across: Floats, quads: Sequence[Floats]) -> float:
    """The usual gap to the nearest neighbour in the direction ``along``, in lengths of it."""
    onto = np.linalg.inv(np.stack([along, across], 1).astype(float))
    places = (np.stack(quads).mean(1) - quad.mean(0)) @ onto.T
    beside = np.abs(places[(np.abs(places[:, 1]) < 0.4) & (np.abs(places[:, 0]) > 0.8)][:, 0])
    return float(np.clip(beside.min() - 1, 0, 0.8)) if len(beside) else 0.1


def _apart(chosen: Sequence[Floats], read: Sequence[Floats]) -> tuple[list[Floats], list[Floats]]:
    """The whole cards of ``chosen``, and the cards that lie over or under others: those that the reader saw partly on a
    chosen card, with that card."""
    overlapping, covered = [], set()
    for quad in read:
        shares = [overlap_share(quad, other) for other in chosen]
        if sum(share > 0.12 for share in shares) and max(shares, default=0) < 0.7:
            overlapping.append(quad)
            covered |= {n for n, share in enumerate(shares) if share > 0.12}
    return [quad for n, quad in enumerate(chosen) if n not in covered], overlapping
