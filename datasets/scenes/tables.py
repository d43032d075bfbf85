"""Pictures of card tables with exact ground truth: every card, its outline and its indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from datasets.arrays import Floats, Picture, floats
from datasets.decks.deck_art import DeckArt, Rect
from datasets.scenes.bent import bent, card_points
from datasets.scenes.camera import (
    Camera,
    Matrix,
    card_outline,
    distort_picture,
    distort_points,
    in_front_of_camera,
    sample_camera,
)
from datasets.scenes.card_render import card_tones, lay_card
from datasets.scenes.focus import Focus, blurred, sample_focus
from datasets.scenes.layouts import CARD_MM, SceneCard, as_a_joker, lay_table, with_cards_face_down
from datasets.scenes.light import photograph
from datasets.scenes.surroundings.backgrounds import draw_background
from datasets.scenes.surroundings.clutter import Owner, scatter_objects
from datasets.scenes.surroundings.prints import PRINTS, draw_cloth
from datasets.scenes.visibility import (
    COVERED,
    MIN_SHARPNESS,
    PATCH,
    READABLE,
    WHOLE,
    is_legible,
    rank_outline,
    visible_part,
)
from scorer.faces import JOKER, Face

Surface = Callable[[Floats], Floats]
"""Where points (n, 2) of a card, in fractions of its width and height, are in the picture: (n, 2) pixels."""

SMALLEST_SECOND = 9.0
"""Smallest height, in pixels, of the rank of a small second index that must be read."""
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
        bent_patch: where its corner patch is if the card is bent.
    """

    card: int
    quad: Floats
    right: bool
    tall: float = 0.0
    face: Face | None = None
    bent_patch: Floats | None = None

    @property
    def patch(self) -> Floats:
        """The corner patch round it, (4, 2) pixels, clockwise from the top left as it is read."""
        return rank_outline(PATCH, self.quad, self.right) if self.bent_patch is None else self.bent_patch


@dataclass(frozen=True)
class TrueCard:
    """A face-up card.

    Attributes:
        face: its face.
        quad: its corners in pixels, (4, 2), clockwise from its own top left.
        group, kind: as in ``SceneCard``.
    """

    face: Face
    quad: Floats
    group: int
    kind: str


@dataclass(frozen=True)
class Table:
    """A drawn picture and its ground truth.

    Attributes:
        picture: (height, width, 3) BGR.
        cards: the cards with at least one readable index, and those without any of which WHOLE shows.
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
    bent_share: float = 0.0,
    shallow: bool = False,
    prints_share: float = 0.0,
) -> Table:
    """Draws one table; the same generator state gives the same picture.

    Args:
        rng: source of everything random.
        decks: decks to choose from.
        size: (width, height) in pixels.
        card_pixels: width of a card at the picture's centre; by default random, 45 to 200.
        max_tilt: steepest camera angle from vertical, in radians.
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
        bent_share: share of the cards that are bent.
        shallow: the lens is sharp at one distance only.
        prints_share: probability that printed things which are no cards lie about, on cloth with a pattern too.
    """
    width, height = size
    across = float(card_pixels or np.exp(rng.uniform(np.log(45), np.log(200))))
    whole = sample_camera(rng, width, height, across, max_tilt, tilts)
    camera = whole.table
    prints = bool(prints_share) and rng.random() < prints_share
    picture = (draw_cloth if prints and rng.random() < 0.4 else draw_background)(rng, height, width)
    owner: Owner = np.full((height, width), -1, np.int16)
    if not clean and rng.random() < 0.5:
        scatter_objects(rng, picture, owner, across, over=False, count=int(rng.integers(0, 4)))
    if prints:
        scatter_objects(rng, picture, owner, across, over=False, count=int(rng.integers(1, 6)), kinds=PRINTS)
    count = packs or (2 if rng.random() < 0.25 else 1)
    mixed = list(decks) if sizes else [decks[int(rng.integers(len(decks)))] for _ in range(count)]
    extent = (width * CARD_MM / across, height * CARD_MM / across)
    if cards is None:
        cards = _at_random(rng, mixed, extent, sizes, tight_share, joker_share, face_down_share)
    shadow = _shadow(rng)
    cards = [card for card in cards if in_front_of_camera(*card_outline(card, camera), width, height)]
    if bent_share:
        cards = bent(rng, cards, bent_share, whole)
    uneven = bool(uneven_light_share) and rng.random() < uneven_light_share
    tones = card_tones(rng, len(cards)) if uneven else [None] * len(cards)
    quads = [
        lay_card(picture, owner, card, number, camera, shadow, tone, whole)
        for number, (card, tone) in enumerate(zip(cards, tones, strict=True))
    ]
    if not clean and rng.random() < 0.3:
        scatter_objects(rng, picture, owner, across, over=True, count=int(rng.integers(1, 3)))
    if paint_over:
        paint_over(rng, picture, owner, camera)
    if prints and rng.random() < 0.3:
        scatter_objects(rng, picture, owner, across, over=True, count=1, kinds=PRINTS)
    if focus := sample_focus(rng, whole, size, across) if shallow else None:
        picture = blurred(picture, focus)
    strength = float(rng.uniform(-0.06, 0.06)) if rng.random() < 0.3 else 0.0
    if strength:
        picture, owner = distort_picture(picture, owner, strength)
        quads = [distort_points(quad, strength, *size) for quad in quads]
    surfaces = [_surface(card, whole, strength, size) for card in cards]
    return _with_truth(photograph(rng, picture, across, unusual_light), owner, cards, quads, surfaces, focus)


def _at_random(
    rng: np.random.Generator,
    decks: Sequence[DeckArt],
    extent: tuple[float, float],
    sizes: Sequence[float],
    tight_share: float,
    joker_share: float,
    face_down_share: float,
) -> list[SceneCard]:
    """Cards laid at random, with jokers among them, and some face down; see ``draw_table``."""
    tight = bool(tight_share) and rng.random() < tight_share
    cards = lay_table(rng, decks, extent, tight=tight, sizes=sizes)
    if joker_share:
        cards = [as_a_joker(rng, card) if rng.random() < joker_share else card for card in cards]
    if face_down_share and rng.random() < face_down_share:
        cards = with_cards_face_down(rng, cards)
    return cards


def _shadow(rng: np.random.Generator) -> tuple[float, float, float]:
    """How far the cards' shadows fall aside, in both directions, and how dark they are."""
    depth = float(rng.uniform(0.15, 0.6)) if rng.random() < 0.8 else 0.0
    angle = rng.uniform(0, 2 * np.pi)
    return float(np.cos(angle)) * 0.02, float(np.sin(angle)) * 0.02, depth


def _is_bare(card: SceneCard) -> bool:
    """Whether a card is known to have no index at all."""
    ends = (card.deck.index_box(card.face, card.picture, turned) for turned in (False, True)) if card.face else ()
    return card.face in card.deck.marks and not any(ends)


def _surface(card: SceneCard, camera: Camera, strength: float, size: tuple[int, int]) -> Surface | None:
    """The surface of a bent card, seen through a lens of this ``strength``; None for a flat one."""
    if card.bend is None:
        return None
    return lambda points: distort_points(card_points(card, camera, points), strength, *size)


def _outline(surface: Surface | None, box: Rect, far_end: bool, right: bool, quad: Floats) -> Floats:
    """Where a ``box`` at one end of a card is in the picture, (4, 2); ``quad`` are its corners as read from there."""
    if surface is None:
        return rank_outline(box, quad, right)
    x0, y0, x1, y1 = box
    if right:
        x0, x1 = 1 - x1, 1 - x0
    corners = floats([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    return surface(1 - corners if far_end else corners)


def _with_truth(
    picture: Picture,
    owner: Owner,
    laid: Sequence[SceneCard],
    quads: Sequence[Floats],
    surfaces: Sequence[Surface | None],
    focus: Focus | None,
) -> Table:
    """Sorts the ``laid`` cards and their indices by how much of them shows, and how sharp."""
    cards: list[TrueCard] = []
    indices: list[TrueIndex] = []
    covered: list[TrueIndex] = []
    doubtful: list[TrueIndex] = []
    partial: list[TrueCard] = []
    for number, (card, quad, surface) in enumerate(zip(laid, quads, surfaces, strict=True)):
        if card.face is None:
            continue
        readable, largest_share = [], 0.0
        for far_end, turned_quad in ((False, quad), (True, np.roll(quad, 2, axis=0))):
            box = card.deck.index_box(card.face, card.picture, far_end)
            if box is None:  # an empty corner has no index, but a joker's figure there may give it away
                outline = _outline(surface, card.deck.rank_box, far_end, False, turned_quad)
                largest_share = max(largest_share, visible_part(owner, number, outline)[0])
                continue
            for right in card.deck.index_on_right(card.face):
                second = card.deck.second_box if right and card.face != JOKER else None
                outline = _outline(surface, second or box, far_end, right, turned_quad)
                share, pixels = visible_part(owner, number, outline)
                largest_share = max(largest_share, share)
                tall = float(np.hypot(*(outline[3] - outline[0])))
                sharp = focus is None or tall >= MIN_SHARPNESS * focus.blur(outline.mean(0))
                sharp = sharp and (second is None or tall >= SMALLEST_SECOND)
                patch = _outline(surface, PATCH, far_end, right, turned_quad) if surface else None
                if share >= READABLE and sharp and is_legible(picture, pixels, card.deck.any_paper):
                    readable.append(TrueIndex(len(cards), turned_quad, right, tall, card.face, patch))
                else:
                    unread = TrueIndex(-1, turned_quad, right, tall, card.face, patch)
                    (covered if share < COVERED else doubtful).append(unread)
        true_card = TrueCard(card.face, quad, card.group, card.kind)
        if bare := _is_bare(card):  # the whole picture tells what it is
            largest_share, pixels = visible_part(owner, number, quad)
            largest_share *= is_legible(picture, pixels, card.deck.any_paper) if len(pixels[0]) else 0
        if readable or (bare and largest_share >= WHOLE):
            indices += readable
            cards.append(true_card)
        elif largest_share >= COVERED:
            partial.append(true_card)
    hidden = sum(card.face is not None for card in laid) - len(cards)
    return Table(picture, tuple(cards), tuple(indices), hidden, tuple(covered), tuple(partial), tuple(doubtful))
