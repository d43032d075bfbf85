"""The table of a film without people: its surface, its cloth, printed marks, the cards and things on it.

Each card keeps its place and look from frame to frame; only what changes is drawn again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.arrays import Floats, Picture, doubles, floats
from datasets.decks.deck_art import DeckArt
from datasets.films.playing.changes import Change, Cover, Lying, Play, Shift
from datasets.films.playing.table import MARK_MM
from datasets.films.props import Cutout, Mask, draw_thing
from datasets.scenes.camera import Matrix, card_outline
from datasets.scenes.card_render import lay_card
from datasets.scenes.layouts import SceneCard
from datasets.scenes.surroundings.backgrounds import draw_background
from datasets.scenes.surroundings.clutter import Owner
from scorer.faces import Face

CLOTH_SHARE = 0.35
"""Of the tables with a cloth; where one is pulled there always is one."""
_FAR_MM = 1500.0
"""A hand further away than this is out of the picture."""
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
        self.size, self.camera = size, camera
        self._play, self._first = play, camera
        width, height = size
        looks = np.random.default_rng(rng.integers(2**31))
        self._floor = draw_background(rng, height + 2 * _MARGIN, width + 2 * _MARGIN)
        self._cloth = self._draw_cloth(rng)
        self._cards = {number: _Look(looks, face, decks) for number, face in enumerate(play.faces)}
        angle = rng.uniform(0, 2 * np.pi)
        self._shadow = (float(np.cos(angle)) * 0.022, float(np.sin(angle)) * 0.022, float(rng.uniform(0.25, 0.55)))
        self._owner: Owner = np.full((height, width), -1, np.int16)
        self._spare = self._owner.copy()
        self.lying: dict[int, Lying] = {}
        self._boxes: dict[int, Box] = {}
        self._things: dict[Cover, Cutout] = {}
        self.picture: Picture = np.zeros((height, width, 3), np.uint8)
        self._table = self.picture
        self.look_at(0.0)

    def _draw_cloth(self, rng: np.random.Generator) -> tuple[Picture, Mask]:
        """The cloth with the printed marks on it, as the first camera sees them, and its mask."""
        width, height = self.size[0] + 2 * _MARGIN, self.size[1] + 2 * _MARGIN
        picture, mask = draw_background(rng, height, width), np.zeros((height, width), np.uint8)
        aside = doubles([[1, 0, _MARGIN], [0, 1, _MARGIN], [0, 0, 1]]) @ self._first
        edges: NDArray[np.float64] = rng.uniform(0.44, 0.62, 4) * doubles([-width, -height, width, height])
        if any(shift.kind == "cloth" for shift in self._play.shifts) or rng.random() < CLOTH_SHARE:
            middle = doubles([width / 2, height / 2])
            corners = edges[[[0, 1], [2, 1], [2, 3], [0, 3]]] + middle
            cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 255, cv2.LINE_AA)
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
        for number, (x, y, turn) in enumerate(self._play.marks):
            sheet = np.full((160, 160), 255, np.uint8)
            sheet[20:140, 20:140] = cv2.aruco.generateImageMarker(dictionary, number, 120)
            half = MARK_MM * 160 / 120 / 2
            cos, sin = float(np.cos(turn)), float(np.sin(turn))
            place = doubles([[cos, -sin, x], [sin, cos, y], [0.0, 0.0, 1.0]])
            scale = doubles([[half / 80, 0, -half], [0, half / 80, -half], [0.0, 0.0, 1.0]])
            onto = aside @ place @ scale
            cover = cv2.warpPerspective(np.full_like(sheet, 255), onto, (width, height)) > 127
            printed = cv2.warpPerspective(sheet, onto, (width, height), flags=cv2.INTER_AREA)
            picture[cover] = printed[cover][:, None]
            mask[cover] = 255
        return picture, mask

    def look_at(self, second: float) -> None:
        """Draws everything anew, as bumps and pulls have left it at a second of the film."""
        self.camera = camera_at(self._play, self._first, second)
        back = np.linalg.inv(self._first) @ doubles([[1, 0, -_MARGIN], [0, 1, -_MARGIN], [0, 0, 1]])
        under = camera_at(self._play, self._first, second, cards=False) @ back
        table = cv2.warpPerspective(self._floor, under, self.size, borderMode=cv2.BORDER_REFLECT)
        picture, mask = (cv2.warpPerspective(one, self.camera @ back, self.size) for one in self._cloth)
        weight = np.asarray(mask, np.float32)[..., None] / 255
        self._table = np.asarray(table * (1 - weight) + picture * weight, np.uint8)
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

    def show(self, cover: Cover, lies: bool) -> None:
        """Puts a thing on the table or takes it away, unless it is as it should be."""
        if lies == (cover in self._things):
            return
        if lies:
            self._things[cover] = draw_thing(cover, max(round(cover.size * self.scale(cover.x, cover.y)), 8))
        else:
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
        return card_outline(self._cards[lying.card].scene_card(lying), self.camera)[0]

    def draw_carried(self, picture: Picture, change: Change, tip: Floats) -> None:
        """Draws the cards that a hand with its finger tips at ``tip`` brings, into another picture."""
        x, y = cv2.perspectiveTransform(np.asarray(tip, np.float64)[None, None], np.linalg.inv(self.camera))[0, 0]
        brought = [one for one in change.lying if one.card in change.cards and one.up]
        moved = change.what == "moved"
        if moved or abs(x) > _FAR_MM or abs(y) > _FAR_MM:
            return
        for one in brought[-3:]:
            look = self._cards[one.card]
            carried = replace(one, x=one.x + float(x) - change.target[0], y=one.y + float(y) - change.target[1])
            lay_card(picture, self._spare, look.scene_card(carried), -1, self.camera, self._shadow, look.tone)

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

    def __init__(self, rng: np.random.Generator, face: Face, decks: Sequence[DeckArt]) -> None:
        self._deck, self._face = decks[int(rng.integers(len(decks)))], face
        pick, gain = int(rng.integers(2**31)), rng.normal(1.0, 0.015)
        pictures = self._deck.faces[face]
        self._picture = pictures[pick % len(pictures)]
        self.tone: Floats = floats([gain, gain, gain, 0.0])

    def scene_card(self, lying: Lying) -> SceneCard:
        face, picture = (self._face, self._picture) if lying.up else (None, self._deck.back)
        return SceneCard(self._deck, face, picture, lying.x, lying.y, lying.turn, 0, "meld")


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _joined(boxes: Sequence[Box]) -> list[Box]:
    """Joins boxes that meet."""
    made: list[Box] = []
    for box in boxes:
        while touching := next((other for other in made if _meet(box, other)), None):
            made.remove(touching)
            low = min(box[0], touching[0]), min(box[1], touching[1])
            box = (*low, max(box[2], touching[2]), max(box[3], touching[3]))
        made.append(box)
    return made
