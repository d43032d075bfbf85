"""The table is flat and its cards are of one size: outlines predicted one by one, brought into line with each other.

A camera over a table sees its plane through a homography. Up to where a card lies and how it is turned, that leaves
five numbers for the whole picture: two for the line at infinity, which areas tell, as the cube root of the area of
equal things is linear in place (Chum and Matas, *Planar affine rectification from change of scale*, 2010), and three
for the metric of what is left. Most of a card in a tight row is hidden, so its far corners are guessed; the table as a
whole tells where they must be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Doubles, Floats, floats
from vision.detect.detector import Detections
from vision.geometry import RATIO, sane

LEAST = 12
"""Fewer outlines than this say too little of the table: a pile alone, one card over another, has led far astray."""
ROUNDS = 6
RATIOS = (1.25, 1.65)
CORNER_WEIGHTS = (1.0, 0.05, 0.01)
"""How well an outline's corners are known: at its own index, beside it, far off."""
LEAST_SURE = 0.1
"""Finds less sure than this say nothing of the table."""
SLOPE_PRIOR = 0.3
"""How steeply size may change across the picture before the outlines must show it well."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """``slope`` (2,) and ``origin`` (2,): a point x goes to (x - origin) / (1 + slope . (x - origin)); then ``flat``
    (2, 2) brings it to widths of a card. ``ratio`` is a card's height in its widths, ``spread`` how far outlines
    stray from the plane's size, as a share of it."""

    origin: Doubles
    slope: Doubles
    flat: Doubles
    ratio: float
    spread: float

    def onto(self, points: NDArray[np.floating]) -> Doubles:
        """Points (..., 2) in pixels to the table, in card widths."""
        away = points - self.origin
        return np.asarray((away / (1 + away @ self.slope)[..., None]) @ self.flat.T, np.float64)

    def back(self, points: NDArray[np.floating]) -> Doubles:
        """Points (..., 2) on the table, in card widths, to pixels."""
        away = points @ np.linalg.inv(self.flat).T
        return np.asarray(away / (1 - away @ self.slope)[..., None] + self.origin, np.float64)


def _areas(quads: NDArray[np.floating]) -> Doubles:
    x, y = quads[..., 0], quads[..., 1]
    ahead = np.roll(x, -1, 1) * y - np.roll(y, -1, 1) * x
    return np.asarray(np.abs(ahead.sum(1)) / 2, np.float64)


def _robust(errors: NDArray[np.floating], weights: Doubles) -> Doubles:
    """``weights`` (n,) less for those whose ``errors`` (n,) are far from the usual (Geman-McClure)."""
    usual = max(float(np.median(np.abs(errors))) * 1.5, 1e-3)
    return np.asarray(weights / (1 + (errors / usual) ** 2) ** 2, np.float64)


def _slope(quads: Doubles, weights: Doubles) -> tuple[Doubles, Doubles]:
    """Where the picture's middle lies among the cards (2,), and how size changes per pixel from there (2,)."""
    middles, sizes = quads.mean(1), np.cbrt(_areas(quads))
    origin = np.average(middles, axis=0, weights=weights)
    reach = max(float(np.abs(middles - origin).max()), 1.0)
    given = np.column_stack([np.ones(len(quads)), (middles - origin) / reach])
    usual = float(np.median(sizes))
    fit, kept = np.array([usual, 0.0, 0.0]), weights
    for _ in range(ROUNDS):
        kept = _robust(given @ fit / sizes - 1, weights)
        pull = np.diag([0.0, 1.0, 1.0]) / (SLOPE_PRIOR * usual) ** 2 * (0.05 * usual) ** 2 * kept.max()
        fit = np.linalg.solve(given.T @ (given * kept[:, None]) + pull, given.T @ (sizes * kept))
    slope = fit[1:] / fit[0] / reach
    return origin, slope


def _metric(quads: Doubles, weights: Doubles) -> tuple[Doubles, float, Doubles]:
    """The map (2, 2) that makes the cards ``quads`` (n, 4, 2) upright rectangles one wide, their height, and by how
    much each strays from it (n,)."""
    along = ((quads[:, 1] - quads[:, 0]) + (quads[:, 2] - quads[:, 3])) / 2
    down = ((quads[:, 3] - quads[:, 0]) + (quads[:, 2] - quads[:, 1])) / 2
    ratio, kept, stray = RATIO, weights, np.zeros(len(quads))
    flat = np.eye(2)
    for _ in range(ROUNDS):
        both = np.stack([along, down / ratio], 2)  # (n, 2, 2), columns a width and a height of one card
        spread = np.einsum("nij,nkj->nik", both, both)
        mean = np.einsum("n,nij->ij", kept, spread) / kept.sum()
        flat = np.linalg.inv(np.linalg.cholesky(mean))
        flat_spread = flat @ spread @ flat.T
        stray = np.sqrt(((flat_spread - np.eye(2)) ** 2).sum((1, 2)))
        kept = _robust(stray, weights)
        wide, tall = np.hypot(*(flat @ along.T)), np.hypot(*(flat @ down.T))
        ratio = float(np.clip(np.average(tall / np.maximum(wide, 1e-6), weights=kept), *RATIOS))
    return flat, ratio, stray


def fit_plane(quads: Floats, weights: NDArray[np.floating]) -> Plane | None:
    """The plane that the outlines ``quads`` (n, 4, 2) lie in, the surer (``weights`` (n,)) the more they count; None
    where they are too few."""
    if (weights > 0).sum() < LEAST:
        return None
    given, sure = np.asarray(quads, np.float64), np.asarray(weights, np.float64)
    origin, slope = _slope(given, sure)
    level = Plane(origin, slope, np.eye(2), RATIO, 0.0)
    if (1 + (given - origin) @ slope).min() < 0.2:
        return None
    flat, ratio, stray = _metric(level.onto(given), sure)
    return Plane(origin, slope, flat, ratio, float(np.median(stray)))


def fit_to_plane(plane: Plane, quads: Floats, rights: NDArray[np.bool_]) -> Floats:
    """Each outline (n, 4, 2) as the card of the plane's size that fits it best, above all at the corner of its index:
    the first, or the second where ``rights`` (n,)."""
    given = plane.onto(np.asarray(quads, np.float64))
    card = np.array([[0, 0], [1, 0], [1, plane.ratio], [0, plane.ratio]])
    weights = np.full((len(quads), 4), CORNER_WEIGHTS[1])
    own = np.asarray(rights, int)
    rows = np.arange(len(quads))
    weights[rows, own], weights[rows, (own + 2) % 4] = CORNER_WEIGHTS[0], CORNER_WEIGHTS[2]
    weights /= weights.sum(1, keepdims=True)
    middle, about = np.einsum("nk,nkj->nj", weights, given), weights @ card
    there, here = given - middle[:, None], card[None] - about[:, None]
    cos = np.einsum("nk,nkj,nkj->n", weights, here, there)
    sin = np.einsum("nk,nk->n", weights, here[..., 0] * there[..., 1] - here[..., 1] * there[..., 0])
    angle = np.arctan2(sin, cos)
    turn = np.stack([np.stack([np.cos(angle), -np.sin(angle)], 1), np.stack([np.sin(angle), np.cos(angle)], 1)], 1)
    return floats(plane.back(np.einsum("nij,nkj->nki", turn, here) + middle[:, None]))


def align_to_plane(found: Detections, sure: NDArray[np.floating]) -> Detections:
    """The same finds with each outline as a card of the size that the table's other cards have there; ``sure`` (n,)
    says how far each can be trusted, 0..1. Nothing changes where too few can be."""
    usable = sane(found.quads)
    good = usable & (np.asarray(sure) > LEAST_SURE)
    plane = fit_plane(found.quads[good], np.asarray(sure)[good])
    if plane is None:
        return found
    quads = found.quads.copy()
    quads[usable] = fit_to_plane(plane, found.quads[usable], found.index_on_right_by_box()[usable])
    return Detections(found.boxes, found.scores, quads)
