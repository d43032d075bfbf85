"""What comes over the cards of a film: arms that blur as they move, people who lean in, cups, phones and paper; and the
light it all is seen in."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.arrays import Floats, Picture, doubles, floats
from datasets.films.playing.changes import Cover
from datasets.scenes.surroundings.backgrounds import noise
from datasets.scenes.surroundings.clutter import draw_cup, draw_paper

Mask = NDArray[np.uint8]
_ARM_REACH = 7.0
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
    """A hand with its arm, seen from above, pointing up; ``size`` is the hand's length in pixels."""
    wide, tall = round(size * 1.1), round(size * _ARM_REACH)
    picture, mask = np.zeros((tall, wide, 3), np.uint8), np.zeros((tall, wide), np.uint8)
    skin = floats([130, 160, 210]) * rng.uniform(0.35, 1.15)
    sleeve = floats(rng.integers(20, 230, 3))
    middle, wrist, cuff = wide / 2, size * 1.0, size * rng.uniform(1.1, 2.2)
    narrow, broad = size * rng.uniform(0.15, 0.19), size * rng.uniform(0.25, 0.38)

    def section(top: float, bottom: float, extra: float, colour: Floats) -> None:
        a, b = (narrow + (broad - narrow) * min((y - wrist) / (1.8 * size), 1.0) + extra for y in (top, bottom))
        outline = doubles([[middle - a, top], [middle + a, top], [middle + b, bottom], [middle - b, bottom]])
        _fill(picture, mask, outline, colour)

    def finger(root: tuple[float, float], angle: float, long: float, thick: float, shade: float) -> None:
        bent = angle * rng.uniform(0.5, 1.0)
        joint = (root[0] + np.sin(angle) * long * 0.55, root[1] - np.cos(angle) * long * 0.55)
        tip = (joint[0] + np.sin(bent) * long * 0.45, joint[1] - np.cos(bent) * long * 0.45)
        for a, b in ((root, joint), (joint, tip)):
            ends = [(round(x), round(y)) for x, y in (a, b)]
            cv2.line(picture, ends[0], ends[1], _bgr(skin * shade), max(round(thick), 1), cv2.LINE_AA)
            cv2.line(mask, ends[0], ends[1], 255, max(round(thick), 1), cv2.LINE_AA)

    section(wrist * 0.95, cuff, 0.0, skin * 0.95)
    section(cuff, tall, size * 0.03, sleeve)
    # round: darker towards both edges
    across = 1 - 0.4 * np.abs(np.linspace(-1, 1, wide) * wide / (2.6 * broad)).clip(0, 1) ** 2
    picture[:] = (picture * across[None, :, None]).astype(np.uint8)
    left = 1 if rng.random() < 0.5 else -1
    spread, thick = float(rng.uniform(0.06, 0.2)), size * float(rng.uniform(0.085, 0.105))
    for number, long in enumerate((0.4, 0.46, 0.44, 0.36)):
        aside = (number - 1.5) * left
        root = (middle + aside * size * 0.115, size * (0.5 + 0.015 * abs(aside)))
        finger(root, aside * spread, long * size * float(rng.uniform(0.75, 1.0)), thick, 0.97 - 0.04 * (number % 2))
    finger((middle - left * size * 0.18, size * 0.74), -left * 0.7, size * 0.36, thick * 1.15, 0.92)
    axes = (round(size * 0.235), round(size * 0.29))
    for shade, share in ((0.93, 1.0), (1.0, 0.8)):
        palm = (round(axes[0] * share), round(axes[1] * share))
        cv2.ellipse(picture, (round(middle), round(size * 0.72)), palm, 0, 0, 360, _bgr(skin * shade), -1, cv2.LINE_AA)
    cv2.ellipse(mask, (round(middle), round(size * 0.72)), axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), max(size / 60, 0.5)), np.uint8)
    return Cutout(soft, mask, (middle, size * 0.2))


def _bgr(colour: Floats) -> tuple[float, float, float]:
    b, g, r = (float(value) for value in np.clip(colour, 0, 255))
    return b, g, r


def _fill(picture: Picture, mask: Mask, outline: NDArray[np.float64], colour: Floats) -> None:
    corners = [np.round(outline).astype(np.int32)]
    cv2.fillPoly(picture, corners, _bgr(colour), cv2.LINE_AA)
    cv2.fillPoly(mask, corners, 255, cv2.LINE_AA)


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

    def __init__(self, look: int, size: tuple[int, int]) -> None:
        rng = np.random.default_rng(look)
        width, height = size
        field = 1 + 0.1 * rng.random() * np.clip(noise(rng, height, width, (3, 3)), -2, 2)
        cast = rng.normal(1, 0.04, 3).astype(np.float32)
        if rng.random() < 0.3:
            cast *= floats([rng.uniform(0.75, 0.95), 0.97, 1.03])
        level = float(np.clip(np.exp(rng.normal(-0.05, 0.13)), 0.65, 1.15))
        self.field: Floats = floats(field[..., None] * cast * level)


class Sensor:
    """What a camera does to a picture: exposure, softness, noise, flicker of the lamps, JPEG."""

    def __init__(self, rng: np.random.Generator, size: tuple[int, int]) -> None:
        self._rng = np.random.default_rng(rng.integers(2**31))
        self._soft = float(rng.uniform(0.25, 0.7))
        self._flicker = float(rng.choice([0.0, 0.004, 0.012]))
        self._quality = int(rng.integers(70, 93))
        self._adapts = float(rng.choice([0.0, 0.25, 0.5]))
        self._usual: float | None = None
        self._gain = 1.0
        grain = float(rng.uniform(1.0, 5.0))
        width, height = size
        bank = self._rng.standard_normal((height + 64, width + 64, 3), np.float32) * grain
        self._bank = np.clip(np.round(bank), -127, 127).astype(np.int8)

    def shoot(self, picture: Picture, light: Floats) -> Picture:
        """Returns the picture as the camera sends it."""
        height, width = picture.shape[:2]
        self._expose(float((picture[::16, ::16] * light[::16, ::16]).mean()))
        level = self._gain * (1 + self._flicker * float(self._rng.normal()))
        shot = cv2.multiply(picture, light, scale=level, dtype=cv2.CV_8U)
        if self._soft > 0.3:
            shot = cv2.GaussianBlur(shot, (0, 0), self._soft)
        x, y = (int(value) for value in self._rng.integers(0, 64, 2))
        shot = cv2.add(shot, self._bank[y : y + height, x : x + width], dtype=cv2.CV_8U)
        coded = cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, self._quality])[1]
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)

    def _expose(self, brightness: float) -> None:
        """Adapts the exposure to the scene, in a second or so, as far as this camera does."""
        self._usual = self._usual or brightness
        wanted = (self._usual / max(brightness, 1.0)) ** self._adapts
        self._gain += 0.4 * (float(np.clip(wanted, 0.7, 1.4)) - self._gain)
