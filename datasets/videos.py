"""Short films of a table with exact truth: hands that lay cards, a pile dealt through, and what disturbs a camera.

    python -m datasets.videos OUT.avi --seed 1 [--kind laying|dealing]

A film is drawn picture by picture from the cards, decks and hands of the drawn tables, and depends on its seed alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import cv2
import numpy as np

from datasets.art import DeckArt, Floats, Picture, doubles, floats
from datasets.backgrounds import draw_background, noise
from datasets.clutter import Owner
from datasets.drawn_decks import draw_deck
from datasets.hands import Hand
from datasets.layouts import CARD_MM, MELD_RANKS, Placed
from datasets.tables import camera_over, lay_card
from scorer.faces import SUITS, Face

SIZE = (640, 360)
RATE = 12.0
Kind = Literal["laying", "dealing"]
_LONGEST_ROW = 140.0
"""Millimetres from the first card's middle to the last one's; so they all lie in the picture, however it is turned."""


@dataclass(frozen=True)
class Moment:
    """One picture (height, width, 3) BGR of a film, ``at`` seconds; whether a ``hand`` can be seen in it, and whether
    the cards lie as they did before."""

    picture: Picture
    at: float
    hand: bool
    resting: bool


@dataclass(frozen=True)
class Film:
    """What a film shows: the cards in the order they are laid, the second at which each lies, and the second from which
    on nothing but lamps and lenses changes any more; ``moments`` draws it and can be run through once."""

    faces: tuple[Face, ...]
    laid_at: tuple[float, ...]
    settled: float
    moments: Iterator[Moment]


@dataclass(frozen=True)
class _Step:
    """A card's way onto the table: the hand comes in, lets go, rests, and is out again, in seconds."""

    card: Placed
    comes: float
    lets_go: float
    leaves: float
    out: float


@dataclass(frozen=True)
class _Disturbance:
    """What else happens: ``shake``, ``lamp`` or ``focus``, from one second to another."""

    kind: str
    begins: float
    ends: float


class _Stage:
    """A table under a camera, with the cards that lie on it."""

    def __init__(self, rng: np.random.Generator, size: tuple[int, int], card_pixels: float) -> None:
        self.size = size
        self.camera = camera_over(rng, *size, card_pixels, 0.5)
        self.picture = draw_background(rng, size[1], size[0])
        self._owner: Owner = np.full((size[1], size[0]), -1, np.int16)
        self._shadow = (0.012, 0.016, float(rng.uniform(0.15, 0.5)))

    def lay(self, card: Placed) -> None:
        lay_card(self.picture, self._owner, card, 0, self.camera, self._shadow)

    def with_card(self, card: Placed) -> Picture:
        picture = self.picture.copy()
        lay_card(picture, self._owner, card, 0, self.camera, self._shadow)
        return picture

    def pixel(self, x: float, y: float) -> Floats:
        """Where a point of the table (mm) lies in the picture."""
        return floats(cv2.perspectiveTransform(doubles([[[x, y]]]), self.camera)[0, 0])

    def on_table(self, point: Floats) -> Floats:
        back = np.linalg.inv(self.camera)
        return floats(cv2.perspectiveTransform(np.asarray(point, np.float64)[None, None], back)[0, 0])


def draw_film(
    rng: np.random.Generator, decks: Sequence[DeckArt], kind: Kind = "laying", size: tuple[int, int] = SIZE
) -> Film:
    """Draws one film of cards laid side by side, or of a pile dealt through onto one spot."""
    deck = decks[int(rng.integers(len(decks)))]
    cards = _laid(rng, deck) if kind == "laying" else _dealt(rng, deck)
    card_pixels = size[0] * (0.11 if kind == "laying" else 0.2)
    steps = _script(rng, cards, kind)
    settled = steps[-1].out
    disturbances = _disturbances(rng, steps) if kind == "laying" else []
    settled = max([settled, *(one.ends for one in disturbances if one.kind != "lamp" and one.begins < settled + 1)])
    ends = settled + 5.0 if kind == "laying" else steps[-1].out + 1.0
    stage = _Stage(rng, size, card_pixels)
    moments = _moments(rng, stage, steps, disturbances, ends, card_pixels)
    faces = tuple(step.card.face for step in steps if step.card.face is not None)
    return Film(faces, tuple(step.lets_go for step in steps), settled, moments)


def _placed(rng: np.random.Generator, deck: DeckArt, face: Face, x: float, y: float, turn: float) -> Placed:
    pictures = deck.faces[face]
    return Placed(deck, face, pictures[int(rng.integers(len(pictures)))], x, y, turn, 0, "meld")


def _laid(rng: np.random.Generator, deck: DeckArt) -> list[Placed]:
    """Two to five cards of one rank in a row near the middle."""
    count, rank = int(rng.integers(2, 6)), str(rng.choice(MELD_RANKS))
    faces = [Face(rank, str(rng.choice(SUITS))) for _ in range(count)]
    step = min(float(rng.uniform(0.3, 1.1)) * CARD_MM, _LONGEST_ROW / (count - 1))
    x0, y0 = -step * (count - 1) / 2 + rng.uniform(-20, 20), rng.uniform(-20, 20)
    return [
        _placed(rng, deck, face, x0 + step * i, y0 + rng.normal(0, 3), rng.normal(0, 0.05))
        for i, face in enumerate(faces)
    ]


def _dealt(rng: np.random.Generator, deck: DeckArt) -> list[Placed]:
    """A pile of one rank with wilds, card on card; equal cards follow each other as often as in several packs."""
    count, rank = int(rng.choice([3, 5, 7, 7, 7, 8, 9])), str(rng.choice(MELD_RANKS))
    suits = [str(rng.choice(SUITS)) for _ in range(count)]
    faces = [Face("2", suit) if rng.random() < 0.15 else Face(rank, suit) for suit in suits]
    if count > 3 and rng.random() < 0.6:  # the hard case: the same card twice running
        place = int(rng.integers(1, count))
        faces[place] = faces[place - 1]
    return [_placed(rng, deck, face, rng.normal(0, 2.5), rng.normal(0, 2.5), rng.normal(0, 0.05)) for face in faces]


def _script(rng: np.random.Generator, cards: list[Placed], kind: Kind) -> list[_Step]:
    steps, now = [], float(rng.uniform(0.4, 1.0))
    for place, card in enumerate(cards):
        last = place == len(cards) - 1
        if kind == "laying":
            way, back = rng.uniform(0.5, 0.9), rng.uniform(0.3, 0.6)
            # a hand may stay on the table, longest after the last card
            rest = rng.uniform(0, 0.4) if rng.random() < 0.5 else rng.uniform(0.5, 4.0 if last else 2.0)
            gap = rng.uniform(0.1, 0.8)
        else:
            way, back, rest = rng.uniform(0.28, 0.4), rng.uniform(0.2, 0.3), rng.uniform(0.0, 0.08)
            gap = rng.uniform(0.35, 0.6)
        lets_go = now + way
        steps.append(_Step(card, now, lets_go, lets_go + rest, lets_go + rest + back))
        now = steps[-1].out + gap
    return steps


def _disturbances(rng: np.random.Generator, steps: list[_Step]) -> list[_Disturbance]:
    """Each kind in about a third of the films; shakes and hunting lenses come when the last hand has just left."""
    found, out = [], steps[-1].out
    if rng.random() < 0.35:
        begins = out + float(rng.uniform(-0.2, 0.6))
        found.append(_Disturbance("shake", begins, begins + float(rng.uniform(0.3, 1.0))))
    if rng.random() < 0.35:
        begins = out + float(rng.uniform(-0.3, 0.5))
        found.append(_Disturbance("focus", begins, begins + float(rng.uniform(0.8, 1.6))))
    if rng.random() < 0.35:
        begins = float(rng.uniform(steps[0].comes, out + 4.0))
        found.append(_Disturbance("lamp", begins, begins + 0.7))
    return found


def _moments(
    rng: np.random.Generator,
    stage: _Stage,
    steps: list[_Step],
    disturbances: list[_Disturbance],
    ends: float,
    card_pixels: float,
) -> Iterator[Moment]:
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
            picture, seen, moving = stage.picture.copy(), False, False
        else:
            moving = at < step.lets_go
            share = _share(step, at)
            target = stage.pixel(step.card.x, step.card.y)
            tip = target + out * share + rng.normal(0, tremble, 2).astype(np.float32)
            if not moving and step is not lying:
                stage.lay(step.card)
                lying = step
            held = target + out * share
            if moving and _near(held, stage.size):
                x, y = stage.on_table(held)
                picture = stage.with_card(replace(step.card, x=float(x), y=float(y)))
            else:
                picture = stage.picture.copy()
            seen = hand.lay(picture, tip, towards)
        yield Moment(_filmed(rng, picture, at, disturbances, light * level, lamp, grain), at, seen, not moving)


def _near(point: Floats, size: tuple[int, int]) -> bool:
    """Whether a point lies in the picture or close by it."""
    return bool((point > -0.15 * size[0]).all() and (point < floats(size) + 0.15 * size[0]).all())


def _share(step: _Step, at: float) -> float:
    """How far out the hand is, 0 at its card … 1 outside; it sets out and arrives softly."""
    if at < step.lets_go:
        share = (step.lets_go - at) / (step.lets_go - step.comes)
    elif at < step.leaves:
        share = 0.0
    else:
        share = (at - step.leaves) / (step.out - step.leaves)
    return float(share * share * (3 - 2 * share))


def _filmed(
    rng: np.random.Generator,
    picture: Picture,
    at: float,
    disturbances: list[_Disturbance],
    light: Floats,
    lamp: Floats,
    grain: float,
) -> Picture:
    """The picture as the camera gives it: lamp, lens, mount and sensor."""
    height, width = picture.shape[:2]
    for one in disturbances:
        along = (at - one.begins) / (one.ends - one.begins)
        if one.kind == "lamp" and along >= 0:
            over = 0.35 * np.exp(-4 * along)  # too bright at first, until the exposure has followed
            light = light * (lamp + np.float32(over))
        elif one.kind == "focus" and 0 <= along < 1:
            blur = 2.6 * abs(np.sin(along * np.pi * 2)) + 0.05
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)
        elif one.kind == "shake" and 0 <= along < 1:
            strength = 4.0 * (1 - along) + 1.0
            dx, dy = rng.normal(0, strength, 2)
            onto = doubles([[1, 0, dx], [0, 1, dy]])
            picture = np.asarray(
                cv2.warpAffine(picture, onto, (width, height), borderMode=cv2.BORDER_REFLECT), np.uint8
            )
    shot = picture.astype(np.float32) * light
    shot += rng.standard_normal(shot.shape, np.float32) * grain
    return np.asarray(np.clip(shot, 0, 255), np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description="Draws one film.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=("laying", "dealing"), default="laying")
    given = parser.parse_args()
    film = draw_film(np.random.default_rng(given.seed), [draw_deck("film", given.seed)], given.kind)
    writer = cv2.VideoWriter(str(given.out), cv2.VideoWriter.fourcc(*"MJPG"), RATE, SIZE)
    for moment in film.moments:
        writer.write(moment.picture)
    writer.release()
    print(f"{' '.join(map(str, film.faces))}; settled at {film.settled:.1f} s")


if __name__ == "__main__":
    main()
