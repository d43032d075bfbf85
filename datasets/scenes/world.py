"""The drawn world: tables of every kind a camera meets, in shares that a recipe gives.

``usual`` are the tables that all earlier trainings had. The others are what strangers' photographs have and those lack:
views from straight above and from low down, cards that fill the picture, hands held before the camera and long fans,
lenses of little depth, bent cards, long columns, cards of which only the rank shows, and things that are no cards; and
packs of any proportion, size, index, paper and letters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

import cv2
import numpy as np

from datasets.arrays import Picture, doubles
from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import sample_deck
from datasets.decks.styles import Look
from datasets.scenes.camera import Matrix
from datasets.scenes.layouts import CARD_MM, SceneCard, as_a_joker
from datasets.scenes.surroundings.clutter import Owner, draw_fingers
from datasets.scenes.tables import Table, draw_table
from scorer.faces import JOKER

VIEWS = (
    *("usual", "straight_down", "oblique", "low", "filling", "in_hand", "fan"),
    *("shallow", "bent", "columns", "rank_only", "no_cards"),
)
OBLIQUE, LOW, STRAIGHT, SHALLOW = (0.87, 1.13), (1.05, 1.26), (0.0, 0.04), (0.96, 1.22)
"""Angles of the camera from the vertical, in radians: 50 to 65 degrees, 60 to 72, nearly none, and 55 to 70."""
MAX_PACKS = 3
JOKER_SHARE, FACE_DOWN_SHARE, UNEVEN_LIGHT_SHARE, TIGHT_SHARE = 0.15, 0.3, 0.3, 0.15
"""Of cards replaced by jokers, and of tables with cards face down, with uneven light, and hardly spread."""
SIZES = (0.7, 1.45)
"""Range of the size of a pack's cards on tables of unlike packs, against a poker card: patience to jumbo cards."""
COLUMN_CARDS, COLUMN_STEPS = (4, 13), (0.12, 0.4)
"""Numbers of cards in a column, and from one to the next as a share of a card's height."""
BENT_SHARE, EMPTY_SHARE, FEW = 0.7, 0.6, 5
"""Share of cards that are bent where some are; share of tables without cards among those of things that are none, and
less than how many cards the others have."""
FILLING, HELD, FANNED = (0.28, 0.8), (0.1, 0.3), (0.07, 0.2)
"""Width of a card as a share of the picture's: of cards that fill it, of those held in a hand, of those in a fan."""


@dataclass(frozen=True, slots=True)
class World:
    """Shares of what is drawn, 0..1.

    Attributes:
        views: weight of each of VIEWS; one that is not named is not drawn.
        proportions, indices, dark, foreign, own_signs, papers, rank_alone, second_index: shares of packs with that
            ``Look``.
        sizes: share of tables whose packs have unlike sizes.
        prints: share of tables of ``usual`` and other wide views with printed things that are no cards.
        apart: joker signs and light that are kept from all training.
    """

    views: Mapping[str, float] = field(default_factory=lambda: {"usual": 1.0})
    proportions: float = 0.0
    indices: float = 0.0
    dark: float = 0.0
    foreign: float = 0.0
    own_signs: float = 0.0
    sizes: float = 0.0
    papers: float = 0.0
    rank_alone: float = 0.0
    second_index: float = 0.0
    prints: float = 0.0
    apart: bool = False

    def __post_init__(self) -> None:
        unknown = sorted(set(self.views) - set(VIEWS))
        if unknown or not any(self.views.values()):
            raise ValueError(f"expected weights of some of the views {', '.join(VIEWS)}, got {dict(self.views)}")

    def look(self, rng: np.random.Generator) -> Look:
        """Samples the look of one pack."""
        draws = rng.random(5) < (self.proportions, self.indices, self.dark, self.foreign, self.own_signs)
        signs: Literal["", "training", "apart"] = ("apart" if self.apart else "training") if draws[4] else ""
        # only worlds that have these draw for them: the pictures of the others stay as they are
        more = [share > 0 and bool(rng.random() < share) for share in (self.papers, self.rank_alone, self.second_index)]
        return Look(bool(draws[0]), bool(draws[1]), bool(draws[2]), bool(draws[3]), signs, *more)


def draw_view(
    rng: np.random.Generator,
    packaged: Sequence[DeckArt],
    world: World,
    size: int = 640,
    pool: Sequence[DeckArt] = (),
) -> Table:
    """Draws one square table of ``size`` pixels with packs of its own: some of ``packaged``, most newly drawn.

    Drawing a deck takes as long as drawing a table, so where a ``pool`` of decks is given, packs come from it. Repeats
    until a card can be read on it, but for the view ``no_cards``.
    """
    weights = doubles([world.views.get(view, 0.0) for view in VIEWS])
    while True:
        view = VIEWS[int(rng.choice(len(VIEWS), p=weights / weights.sum()))]
        unlike = bool(rng.random() < world.sizes)
        count = int(rng.integers(2 if unlike else 1, MAX_PACKS + 1)) if view not in _CLOSE else 1
        if pool:
            decks = [pool[int(rng.integers(len(pool)))] for _ in range(count)]
        else:
            decks = [sample_deck(packaged, rng, world.look(rng)) for _ in range(count)]
        sizes = rng.uniform(*SIZES, count).tolist() if unlike and count > 1 else ()
        prints = world.prints if view in _WIDE else 0.0
        table = _PAINTERS[view](rng, decks, (size, size), sizes, world.apart, **{"prints": prints} if prints else {})
        if table.cards or view == "no_cards":
            return table


def _table(
    rng: np.random.Generator,
    decks: Sequence[DeckArt],
    size: tuple[int, int],
    sizes: Sequence[float],
    apart: bool,
    tilts: tuple[float, float] | None = None,
    tight: float = TIGHT_SHARE,
    bent: float = 0.0,
    shallow: bool = False,
    prints: float = 0.0,
) -> Table:
    return draw_table(
        rng,
        decks,
        size,
        packs=len(decks),
        joker_share=JOKER_SHARE,
        face_down_share=FACE_DOWN_SHARE,
        uneven_light_share=UNEVEN_LIGHT_SHARE,
        tight_share=tight,
        tilts=tilts,
        sizes=sizes,
        unusual_light=apart,
        bent_share=bent,
        shallow=shallow,
        prints_share=prints,
    )


def _no_cards(
    rng: np.random.Generator, decks: Sequence[DeckArt], size: tuple[int, int], sizes: Sequence[float], apart: bool
) -> Table:
    """Printed things on cloth, with no card or a few among them."""
    across = float(np.exp(rng.uniform(np.log(60), np.log(240))))
    count = 0 if rng.random() < EMPTY_SHARE else int(rng.integers(1, FEW))
    spots = rng.uniform(-0.4, 0.4, (count, 2)) * size[0] * CARD_MM / across
    turns = rng.uniform(-np.pi, np.pi, count)
    cards = [_card(rng, decks[0], x, y, turn) for (x, y), turn in zip(spots.tolist(), turns.tolist(), strict=True)]
    return draw_table(rng, decks, size, across, cards=cards, prints_share=1.0, unusual_light=apart)


def _columns(
    rng: np.random.Generator, decks: Sequence[DeckArt], size: tuple[int, int], sizes: Sequence[float], apart: bool
) -> Table:
    """One to five columns of any cards, as at patience: of each card but the last a strip shows."""
    count, facing = int(rng.integers(1, 6)), float(rng.normal(0, 0.1))
    if rng.random() < 0.3:
        facing += float(rng.choice([np.pi / 2, np.pi, -np.pi / 2]))
    cards, highest, cos, sin = [], 0.0, np.cos(facing), np.sin(facing)
    for column in range(count):
        deck = decks[int(rng.integers(len(decks)))]
        tall = CARD_MM * deck.height / deck.back.shape[1]
        step, left = float(rng.uniform(*COLUMN_STEPS)) * tall, int(rng.integers(*COLUMN_CARDS))
        slant = float(rng.normal(0, 0.02)) * tall
        highest = max(highest, tall + step * (left - 1))
        for n in range(left):
            x = (column - (count - 1) / 2) * 1.2 * CARD_MM + n * slant + float(rng.normal(0, 1))
            y = (n - (left - 1) / 2) * step + float(rng.normal(0, 1))
            turn = facing + float(rng.normal(0, 0.015))
            one = _card(rng, deck, float(cos * x - sin * y), float(sin * x + cos * y), turn)
            cards.append(replace(one, group=column, kind="meld"))
    room = max(highest, count * 1.2 * CARD_MM)
    across = size[0] * CARD_MM / room * float(rng.uniform(0.75, 1.05))
    return draw_table(rng, decks, size, min(across, 0.3 * size[0]), 0.7, cards=cards, unusual_light=apart)


def _filling(
    rng: np.random.Generator, decks: Sequence[DeckArt], size: tuple[int, int], sizes: Sequence[float], apart: bool
) -> Table:
    """One to three cards that fill the picture, side by side or over each other, often cut off."""
    across = float(rng.uniform(*FILLING)) * size[0]
    spread = size[0] * CARD_MM / across
    turn, cards = float(rng.uniform(-np.pi, np.pi)), []
    for _ in range(int(rng.integers(1, 4))):
        x, y = rng.normal(0, 0.25, 2) * spread
        cards.append(_card(rng, decks[0], float(x), float(y), turn + float(rng.normal(0, 0.25))))
    tilts = OBLIQUE if rng.random() < 0.2 else (0.0, 0.6)
    return draw_table(rng, decks, size, across, cards=cards, tilts=tilts, unusual_light=apart)


def _fan_cards(rng: np.random.Generator, deck: DeckArt, count: int, turn: float) -> list[SceneCard]:
    """A fan of ``count`` cards, rotated by ``turn``: of each card hardly more than its index shows, or more."""
    tall = CARD_MM * deck.height / deck.back.shape[1]
    reach, shown = float(rng.uniform(0.5, 1.6)) * tall, float(rng.uniform(0.14, 0.3)) * CARD_MM
    step = min(shown / (reach + 0.4 * tall), 2.8 / max(count, 1))
    cards, cos, sin = [], np.cos(turn), np.sin(turn)
    for n in range(count):
        angle = (n - (count - 1) / 2) * step + float(rng.normal(0, 0.01))
        x, y = reach * np.sin(angle), reach * (1 - np.cos(angle)) - 0.1 * tall
        cards.append(_card(rng, deck, float(cos * x - sin * y), float(sin * x + cos * y), turn + angle))
    return cards


def _card(rng: np.random.Generator, deck: DeckArt, x: float, y: float, turn: float) -> SceneCard:
    faces = [face for face in deck.faces if face != JOKER] or list(deck.faces)
    face = deck.play.single(rng)
    face = face if face in deck.faces else faces[int(rng.integers(len(faces)))]
    card = SceneCard(deck, face, deck.faces[face][0], x, y, turn, 0, "hand")
    return as_a_joker(rng, card) if rng.random() < JOKER_SHARE else card


def _fan(
    rng: np.random.Generator, decks: Sequence[DeckArt], size: tuple[int, int], sizes: Sequence[float], apart: bool
) -> Table:
    """A hand of 11 to 13 cards laid in a fan, as at bridge, at any angle."""
    across = float(rng.uniform(*FANNED)) * size[0]
    cards = _fan_cards(rng, decks[0], int(rng.integers(11, 14)), float(rng.uniform(-np.pi, np.pi)))
    tilts = OBLIQUE if rng.random() < 0.2 else (0.0, 0.7)
    return draw_table(rng, decks, size, across, cards=cards, tilts=tilts, unusual_light=apart)


def _in_hand(
    rng: np.random.Generator, decks: Sequence[DeckArt], size: tuple[int, int], sizes: Sequence[float], apart: bool
) -> Table:
    """Cards held in a hand before the camera: a fan with the thumb over its lower end."""
    across = float(rng.uniform(*HELD)) * size[0]
    turn = float(rng.normal(0, 0.5))
    cards = _fan_cards(rng, decks[0], int(rng.integers(2, 14)), turn)
    tall = CARD_MM * decks[0].height / decks[0].back.shape[1]
    low = doubles([-np.sin(turn), np.cos(turn)]) * 0.42 * tall

    def thumb(rng: np.random.Generator, picture: Picture, owner: Owner, camera: Matrix) -> None:
        spot = camera @ doubles([*(low + rng.normal(0, 0.12, 2) * CARD_MM), 1.0])
        x, y = spot[:2] / spot[2]
        long = max(round(across * float(rng.uniform(1.2, 2.0))), 24)
        item, mask = draw_fingers(rng, long)
        onto = cv2.getRotationMatrix2D((long / 2, 0.3 * long), -np.degrees(turn + rng.normal(0, 0.4)), 1.0)
        onto[:, 2] += (x - long / 2, y - 0.3 * long)
        cover = cv2.warpAffine(mask, onto, owner.shape[::-1]) > 127
        picture[cover] = cv2.warpAffine(item, onto, owner.shape[::-1])[cover]
        owner[cover] = -1

    return draw_table(rng, decks, size, across, cards=cards, tilts=(0.0, 0.5), paint_over=thumb, unusual_light=apart)


_Painter = Callable[..., Table]
"""Takes the random source, decks, size, sizes of the packs, whether light is kept from training, and ``prints``."""
_CLOSE = ("filling", "in_hand", "fan", "no_cards")
_WIDE = ("usual", "straight_down", "oblique", "low", "shallow", "bent", "rank_only")
_PAINTERS: dict[str, _Painter] = {
    "usual": _table,
    "straight_down": partial(_table, tilts=STRAIGHT),
    "oblique": partial(_table, tilts=OBLIQUE),
    "low": partial(_table, tilts=LOW),
    "filling": _filling,
    "in_hand": _in_hand,
    "fan": _fan,
    "shallow": partial(_table, tilts=SHALLOW, shallow=True),
    "bent": partial(_table, bent=BENT_SHARE, tilts=(0.2, 1.15)),
    "columns": _columns,
    "rank_only": partial(_table, tight=1.0),
    "no_cards": _no_cards,
}
