"""Whole pictures of card tables with exact truth: every card, its outline, and every index a person could read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from datasets.arrays import Floats, Picture
from datasets.decks.deck_art import DeckArt
from datasets.scenes.backgrounds import draw_background
from datasets.scenes.camera import camera_over, card_outline, distort_picture, distort_points, in_front_of_camera
from datasets.scenes.card_render import card_tones, lay_card
from datasets.scenes.clutter import Owner, scatter_objects
from datasets.scenes.layouts import CARD_MM, SceneCard, as_a_joker, lay_table, with_cards_face_down
from datasets.scenes.light import photograph
from datasets.scenes.visibility import COVERED, READABLE, is_legible, rank_outline, visible_part
from scorer.faces import Face


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


def draw_table(
    rng: np.random.Generator,
    decks: Sequence[DeckArt],
    size: tuple[int, int] = (640, 640),
    card_pixels: float | None = None,
    max_tilt: float = 0.85,
    loose_share: float = 0.15,
    clean: bool = False,
    placed: Sequence[SceneCard] | None = None,
    packs: int | None = None,
    jokers: float = 0.0,
    backs: float = 0.0,
    uneven: float = 0.0,
    tight: float = 0.0,
) -> Table:
    """Draws one table.

    ``size`` is (width, height) in pixels; ``card_pixels`` the width of a card in the middle of the picture, drawn at
    random from 45 to 200 where it is None; ``max_tilt`` the steepest camera angle from straight above, in radians;
    ``clean`` leaves out clutter; ``placed`` are the cards to show, laid at random where it is None; ``packs`` of
    ``decks`` lie on one table, one or two as people mix them where it is None; ``jokers`` is the share of cards laid
    at random that make room for a joker, to show more of them than people hold; on the share ``backs`` of tables some
    cards lie face down among the others, on the share ``uneven`` each is as bright and as white as it likes, and on the
    share ``tight`` hardly more than its rank shows of any card.
    """
    width, height = size
    across = float(card_pixels or np.exp(rng.uniform(np.log(45), np.log(200))))
    camera = camera_over(rng, width, height, across, max_tilt)
    picture = draw_background(rng, height, width)
    owner: Owner = np.full((height, width), -1, np.int16)
    if not clean and rng.random() < 0.5:
        scatter_objects(rng, picture, owner, across, over=False, count=int(rng.integers(0, 4)))
    count = packs or (2 if rng.random() < 0.25 else 1)
    mixed = [decks[int(rng.integers(len(decks)))] for _ in range(count)]
    extent = (width * CARD_MM / across, height * CARD_MM / across)
    if placed is None:
        close = bool(tight) and rng.random() < tight
        placed = lay_table(rng, mixed, extent, loose_share=loose_share, tight=close)
        if jokers:
            placed = [as_a_joker(rng, card) if rng.random() < jokers else card for card in placed]
        if backs and rng.random() < backs:
            placed = with_cards_face_down(rng, placed)
    depth = float(rng.uniform(0.15, 0.6)) if rng.random() < 0.8 else 0.0
    angle = rng.uniform(0, 2 * np.pi)
    shadow = (float(np.cos(angle)) * 0.02, float(np.sin(angle)) * 0.02, depth)
    placed = [card for card in placed if in_front_of_camera(*card_outline(card, camera), width, height)]
    each: Sequence[Floats | None] = [None] * len(placed)
    if uneven and rng.random() < uneven:
        each = [*card_tones(rng, len(placed))]
    quads = [
        lay_card(picture, owner, card, number, camera, shadow, tone)
        for number, (card, tone) in enumerate(zip(placed, each, strict=True))
    ]
    if not clean and rng.random() < 0.3:
        scatter_objects(rng, picture, owner, across, over=True, count=int(rng.integers(1, 3)))
    strength = float(rng.uniform(-0.06, 0.06)) if rng.random() < 0.3 else 0.0
    if strength:
        picture, owner = distort_picture(picture, owner, strength)
        quads = [distort_points(quad, strength, width, height) for quad in quads]
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
                most = max(most, visible_part(owner, number, rank_outline(card.deck.rank_box, turned, False))[0])
                continue
            for right in card.deck.rights(card.face):
                outline = rank_outline(box, turned, right)
                shown, pixels = visible_part(owner, number, outline)
                most = max(most, shown)
                tall = float(np.hypot(*(outline[3] - outline[0])))
                if shown >= READABLE and is_legible(picture, pixels):
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
