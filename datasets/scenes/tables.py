"""Pictures of card tables with exact ground truth: every card, its outline and its indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from datasets.arrays import Floats, Picture
from datasets.decks.deck_art import DeckArt
from datasets.scenes.backgrounds import draw_background
from datasets.scenes.camera import (
    Matrix,
    camera_over,
    card_outline,
    distort_picture,
    distort_points,
    in_front_of_camera,
)
from datasets.scenes.card_render import card_tones, lay_card
from datasets.scenes.clutter import Owner, scatter_objects
from datasets.scenes.layouts import CARD_MM, SceneCard, as_a_joker, lay_table, with_cards_face_down
from datasets.scenes.light import photograph
from datasets.scenes.visibility import COVERED, READABLE, is_legible, rank_outline, visible_part
from scorer.faces import Face

PaintOver = Callable[[np.random.Generator, Picture, Owner, Matrix], None]
"""Draws over the cards: random source, picture, ``owner`` to be cleared where it draws, and camera."""


@dataclass(frozen=True)
class TrueIndex:
    """One printed index of a drawn card.

    Attributes:
        card: position of its card in ``Table.cards``; -1 for indices that count as covered or doubtful.
        quad: its card's corners in pixels, (4, 2), clockwise from the top left as this index is read.
        right: whether it is in the upper right corner of that reading (decks with four indices).
        tall: height of its rank in pixels.
        face: its card's face.
    """

    card: int
    quad: Floats
    right: bool
    tall: float = 0.0
    face: Face | None = None


@dataclass(frozen=True)
class TrueCard:
    """A face-up card.

    Attributes:
        face: its face.
        quad: its corners in pixels, (4, 2), clockwise from its own top left.
        group, kind, layout: as in ``SceneCard``.
    """

    face: Face
    quad: Floats
    group: int
    kind: str
    layout: str = "apart"


@dataclass(frozen=True)
class Table:
    """A drawn picture and its ground truth.

    Attributes:
        picture: (height, width, 3) BGR.
        cards: the cards with at least one readable index.
        indices: the readable indices.
        hidden: number of face-up cards without a readable index.
        covered: indices that show less than COVERED of their rank.
        partial: hidden cards that show enough of a rank (or of a joker's figure) to be guessed; reading one is neither
            required nor a mistake.
        doubtful: indices between covered and readable, or of too little contrast.
    """

    picture: Picture
    cards: tuple[TrueCard, ...]
    indices: tuple[TrueIndex, ...]
    hidden: int
    covered: tuple[TrueIndex, ...] = ()
    partial: tuple[TrueCard, ...] = ()
    doubtful: tuple[TrueIndex, ...] = ()


def draw_table(
    rng: np.random.Generator,
    decks: Sequence[DeckArt],
    size: tuple[int, int] = (640, 640),
    card_pixels: float | None = None,
    max_tilt: float = 0.85,
    loose_share: float = 0.15,
    clean: bool = False,
    cards: Sequence[SceneCard] | None = None,
    packs: int | None = None,
    joker_share: float = 0.0,
    face_down_share: float = 0.0,
    uneven_light_share: float = 0.0,
    tight_share: float = 0.0,
    tilts: tuple[float, float] | None = None,
    sizes: Sequence[float] = (),
    paint_over: PaintOver | None = None,
    unusual_light: bool = False,
) -> Table:
    """Draws one table; the same generator state gives the same picture.

    Args:
        rng: source of everything random.
        decks: decks to choose from.
        size: (width, height) in pixels.
        card_pixels: width of a card at the picture's centre; by default random, 45 to 200.
        max_tilt: steepest camera angle from vertical, in radians.
        loose_share: share of groups of scattered cards.
        clean: leave out clutter.
        cards: the cards to show; by default laid at random.
        packs: number of packs on the table; by default one or two.
        joker_share: share of cards laid at random that become jokers.
        face_down_share: probability that some cards lie face down among the others.
        uneven_light_share: probability that each card has its own brightness and white.
        tight_share: probability that hardly more than its rank shows of any card.
        tilts: range of the camera's angle from the vertical, in radians, instead of up to ``max_tilt``.
        sizes: sizes of the cards of each of ``decks``, as multiples of a poker card's; each deck is then one pack.
        paint_over: draws over the cards, for example the hand that holds them.
        unusual_light: light that no training has; see ``photograph``.
    """
    width, height = size
    across = float(card_pixels or np.exp(rng.uniform(np.log(45), np.log(200))))
    camera = camera_over(rng, width, height, across, max_tilt, tilts)
    picture = draw_background(rng, height, width)
    owner: Owner = np.full((height, width), -1, np.int16)
    if not clean and rng.random() < 0.5:
        scatter_objects(rng, picture, owner, across, over=False, count=int(rng.integers(0, 4)))
    count = packs or (2 if rng.random() < 0.25 else 1)
    mixed = list(decks) if sizes else [decks[int(rng.integers(len(decks)))] for _ in range(count)]
    extent = (width * CARD_MM / across, height * CARD_MM / across)
    if cards is None:
        tight = bool(tight_share) and rng.random() < tight_share
        cards = lay_table(rng, mixed, extent, loose_share=loose_share, tight=tight, sizes=sizes)
        if joker_share:
            cards = [as_a_joker(rng, card) if rng.random() < joker_share else card for card in cards]
        if face_down_share and rng.random() < face_down_share:
            cards = with_cards_face_down(rng, cards)
    depth = float(rng.uniform(0.15, 0.6)) if rng.random() < 0.8 else 0.0
    angle = rng.uniform(0, 2 * np.pi)
    shadow = (float(np.cos(angle)) * 0.02, float(np.sin(angle)) * 0.02, depth)
    cards = [card for card in cards if in_front_of_camera(*card_outline(card, camera), width, height)]
    tones: Sequence[Floats | None] = [None] * len(cards)
    if uneven_light_share and rng.random() < uneven_light_share:
        tones = [*card_tones(rng, len(cards))]
    quads = [
        lay_card(picture, owner, card, number, camera, shadow, tone)
        for number, (card, tone) in enumerate(zip(cards, tones, strict=True))
    ]
    if not clean and rng.random() < 0.3:
        scatter_objects(rng, picture, owner, across, over=True, count=int(rng.integers(1, 3)))
    if paint_over:
        paint_over(rng, picture, owner, camera)
    strength = float(rng.uniform(-0.06, 0.06)) if rng.random() < 0.3 else 0.0
    if strength:
        picture, owner = distort_picture(picture, owner, strength)
        quads = [distort_points(quad, strength, width, height) for quad in quads]
    return _with_truth(photograph(rng, picture, across, unusual_light), owner, cards, quads)


def _with_truth(picture: Picture, owner: Owner, laid: Sequence[SceneCard], quads: Sequence[Floats]) -> Table:
    """Sorts the ``laid`` cards and their indices by how much of them shows."""
    cards: list[TrueCard] = []
    indices: list[TrueIndex] = []
    covered: list[TrueIndex] = []
    doubtful: list[TrueIndex] = []
    partial: list[TrueCard] = []
    for number, (card, quad) in enumerate(zip(laid, quads, strict=True)):
        if card.face is None:
            continue
        readable, largest_share = [], 0.0
        for far_end, turned_quad in ((False, quad), (True, np.roll(quad, 2, axis=0))):
            box = card.deck.index_box(card.face, card.picture, far_end)
            if box is None:  # an empty corner has no index, but a joker's figure there may give it away
                outline = rank_outline(card.deck.rank_box, turned_quad, False)
                largest_share = max(largest_share, visible_part(owner, number, outline)[0])
                continue
            for right in card.deck.index_on_right(card.face):
                outline = rank_outline(box, turned_quad, right)
                share, pixels = visible_part(owner, number, outline)
                largest_share = max(largest_share, share)
                tall = float(np.hypot(*(outline[3] - outline[0])))
                if share >= READABLE and is_legible(picture, pixels):
                    readable.append(TrueIndex(len(cards), turned_quad, right, tall, card.face))
                else:
                    unread = TrueIndex(-1, turned_quad, right, tall, card.face)
                    (covered if share < COVERED else doubtful).append(unread)
        true_card = TrueCard(card.face, quad, card.group, card.kind, card.layout)
        if readable:
            indices += readable
            cards.append(true_card)
        elif largest_share >= COVERED:
            partial.append(true_card)
    hidden = sum(card.face is not None for card in laid) - len(cards)
    return Table(picture, tuple(cards), tuple(indices), hidden, tuple(covered), tuple(partial), tuple(doubtful))
