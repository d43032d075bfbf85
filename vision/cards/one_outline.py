"""Joins indices whose paper is one closed outline, whatever size and shape of card each of them predicted.

Pairing compares predicted outlines, which are wrong for cards of unusual proportions, with large indices, or seen from
low down. But the corner at which an index stands, and the directions of its card's edges there, are exact: two indices
at opposite corners give a whole outline. Whether it is one card is seen in the picture: the paper's edge shows along
it, and no other edge runs across. Where one of two cards lies on the other, its edge does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import cv2
import numpy as np

from vision.arrays import Floats, floats
from vision.cards.pairing import Member
from vision.geometry import flattened, plausible, quad_width, with_sides_moved
from vision.values import Pixels

OPPOSITE = -0.85
"""Greatest cosine of the angle between the top edges of two indices that face opposite ways."""
SIZES = (0.6, 1.6)
"""Least and greatest width and height of the joint outline against what each of its indices predicted."""
FLAT = (192, 272)
"""Width and height in pixels of the rectified card."""
MARGIN, SEARCH = 32, 20
"""Pixels of its surroundings on each side; a side is looked for up to SEARCH from where it is expected."""
PASSES = 2
"""So many times the sides are looked for."""
CORNER = 0.1
"""Share of a side at each end that is not looked at, since corners are rounded."""
CLEAR = 30.0
"""Grey levels: clearer edges than this count no more when a side is looked for."""
RIM = slice(4, 9)
"""Pixels from the edge in which all decks have blank paper."""
MIN_CONTRAST = 40.0
"""Grey levels between paper and print, at least, against which edges are measured."""
EDGE, CLOSED = 0.03, 0.95
"""An edge is a step of this share of that contrast from pixel to pixel; a closed side has one along this share."""
MAX_CROSSING = 0.06
"""Steps along the rim, as EDGE, above which another card's edge runs across it."""
WHOLE_SIDES = 3
"""Least number of closed sides that no edge runs across."""


def joined_by_outline(cards: Sequence[Sequence[Member]], pixels: Pixels) -> list[list[Member]]:
    """The ``cards`` with those joined that are one card in the picture (height, width, 3) BGR.

    Only cards of one face are, of which each lacks the index at the opposite corner that the other has. The members of
    a joined card have the outline that was seen.
    """
    result = [list(card) for card in cards]
    faces = [_face(card) for card in result]
    gone: set[int] = set()
    for i, j in combinations(range(len(result)), 2):
        if faces[i] == faces[j] and not {i, j} & gone:
            joined = _joined(result[i], result[j], pixels)
            if joined:
                result[i] = joined
                gone.add(j)
    return [card for n, card in enumerate(result) if n not in gone]


def _face(card: Sequence[Member]) -> tuple[int, int]:
    """The likeliest rank and suit."""
    ranks = np.prod([member.corner.ranks for member in card], axis=0)
    suits = np.prod([member.corner.suits for member in card], axis=0)
    return int(ranks.argmax()), int(suits.argmax())


def _joined(one: Sequence[Member], two: Sequence[Member], pixels: Pixels) -> list[Member] | None:
    """Both as one card, or None where they are two."""
    a = max(one, key=lambda member: member.corner.p_keep)
    b = next((member for member in two if member.corner.right == a.corner.right), None)
    # every index turned against the best one of its own card stands at another corner of the joint card
    positions = [(member.turn != a.turn, member.corner.right) for member in one]
    positions += [(member.turn == b.turn, member.corner.right) for member in two] if b else []
    if b is None or len(set(positions)) < len(positions):
        return None
    top, other_top = a.corner.quad[1] - a.corner.quad[0], b.corner.quad[1] - b.corner.quad[0]
    if top @ other_top > OPPOSITE * np.hypot(*top) * np.hypot(*other_top):
        return None
    outline = joint_outline(a.corner.quad, b.corner.quad, a.corner.right)
    if not _card_sized(outline, a.corner.quad) or not _card_sized(outline, b.corner.quad):
        return None
    outline = _as_seen(pixels, outline)
    if not plausible(outline[None])[0] or not is_one_paper(pixels, outline):
        return None
    turned = np.roll(outline, 2, axis=0)
    return [
        Member(member.index, replace(member.corner, quad=turned if turn else outline), int(turn))
        for member, (turn, _) in zip([*one, *two], positions, strict=True)
    ]


def joint_outline(a: Floats, b: Floats, right: bool = False) -> Floats:
    """The outline (4, 2), as ``a`` is read, of one card at whose opposite corners the indices of ``a`` and ``b`` (4, 2)
    stand: their upper left corners, or upper right ones if ``right``."""
    if right:  # seen in a mirror, the right corner is a left one
        mirrored = joint_outline(a[[1, 0, 3, 2]], b[[1, 0, 3, 2]])
        return mirrored[[1, 0, 3, 2]]
    corners = np.concatenate([np.stack([a, b]), np.ones((2, 4, 1))], 2)
    tops, lefts = np.cross(corners[:, 0], corners[:, 1]), np.cross(corners[:, 0], corners[:, 3])
    meetings = np.cross(tops, lefts[::-1])
    others = meetings[:, :2] / np.where(np.abs(meetings[:, 2:]) < 1e-9, 1e-9, meetings[:, 2:])
    return floats([a[0], others[0], b[0], others[1]])


def _card_sized(outline: Floats, predicted: Floats) -> bool:
    """Whether width and height are near enough to those of an index's own outline."""
    if not plausible(outline[None])[0]:
        return False
    width = quad_width(outline) / max(quad_width(predicted), 1)
    height = quad_width(np.roll(outline, -1, axis=0)) / max(quad_width(np.roll(predicted, -1, axis=0)), 1)
    return SIZES[0] < min(width, height) and max(width, height) < SIZES[1]


def _sides(pixels: Pixels, outline: Floats) -> tuple[list[Floats], float]:
    """The four sides of the rectified card from the upper one clockwise, each turned to the top, with MARGIN on both
    sides of the edge; and the contrast between paper and print in grey levels."""
    flat = floats(cv2.GaussianBlur(flattened(pixels, outline, FLAT, MARGIN), (0, 0), 1.2))
    card = flat[MARGIN:-MARGIN, MARGIN:-MARGIN]
    contrast = float(np.percentile(card.max(2), 80) - np.percentile(card.min(2), 3))
    return [np.rot90(flat, turns)[: 2 * MARGIN] for turns in range(4)], max(contrast, MIN_CONTRAST)


def _steps(side: Floats, axis: int) -> Floats:
    """Grey levels from pixel to pixel along ``axis``, the largest of the three channels, as large as ``side``."""
    return floats(np.abs(np.gradient(side, axis=axis)).max(2))


def _inner(side: Floats) -> tuple[int, int]:
    """First and last column of a side without its corners."""
    length = side.shape[1] - 2 * MARGIN
    return MARGIN + round(CORNER * length), MARGIN + round((1 - CORNER) * length)


def _as_seen(pixels: Pixels, outline: Floats) -> Floats:
    """The outline with each side moved to the clearest straight edge near it."""
    offsets = np.stack(np.meshgrid(*[np.arange(-SEARCH, SEARCH, 2)] * 2), -1).reshape(-1, 2)
    for _ in range(PASSES):
        lines = []
        for side in _sides(pixels, outline)[0]:
            first, last = _inner(side)
            columns = np.linspace(first, last, 24).astype(int)
            along = (columns - MARGIN) / (side.shape[1] - 2 * MARGIN)
            rows = np.rint(offsets[:, :1] + (offsets[:, 1:] - offsets[:, :1]) * along).astype(int)
            clear = np.minimum(_steps(side, 0), CLEAR)[rows + MARGIN, columns].mean(1)
            lines.append(offsets[int((clear - 0.15 * np.abs(offsets).mean(1)).argmax())])
        outline = with_sides_moved(outline, FLAT, lines)
    return outline


def is_one_paper(pixels: Pixels, outline: Floats) -> bool:
    """Whether one card's paper fills the ``outline`` (4, 2).

    The edge of a card on another leaves the joint outline at two sides, or lets the table show at two corners.
    """
    sides, contrast = _sides(pixels, outline)
    whole = 0
    for side in sides:
        first, last = _inner(side)
        edge = _steps(side, 0)[MARGIN - 5 : MARGIN + 6, first:last].max(0)
        across = _steps(side, 1)[MARGIN:, MARGIN + 10 : -MARGIN - 10][RIM].min(0)
        whole += bool((edge > EDGE * contrast).mean() >= CLOSED and across.max() <= MAX_CROSSING * contrast)
    return whole >= WHOLE_SIDES
