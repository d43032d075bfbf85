"""Whole pictures of card tables with exact truth: every card, its outline, and every index a person could read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art import DeckArt, Floats, Picture, Rect, doubles, floats
from datasets.backgrounds import draw_background
from datasets.clutter import Owner, scatter
from datasets.layouts import CARD_MM, Placed, as_joker, lay_table, with_backs
from datasets.light import photograph
from scorer.faces import Face

PATCH = (0.18, 0.29)
"""Share of a card's width and height that the box round an index covers, from the card's corner."""
READABLE = 0.82
"""An index counts as readable when this share of its rank is in the picture and uncovered."""
COVERED = 0.3
"""An index of which less than this shows counts as no index; between the two nobody is asked to judge."""
LEAST_CONTRAST = 22.0
"""Between a rank and its paper, 0..255 in the darkest channel; under less glare or gloom nobody can read it."""
Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class TrueIndex:
    """A readable index: the card it is on, that card's corners (4, 2) in pixels from the top left as this index is
    read, clockwise, whether it stands in the right-hand corner of that reading (decks with four indices), the height of
    its rank in pixels, and the card's face, known too of an index that nobody is asked to read."""

    card: int
    quad: Floats
    right: bool
    tall: float = 0.0
    face: Face | None = None


@dataclass(frozen=True)
class TrueCard:
    """A card of which at least one index is readable; ``quad`` (4, 2) pixels from its own top left, clockwise;
    ``group``, ``kind`` and ``layout`` as it was laid."""

    face: Face
    quad: Floats
    group: int
    kind: str
    layout: str = "apart"


@dataclass(frozen=True)
class Table:
    """A picture (height, width, 3) BGR and what is on it.

    ``hidden`` cards, whose indices nobody can read, are not among ``cards``; ``covered`` are corners of face-up cards
    that show less than ``COVERED`` of their rank, ``doubtful`` those between covered and readable (``card`` is -1 in
    both); ``partial`` are those hidden cards that show enough of a rank, or of a joker without one, to be guessed:
    reading one is neither asked for nor a mistake.
    """

    picture: Picture
    cards: tuple[TrueCard, ...]
    indices: tuple[TrueIndex, ...]
    hidden: int
    covered: tuple[TrueIndex, ...] = ()
    partial: tuple[TrueCard, ...] = ()
    doubtful: tuple[TrueIndex, ...] = ()


def patch_quad(quad: Floats, right: bool, share: tuple[float, float] = PATCH) -> Floats:
    """The corner patch (4, 2) of an index on the card outlined by ``quad``, as one reads it, clockwise."""
    x0, x1 = (1 - share[0], 1.0) if right else (0.0, share[0])
    unit = floats([[0, 0], [1, 0], [1, 1], [0, 1]])
    onto = cv2.getPerspectiveTransform(unit, np.asarray(quad, np.float32))
    corners = floats([[x0, 0], [x1, 0], [x1, share[1]], [x0, share[1]]])
    return np.asarray(cv2.perspectiveTransform(corners[None], onto)[0], np.float32)


def camera_over(rng: np.random.Generator, width: int, height: int, card_pixels: float, most_tilt: float) -> Matrix:
    """The homography from millimetres on the table, origin in the middle, to pixels."""
    focal = float(rng.uniform(0.9, 2.2)) * max(width, height)
    distance = focal * CARD_MM / card_pixels
    turn = float(rng.uniform(0, 2 * np.pi) if rng.random() < 0.5 else rng.normal(0, 0.12))
    tilt = min(abs(float(rng.normal(0, most_tilt / 2))), most_tilt) if rng.random() < 0.85 else 0.0
    axis = float(rng.uniform(0, 2 * np.pi) if rng.random() < 0.3 else rng.normal(0, 0.2))
    spin, _ = cv2.Rodrigues(doubles([0, 0, turn]))
    lean, _ = cv2.Rodrigues(doubles([np.cos(axis), np.sin(axis), 0]) * -tilt)
    pose = lean @ spin
    flat = np.column_stack([pose[:, 0], pose[:, 1], doubles([0, 0, distance])])
    lens = doubles([[focal, 0.0, width / 2], [0.0, focal, height / 2], [0.0, 0.0, 1.0]])
    return np.asarray(lens @ flat, np.float64)


def _bend(points: Floats, strength: float, width: int, height: int) -> Floats:
    """Where points of the straight picture lie once the lens has bent it by ``strength``."""
    middle, scale = floats([width / 2, height / 2]), max(width, height) / 2
    straight = (points - middle) / scale
    bent = straight.copy()
    for _ in range(6):  # inverse of p = q (1 + k |q|^2)
        # far outside the picture the formula runs away; nothing there is seen
        bent = straight / (1 + strength * np.minimum((bent**2).sum(-1, keepdims=True), 4))
    return np.asarray(bent * scale + middle, np.float32)


def _bend_picture(picture: Picture, owner: Owner, strength: float) -> tuple[Picture, Owner]:
    height, width = picture.shape[:2]
    scale = max(width, height) / 2
    x = (np.arange(width, dtype=np.float32) - width / 2) / scale
    y = (np.arange(height, dtype=np.float32) - height / 2) / scale
    factor = 1 + strength * (x[None, :] ** 2 + y[:, None] ** 2)
    map_x, map_y = x[None, :] * factor * scale + width / 2, y[:, None] * factor * scale + height / 2
    bent = cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    owned = cv2.remap(owner, map_x, map_y, cv2.INTER_NEAREST, borderMode=cv2.BORDER_CONSTANT, borderValue=-1)
    return np.asarray(bent, np.uint8), np.asarray(owned, np.int16)


def _outline(card: Placed, camera: Matrix) -> tuple[Floats, Matrix]:
    """The card's corners in pixels (4, 2), and the homography from its unit square to pixels."""
    tall = CARD_MM * card.deck.height / card.deck.back.shape[1]
    cos, sin = np.cos(card.turn), np.sin(card.turn)
    place = doubles(
        [
            [cos * CARD_MM, -sin * tall, card.x - cos * CARD_MM / 2 + sin * tall / 2],
            [sin * CARD_MM, cos * tall, card.y - sin * CARD_MM / 2 - cos * tall / 2],
            [0, 0, 1],
        ]
    )
    onto = camera @ place
    unit = doubles([[[0, 0], [1, 0], [1, 1], [0, 1]]])
    return np.asarray(cv2.perspectiveTransform(unit, onto)[0], np.float32), onto


def _in_front(quad: Floats, onto: Matrix, width: int, height: int) -> bool:
    """Whether a card is wholly before a tilted camera and not blown up by nearness to its plane."""
    depths = onto[2] @ doubles([[0, 1, 1, 0], [0, 0, 1, 1], [1, 1, 1, 1]])
    return bool((depths > 0).all() and np.ptp(quad, axis=0).max() < 2 * max(width, height))


def tones(rng: np.random.Generator, count: int) -> Floats:
    """How much of each colour, BGR, each of ``count`` cards throws back, and how pale it shines, (count, 4): they lie
    at other slants to the light, are worn, or of packs of other paper."""
    spread = rng.uniform(0.05, 0.45)
    gains = np.exp(rng.normal(-0.6 * spread, spread, (count, 1)) + rng.normal(0, 0.04, (count, 3)))
    pale = np.where(rng.random((count, 1)) < 0.2, rng.uniform(0, 70, (count, 1)), 0.0)
    return floats(np.hstack([gains.clip(0.25, 1.3), pale]))


def _toned(laid: Picture, tone: Floats) -> Picture:
    """The colours of a card, (height, width, 3) BGR, in its ``tone`` (4,)."""
    return np.asarray((laid * (tone[:3] * (1 - tone[3] / 255)) + tone[3]).clip(0, 255), np.uint8)


def lay_card(
    picture: Picture,
    owner: Owner,
    card: Placed,
    number: int,
    camera: Matrix,
    shadow: tuple[float, float, float],
    tone: Floats | None = None,
) -> Floats:
    height, width = picture.shape[:2]
    quad, onto = _outline(card, camera)
    across = float(np.hypot(*(quad[1] - quad[0])))
    levels = card.deck.levels(card.picture)
    level = levels[int(np.clip(np.floor(np.log2(levels[0].shape[1] / max(across, 1))), 0, len(levels) - 1))]
    reach = max(0.06 * across, 2) if shadow[2] else 1
    low = np.floor(quad.min(0) - reach).astype(int).clip(0)
    high = np.minimum(np.ceil(quad.max(0) + reach).astype(int) + 1, (width, height))
    if (high <= low).any():
        return quad
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    shift = doubles([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]])
    shrink = np.diag([1 / level.shape[1], 1 / level.shape[0], 1.0])
    laid = cv2.warpPerspective(level, shift @ onto @ shrink, size, borderMode=cv2.BORDER_REPLICATE)
    edge = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(edge, np.round((quad - low) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    alpha = np.minimum(laid[:, :, 3], edge)
    part = picture[low[1] : high[1], low[0] : high[0]]
    if shadow[2]:
        dark = np.zeros_like(edge)
        offset = quad - low + floats(shadow[:2]) * across
        cv2.fillConvexPoly(dark, np.round(offset * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        spread = int(max(0.04 * across, 1)) * 2 + 1
        dark = np.asarray(cv2.blur(dark, (spread, spread)), np.uint8)
        part[:] = (part * (1 - shadow[2] / 255 * dark.astype(np.float32)[..., None])).astype(np.uint8)
    weight = alpha.astype(np.uint16)[..., None]
    colours = np.asarray(laid[:, :, :3], np.uint8)
    if tone is not None:
        colours = _toned(colours, tone)
    part[:] = ((colours * weight + part * (255 - weight)) // 255).astype(np.uint8)
    owner[low[1] : high[1], low[0] : high[0]][alpha > 127] = number
    return quad


def _shown(owner: Owner, number: int, outline: Floats) -> tuple[float, NDArray[np.intp]]:
    """Of the area inside ``outline`` (4, 2) the share that is in the picture and shows card ``number``, and the pixels
    that do, (2, n) down and along."""
    height, width = owner.shape
    low = np.floor(outline.min(0)).astype(int)
    high = np.ceil(outline.max(0)).astype(int) + 1
    if (high <= 0).any() or low[0] >= width or low[1] >= height or (high - low).max() > 2 * max(width, height):
        return 0.0, np.zeros((2, 0), np.intp)
    mask = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.uint8)
    cv2.fillConvexPoly(mask, np.round(outline - low).astype(np.int32), 1)
    whole = int(mask.sum())
    a, b = low.clip(0), np.minimum(high, (width, height))
    inside = mask[a[1] - low[1] : b[1] - low[1], a[0] - low[0] : b[0] - low[0]]
    pixels = np.nonzero((owner[a[1] : b[1], a[0] : b[0]] == number) & (inside > 0))
    return len(pixels[0]) / max(whole, 1), np.stack(pixels) + a[::-1, None]


def _legible(picture: Picture, pixels: NDArray[np.intp]) -> bool:
    """Whether light and shadow have left a contrast between a rank and its paper, whose ``pixels`` (2, n) are."""
    dark, light = np.percentile(picture[pixels[0], pixels[1]].min(1), (4, 90))
    return bool(light - dark >= LEAST_CONTRAST)


def draw_table(
    rng: np.random.Generator,
    decks: Sequence[DeckArt],
    size: tuple[int, int] = (640, 640),
    card_pixels: float | None = None,
    most_tilt: float = 0.85,
    loose_share: float = 0.15,
    clean: bool = False,
    placed: Sequence[Placed] | None = None,
    packs: int | None = None,
    jokers: float = 0.0,
    backs: float = 0.0,
    uneven: float = 0.0,
    tight: float = 0.0,
) -> Table:
    """Draws one table.

    ``size`` is (width, height) in pixels; ``card_pixels`` the width of a card in the middle of the picture, drawn at
    random from 45 to 200 where it is None; ``most_tilt`` the steepest camera angle from straight above, in radians;
    ``clean`` leaves out clutter; ``placed`` are the cards to show, laid at random where it is None; ``packs`` of
    ``decks`` lie on one table, one or two as people mix them where it is None; ``jokers`` is the share of cards laid
    at random that make room for a joker, to show more of them than people hold; on the share ``backs`` of tables some
    cards lie face down among the others, on the share ``uneven`` each is as bright and as white as it likes, and on the
    share ``tight`` hardly more than its rank shows of any card.
    """
    width, height = size
    across = float(card_pixels or np.exp(rng.uniform(np.log(45), np.log(200))))
    camera = camera_over(rng, width, height, across, most_tilt)
    picture = draw_background(rng, height, width)
    owner: Owner = np.full((height, width), -1, np.int16)
    if not clean and rng.random() < 0.5:
        scatter(rng, picture, owner, across, over=False, count=int(rng.integers(0, 4)))
    count = packs or (2 if rng.random() < 0.25 else 1)
    mixed = [decks[int(rng.integers(len(decks)))] for _ in range(count)]
    extent = (width * CARD_MM / across, height * CARD_MM / across)
    if placed is None:
        close = bool(tight) and rng.random() < tight
        placed = lay_table(rng, mixed, extent, loose_share=loose_share, tight=close)
        if jokers:
            placed = [as_joker(rng, card) if rng.random() < jokers else card for card in placed]
        if backs and rng.random() < backs:
            placed = with_backs(rng, placed)
    depth = float(rng.uniform(0.15, 0.6)) if rng.random() < 0.8 else 0.0
    angle = rng.uniform(0, 2 * np.pi)
    shadow = (float(np.cos(angle)) * 0.02, float(np.sin(angle)) * 0.02, depth)
    placed = [card for card in placed if _in_front(*_outline(card, camera), width, height)]
    each: Sequence[Floats | None] = [None] * len(placed)
    if uneven and rng.random() < uneven:
        each = [*tones(rng, len(placed))]
    quads = [
        lay_card(picture, owner, card, number, camera, shadow, tone)
        for number, (card, tone) in enumerate(zip(placed, each, strict=True))
    ]
    if not clean and rng.random() < 0.3:
        scatter(rng, picture, owner, across, over=True, count=int(rng.integers(1, 3)))
    strength = float(rng.uniform(-0.06, 0.06)) if rng.random() < 0.3 else 0.0
    if strength:
        picture, owner = _bend_picture(picture, owner, strength)
        quads = [_bend(quad, strength, width, height) for quad in quads]
    picture = photograph(rng, picture, across)
    cards: list[TrueCard] = []
    indices: list[TrueIndex] = []
    covered: list[TrueIndex] = []
    doubtful: list[TrueIndex] = []
    partial: list[TrueCard] = []
    for number, (card, quad) in enumerate(zip(placed, quads, strict=True)):
        if card.face is None:
            continue
        seen, most = [], 0.0
        for half, turned in ((False, quad), (True, np.roll(quad, 2, axis=0))):
            box = card.deck.index_box(card.face, card.picture, half)
            if box is None:  # an empty corner is no index, yet a joker's picture may be read for what it is
                most = max(most, _shown(owner, number, _rank_outline(card.deck.rank_box, turned, False))[0])
                continue
            for right in card.deck.rights(card.face):
                outline = _rank_outline(box, turned, right)
                shown, pixels = _shown(owner, number, outline)
                most = max(most, shown)
                tall = float(np.hypot(*(outline[3] - outline[0])))
                if shown >= READABLE and _legible(picture, pixels):
                    seen.append(TrueIndex(len(cards), turned, right, tall, card.face))
                else:
                    (covered if shown < COVERED else doubtful).append(TrueIndex(-1, turned, right, tall, card.face))
        if seen:
            indices += seen
            cards.append(TrueCard(card.face, quad, card.group, card.kind, card.layout))
        elif most >= COVERED:
            partial.append(TrueCard(card.face, quad, card.group, card.kind, card.layout))
    hidden = sum(card.face is not None for card in placed) - len(cards)
    return Table(picture, tuple(cards), tuple(indices), hidden, tuple(covered), tuple(partial), tuple(doubtful))


def _rank_outline(box: Rect, quad: Floats, right: bool) -> Floats:
    x0, y0, x1, y1 = box
    if right:
        x0, x1 = 1 - x1, 1 - x0
    onto = cv2.getPerspectiveTransform(floats([[0, 0], [1, 0], [1, 1], [0, 1]]), quad)
    corners = floats([[[x0, y0], [x1, y0], [x1, y1], [x0, y1]]])
    return np.asarray(cv2.perspectiveTransform(corners, onto)[0], np.float32)
