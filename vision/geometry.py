"""Geometry of card outlines: homographies, distances, overlaps, and which outlines can be a card.

An outline (4, 2) has its corners in pixels, clockwise from the top left as its index is read.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Flags, Floats, doubles, floats

UNIT: Floats = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
RATIO = 1.4
"""Height of a card against its width where the outlines do not tell (63 x 88 mm)."""
BOX_SHARE = (0.18, 0.29)
"""Share of the card's width and height that the box of an index covers; baked into the detector's weights."""
MIN_SIDE = 4
"""Shortest side of a card in pixels; nothing can be read of smaller ones."""
MAX_SIDE_RATIO = 2.5
"""Opposite sides of a card may differ by this factor, in a steep view."""
MIN_ASPECT, MAX_ASPECT = 0.35, 4.5
"""Limits of a card's height against its width, in a steep view."""
MIN_AREA = 1e-9
"""Square pixels; stands in for the area where three corners of an outline lie on a line."""


def log_odds(shares: Floats, margin: float = 1e-4) -> Floats:
    """The log odds of probabilities, clipped to ``margin`` from 0 and 1."""
    shares = np.clip(shares, margin, 1 - margin)
    return floats(np.log(shares / (1 - shares)))


def quad_width(quad: Floats) -> float:
    """The width of the card outlined by ``quad`` (4, 2): the mean of its two short sides, in pixels."""
    return float(np.hypot(*(quad[1] - quad[0])) + np.hypot(*(quad[2] - quad[3]))) / 2


def card_widths(quads: Floats) -> Floats:
    """The width of each card, the mean of its two short sides, (n,) pixels; ``quads`` are (n, 4, 2)."""
    top, bottom = (quads[:, a] - quads[:, b] for a, b in ((1, 0), (2, 3)))
    return floats((np.hypot(*top.T) + np.hypot(*bottom.T)) / 2)


def distances(points: Floats) -> Floats:
    """Distances (n, n) between all ``points`` (n, 2)."""
    return floats(np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1)))


def outline_homographies(quads: NDArray[np.floating]) -> Doubles:
    """Homographies (..., 3, 3) from the unit square to outlines (..., 4, 2).

    In closed form (Heckbert, *Fundamentals of texture mapping and image warping*, 1989).
    """
    one, two, three, four = np.moveaxis(np.asarray(quads, np.float64), -2, 0)
    across, down, skew = two - three, four - three, one - two + three - four

    def cross(a: Doubles, b: Doubles) -> Doubles:
        return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0], np.float64)

    area = cross(across, down)
    area = np.where(np.abs(area) < MIN_AREA, MIN_AREA, area)
    g, h = (cross(skew, down) / area)[..., None], (cross(across, skew) / area)[..., None]
    onto = np.stack([two - one + g * two, four - one + h * four, one], -1)
    return np.concatenate([onto, np.stack([g, h, np.ones_like(g)], -1)], -2)


def apply_homography(matrices: Doubles, points: NDArray[np.floating]) -> Doubles:
    """The ``points`` (..., m, 2) mapped by the homographies (..., 3, 3)."""
    mapped = points @ np.swapaxes(matrices[..., :2], -1, -2) + matrices[..., None, :, 2]
    return np.asarray(mapped[..., :2] / mapped[..., 2:], np.float64)


def position_on_card(quads: Floats, points: Floats) -> Floats:
    """Positions of ``points`` (..., 2) on the cards outlined by ``quads`` (..., 4, 2), in their widths and heights.

    (0, 0) is the first corner, (1, 1) the opposite one; meaningless where an outline has no area.
    """
    onto = outline_homographies(quads)
    flat = np.abs(np.linalg.det(onto)) < MIN_AREA
    back = np.linalg.inv(np.where(flat[..., None, None], np.eye(3), onto))
    return floats(apply_homography(doubles(back), points[..., None, :])[..., 0, :])


def card_beside(quads: Floats, back: bool = False) -> Floats:
    """The outline (..., 4, 2) of the neighbouring card that has in its left corner the index in this card's right one.

    With ``back`` the other way: the card that has in its right corner the index in this card's left one.
    """
    along = (quads[..., 1:2, :] - quads[..., :1, :]) * (1 - BOX_SHARE[0])
    return floats(quads - along if back else quads + along)


def plausible(quads: Floats) -> Flags:
    """Whether outlines (n, 4, 2) can be cards, (n,): convex, not mirrored, of a shape that a steep view allows."""
    sides = np.roll(quads, -1, axis=1) - quads
    following = np.roll(sides, -1, axis=1)
    turns = sides[..., 0] * following[..., 1] - sides[..., 1] * following[..., 0]
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    # positive turns are clockwise, because y points down
    convex = (turns > 0).all(1) & (lengths.min(1, initial=np.inf) >= MIN_SIDE)
    lengths = np.maximum(lengths, 1)
    side_ratio = np.abs(np.log(lengths[:, :2] / lengths[:, 2:])).max(1, initial=0)
    aspect = (lengths[:, 1] + lengths[:, 3]) / (lengths[:, 0] + lengths[:, 2])
    return np.asarray(
        convex & (side_ratio <= np.log(MAX_SIDE_RATIO)) & (aspect > MIN_ASPECT) & (aspect < MAX_ASPECT), bool
    )


def overlap_share(a: Floats, b: Floats) -> float:
    """The area that two outlines share, as a share of the smaller one."""
    area, _ = cv2.intersectConvexConvex(np.asarray(a, np.float32), np.asarray(b, np.float32))
    smaller = min(cv2.contourArea(np.asarray(a, np.float32)), cv2.contourArea(np.asarray(b, np.float32)))
    return float(area) / max(float(smaller), 1.0)


def corners_apart(outline: Floats, others: Floats) -> Floats:
    """Mean distance of the corners of an outline (4, 2) from those of ``others`` (n, 4, 2), either way up, (n,)
    pixels."""
    both_ways = np.stack([others, np.roll(others, 2, axis=1)])
    return floats(np.hypot(*np.moveaxis(both_ways - outline, -1, 0)).mean(2).min(0))


def expanded(quad: Floats, margin: float) -> Floats:
    """The outline with its corners moved away from its centre by ``margin`` card widths."""
    centre = quad.mean(0)
    away = quad - centre
    distance = np.maximum(np.hypot(*away.T)[:, None], 1e-6)
    return np.asarray(quad + away / distance * (margin * quad_width(quad)), np.float32)


def flattened(pixels: NDArray[np.uint8], quad: Floats, size: tuple[int, int], margin: int) -> NDArray[np.uint8]:
    """The card outlined by ``quad`` (4, 2) seen from above, with ``margin`` pixels of its surroundings on each side.

    ``size`` is the card's width and height; the picture's border goes on outside it.
    """
    onto = outline_homographies(quad[None])[0] @ np.diag([1 / size[0], 1 / size[1], 1])
    onto = onto @ np.array([[1, 0, -margin], [0, 1, -margin], [0, 0, 1.0]])
    whole, flags = (size[0] + 2 * margin, size[1] + 2 * margin), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(pixels, onto, whole, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


Offsets = Sequence[tuple[float, float]] | NDArray[np.integer]


def with_sides_moved(quad: Floats, size: tuple[int, int], offsets: Offsets) -> Floats:
    """The outline (4, 2) with its sides moved inwards.

    Args:
        quad: the outline.
        size: width and height of the card as it is measured.
        offsets: how far the ends of the upper, right, lower and left side move, (4, 2), in pixels of that size.
    """
    (t0, t1), (r0, r1), (b0, b1), (l0, l1) = offsets
    w, h = size
    ends = [((0, t0), (w, t1)), ((w - r0, 0), (w - r1, h)), ((w, h - b0), (0, h - b1)), ((l0, h), (l1, 0))]
    edges = [np.cross([*start, 1], [*end, 1]) for start, end in ends]
    meetings = np.stack([np.cross(edges[n - 1], edges[n]) for n in range(4)]).astype(float)
    corners = meetings[:, :2] / meetings[:, 2:] / size
    return floats(apply_homography(outline_homographies(quad[None])[0], corners))


def corner_region(quads: Floats, index_on_right: bool | Flags, share: tuple[float, float]) -> Floats:
    """The corner regions (..., 4, 2) of cards ``quads`` (..., 4, 2) that cover ``share`` of their width and height.

    At the first corner or, where ``index_on_right`` (...), at the second.
    """
    region = UNIT * floats(share) + np.asarray(index_on_right)[..., None, None] * floats([1 - share[0], 0])
    return floats(apply_homography(outline_homographies(quads), region))
