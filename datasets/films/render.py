"""Draws the frames of a filmed round.

Each card keeps its place and look from frame to frame; only what changes is drawn again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np

from datasets.arrays import Floats, Picture, doubles, floats
from datasets.decks.deck_art import DeckArt
from datasets.films.changes import PASSING, Change, Cover, Lying, Play, Shift
from datasets.films.props import Cutout, Light, Sensor, draw_arm, draw_person, draw_thing
from datasets.scenes.backgrounds import draw_background
from datasets.scenes.camera import Matrix, card_outline
from datasets.scenes.card_render import lay_card
from datasets.scenes.clutter import Owner
from datasets.scenes.layouts import SceneCard

RATE = 4.0
"""Frames per second."""
_EXPOSURE = 1 / 40
"""Seconds that a moving hand is blurred by."""
_MARGIN = 90
"""Pixels of the table's surface that are drawn beyond each edge, for when the camera is bumped."""
Box = tuple[int, int, int, int]


def shift_matrix(shift: Shift) -> Matrix:
    """The movement of the table under the camera: from millimetres to millimetres."""
    cos, sin = np.cos(shift.turn), np.sin(shift.turn)
    return doubles([[cos, -sin, shift.x], [sin, cos, shift.y], [0, 0, 1]])


def camera_at(play: Play, camera: Matrix, second: float, cards: bool = True) -> Matrix:
    """From millimetres on the table (or, if ``cards``, on its cloth) to pixels at a second of the film."""
    onto = camera
    for shift in play.shifts:
        if shift.second <= second and (cards or shift.kind == "bump"):
            onto = onto @ shift_matrix(shift)
    return onto


class Stage:
    """The table as the camera sees it without people, kept up to date card by card."""

    def __init__(
        self, rng: np.random.Generator, play: Play, decks: Sequence[DeckArt], size: tuple[int, int], camera: Matrix
    ) -> None:
        self.size, self._first, self.camera = size, camera, camera
        width, height = size
        looks = np.random.default_rng(rng.integers(2**31))
        self._floor = draw_background(rng, height + 2 * _MARGIN, width + 2 * _MARGIN)
        self._cards = {n: _Look(looks, face, decks) for n, face in enumerate(play.faces)}
        angle = rng.uniform(0, 2 * np.pi)
        self._shadow = (float(np.cos(angle)) * 0.022, float(np.sin(angle)) * 0.022, float(rng.uniform(0.25, 0.55)))
        self._owner: Owner = np.full((height, width), -1, np.int16)
        self.lying: dict[int, Lying] = {}
        self._boxes: dict[int, Box] = {}
        self._things: dict[Cover, Cutout] = {}
        self.picture: Picture = np.zeros((height, width, 3), np.uint8)
        self._table = self.picture
        self.look_from(camera)

    def scene_card(self, lying: Lying) -> SceneCard:
        """The card with its picture, where it lies."""
        return self._cards[lying.card].scene_card(lying)

    def look_from(self, camera: Matrix) -> None:
        """Draws everything anew, seen by another camera."""
        self.camera = camera
        aside = doubles([[1, 0, -_MARGIN], [0, 1, -_MARGIN], [0, 0, 1]])
        onto = camera @ np.linalg.inv(self._first) @ aside
        self._table = np.asarray(
            cv2.warpPerspective(self._floor, onto, self.size, borderMode=cv2.BORDER_REFLECT), np.uint8
        )
        self._boxes = {card: self._box(lying) for card, lying in self.lying.items()}
        self._redraw((0, 0, *self.size))

    def update(self, lying: Sequence[Lying], gone: Sequence[int]) -> None:
        """Moves cards to where they lie now, and takes some away."""
        changed = []
        for card in (*gone, *(one.card for one in lying)):
            if card in self._boxes:
                changed.append(self._boxes.pop(card))
                self.lying.pop(card)
        for one in lying:
            self.lying[one.card] = one
            self._boxes[one.card] = self._box(one)
            changed.append(self._boxes[one.card])
        for box in _joined(changed):
            self._redraw(box)

    def put(self, cover: Cover) -> None:
        """Puts a thing on the table."""
        self._things[cover] = draw_thing(cover, max(round(cover.size * self.scale(cover.x, cover.y)), 8))
        self._redraw((0, 0, *self.size))

    def take(self, cover: Cover) -> None:
        """Takes a thing away."""
        del self._things[cover]
        self._redraw((0, 0, *self.size))

    def scale(self, x: float, y: float) -> float:
        """Pixels per millimetre at a point of the table."""
        a, b = self.pixel(x, y), self.pixel(x + 10, y)
        return float(np.hypot(*(b - a))) / 10

    def pixel(self, x: float, y: float) -> Floats:
        """Projects a point of the table (mm) into the picture (pixels)."""
        return floats(cv2.perspectiveTransform(doubles([[[x, y]]]), self.camera)[0, 0])

    def quad(self, lying: Lying) -> Floats:
        """The card's corners in pixels, (4, 2), clockwise from its own top left."""
        return card_outline(self.scene_card(lying), self.camera)[0]

    def _box(self, lying: Lying) -> Box:
        quad = self.quad(lying)
        pad = 4 + 0.1 * float(np.hypot(*(quad[1] - quad[0])))
        low = np.clip(np.floor(quad.min(0) - pad), 0, self.size).astype(int)
        high = np.clip(np.ceil(quad.max(0) + pad), 0, self.size).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])

    def _redraw(self, box: Box) -> None:
        """Draws a part of the picture anew."""
        x0, y0, x1, y1 = box
        if x0 >= x1 or y0 >= y1:
            return
        part, owner = self.picture[y0:y1, x0:x1], self._owner[y0:y1, x0:x1]
        part[:], owner[:] = self._table[y0:y1, x0:x1], -1
        camera = doubles([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]]) @ self.camera
        touching = [self.lying[card] for card, other in self._boxes.items() if _meet(box, other)]
        for one in sorted(touching, key=lambda lying: lying.z):
            look = self._cards[one.card]
            lay_card(part, owner, look.scene_card(one), one.card, camera, self._shadow, look.tone)
        for cover, cutout in self._things.items():
            cutout.draw(part, self.pixel(cover.x, cover.y) - floats([x0, y0]), cover.turn)


class _Look:
    """What one physical card looks like: its deck, its picture and its tone."""

    def __init__(self, rng: np.random.Generator, face: object, decks: Sequence[DeckArt]) -> None:
        self.deck = decks[int(rng.integers(len(decks)))]
        self.face = face
        pick, gain = int(rng.integers(2**31)), rng.normal(1.0, 0.015)
        pictures = self.deck.faces[face]  # type: ignore[index]
        self.picture = pictures[pick % len(pictures)]
        self.tone: Floats = floats([gain, gain, gain, 0.0])

    def scene_card(self, lying: Lying) -> SceneCard:
        face = self.face if lying.up else None
        picture = self.picture if lying.up else self.deck.back
        return SceneCard(self.deck, face, picture, lying.x, lying.y, lying.turn, 0, "meld")  # type: ignore[arg-type]


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _joined(boxes: Sequence[Box]) -> list[Box]:
    """Joins boxes that meet."""
    made: list[Box] = []
    for box in boxes:
        while touching := next((other for other in made if _meet(box, other)), None):
            made.remove(touching)
            box = (
                *(min(a, b) for a, b in zip(box[:2], touching[:2], strict=True)),
                *(max(a, b) for a, b in zip(box[2:], touching[2:], strict=True)),
            )  # type: ignore[assignment]
        made.append(box)
    return made


class Renderer:
    """Draws the frames of a film, once, from the first to the last."""

    def __init__(self, seed: int, play: Play, decks: Sequence[DeckArt], size: tuple[int, int], camera: Matrix) -> None:
        self._rng = np.random.default_rng([seed, 43])
        self._play, self._camera, self._size = play, camera, size
        self.stage = Stage(self._rng, play, decks, size, camera)
        self._sensor = Sensor(self._rng, size)
        self._lights = [Light(seed + 7, size), *(Light(lamp.look, size) for lamp in play.lamps)]
        hand = 95 * self.stage.scale(0, 0)
        self._arms = {n: draw_arm(np.random.default_rng([seed, 44, n]), round(hand)) for n in range(len(play.seats))}
        self._passing: dict[Cover, Cutout] = {}
        self._far = 0.75 * float(np.hypot(*size))

    def frames(self) -> Iterator[tuple[float, Picture]]:
        """Yields the second and the picture, (height, width, 3) BGR, of each frame."""
        stage, play = self.stage, self._play
        stage.update(play.beginning, ())
        waiting, shifts = list(play.changes), 0
        things = [cover for cover in play.covers if cover.kind not in PASSING]
        done: list[Change] = []
        for number in range(round(play.ends * RATE)):
            now = number / RATE
            happened = sum(shift.second <= now for shift in play.shifts)
            if happened != shifts:
                shifts = happened
                stage.look_from(camera_at(play, self._camera, now))
            while waiting and waiting[0].second <= now:
                change = waiting.pop(0)
                stage.update(change.lying, change.gone)
                done = [*done[-3:], change]
            for cover in things:
                lies = cover in stage._things
                if (cover.begins <= now < cover.ends) != lies:
                    (stage.take if lies else stage.put)(cover)
            picture = stage.picture
            acting = [change for change in (*done, *waiting[:3]) if change.comes <= now < change.out]
            passing = [
                cover for cover in play.covers if cover.kind in PASSING and cover.begins - 0.6 < now < cover.ends + 0.6
            ]
            if acting or passing:
                picture = picture.copy()
                for cover in passing:
                    self._draw_passing(picture, cover, now)
                for change in acting:
                    self._draw_hand(picture, change, now)
            yield now, self._sensor.shoot(picture, self._light(now))

    def _draw_hand(self, picture: Picture, change: Change, now: float) -> None:
        share, speed = _share(change, now)
        out = floats([np.cos(change.edge), np.sin(change.edge)]) * self._far
        target = self.stage.pixel(*change.target)
        tip = target + out * share + self._rng.normal(0, 0.6, 2).astype(np.float32)
        blur = (float(out[0] * speed * _EXPOSURE), float(out[1] * speed * _EXPOSURE))
        self._arms[change.player].draw(picture, tip, change.edge - np.pi / 2, blur)

    def _draw_passing(self, picture: Picture, cover: Cover, now: float) -> None:
        cutout = self._passing.get(cover)
        if cutout is None:
            rng = np.random.default_rng(cover.look)
            pixels = max(round(cover.size * self.stage.scale(0, 0)), 8)
            cutout = self._passing[cover] = (draw_arm if cover.kind == "arm" else draw_person)(rng, pixels)
        ease = min((now - cover.begins + 0.6) / 0.6, (cover.ends + 0.6 - now) / 0.6, 1.0)
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
