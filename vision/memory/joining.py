"""Finds the cards of one still again in the next: the whole table shifted, cards in place, and groups pushed aside.

Places are compared in card widths. All functions are pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scorer.faces import Face
from vision.arrays import Doubles, Floats, doubles, floats
from vision.geometry import overlap_share, quad_width
from vision.memory.state import SURE_LOOK
from vision.values import SeenCard

SAME_PLACE, SAME_FACE_PLACE = 0.3, 0.55
"""Card widths within which a card is found again whatever was read, and with the same face."""
GUESSED_SUIT = 0.1
"""Card widths by which another card has to lie nearer to be taken for one whose suit, partly covered, was read
otherwise; melds are fanned by 0.25 and more."""
ON_ITSELF = 0.15
"""Card widths within which one still shows no two cards of a rank, but one that was read twice."""
NUDGE = 1.2
"""Card widths by which the whole table may be shifted between two stills."""
MOVED_TOGETHER = 0.35
"""Card widths by which a card may differ from the shift of its group."""
PUSHED = 14.0
"""Card widths by which a group may be pushed aside."""
_SAME_WAY = 0.9
"""Cosine of the turn up to which two outlines lie the same way."""
_MIN_SHIFTED = 4
_MOST_STRETCHED = 0.02
"""A table that is bumped stays as large as it was; what stretches it more was fitted to a push."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A card that lay there: its face, its outline (4, 2), how sure the face is (0..1), whether it lies in a squared
    pile, and whether nearly all looks gave it that face."""

    face: Face
    outline: Floats
    sure: float = 0.0
    in_pile: bool = False
    is_steady: bool = False


def centre(quad: Floats) -> Floats:
    """The centre (2,) of an outline (4, 2)."""
    return floats(quad.mean(0))


def apart(outline: Floats, others: Floats) -> Floats:
    """How far an outline (4, 2) lies from each of the ``others`` (n, 4, 2), in pixels, (n,).

    Measured is where they agree best, in the middle or, if they lie the same way, at their first corner: of a card that
    others cover only the corner with its index is read, and how large it is beyond that is a guess.
    """
    first, middle = others[:, 0] - outline[0], others.mean(1) - outline.mean(0)
    along, tops = outline[1] - outline[0], others[:, 1] - others[:, 0]
    same_way = tops @ along > _SAME_WAY * np.hypot(*tops.T) * np.hypot(*along)
    far = np.hypot(*middle.T)
    return floats(np.where(same_way, np.minimum(np.hypot(*first.T), far), far))


def usual_width(quads: Sequence[Floats]) -> float:
    """The median width of outlines in pixels; 1 if there are none."""
    return max(float(np.median([quad_width(quad) for quad in quads])), 1.0) if quads else 1.0


def table_shift(
    before: Sequence[tuple[Face, Floats]], now: Sequence[tuple[Face, Floats]], groups: Sequence[int | None] = ()
) -> Doubles | None:
    """The similarity (2, 3) that moved the whole table, from pixels before to pixels now; None if it did not move or
    the stills do not tell.

    Cards are paired by face with the nearest of that face; what most of them agree on is the shift (RANSAC). Where the
    group of each card before is told in ``groups``, cards of two of them have to agree: one alone was pushed aside.
    """
    width = usual_width([quad for _, quad in now])
    source, target, own = [], [], []
    for (face, quad), group in zip(before, groups or range(len(before)), strict=True):
        near = [centre(other) for name, other in now if name == face]
        near = [point for point in near if np.hypot(*(point - centre(quad))) < NUDGE * width]
        if len(near) == 1:
            source.append(centre(quad))
            target.append(near[0])
            own.append(group)
    if len(source) < _MIN_SHIFTED:
        return None
    matrix, inliers = cv2.estimateAffinePartial2D(
        floats(source), floats(target), method=cv2.RANSAC, ransacReprojThreshold=max(0.08 * width, 2.0)
    )
    if matrix is None or inliers.sum() < max(_MIN_SHIFTED, 0.6 * len(source)):
        return None
    agreeing = {group for group, agrees in zip(own, inliers.ravel(), strict=True) if agrees}
    if len(agreeing) < 2 or abs(float(np.hypot(*matrix[:, 0])) - 1) > _MOST_STRETCHED:
        return None
    # as they were seen to move: one pile that was pushed may tilt what is fitted, while all else lies still
    moved = np.hypot(*(floats(target) - floats(source)).T)
    return doubles(matrix) if float(np.median(moved)) > 0.03 * width else None


def transformed(points: Floats, matrix: Doubles) -> Floats:
    """Points (n, 2) under a similarity (2, 3)."""
    return floats(points @ matrix[:, :2].T + matrix[:, 2])


def same_places(tracks: Mapping[int, Lying], cards: Sequence[SeenCard]) -> dict[int, int]:
    """For each card by its index the track, by number, that lies at its place; nearest and surest first, one each.

    Two sure faces of different ranks at one place are two cards, one on the other; on a pile two suits are too, and
    what lies across.
    """
    quads = [floats(card.quad) for card in cards]
    width = usual_width(quads)
    found = []
    outlines = floats(quads).reshape(-1, 4, 2)
    for number, track in tracks.items():
        all_apart = apart(track.outline, outlines) / width
        for i in np.flatnonzero(all_apart < SAME_FACE_PLACE).tolist():
            card, far = cards[i], float(all_apart[i])
            same = card.face == track.face
            other = not same if track.in_pile and track.is_steady else card.face.rank != track.face.rank
            two = other and min(track.sure, card.confidence) >= SURE_LOOK  # both are believed, so none is misread
            two = two or (track.in_pile and lies_across(track.outline, quads[i]))
            if far < (SAME_FACE_PLACE if same else SAME_PLACE) and not two:
                doubtful = SAME_PLACE * (1.0 - card.confidence)
                found.append((far + doubtful + _unlike(track.face, card), number, i))
    return _one_each(found)


def _unlike(face: Face, card: SeenCard) -> float:
    """What a card counts as further away, in card widths, that was read otherwise; a suit partly covered is a guess."""
    if face == card.face:
        return 0.0
    return GUESSED_SUIT if face.rank == card.face.rank and len(card.corners) < 2 else SAME_PLACE


def moved_together(
    group: Mapping[int, tuple[Face, Floats]], cards: Mapping[int, SeenCard], width: float
) -> dict[int, int]:
    """For each card by its index the track of ``group`` that was pushed there; empty if the group was not.

    The shift on which most faces agree counts, if more than half of the group's cards that showed were found so.
    """
    best: dict[int, int] = {}
    for face, outline in group.values():
        for card in cards.values():
            if card.face != face:
                continue
            shift = centre(floats(card.quad)) - centre(outline)
            if float(np.hypot(*shift)) > PUSHED * width:
                continue
            found = []
            for number, (name, own) in group.items():
                for i, other in cards.items():
                    apart = float(np.hypot(*(centre(floats(other.quad)) - centre(own) - shift))) / width
                    if other.face.rank == name.rank and apart < MOVED_TOGETHER:  # a suit may be read otherwise
                        found.append((apart + (0.0 if other.face == name else MOVED_TOGETHER), number, i))
            pairs = _one_each(found)
            if len(pairs) > len(best):
                best = pairs
    return best if len(best) * 2 > len(group) else {}


def lies_across(outline: Floats, other: Floats) -> bool:
    """Whether a card, an outline (4, 2), lies across another."""
    (ax, ay), (bx, by) = (_long_side(one) for one in (outline, other))
    return bool(abs(ax * bx + ay * by) < abs(ax * by - ay * bx))


def _long_side(outline: Floats) -> Floats:
    sides = outline[1] - outline[0], outline[3] - outline[0]
    return max(sides, key=lambda side: float(np.hypot(*side)))


def covered(outline: Floats, others: Sequence[Floats], share: float = 0.45) -> bool:
    """Whether one of the ``others`` lies over an outline by that share of it at least."""
    return any(overlap_share(outline, other) >= share for other in others)


def near_any(outline: Floats, others: Sequence[Floats], within: float) -> bool:
    """Whether an outline's centre is within so many card widths of the centre of one of the others."""
    here = centre(outline)
    return any(float(np.hypot(*(centre(other) - here))) <= within * quad_width(other) for other in others)


def _one_each(found: list[tuple[float, int, int]]) -> dict[int, int]:
    """Pairs, the best first, each track and each card once; by card."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, number, i in sorted(found):
        if number not in taken and i not in pairs:
            pairs[i] = number
            taken.add(number)
    return pairs
