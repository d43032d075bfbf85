"""The camera over the table: perspective and lens distortion."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.arrays import Floats, Picture, doubles, floats
from datasets.scenes.layouts import CARD_MM, SceneCard
from datasets.scenes.surroundings.clutter import Owner

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """A camera over the table.

    Attributes:
        table: the homography from millimetres on the table (origin at its centre) to pixels.
        up: what a millimetre of height adds to homogeneous pixels, (3,).
    """

    table: Matrix
    up: NDArray[np.float64]

    @property
    def tilt(self) -> float:
        """Its angle from the vertical, in radians."""
        return float(np.arccos(np.clip(-self.up[2], -1, 1)))


def sample_camera(
    rng: np.random.Generator,
    width: int,
    height: int,
    card_pixels: float,
    max_tilt: float,
    tilts: tuple[float, float] | None = None,
    turn: float | None = None,
) -> Camera:
    """Samples a camera over a table ``width`` times ``height`` pixels large, on which a card is ``card_pixels`` wide.

    Its angle from the vertical is at most ``max_tilt``, mostly much less, or anything in the range ``tilts``; radians.
    ``turn`` is its rotation about the vertical, in radians; by default any, or nearly none.
    """
    focal = float(rng.uniform(0.9, 2.2)) * max(width, height)
    distance = focal * CARD_MM / card_pixels
    if turn is None:
        turn = float(rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.12))
    tilt = min(abs(float(rng.normal(0, max_tilt / 2))), max_tilt) if rng.random() < 0.85 else 0.0
    if tilts:
        tilt = float(rng.uniform(*tilts))
    axis = float(rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else rng.normal(0, 0.2))
    spin, _ = cv2.Rodrigues(doubles([0, 0, turn]))
    lean, _ = cv2.Rodrigues(doubles([np.cos(axis), np.sin(axis), 0]) * -tilt)
    pose = lean @ spin
    flat = np.column_stack([pose[:, 0], pose[:, 1], doubles([0, 0, distance])])
    lens = doubles([[focal, 0.0, width / 2], [0.0, focal, height / 2], [0.0, 0.0, 1.0]])
    return Camera(np.asarray(lens @ flat, np.float64), np.asarray(-lens @ pose[:, 2], np.float64))


def card_outline(card: SceneCard, camera: Matrix) -> tuple[Floats, Matrix]:
    """Returns the corners in pixels, (4, 2), of a card that lies flat, and the homography from its unit square to
    pixels."""
    onto = camera @ card_place(card)
    unit = doubles([[[0, 0], [1, 0], [1, 1], [0, 1]]])
    return np.asarray(cv2.perspectiveTransform(unit, onto)[0], np.float32), onto


def card_place(card: SceneCard) -> Matrix:
    """Returns the matrix from the unit square of a card to millimetres on the table."""
    wide = CARD_MM * card.size
    tall = wide * card.deck.height / card.deck.back.shape[1]
    cos, sin = np.cos(card.turn), np.sin(card.turn)
    return doubles(
        [
            [cos * wide, -sin * tall, card.x - cos * wide / 2 + sin * tall / 2],
            [sin * wide, cos * tall, card.y - sin * wide / 2 - cos * tall / 2],
            [0, 0, 1],
        ]
    )


def in_front_of_camera(quad: Floats, onto: Matrix, width: int, height: int) -> bool:
    """Tells whether a card lies entirely in front of a tilted camera, and not so close that it is blown up."""
    depths = onto[2] @ doubles([[0, 1, 1, 0], [0, 0, 1, 1], [1, 1, 1, 1]])
    return bool((depths > 0).all() and np.ptp(quad, axis=0).max() < 2 * max(width, height))


def distort_points(points: Floats, strength: float, width: int, height: int) -> Floats:
    """Applies radial lens distortion of ``strength`` to points (n, 2) in pixels."""
    middle, scale = floats([width / 2, height / 2]), max(width, height) / 2
    undistorted = (points - middle) / scale
    distorted = undistorted.copy()
    for _ in range(6):  # inverse of p = q (1 + k |q|^2)
        # the formula diverges far outside the picture, where nothing is visible
        distorted = undistorted / (1 + strength * np.minimum((distorted**2).sum(-1, keepdims=True), 4))
    return np.asarray(distorted * scale + middle, np.float32)


def distort_picture(picture: Picture, owner: Owner, strength: float) -> tuple[Picture, Owner]:
    """Applies radial lens distortion of ``strength`` to a picture and its ``owner`` map."""
    height, width = picture.shape[:2]
    scale = max(width, height) / 2
    x = (np.arange(width, dtype=np.float32) - width / 2) / scale
    y = (np.arange(height, dtype=np.float32) - height / 2) / scale
    factor = 1 + strength * (x[None, :] ** 2 + y[:, None] ** 2)
    map_x, map_y = x[None, :] * factor * scale + width / 2, y[:, None] * factor * scale + height / 2
    distorted = cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    owned = cv2.remap(owner, map_x, map_y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=-1)
    return np.asarray(distorted, np.uint8), np.asarray(owned, np.int16)
