"""What comes over the cards of a film: arms that blur as they move, people who lean in, cups, phones and paper; and the
light it all is seen in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.arrays import Floats, Picture, doubles, floats
from datasets.films.changes import Cover
from datasets.scenes.backgrounds import noise
from datasets.scenes.clutter import draw_cup, draw_fingers, draw_paper

Mask = NDArray[np.uint8]
_ARM_REACH = 6.0
"""Length of hand and arm as a multiple of the hand's size."""
_SHADE = 0.35
"""How much darker the table is in the shadow of what lies or hangs over it."""


@dataclass(frozen=True)
class Cutout:
    """Something that is drawn over the table: (height, width, 3) BGR, its mask, and the point it is held at."""

    picture: Picture
    mask: Mask
    at: tuple[float, float]

    def draw(self, picture: Picture, spot: Floats, turn: float, blur: tuple[float, float] = (0.0, 0.0)) -> None:
        """Draws it with ``at`` at ``spot`` (pixels), rotated, with a shadow; ``blur`` is its motion in pixels."""
        height, width = picture.shape[:2]
        cos, sin = np.cos(turn), np.sin(turn)
        rotation = doubles([[cos, -sin], [sin, cos]])
        onto = np.column_stack([rotation, np.asarray(spot, np.float64) - rotation @ doubles(self.at)])
        tall, wide = self.mask.shape
        corners = doubles([[0, 0, 1], [wide, 0, 1], [wide, tall, 1], [0, tall, 1]]) @ onto.T
        pad = 14 + int(max(abs(blur[0]), abs(blur[1])) / 2)
        low = np.maximum(np.floor(corners.min(0)).astype(int) - pad, 0)
        high = np.minimum(np.ceil(corners.max(0)).astype(int) + pad, (width, height))
        if (high <= low).any():
            return
        onto[:, 2] -= low
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        alpha = cv2.warpAffine(self.mask, onto, size)
        colours = cv2.warpAffine(self.picture, onto, size)
        if np.hypot(*blur) > 2:
            both = np.asarray(
                cv2.merge([cv2.multiply(colours, cv2.merge([alpha] * 3), scale=1 / 255), alpha]), np.uint8
            )
            both = _along(both, blur)
            colours, alpha = both[:, :, :3], both[:, :, 3]
        else:
            colours = cv2.multiply(colours, cv2.merge([alpha] * 3), scale=1 / 255)
        shadow = cv2.blur(cv2.warpAffine(alpha, doubles([[1, 0, 5], [0, 1, 7]]), size), (15, 15))
        part = picture[low[1] : high[1], low[0] : high[0]]
        keep = cv2.multiply(255 - shadow * np.float32(_SHADE), 255 - alpha, dtype=cv2.CV_32F, scale=1 / 65025)
        shaded = cv2.multiply(part, cv2.merge([keep] * 3), dtype=cv2.CV_8U)
        part[:] = cv2.add(shaded, colours)


def _along(picture: NDArray[np.uint8], blur: tuple[float, float]) -> NDArray[np.uint8]:
    """Blurs a picture along a motion, by adding up copies of it."""
    steps = int(np.clip(np.hypot(*blur) / 4, 3, 9))
    total = np.zeros(picture.shape, np.float32)
    size = (picture.shape[1], picture.shape[0])
    for share in np.linspace(-0.5, 0.5, steps):
        onto = doubles([[1, 0, blur[0] * share], [0, 1, blur[1] * share]])
        cv2.accumulate(cv2.warpAffine(picture, onto, size), total)
    return np.asarray(total / steps, np.uint8)


def draw_arm(rng: np.random.Generator, size: int) -> Cutout:
    """A hand with its arm, seen from above, pointing up; ``size`` is the hand's in pixels."""
    hand, mask = draw_fingers(rng, size)
    skin = hand[round(size * 0.92), size // 2].astype(int)
    tall = round(size * _ARM_REACH)
    picture, cover = np.zeros((tall, size, 3), np.uint8), np.zeros((tall, size), np.uint8)
    sleeve = tuple(int(value) for value in rng.integers(20, 230, 3))
    wrist, cuff = round(size * 0.8), round(size * rng.uniform(1.2, 3.0))
    narrow, broad = size * rng.uniform(0.13, 0.17), size * rng.uniform(0.3, 0.46)
    middle = size / 2

    def section(top: float, bottom: float, extra: float, colour: tuple[int, ...]) -> None:
        a, b = (narrow + (broad - narrow) * min(y / (3 * size), 1.0) + extra for y in (top, bottom))
        outline = np.round(doubles([[middle - a, top], [middle + a, top], [middle + b, bottom], [middle - b, bottom]]))
        cv2.fillConvexPoly(picture, outline.astype(np.int32), colour)
        cv2.fillConvexPoly(cover, outline.astype(np.int32), 255)

    section(wrist, cuff, 0.0, tuple(int(value) for value in skin))
    section(cuff, tall, size * 0.03, sleeve)
    # round: darker towards both edges
    across = 1 - 0.35 * np.abs(np.linspace(-1, 1, size)) ** 2
    picture = (picture * across[None, :, None]).astype(np.uint8)
    where = mask > 127
    picture[:size][where] = hand[where]
    cover[:size][where] = 255
    return Cutout(picture, cover, (middle, size * 0.28))


def draw_person(rng: np.random.Generator, size: int) -> Cutout:
    """Head and shoulders from above, pointing up; ``size`` is the head's length in pixels."""
    wide, tall = size * 3, round(size * 3.2)
    picture, mask = np.zeros((tall, wide, 3), np.uint8), np.zeros((tall, wide), np.uint8)
    cloth = tuple(int(value) for value in rng.integers(15, 220, 3))
    hair = tuple(float(value) for value in floats([25, 40, 60]) * rng.uniform(0.3, 3.0))
    middle = wide // 2
    for shade, share in ((0.85, 1.0), (1.0, 0.85)):
        colour = tuple(value * shade for value in cloth)
        axes = (round(size * 1.35 * share), round(size * 0.75 * share))
        cv2.ellipse(picture, (middle, round(size * 1.25)), axes, 0, 0, 360, colour, -1, cv2.LINE_AA)
        box = (middle - axes[0], round(size * 1.25)), (middle + axes[0], tall)
        cv2.rectangle(picture, *box, colour, -1)
        if share == 1.0:
            cv2.ellipse(mask, (middle, round(size * 1.25)), axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
            cv2.rectangle(mask, *box, 255, -1)
    for shade, share in ((0.8, 1.0), (1.0, 0.8)):
        colour = tuple(value * shade for value in hair)
        axes = (round(size * 0.4 * share), round(size * 0.5 * share))
        cv2.ellipse(picture, (middle, round(size * 0.6)), axes, 0, 0, 360, colour, -1, cv2.LINE_AA)
        cv2.ellipse(mask, (middle, round(size * 0.6)), axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
    grain = rng.normal(0, 6, (tall // 2, wide // 2)).astype(np.float32)
    grained = picture + cv2.resize(grain, (wide, tall))[..., None]
    return Cutout(np.clip(grained, 0, 255).astype(np.uint8), mask, (float(middle), size * 0.5))


def draw_thing(cover: Cover, size: int) -> Cutout:
    """A cup, a phone or a sheet of paper, ``size`` pixels long."""
    rng = np.random.default_rng(cover.look)
    if cover.kind == "cup":
        picture, mask = draw_cup(rng, size)
    elif cover.kind == "paper":
        picture, mask = draw_paper(rng, size)
    else:
        picture = np.full((size, round(size * 0.48), 3), int(rng.integers(15, 60)), np.uint8)
        edge = max(size // 30, 1)
        shade = tuple(int(value) for value in rng.integers(5, 70, 3))
        cv2.rectangle(picture, (edge, edge * 2), (picture.shape[1] - edge, size - edge * 2), shade, -1)
        mask = np.full(picture.shape[:2], 255, np.uint8)
    return Cutout(picture, mask, (picture.shape[1] / 2, picture.shape[0] / 2))


class Light:
    """One state of the light over the table: what each pixel's colours are multiplied by."""

    def __init__(self, look: int, size: tuple[int, int], base: Light | None = None) -> None:
        rng = np.random.default_rng(look)
        self._rng, self._size = rng, size
        width, height = size
        field = 1 + 0.1 * rng.random() * np.clip(noise(rng, height, width, (3, 3)), -2, 2)
        cast = rng.normal(1, 0.04, 3).astype(np.float32)
        if rng.random() < 0.3:
            cast *= floats([rng.uniform(0.75, 0.95), 0.97, 1.03])
        level = float(np.clip(np.exp(rng.normal(-0.05, 0.13)), 0.65, 1.15))
        self.field: Floats = floats(field[..., None] * cast * level)

    @cached_property
    def mean(self) -> float:
        """How bright it is."""
        return float(self.field.mean())


class Sensor:
    """What a camera does to a picture: softness, noise, flicker of the lamps, JPEG."""

    def __init__(self, rng: np.random.Generator, size: tuple[int, int]) -> None:
        self._rng = np.random.default_rng(rng.integers(2**31))
        self._soft = float(rng.uniform(0.25, 0.7))
        self._flicker = float(rng.choice([0.0, 0.004, 0.012]))
        self._quality = int(rng.integers(70, 93))
        grain = float(rng.uniform(1.0, 5.0))
        width, height = size
        bank = self._rng.standard_normal((height + 64, width + 64, 3), np.float32) * grain
        self._bank = np.clip(np.round(bank), -127, 127).astype(np.int8)

    def shoot(self, picture: Picture, light: Floats) -> Picture:
        """Returns the picture as the camera sends it."""
        height, width = picture.shape[:2]
        level = 1 + self._flicker * float(self._rng.normal())
        shot = cv2.multiply(picture, light, scale=level, dtype=cv2.CV_8U)
        if self._soft > 0.3:
            shot = cv2.GaussianBlur(shot, (0, 0), self._soft)
        x, y = (int(value) for value in self._rng.integers(0, 64, 2))
        shot = cv2.add(shot, self._bank[y : y + height, x : x + width], dtype=cv2.CV_8U)
        coded = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, self._quality])[1]
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
