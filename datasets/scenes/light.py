"""Photographic effects: light, lens, sensor and compression."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.arrays import Floats, Picture, floats
from datasets.scenes.surroundings.backgrounds import noise


def _shadows(rng: np.random.Generator, picture: Floats) -> None:
    """Darkens polygons by up to two thirds, with hard or soft edges: window bars, an arm before a lamp."""
    height, width = picture.shape[:2]
    field = np.ones((height // 2, width // 2), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        corners = rng.uniform(-0.2, 1.2, (int(rng.integers(3, 6)), 2)) * (width // 2, height // 2)
        cv2.fillPoly(field, [cv2.convexHull(corners.astype(np.int32))], float(rng.uniform(0.35, 0.85)))
    softness = float(rng.uniform(0.5, 14))
    field = cv2.GaussianBlur(field, (0, 0), softness)
    picture *= cv2.resize(field, (width, height))[..., None]


def _glare(rng: np.random.Generator, picture: Floats) -> None:
    height, width = picture.shape[:2]
    field = np.zeros((height // 4, width // 4), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        centre = (int(rng.integers(width // 4)), int(rng.integers(height // 4)))
        axes = (int(rng.integers(3, 40)), int(rng.integers(3, 25)))
        cv2.ellipse(field, centre, axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(30, 190)), -1)
    field = cv2.GaussianBlur(field, (0, 0), float(rng.uniform(1, 9)))
    picture += cv2.resize(field, (width, height))[..., None]


def _motion_blur(rng: np.random.Generator, picture: Picture, longest: float) -> Picture:
    length = int(rng.integers(2, max(int(longest), 3) + 1))
    kernel = np.zeros((length * 2 + 1,) * 2, np.float32)
    angle = rng.uniform(0, np.pi)
    tip = (round(length + length / 2 * np.cos(angle)), round(length + length / 2 * np.sin(angle)))
    tail = (round(length - length / 2 * np.cos(angle)), round(length - length / 2 * np.sin(angle)))
    cv2.line(kernel, tail, tip, 1.0, 1, cv2.LINE_AA)
    return np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)


def _colour_cast(rng: np.random.Generator, picture: Floats) -> Floats:
    gain = rng.normal(1, 0.07, 3).astype(np.float32)
    if rng.random() < 0.25:  # warm lamp
        gain *= floats([rng.uniform(0.6, 0.95), 0.95, 1.05])
    picture = picture * gain
    if rng.random() < 0.12:
        grey = picture.mean(2, keepdims=True)
        picture = grey + (picture - grey) * rng.uniform(0, 0.6)
    return picture


def _unusual_light(rng: np.random.Generator, picture: Floats) -> None:
    """Light that no training has: a lens that darkens the corners, two lamps of different colour, bands of an LED lamp,
    and haze."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    picture *= (1 - rng.uniform(0.1, 0.45) * (x**2 + y**2) / 2)[..., None]
    angle, colours = rng.uniform(0, 2 * np.pi), rng.uniform(0.75, 1.2, (2, 3)).astype(np.float32)
    share = (0.5 + 0.5 * np.clip(x * np.cos(angle) + y * np.sin(angle), -1, 1))[..., None].astype(np.float32)
    picture *= colours[0] * share + colours[1] * (1 - share)
    if rng.random() < 0.4:
        bands = 1 + rng.uniform(0.03, 0.12) * np.sin(np.arange(height) * 2 * np.pi / rng.uniform(20, 120))
        picture *= bands[:, None, None].astype(np.float32)
    if rng.random() < 0.4:
        haze = float(rng.uniform(0.05, 0.25))
        picture *= 1 - haze
        picture += haze * 235


def photograph(rng: np.random.Generator, picture: Picture, card_pixels: float, unusual_light: bool = False) -> Picture:
    """Applies light, exposure, blur, noise and compression; the geometry stays unchanged.

    ``card_pixels`` is the width of a card in the picture: it limits the blur, so that indices stay readable.
    ``unusual_light`` adds light that is kept from all training.
    """
    height, width = picture.shape[:2]
    lit = picture.astype(np.float32)
    lit *= (1 + 0.25 * rng.random() * noise(rng, height, width, (3, 3)))[..., None]
    if rng.random() < 0.35:
        _shadows(rng, lit)
    if rng.random() < 0.2:
        _glare(rng, lit)
    if unusual_light:
        _unusual_light(rng, lit)
    lit = _colour_cast(rng, lit)
    # exposure and contrast: from a dim kitchen to a burnt-out window seat
    level = float(np.exp(rng.normal(0, 0.28)))
    lit = np.clip(lit, 0, 320) * level
    contrast = rng.uniform(0.55, 1.2)
    lit = (lit - 128) * contrast + 128 + rng.normal(0, 18)
    shot = np.clip(lit, 0, 255).astype(np.uint8)
    sharp = card_pixels / 120  # 1 when an index is about 17 px wide
    if rng.random() < 0.55:
        shot = np.asarray(cv2.GaussianBlur(shot, (0, 0), float(rng.uniform(0.3, 0.5 + 0.9 * sharp))), np.uint8)
    if rng.random() < 0.12 and sharp > 0.5:
        shot = _motion_blur(rng, shot, 4 * sharp)
    if rng.random() < 0.2:  # in-camera sharpening
        soft = cv2.GaussianBlur(shot, (0, 0), 1.2)
        shot = np.asarray(cv2.addWeighted(shot, 1.8, soft, -0.8, 0), np.uint8)
    if rng.random() < 0.6:
        grain = rng.standard_normal((height, width, 3), np.float32) * float(rng.uniform(1, 13))
        shot = np.clip(shot + grain, 0, 255).astype(np.uint8)
    if rng.random() < 0.08:  # dead and hot pixels
        spots = rng.random((height, width)) < rng.uniform(0.001, 0.012)
        shot[spots] = rng.choice([0, 255], int(spots.sum()))[:, None]
    if rng.random() < 0.6:
        quality = int(rng.integers(30, 96))
        shot = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR), np.uint8
        )
    return shot
