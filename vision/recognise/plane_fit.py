"""Fits the plane of the table: it is flat and its cards have one size, which corrects outlines predicted one by one.

A camera over a table sees its plane through a homography. Apart from position and rotation, five numbers describe it:
two for the line at infinity, which areas reveal, because the cube root of the area of equal things is linear in
position (Chum and Matas, *Planar affine rectification from change of scale*, 2010), and three for the remaining affine
map. Most of a card in a tight row is hidden and its far corners are guesses; the plane tells where they must be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, floats
from vision.detect.detections import Detections
from vision.geometry import RATIO, plausible

AnyDetections = TypeVar("AnyDetections", bound=Detections)
MIN_OUTLINES = 12
"""Fewer reliable outlines do not determine the plane: a pile, one card over another, has led far astray."""
ITERATIONS = 6
"""Iterations of the reweighted least squares, enough to converge."""
RATIOS = (1.25, 1.65)
"""Limits of a card's height against its width."""
CORNER_WEIGHTS = (1.0, 0.05, 0.01)
"""How exact an outline's corners are: at its index, beside it, opposite."""
MIN_TRUST = 0.1
"""Less reliable outlines have no say in where the plane lies."""
SLOPE_PRIOR = 0.3
"""Expected change of size across the picture; a larger one must be well supported."""
SIZE_NOISE = 0.05
"""Expected error of a card's size, as a share of it."""
MIN_DEPTH = 0.2
"""Of any corner against the plane's origin; a steeper plane is a failed fit."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """The map between picture and table.

    A point x goes to (x - origin) / (1 + slope . (x - origin)), then ``affine`` brings it to card widths.

    Attributes:
        origin: (2,), pixels.
        slope: (2,), change of size per pixel.
        affine: (2, 2).
        ratio: height of a card in card widths.
        spread: median deviation of the outlines from the plane's card, as a share of its size.
    """

    origin: Doubles
    slope: Doubles
    affine: Doubles
    ratio: float
    spread: float

    def to_table(self, points: NDArray[np.floating]) -> Doubles:
        """Points (..., 2) in pixels to card widths on the table."""
        offset = points - self.origin
        return np.asarray((offset / (1 + offset @ self.slope)[..., None]) @ self.affine.T, np.float64)

    def to_picture(self, points: NDArray[np.floating]) -> Doubles:
        """Points (..., 2) in card widths on the table to pixels."""
        offset = points @ np.linalg.inv(self.affine).T
        return np.asarray(offset / (1 - offset @ self.slope)[..., None] + self.origin, np.float64)


def _areas(quads: NDArray[np.floating]) -> Doubles:
    """Areas of the outlines (n, 4, 2), (n,), by the shoelace formula."""
    x, y = quads[..., 0], quads[..., 1]
    crossed = np.roll(x, -1, 1) * y - np.roll(y, -1, 1) * x
    return np.asarray(np.abs(crossed.sum(1)) / 2, np.float64)


def _reweighted(errors: NDArray[np.floating], weights: Doubles) -> Doubles:
    """``weights`` (n,), reduced for outliers by their ``errors`` (n,) (Geman-McClure)."""
    usual = max(float(np.median(np.abs(errors))) * 1.5, 1e-3)
    return np.asarray(weights / (1 + (errors / usual) ** 2) ** 2, np.float64)


def _fit_slope(quads: Doubles, weights: Doubles) -> tuple[Doubles, Doubles]:
    """The weighted centre of the cards (2,), and the change of size per pixel from there (2,)."""
    centres, sizes = quads.mean(1), np.cbrt(_areas(quads))
    origin = np.average(centres, axis=0, weights=weights)
    reach = max(float(np.abs(centres - origin).max()), 1.0)
    design = np.column_stack([np.ones(len(quads)), (centres - origin) / reach])
    usual = float(np.median(sizes))
    solution, robust = np.array([usual, 0.0, 0.0]), weights
    for _ in range(ITERATIONS):
        robust = _reweighted(design @ solution / sizes - 1, weights)
        prior = np.diag([0.0, 1.0, 1.0]) / (SLOPE_PRIOR * usual) ** 2 * (SIZE_NOISE * usual) ** 2 * robust.max()
        solution = np.linalg.solve(design.T @ (design * robust[:, None]) + prior, design.T @ (sizes * robust))
    slope = solution[1:] / solution[0] / reach
    return origin, slope


def _fit_affine(quads: Doubles, weights: Doubles) -> tuple[Doubles, float, Doubles]:
    """The map (2, 2) that makes the cards ``quads`` (n, 4, 2) upright rectangles one wide.

    Returns also their height, and by how much each deviates from that rectangle (n,).
    """
    along = ((quads[:, 1] - quads[:, 0]) + (quads[:, 2] - quads[:, 3])) / 2
    down = ((quads[:, 3] - quads[:, 0]) + (quads[:, 2] - quads[:, 1])) / 2
    ratio, robust, deviation = RATIO, weights, np.zeros(len(quads))
    affine = np.eye(2)
    for _ in range(ITERATIONS):
        axes = np.stack([along, down / ratio], 2)  # (n, 2, 2), columns a width and a height of one card
        covariance = np.einsum("nij,nkj->nik", axes, axes)
        mean = np.einsum("n,nij->ij", robust, covariance) / robust.sum()
        affine = np.linalg.inv(np.linalg.cholesky(mean))
        whitened = affine @ covariance @ affine.T
        deviation = np.sqrt(((whitened - np.eye(2)) ** 2).sum((1, 2)))
        robust = _reweighted(deviation, weights)
        width, height = np.hypot(*(affine @ along.T)), np.hypot(*(affine @ down.T))
        ratio = float(np.clip(np.average(height / np.maximum(width, 1e-6), weights=robust), *RATIOS))
    return affine, ratio, deviation


def fit_plane(quads: Floats, weights: NDArray[np.floating]) -> Plane | None:
    """The plane of the outlines ``quads`` (n, 4, 2), weighted by ``weights`` (n,); None where they are too few."""
    if (weights > 0).sum() < MIN_OUTLINES:
        return None
    outlines, trust = np.asarray(quads, np.float64), np.asarray(weights, np.float64)
    origin, slope = _fit_slope(outlines, trust)
    if (1 + (outlines - origin) @ slope).min() < MIN_DEPTH:
        return None
    level = Plane(origin, slope, np.eye(2), RATIO, 0.0)
    affine, ratio, deviation = _fit_affine(level.to_table(outlines), trust)
    return Plane(origin, slope, affine, ratio, float(np.median(deviation)))


def fit_to_plane(plane: Plane, quads: Floats, index_on_right: NDArray[np.bool_]) -> Floats:
    """Each outline (n, 4, 2) as the card of the plane's size that fits it best, above all at the corner of its index.

    A weighted rigid fit (Procrustes) on the table; the index is at the first corner, or at the second where
    ``index_on_right`` (n,).
    """
    outlines = plane.to_table(np.asarray(quads, np.float64))
    card = np.array([[0, 0], [1, 0], [1, plane.ratio], [0, plane.ratio]])
    weights = np.full((len(quads), 4), CORNER_WEIGHTS[1])
    own = np.asarray(index_on_right, int)
    rows = np.arange(len(quads))
    weights[rows, own], weights[rows, (own + 2) % 4] = CORNER_WEIGHTS[0], CORNER_WEIGHTS[2]
    weights /= weights.sum(1, keepdims=True)
    centre, card_centre = np.einsum("nk,nkj->nj", weights, outlines), weights @ card
    target, source = outlines - centre[:, None], card[None] - card_centre[:, None]
    cos = np.einsum("nk,nkj,nkj->n", weights, source, target)
    sin = np.einsum("nk,nk->n", weights, source[..., 0] * target[..., 1] - source[..., 1] * target[..., 0])
    angle = np.arctan2(sin, cos)
    turn = np.stack([np.stack([np.cos(angle), -np.sin(angle)], 1), np.stack([np.sin(angle), np.cos(angle)], 1)], 1)
    return floats(plane.to_picture(np.einsum("nij,nkj->nki", turn, source) + centre[:, None]))


def align_to_plane(detections: AnyDetections, trust: NDArray[np.floating]) -> AnyDetections:
    """The same detections, each outline as large as the table's other cards are there.

    ``trust`` (n,) says how reliable each outline is, 0..1. Nothing changes where too few are reliable.
    """
    usable = plausible(detections.quads)
    reliable = usable & (np.asarray(trust) > MIN_TRUST)
    plane = fit_plane(detections.quads[reliable], np.asarray(trust)[reliable])
    if plane is None:
        return detections
    quads = detections.quads.copy()
    quads[usable] = fit_to_plane(plane, detections.quads[usable], detections.index_on_right_by_box()[usable])
    return replace(detections, quads=quads)
