"""Decks printed anew: on paper of any colour and finish, in any ink that contrasts with it.

White paper with black and red print is only the commonest. Packs are black with gold, silver or white print, tinted,
aged, printed over a picture, half dark and half light, or in other colours. What is printed is taken from the deck as
it is, so that every face keeps its index where it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from datasets.arrays import Cutout, Floats, floats
from datasets.decks.deck_art import DeckArt, Marks
from scorer.faces import JOKER, Face

DARK_SHARE, MIDDLE_SHARE = 0.5, 0.2
"""Shares of papers that are dark, and of a middle tone; the others are light."""
CONTRAST, FAINT_SHARE, FAINT = 0.4, 0.12, 0.22
"""Least difference of ink and paper in some channel, 0..1; on the share FAINT_SHARE of decks it may be FAINT."""
OUTLINED_SHARE, GLOWING_SHARE, FOIL_SHARE = 0.05, 0.1, 0.35
"""Shares of decks with print in outline only, and of those on dark paper with a glow round it, and in foil."""
TWO_TONE_SHARE, KEPT_COURTS_SHARE, FRAMED_SHARE = 0.08, 0.35, 0.25
"""Shares of decks with half of each card the other way round, of dark ones whose court cards keep their colours, and of
those with a frame along the edge."""
GOLD, SILVER, COPPER = floats([0.32, 0.7, 0.88]), floats([0.78, 0.78, 0.78]), floats([0.4, 0.55, 0.85])
_DARK = floats([[0.03, 0.03, 0.03], [0.03, 0.03, 0.03], [0.25, 0.1, 0.05], [0.1, 0.2, 0.05], [0.08, 0.05, 0.3]])
Print = Callable[[Floats, bool], Floats]
"""Prints a card's picture anew, from the light that its ink lets through, (height, width, 3) in 0..1; told if it is
a court card."""


def printed_anew(deck: DeckArt, rng: np.random.Generator) -> DeckArt:
    """The deck on other paper, with other ink; faces and places of its indices stay."""
    height, width = deck.back.shape[:2]
    plain = next(pictures[0] for face, pictures in deck.faces.items() if face != JOKER)
    white = floats(np.median(plain[plain[:, :, 3] > 200][:, :3], axis=0)).clip(30, 255)
    printed = _style(rng, height, width)

    def anew(face: Face, picture: Cutout) -> Cutout:
        through = np.minimum(picture[:, :, :3] * (1 / white), 1)
        made = printed(through, face.rank in ("J", "Q", "K", "JK"))
        return np.dstack([(made * 255).astype(np.uint8), picture[:, :, 3]])

    marks: dict[Face, tuple[Marks, ...]] = dict(deck.marks)
    if JOKER in deck.faces and JOKER not in marks:  # where an index is on a joker is seen on plain paper only
        ends = ((deck.index_box(JOKER, one, False), deck.index_box(JOKER, one, True)) for one in deck.faces[JOKER])
        marks[JOKER] = tuple(ends)
    faces = {face: tuple(anew(face, one) for one in pictures) for face, pictures in deck.faces.items()}
    return replace(deck, faces=faces, marks=marks, any_paper=True, _level_cache={}, _joker_box_cache={})


def _style(rng: np.random.Generator, height: int, width: int) -> Print:
    """Samples how all cards of a deck are printed."""
    paper, black, red = _colours(rng)
    dark = paper.max() < 0.4
    ground = _textured(rng, paper, height, width)
    foil = dark and rng.random() < FOIL_SHARE
    inks = [_foil(rng, ink, height, width) if foil else ink for ink in (black, red)]
    outlined, glow = rng.random() < OUTLINED_SHARE, bool(dark and rng.random() < GLOWING_SHARE)
    keep = rng.random() < KEPT_COURTS_SHARE
    mixed = _channels(rng)
    across = _half(rng, height, width) if rng.random() < TWO_TONE_SHARE else None
    frame = _frame(rng, height, width) if rng.random() < FRAMED_SHARE else None
    inside = (slice(round(0.12 * height), round(0.88 * height)), slice(round(0.24 * width), round(0.76 * width)))

    def printed(through: Floats, court: bool) -> Floats:
        channels = cv2.split(through)
        least, most = cv2.min(channels[0], channels[1]), cv2.max(channels[0], channels[1])
        least, most = floats(cv2.min(least, channels[2])), floats(cv2.max(most, channels[2]))
        ink, colour = 1 - least, (most - least)[..., None]  # how much of any ink there is, and of its hue
        if outlined and not court:
            ink = (ink - 0.75 * floats(cv2.erode(ink, np.ones((5, 5), np.uint8)))).clip(0, 1)
        own = inks[0] + (inks[1] - inks[0]) * colour
        made = ground + (own - ground) * ink[..., None]
        if glow:
            made += 0.6 * own * floats(cv2.GaussianBlur(ink, (0, 0), 0.025 * width))[..., None]
        if across is not None:
            made += (1 - 2 * made) * across
        if frame is not None:
            made[frame > 0] = black
        if court and keep:
            made[inside] = through[inside] @ mixed
        return made.clip(0, 1)

    return printed


def _colours(rng: np.random.Generator) -> tuple[Floats, Floats, Floats]:
    """Samples the colours (3,) BGR 0..1 of paper, of what is black on white paper, and of what is red there."""
    least = FAINT if rng.random() < FAINT_SHARE else CONTRAST
    while True:
        pick = rng.random()
        if pick < DARK_SHARE:
            paper = _DARK[int(rng.integers(len(_DARK)))] * rng.uniform(0.3, 1.3) + rng.uniform(0, 0.06, 3)
            black = _light_ink(rng)
            red = black if rng.random() < 0.4 else _ink_of_a_hue(rng, light=True)
        else:
            level = rng.uniform(0.35, 0.7) if pick < DARK_SHARE + MIDDLE_SHARE else rng.uniform(0.75, 1.0)
            paper = level * (1 - rng.uniform(0, 0.75 if level < 0.75 else 0.3) * rng.random(3))
            black = floats(rng.uniform(0, 0.2, 3) if rng.random() < 0.75 else _ink_of_a_hue(rng, light=False))
            red = _ink_of_a_hue(rng, light=False) if rng.random() < 0.8 else black
        if min(np.abs(paper - black).max(), np.abs(paper - red).max()) >= least:
            return floats(paper), floats(black), floats(red)


def _light_ink(rng: np.random.Generator) -> Floats:
    pick = rng.random()
    if pick < 0.45:
        return floats(rng.uniform(0.65, 1.0) * rng.uniform(0.9, 1.0, 3))
    metal = (GOLD, GOLD, SILVER, COPPER)[int(rng.integers(4))]
    return floats(metal * rng.uniform(0.7, 1.1) + rng.normal(0, 0.03, 3)).clip(0, 1)


def _ink_of_a_hue(rng: np.random.Generator, light: bool) -> Floats:
    """A strong colour, red more often than any other."""
    hue = rng.normal(0, 5) % 180 if rng.random() < 0.6 else rng.uniform(0, 180)
    value = rng.uniform(150, 255) if light else rng.uniform(70, 235)
    colour = np.asarray([[[hue, rng.uniform(130, 255), value]]], np.uint8)
    return floats(cv2.cvtColor(colour, cv2.COLOR_HSV2BGR)[0, 0] / 255)


def _noise(rng: np.random.Generator, height: int, width: int, cells: int) -> Floats:
    small = rng.normal(0, 1, (cells, cells)).astype(np.float32)
    return floats(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC))[..., None]


def _textured(rng: np.random.Generator, paper: Floats, height: int, width: int) -> Floats:
    """Paper (height, width, 3): plain, aged from the edges, grained, or with a picture that runs under the print."""
    ground = np.broadcast_to(paper, (height, width, 3)).astype(np.float32)
    pick, light = rng.random(), float(paper.max())
    if pick < 0.45:
        return ground
    if pick < 0.7:
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        edge = np.maximum(np.abs(x), np.abs(y))[..., None] ** 4 * rng.uniform(0.1, 0.45)
        stains = 1 + rng.uniform(0.02, 0.09) * _noise(rng, height, width, int(rng.integers(4, 14)))
        return floats(ground * stains * (1 - edge * floats([1.0, 0.7, 0.4])))
    if pick < 0.87:
        grain = _noise(rng, height, width, int(rng.integers(10, 120)))
        return floats(ground + max(light, 0.3) * rng.uniform(0.02, 0.1) * grain)
    for _ in range(int(rng.integers(2, 9))):  # large soft shapes, fainter than the print
        corners = rng.uniform(-0.1, 1.1, (int(rng.integers(3, 7)), 2)) * (width, height)
        shape = np.zeros((height, width), np.float32)
        cv2.fillPoly(shape, [cv2.convexHull(corners.astype(np.int32))], 1.0, cv2.LINE_AA)
        ground = ground + rng.uniform(-0.13, 0.13, 3).astype(np.float32) * shape[..., None]
    return floats(ground)


def _foil(rng: np.random.Generator, ink: Floats, height: int, width: int) -> Floats:
    """Ink (height, width, 3) that shines in bands across the card."""
    y, x = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j].astype(np.float32)
    angle, waves = rng.uniform(0, np.pi), rng.uniform(2, 14)
    shine = np.sin((x * np.cos(angle) + y * np.sin(angle)) * waves + rng.uniform(0, 6)) * rng.uniform(0.08, 0.3)
    return floats((ink * (1 + shine[..., None]) + 0.5 * shine[..., None].clip(0.1, 1) - 0.05).clip(0, 1))


def _channels(rng: np.random.Generator) -> Floats:
    """A matrix (3, 3) that mixes the colours of a picture; mostly it leaves them."""
    if rng.random() < 0.5:
        return np.eye(3, dtype=np.float32)
    mixed = np.eye(3)[rng.permutation(3)] + rng.uniform(0, 0.4, (3, 3))
    return floats(mixed / mixed.sum(0))


def _half(rng: np.random.Generator, height: int, width: int) -> Floats:
    """A mask (height, width, 1) of one half of the card, across its middle at any slant."""
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    slant = rng.uniform(-1.2, 1.2)
    return floats(y + slant * x * 0.5 > 0)[..., None]


def _frame(rng: np.random.Generator, height: int, width: int) -> Floats:
    """A mask (height, width) of a line along the card's edge, thin or broad."""
    mask, off = np.zeros((height, width), np.float32), round(rng.uniform(0.0, 0.02) * width)
    thick = max(round(rng.uniform(0.004, 0.02) * width), 1)
    cv2.rectangle(mask, (off, off), (width - 1 - off, height - 1 - off), 1.0, thick)
    return mask
