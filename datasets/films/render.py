"""Draws the frames of a filmed round: the table, and the people who reach and lean over it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from datasets.arrays import Floats, Picture, doubles, floats
from datasets.decks.deck_art import DeckArt
from datasets.films.playing.changes import EASE, PASSING, Change, Cover, Play
from datasets.films.playing.play import lying_at
from datasets.films.props import Cutout, Light, Sensor, draw_arm, draw_person
from datasets.films.stage import Stage
from datasets.scenes.camera import Matrix

RATE = 4.0
"""Frames per second."""
HAND_MM = 165.0
"""Length of a hand."""
_EXPOSURE = 1 / 40
"""Seconds that a moving hand is blurred by."""
_SHAKES = 0.5
"""Seconds that the picture trembles after a bump."""


class Renderer:
    """Draws the frames of a film, once, from the first to the last."""

    def __init__(self, seed: int, play: Play, decks: Sequence[DeckArt], size: tuple[int, int], camera: Matrix) -> None:
        self._rng = np.random.default_rng([seed, 43])
        self._play, self._size = play, size
        self.stage = Stage(self._rng, play, decks, size, camera)
        self._sensor = Sensor(self._rng, size)
        self._lights = [Light(seed + 7, size), *(Light(lamp.look, size) for lamp in play.lamps)]
        hand = HAND_MM * self.stage.scale(0, 0)
        self._arms = {n: draw_arm(np.random.default_rng([seed, 44, n]), round(hand)) for n in range(len(play.seats))}
        self._passing: dict[Cover, Cutout] = {}
        self._far = 0.75 * float(np.hypot(*size))

    def frames(self, begins: float = 0.0) -> Iterator[tuple[float, Picture]]:
        """Yields the second and the picture, (height, width, 3) BGR, of each frame from a second on."""
        stage, play = self.stage, self._play
        stage.update(tuple(lying_at(play, begins).values()), ())
        stage.look_at(begins)
        waiting = [change for change in play.changes if change.second > begins]
        done = [change for change in play.changes if change.second <= begins][-3:]
        shifts = [shift for shift in play.shifts if shift.second > begins]
        things = [cover for cover in play.covers if cover.kind not in PASSING]
        for number in range(math.ceil(begins * RATE), round(play.ends * RATE)):
            now = number / RATE
            if shifts and shifts[0].second <= now:
                shifts.pop(0)
                stage.look_at(now)
            while waiting and waiting[0].second <= now:
                change = waiting.pop(0)
                stage.update(change.lying, change.gone)
                done = [*done[-2:], change]
            for cover in things:
                stage.show(cover, cover.begins <= now < cover.ends)
            acting = [change for change in (*done, *waiting[:3]) if change.comes <= now < change.out]
            yield now, self._sensor.shoot(self._with_people(acting, now), self._light(now))

    def _with_people(self, acting: Sequence[Change], now: float) -> Picture:
        """The table with the hands and people over it, and how a bump shakes it."""
        covers = [cover for cover in self._play.covers if cover.kind in PASSING]
        passing = [cover for cover in covers if cover.begins - EASE < now < cover.ends + EASE]
        picture = self.stage.picture
        if acting or passing:
            picture = picture.copy()
        for cover in passing:
            self._draw_passing(picture, cover, now)
        for change in acting:
            self._draw_hand(picture, change, now)
        for shift in self._play.shifts:
            if shift.kind == "bump" and 0 <= now - shift.second < _SHAKES:
                picture = self._shaken(picture, 1 - (now - shift.second) / _SHAKES)
        return picture

    def _draw_hand(self, picture: Picture, change: Change, now: float) -> None:
        share, speed = _share(change, now)
        stage = self.stage
        out = floats([np.cos(change.edge), np.sin(change.edge)]) * self._far
        target = stage.pixel(*change.target)
        tip = target + out * share + self._rng.normal(0, 0.6, 2).astype(np.float32)
        blur = (float(out[0] * speed * _EXPOSURE), float(out[1] * speed * _EXPOSURE))
        if now < change.second and change.what != "squared":
            stage.draw_carried(picture, change, tip)
        self._arms[change.player].draw(picture, tip, change.edge - np.pi / 2, blur)

    def _shaken(self, picture: Picture, strength: float) -> Picture:
        dx, dy = self._rng.normal(0, 1 + 6 * strength, 2)
        onto = doubles([[1, 0, dx], [0, 1, dy]])
        moved = cv2.warpAffine(picture, onto, self._size, borderMode=cv2.BORDER_REFLECT)
        long = max(round(9 * strength), 1)
        return np.asarray(cv2.blur(moved, (long, 1) if abs(dx) > abs(dy) else (1, long)), np.uint8)

    def _draw_passing(self, picture: Picture, cover: Cover, now: float) -> None:
        cutout = self._passing.get(cover)
        if cutout is None:
            rng = np.random.default_rng(cover.look)
            pixels = max(round(cover.size * self.stage.scale(0, 0)), 8)
            cutout = self._passing[cover] = (draw_arm if cover.kind == "arm" else draw_person)(rng, pixels)
        ease = min((now - cover.begins) / EASE + 1, (cover.ends - now) / EASE + 1, 1.0)
        away = (1 - max(ease, 0.0)) ** 2 * self._far
        phase = cover.look % 7
        sway = floats([np.sin(now * 0.7 + phase), np.cos(now * 0.5 + phase)]) * 3.0
        direction = floats([np.cos(cover.turn), np.sin(cover.turn)])
        cutout.draw(picture, self.stage.pixel(cover.x, cover.y) + direction * away + sway, cover.turn - np.pi / 2)

    def _light(self, now: float) -> Floats:
        field = self._lights[0].field
        for lamp, light in zip(self._play.lamps, self._lights[1:], strict=True):
            share = float(np.clip((now - lamp.second) / lamp.takes, 0, 1))
            if share >= 1:
                field = light.field
            elif share > 0:
                field = np.asarray(field * np.float32(1 - share) + light.field * np.float32(share), np.float32)
        return field


def _share(change: Change, now: float) -> tuple[float, float]:
    """How far a hand is from where it lets go, 0 to 1 (outside), and how fast that changes, a second."""
    if now < change.second:
        span, along = change.second - change.comes, (change.second - now) / (change.second - change.comes)
        sign = -1.0
    elif now < change.leaves:
        return 0.0, 0.0
    else:
        span, along = change.out - change.leaves, (now - change.leaves) / (change.out - change.leaves)
        sign = 1.0
    span = max(span, 0.05)
    return along * along * (3 - 2 * along), sign * 6 * along * (1 - along) / span
