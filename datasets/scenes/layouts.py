"""Layouts of one round's cards on the table, in millimetres: melds, books, threes, piles and left-over hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from datasets.arrays import Cutout
from datasets.decks.backs import patterned_back
from datasets.decks.deck_art import DeckArt
from datasets.decks.play import Play
from scorer.faces import Face

CARD_MM = 63.0
"""Width of a poker-sized card."""
Kind = Literal["meld", "threes", "pile", "hand", "single", "back"]
Offsets = list[tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class Bend:
    """How a card is bent: to a part of a cylinder.

    Attributes:
        angle: half of the arc's angle, in radians.
        lengthwise: its long sides are bent, otherwise its short ones.
        raised: its middle is off the table, otherwise its ends.
        light: how much lighter than the middle it is, a radian further round.
    """

    angle: float
    lengthwise: bool
    raised: bool
    light: float = 0.0


@dataclass(frozen=True)
class SceneCard:
    """One card on the table; later cards in a list lie on top of earlier ones.

    Attributes:
        deck: its deck.
        face: its face; None if it lies face down.
        picture: its visible side, (height, CARD_WIDTH, 4) BGRA.
        x, y: its centre in mm.
        turn: its rotation in radians.
        group: number of its group.
        kind: kind of its group.
        size: its size as a multiple of a poker card's.
        bend: how it is bent; None if it lies flat.
    """

    deck: DeckArt
    face: Face | None
    picture: Cutout
    x: float
    y: float
    turn: float
    group: int
    kind: Kind
    size: float = 1.0
    bend: Bend | None = None


def _column(rng: np.random.Generator, count: int, tall: float) -> Offsets:
    """Each card is lower than the one before, so that the tops show."""
    step = float(rng.uniform(0.13, 0.42)) * tall
    slant = float(rng.normal(0, 0.03)) * tall if rng.random() < 0.5 else 0.0
    return [(i * slant + rng.normal(0, 1.0), i * step + rng.normal(0, 1.0), rng.normal(0, 0.015)) for i in range(count)]


def _row(rng: np.random.Generator, count: int, tall: float) -> Offsets:
    """Each card is further right, so that the left indices show; sometimes further left, so that the far ones do."""
    tight = rng.random() < 0.25
    step = float(rng.uniform(0.1, 0.18) if tight else rng.uniform(0.18, 0.6)) * CARD_MM
    if rng.random() < 0.15:
        step = -step
    drop = float(rng.normal(0, 0.03)) * tall if rng.random() < 0.5 else 0.0
    return [(i * step + rng.normal(0, 0.7), i * drop + rng.normal(0, 0.7), rng.normal(0, 0.015)) for i in range(count)]


def _fan(rng: np.random.Generator, count: int, tall: float) -> Offsets:
    """Cards rotated about a point below them, like a hand of cards."""
    reach = float(rng.uniform(0.7, 2.2)) * tall
    step = float(rng.uniform(0.09, 0.28)) * tall / reach
    step = min(step, 2.6 / max(count, 1))
    angles = [(i - (count - 1) / 2) * step + rng.normal(0, 0.02) for i in range(count)]
    return [(reach * np.sin(a) + rng.normal(0, 0.6), reach * (1 - np.cos(a)) + rng.normal(0, 0.6), a) for a in angles]


def _squared(rng: np.random.Generator, count: int, tall: float) -> Offsets:
    return [(rng.normal(0, 1.2), rng.normal(0, 1.2), rng.normal(0, 0.03)) for _ in range(count)]


def _scattered(rng: np.random.Generator, count: int, tall: float) -> Offsets:
    room = tall * (0.5 + 0.35 * count**0.5)
    return [(*rng.uniform(-room / 2, room / 2, 2), rng.uniform(-np.pi, np.pi)) for _ in range(count)]


def _apart(rng: np.random.Generator, count: int, tall: float) -> Offsets:
    """Side by side with a small gap, or touching."""
    step = float(rng.uniform(1.0, 1.25)) * CARD_MM
    return [(i * step + rng.normal(0, 1), rng.normal(0, 2), rng.normal(0, 0.03)) for i in range(count)]


Layout = Callable[[np.random.Generator, int, float], Offsets]
Group = tuple[Kind, list[Face | None], Offsets, Layout]


def _group(rng: np.random.Generator, play: Play, tall: float, loose_share: float) -> Group:
    pick = rng.random()
    layout: Layout
    faces: list[Face | None]
    if pick < loose_share:
        faces = [play.any_face(rng) for _ in range(int(rng.integers(1, 10)))]
        layout = [_scattered, _scattered, _apart, _column, _row][int(rng.integers(5))]
        return "hand", faces, layout(rng, len(faces), tall), layout
    pick = rng.random()
    if pick < 0.62:
        faces = [*play.meld(rng)]
        layout = [_column, _column, _row, _row, _fan][int(rng.integers(5))]
        return "meld", faces, layout(rng, len(faces), tall), layout
    if pick < 0.7:
        faces = [*play.laid_alone(rng)]
        layout = [_row, _column, _apart][int(rng.integers(3))]
        return "threes", faces, layout(rng, len(faces), tall), layout
    if pick < 0.8:
        faces = [*play.meld(rng)]
        offsets = _squared(rng, len(faces), tall)
        if rng.random() < 0.3:  # a wild laid crosswise under the pile marks a dirty book
            faces = [play.wild(rng), *faces]
            offsets = [(rng.normal(0, 4), rng.normal(0, 4), np.pi / 2 + rng.normal(0, 0.04)), *offsets]
        return "pile", faces, offsets, _squared
    if pick < 0.94:
        faces = [play.any_face(rng) for _ in range(int(rng.integers(2, 14)))]
        layout = [_fan, _fan, _row, _column][int(rng.integers(4))]
        return "hand", faces, layout(rng, len(faces), tall), layout
    count = int(rng.integers(1, 7))
    return "back", [None] * count, _squared(rng, count, tall), _squared


def tight_group(rng: np.random.Generator, deck: DeckArt) -> Group:
    """Lays a meld or a hand so tightly that hardly more than its rank shows of each card, or slightly less: the rank's
    width in a row or a fan, its height in a column."""
    tall = CARD_MM * deck.height / deck.back.shape[1]
    x0, y0, x1, y1 = deck.rank_box
    rank_share, margin = float(rng.uniform(0.85, 1.0)), float(rng.uniform(0.0, 0.05))
    wide, high = x0 + rank_share * (x1 - x0) + margin, y0 + rank_share * (y1 - y0) + margin
    meld, play = rng.random() < 0.5, deck.play
    faces: list[Face | None] = []
    faces += play.meld(rng) if meld else [play.any_face(rng) for _ in range(int(rng.integers(4, 13)))]
    numbers = [n + rng.normal(0, 0.02) for n in range(len(faces))]
    layout: Layout = [_row, _row, _column, _fan][int(rng.integers(4))]
    if layout is _fan:
        reach = float(rng.uniform(0.9, 2.5)) * tall
        turns = [(n - len(faces) / 2) * 1.1 * wide * CARD_MM / (reach + 0.45 * tall) for n in numbers]
        offsets = [(reach * np.sin(turn), reach * (1 - np.cos(turn)), turn) for turn in turns]
    elif layout is _row:
        offsets = [(n * wide * CARD_MM, rng.normal(0, 0.7), rng.normal(0, 0.008)) for n in numbers]
    else:
        offsets = [(rng.normal(0, 0.7), n * high * tall, rng.normal(0, 0.008)) for n in numbers]
    return "meld" if meld else "hand", faces, offsets, layout


def as_a_joker(rng: np.random.Generator, card: SceneCard) -> SceneCard:
    """Replaces the card by a joker of its deck, or by another of its rarer cards if the deck is no standard one;
    unchanged if it lies face down or its deck has none."""
    face = card.deck.play.rare(rng)
    pictures = card.deck.faces.get(face, ())
    if card.face is None or not pictures:
        return card
    return replace(card, face=face, picture=pictures[int(rng.integers(len(pictures)))])


def with_cards_face_down(rng: np.random.Generator, cards: Sequence[SceneCard]) -> list[SceneCard]:
    """Turns some cards face down: in a third of the groups some of the cards, or all.

    All backs of a deck show one pattern, mostly a new one.
    """
    face_down = {
        group: (1.0 if rng.random() < 0.2 else rng.uniform(0.1, 0.5)) for group in {card.group for card in cards}
    }
    face_down = {group: share for group, share in face_down.items() if rng.random() < 1 / 3}
    decks: dict[int, DeckArt] = {}
    made = []
    for card in cards:
        deck = decks.get(id(card.deck))
        if deck is None:
            deck = card.deck
            if rng.random() < 0.7:
                deck = deck.with_back(np.dstack([patterned_back(rng, deck.height), deck.back[:, :, 3]]))
            decks[id(card.deck)] = deck
        if card.face is None or rng.random() < face_down.get(card.group, 0.0):
            card = replace(card, face=None, picture=deck.back)
        made.append(replace(card, deck=deck))
    return made


def _laid(
    rng: np.random.Generator,
    deck: DeckArt,
    kind: Kind,
    cards: Sequence[tuple[Face | None, tuple[float, float, float]]],
    spot: tuple[float, float],
    turn: float,
    group: int,
    scale: float,
) -> list[SceneCard]:
    """The ``cards`` of a group, each with its offset from ``spot`` before the group is turned."""
    cos, sin = np.cos(turn), np.sin(turn)
    laid = []
    for face, (dx, dy, da) in cards:
        choices = deck.faces.get(face, ()) if face is not None else (deck.back,)
        if not choices:  # the deck has only the ranks that read the same everywhere
            face, choices = None, (deck.back,)
        flip = np.pi if kind == "hand" and rng.random() < 0.15 else 0.0
        laid.append(
            SceneCard(
                deck=deck,
                face=face,
                picture=choices[int(rng.integers(len(choices)))],
                x=float(spot[0] + cos * dx - sin * dy),
                y=float(spot[1] + sin * dx + cos * dy),
                turn=float(turn + da + flip),
                group=group,
                kind=kind,
                size=scale,
            )
        )
    return laid


def lay_table(
    rng: np.random.Generator,
    decks: Sequence[DeckArt],
    extent: tuple[float, float],
    max_cards: int = 70,
    loose_share: float = 0.15,
    tight: bool = False,
    sizes: Sequence[float] = (),
) -> list[SceneCard]:
    """Lays groups of cards over an area of ``extent`` (width, height in mm) centred on the origin.

    At most ``max_cards`` cards. ``loose_share`` of the groups are scattered cards, to show overlaps of
    every kind. If ``tight``, hardly more than its rank shows of any card. ``sizes`` are those of the decks' cards, as
    multiples of a poker card's.
    """
    cards: list[SceneCard] = []
    taken: list[tuple[float, float, float]] = []
    facing = float(rng.choice([0.0, np.pi / 2, np.pi])) if rng.random() < 0.2 else 0.0
    crowded = rng.random() < 0.3
    for number in range(int(rng.integers(3, 28))):
        which = int(rng.integers(len(decks)))
        deck, scale = decks[which], sizes[which] if sizes else 1.0
        tall = CARD_MM * deck.height / deck.back.shape[1]
        kind, faces, offsets, _ = tight_group(rng, deck) if tight else _group(rng, deck.play, tall, loose_share)
        if scale != 1:
            offsets, tall = [(dx * scale, dy * scale, turn) for dx, dy, turn in offsets], tall * scale
        across = np.asarray([offset[:2] for offset in offsets])
        middle = (across.max(0) + across.min(0)) / 2
        radius = float(np.hypot(*(across.max(0) - across.min(0))) / 2 + 0.45 * tall)
        turn = facing + float(rng.normal(0, 0.06))
        if rng.random() < 0.12:
            turn += float(rng.choice([np.pi / 2, np.pi, -np.pi / 2]))
        for _ in range(12):
            spot = rng.uniform(-0.5, 0.5, 2) * extent
            if crowded or all(np.hypot(spot[0] - x, spot[1] - y) > 0.72 * (radius + r) for x, y, r in taken):
                break
        else:
            continue
        middle_of_group = float(spot[0]), float(spot[1])
        taken.append((*middle_of_group, radius))
        placed = [(dx - middle[0], dy - middle[1], da) for dx, dy, da in offsets]
        cards += _laid(rng, deck, kind, list(zip(faces, placed, strict=True)), middle_of_group, turn, number, scale)
        if len(cards) >= max_cards:
            break
    return cards[:max_cards]
