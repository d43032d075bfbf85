"""Short films of a table with exact ground truth: hands lay or deal cards, lamps and lenses change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from datasets.arrays import Floats, Picture, doubles, floats
from datasets.decks.deck_art import DeckArt
from datasets.films.laying.hand import Hand
from datasets.films.laying.script import (
    Disturbance,
    FilmKind,
    Step,
    cards_in_a_row,
    cards_on_a_pile,
    choose_disturbances,
    write_script,
)
from datasets.scenes.camera import sample_camera
from datasets.scenes.card_render import lay_card
from datasets.scenes.layouts import SceneCard
from datasets.scenes.surroundings.backgrounds import draw_background, noise
from datasets.scenes.surroundings.clutter import Owner
from scorer.faces import Face

SIZE = (640, 360)
"""Width and height in pixels."""
RATE = 12.0
"""Frames per second."""


@dataclass(frozen=True)
class FilmFrame:
    """One frame of a film.

    Attributes:
        picture: (height, width, 3) BGR.
        at: seconds since the film began.
        hand: whether a hand is visible.
        resting: whether no card is moving.
    """

    picture: Picture
    at: float
    hand: bool
    resting: bool


@dataclass(frozen=True)
class Film:
    """A film and its ground truth.

    Attributes:
        faces: the cards in the order in which they are laid.
        laid_at: the second at which each lies on the table.
        settled: the second after which only lamps and lenses change.
        frames: draws the frames; can be iterated once.
    """

    faces: tuple[Face, ...]
    laid_at: tuple[float, ...]
    settled: float
    frames: Iterator[FilmFrame]


class _Stage:
    """A table seen by a camera, with the cards laid so far."""

    def __init__(self, rng: np.random.Generator, size: tuple[int, int], card_pixels: float) -> None:
        self.size = size
        self.camera = sample_camera(rng, *size, card_pixels, 0.5).table
        self.picture = draw_background(rng, size[1], size[0])
        self._owner: Owner = np.full((size[1], size[0]), -1, np.int16)
        self._shadow = (0.012, 0.016, float(rng.uniform(0.15, 0.5)))

    def lay(self, card: SceneCard) -> None:
        """Draws a card that stays."""
        lay_card(self.picture, self._owner, card, 0, self.camera, self._shadow)

    def with_card(self, card: SceneCard) -> Picture:
        """Returns the picture with one more card, which does not stay."""
        picture = self.picture.copy()
        lay_card(picture, self._owner, card, 0, self.camera, self._shadow)
        return picture

    def pixel(self, x: float, y: float) -> Floats:
        """Projects a point of the table (mm) into the picture (pixels)."""
        return floats(cv2.perspectiveTransform(doubles([[[x, y]]]), self.camera)[0, 0])

    def on_table(self, point: Floats) -> Floats:
        """Projects a point of the picture (pixels) onto the table (mm)."""
        back = np.linalg.inv(self.camera)
        return floats(cv2.perspectiveTransform(np.asarray(point, np.float64)[None, None], back)[0, 0])


def draw_film(
    rng: np.random.Generator, decks: Sequence[DeckArt], kind: FilmKind = "laying", size: tuple[int, int] = SIZE
) -> Film:
    """Prepares a film of cards laid side by side (``laying``) or dealt onto one pile (``dealing``)."""
    deck = decks[int(rng.integers(len(decks)))]
    cards = cards_in_a_row(rng, deck) if kind == "laying" else cards_on_a_pile(rng, deck)
    card_pixels = size[0] * (0.11 if kind == "laying" else 0.2)
    steps = write_script(rng, cards, kind)
    settled = steps[-1].out
    disturbances = choose_disturbances(rng, steps) if kind == "laying" else []
    settled = max(
        [settled, *(event.ends for event in disturbances if event.kind != "lamp" and event.begins < settled + 1)]
    )
    ends = settled + 5.0 if kind == "laying" else steps[-1].out + 1.0
    stage = _Stage(rng, size, card_pixels)
    frames = _frames(rng, stage, steps, disturbances, ends, card_pixels)
    faces = tuple(step.card.face for step in steps if step.card.face is not None)
    return Film(faces, tuple(step.lets_go for step in steps), settled, frames)


def _frames(
    rng: np.random.Generator,
    stage: _Stage,
    steps: list[Step],
    disturbances: list[Disturbance],
    ends: float,
    card_pixels: float,
) -> Iterator[FilmFrame]:
    width, height = stage.size
    hand = Hand(rng, round(card_pixels * rng.uniform(1.6, 2.2)))
    towards = float(rng.choice([np.pi / 2, np.pi / 2, 0.0, np.pi, -np.pi / 2]) + rng.normal(0, 0.25))
    light = 1 + 0.2 * noise(rng, height, width, (3, 4))[..., None] * float(rng.random())
    level, grain = float(rng.uniform(0.6, 1.1)), float(rng.uniform(1.0, 5.0))
    bulb = np.clip(noise(rng, height, width, (2, 3)), -1.5, 1.5)[..., None]
    lamp = floats([0.8, 1.0, 1.1]) * (1.25 + 0.25 * bulb)
    tremble = float(rng.choice([0.0, 0.4, 1.0]))
    waiting, lying = list(steps), None
    far = 0.8 * float(np.hypot(width, height))
    out = far * floats([np.cos(towards), np.sin(towards)])
    for count in range(round(ends * RATE)):
        at = count / RATE
        while waiting and at >= waiting[0].out:
            waiting.pop(0)
        step = waiting[0] if waiting and at >= waiting[0].comes else None
        if step is None:
            picture, hand_visible, moving = stage.picture.copy(), False, False
        else:
            moving = at < step.lets_go
            share = _share(step, at)
            target = stage.pixel(step.card.x, step.card.y)
            tip = target + out * share + rng.normal(0, tremble, 2).astype(np.float32)
            if not moving and step is not lying:
                stage.lay(step.card)
                lying = step
            card_at = target + out * share
            if moving and _near(card_at, stage.size):
                x, y = stage.on_table(card_at)
                picture = stage.with_card(replace(step.card, x=float(x), y=float(y)))
            else:
                picture = stage.picture.copy()
            hand_visible = hand.draw(picture, tip, towards)
        yield FilmFrame(
            _as_filmed(rng, picture, at, disturbances, light * level, lamp, grain), at, hand_visible, not moving
        )


def _near(point: Floats, size: tuple[int, int]) -> bool:
    """Tells whether a point (pixels) lies in the picture or close to it."""
    return bool((point > -0.15 * size[0]).all() and (point < floats(size) + 0.15 * size[0]).all())


def _share(step: Step, at: float) -> float:
    """Returns how far the hand is from its card, 0 (at the card) to 1 (outside), with smooth start and stop."""
    if at < step.lets_go:
        share = (step.lets_go - at) / (step.lets_go - step.comes)
    elif at < step.leaves:
        share = 0.0
    else:
        share = (at - step.leaves) / (step.out - step.leaves)
    return float(share * share * (3 - 2 * share))


def _as_filmed(
    rng: np.random.Generator,
    picture: Picture,
    at: float,
    disturbances: list[Disturbance],
    light: Floats,
    lamp: Floats,
    grain: float,
) -> Picture:
    """Applies lamp, lens, camera shake and sensor noise to a picture."""
    height, width = picture.shape[:2]
    for event in disturbances:
        along = (at - event.begins) / (event.ends - event.begins)
        if event.kind == "lamp" and along >= 0:
            over = 0.35 * np.exp(-4 * along)  # too bright until the exposure adapts
            light = light * (lamp + np.float32(over))
        elif event.kind == "focus" and 0 <= along < 1:
            blur = 2.6 * abs(np.sin(along * np.pi * 2)) + 0.05
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
        elif event.kind == "shake" and 0 <= along < 1:
            strength = 4.0 * (1 - along) + 1.0
            dx, dy = rng.normal(0, strength, 2)
            onto = doubles([[1, 0, dx], [0, 1, dy]])
            picture = np.asarray(
                cv2.warpAffine(picture, onto, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8
            )
    shot = picture.astype(np.float32) * light
    shot += rng.standard_normal(shot.shape, np.float32) * grain
    return np.asarray(np.clip(shot, 0, 255), np.uint8)
