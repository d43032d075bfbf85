"""Bent cards: parts of a cylinder on the table, with exact places of their corners and indices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np

from datasets.arrays import Cutout, Floats, Picture, floats
from datasets.scenes.camera import Camera, card_place
from datasets.scenes.layouts import CARD_MM, Bend, SceneCard

STRIPS = 10
"""A bent card is drawn as so many flat strips."""
ANGLES, STEEPEST = (0.1, 0.6), 0.7
"""Range of half the arc's angle, in radians; and its largest share of the camera's height over the table, so that no
part of the card hides another."""
SHADE = 0.6
"""Largest difference of light from one end of a card to the other, per radian of its arc."""


def bent(rng: np.random.Generator, cards: Sequence[SceneCard], share: float, camera: Camera) -> list[SceneCard]:
    """The cards, a ``share`` of them bent, all of a pack to the same side."""
    most = min(ANGLES[1], STEEPEST * (np.pi / 2 - camera.tilt))
    if most < ANGLES[0]:
        return list(cards)
    lengthwise, raised = bool(rng.random() < 0.6), bool(rng.random() < 0.6)
    return [
        replace(
            card, bend=Bend(float(rng.uniform(ANGLES[0], most)), lengthwise, raised, float(rng.uniform(-SHADE, SHADE)))
        )
        if rng.random() < share
        else card
        for card in cards
    ]


def card_points(card: SceneCard, camera: Camera, points: Floats) -> Floats:
    """Where ``points`` (n, 2) of a card, in fractions of its width and height, are in the picture: (n, 2) pixels."""
    flat, high = np.array(points, np.float64), np.zeros(len(points))
    if card.bend:
        axis = int(card.bend.lengthwise)
        along = CARD_MM * card.size * (card.deck.height / card.deck.back.shape[1] if axis else 1.0)
        phi, radius = (2 * flat[:, axis] - 1) * card.bend.angle, along / (2 * card.bend.angle)
        flat[:, axis] = radius * np.sin(phi) / along + 0.5
        high = radius * (np.cos(phi) - np.cos(card.bend.angle) if card.bend.raised else 1 - np.cos(phi))
    on_table = np.column_stack([flat, np.ones(len(flat))]) @ (camera.table @ card_place(card)).T
    seen = on_table + high[:, None] * camera.up
    return floats(seen[:, :2] / seen[:, 2:])


def strips(card: SceneCard) -> list[Floats]:
    """The outlines (4, 2) of the strips of a bent card, in fractions of its width and height."""
    edges = np.linspace(0, 1, STRIPS + 1)
    made = []
    for low, high in pairwise(edges.tolist()):
        x, y = ((0.0, 1.0), (low, high)) if card.bend and card.bend.lengthwise else ((low, high), (0.0, 1.0))
        made.append(floats([[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]]))
    return made


def outline(card: SceneCard, camera: Camera) -> Floats:
    """The outline of a bent card in the picture, (n, 2) pixels, clockwise."""
    ends = np.linspace(0, 1, STRIPS + 1)
    one, other = np.zeros(STRIPS + 1), np.ones(STRIPS + 1)
    sides = [np.stack([other, ends], 1), np.stack([one, ends[::-1]], 1)]
    if card.bend and not card.bend.lengthwise:
        sides = [np.stack([ends, one], 1), np.stack([ends[::-1], other], 1)]
    return card_points(card, camera, floats(np.concatenate(sides)))


def warped(picture: Cutout, card: SceneCard, camera: Camera, low: Floats, size: tuple[int, int]) -> Cutout:
    """The ``picture`` of a bent card as the camera sees it, in a window of ``size`` (width, height) at ``low``."""
    laid = np.zeros((size[1], size[0], 4), np.uint8)
    whole = floats(picture.shape[1::-1])
    for strip in strips(card):
        seen = card_points(card, camera, strip) - floats(low)
        onto = cv2.getPerspectiveTransform(strip * whole, seen)
        mask = np.zeros((size[1], size[0]), np.uint8)
        cv2.fillConvexPoly(mask, np.round(cv2.convexHull(seen)).astype(np.int32), 255)
        mask = np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)
        part = np.asarray(cv2.warpPerspective(picture, onto, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
        if card.bend:
            part[:, :, :3] = _lit(part[:, :, :3], card.bend, float(strip.mean(0)[int(card.bend.lengthwise)]))
        laid[mask > 0] = part[mask > 0]
    return laid


def _lit(part: Picture, bend: Bend, place: float) -> Picture:
    """Lights a strip at a ``place`` 0..1 along the bent side: it is turned to the light, or from it."""
    return np.asarray((part * (1 + bend.light * (2 * place - 1) * bend.angle)).clip(0, 255), np.uint8)
