"""Where the cards of a round lie: zones of the sides, fans and columns in slight disorder, squared piles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from datasets.films.playing.changes import Lying, Zone
from datasets.scenes.layouts import CARD_MM

Style = Literal["column", "row", "fan"]
STYLES: tuple[Style, ...] = ("column", "column", "row", "fan")
"""How melds are spread: each card lower, each card further right, or both turned about a point below."""
MARGINS: dict[Style, tuple[float, float]] = {"column": (0.05, 0.12), "row": (0.06, 0.18), "fan": (0.07, 0.14)}
"""From card to card: how much more than its rank shows of each, as shares of the card's height (in a column) or
width."""
ROOM = 9
"""Cards for which a meld's place has room."""
PLACES = 12
"""So many places each side should have; a style of melds that takes more room is not used."""
GAP_MM, PACKET_MM = 9.0, 0.3
"""Least gap between places, and thickness of a card."""
MARK_MM = 60.0
"""Side of a printed mark."""
STRIP, MIDDLE = 0.13, 0.085
"""Shares of the table's height that are people's own at each long edge, and of its width (or height) between the
sides' zones, where the stock and the discards lie."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the table is divided: millimetres, with the picture's centre as origin."""

    zones: tuple[Zone, ...]
    stock: tuple[float, float]
    discards: tuple[float, float]
    seats: tuple[tuple[float, float, float], ...]
    """For each player where they sit, x and y, and which way they face."""
    marks: tuple[tuple[float, float, float], ...]
    """Where printed marks may lie in the corners; empty if there is no room for them."""


def divide(rng: np.random.Generator, seats: Sequence[int], extent: tuple[float, float], tall: float) -> Layout:
    """Divides a table of ``extent`` (width, height in mm) whose cards are ``tall`` mm high."""
    wide, high = extent[0] / 2, extent[1] / 2
    strip, side_by_side = max(STRIP * extent[1], tall + 12), rng.random() < 0.6
    inner = high - strip
    if side_by_side:
        half = MIDDLE * extent[0] / 2
        half = max(half, CARD_MM / 2 + 30)
        boxes = ((-wide + 25, -inner, -half, inner), (half, -inner, wide - 25, inner))
        turn = 0.0 if rng.random() < 0.6 else np.pi
        turns = (np.pi / 2, -np.pi / 2) if rng.random() < 0.25 else (turn, turn)
        stock, discards = (0.0, -0.6 * tall), (0.0, 0.6 * tall)
    else:
        # the zones are long and low, and the stock lies beside them
        aside = CARD_MM * 1.35
        boxes = ((-wide + 105, 8, wide - aside - 105, high - 25), (-wide + 105, -high + 25, wide - aside - 105, -8))
        turns = (0.0, np.pi)
        middle = wide - aside / 2 - 105
        stock, discards = (middle, -0.6 * tall), (middle, 0.6 * tall)
    zones = tuple(Zone(side, box, float(turn)) for side, (box, turn) in enumerate(zip(boxes, turns, strict=True)))
    places = []
    for player in range(len(seats)):
        # players sit round the table in turn; those at the long edges lean over it
        if side_by_side:
            x = (-0.25 + 0.5 * (player // 2 % 2)) * extent[0]
            y, looks = (high, 0.0) if player % 2 == 0 else (-high, np.pi)
        else:
            x, y = (wide, -0.3 * extent[1]) if player % 2 else (-wide, 0.3 * extent[1])
            x, y, looks = ((-1) ** (player // 2) * x, (-1) ** (player // 2) * y, np.pi / 2 if x < 0 else -np.pi / 2)
        places.append((float(x), float(y), float(looks)))
    jitter = [(float(a), float(b)) for a, b in rng.normal(0, 4, (2, 2))]
    return Layout(
        zones,
        (stock[0] + jitter[0][0], stock[1] + jitter[0][1]),
        (discards[0] + jitter[1][0], discards[1] + jitter[1][1]),
        tuple(places),
        _marks(rng, wide, high) if side_by_side else (),
    )


def _marks(rng: np.random.Generator, wide: float, high: float) -> tuple[tuple[float, float, float], ...]:
    made = []
    for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        aside = rng.uniform(MARK_MM * 0.75, MARK_MM * 0.95, 2)
        made.append((float(x * (wide - aside[0])), float(y * (high - aside[1])), float(rng.normal(0, 0.08))))
    return tuple(made)


@dataclass(slots=True)
class _Spread:
    """How one meld is spread: its first card, its style, and the step from card to card (mm, or radians of a fan)."""

    x: float
    y: float
    turn: float
    style: Style
    step: float
    slant: float
    cards: list[int]
    pile: bool = False


class Places:
    """The places of one side's melds; tells where each card lies."""

    def __init__(self, rng: np.random.Generator, zone: Zone, tall: float, index: tuple[float, float]) -> None:
        """``index``: how far a rank reaches from the card's left and upper edge, as shares of its size."""
        self._rng, self._zone, self._tall = rng, zone, tall
        self._spreads: dict[int, _Spread] = {}
        left, top, right, bottom = zone.box
        self._centre = ((left + right) / 2, (top + bottom) / 2)
        self._tidy = float(rng.uniform(0.4, 1.6))
        wide, high = right - left, bottom - top
        if abs(np.sin(zone.turn)) > 0.5:
            wide, high = high, wide
        self._size = (wide, high)
        self._style: Style = STYLES[int(rng.integers(len(STYLES)))]
        least, most = MARGINS[self._style]
        self._step = index[self._style == "column"] + float(rng.uniform(least, most))
        cell, (columns, rows) = self._cells()
        if columns * rows < PLACES:
            self._style, self._step = "column", index[1] + MARGINS["column"][0]
            cell, (columns, rows) = self._cells()
        self._cell = (wide / columns, high / rows)
        self._need = cell
        # the nearest places first: the lowest row as the side sees it, from the left
        self._free = [(column, row) for row in reversed(range(rows)) for column in range(columns)]
        self._taken: dict[int, tuple[int, int]] = {}

    def _cells(self) -> tuple[tuple[float, float], tuple[int, int]]:
        """The room that a meld needs, and how many columns and rows of places there are."""
        if self._style == "column":
            cell = (CARD_MM + GAP_MM, self._tall * (1 + (ROOM - 1) * self._step) + GAP_MM)
        else:
            cell = (CARD_MM * (1 + (ROOM - 1) * self._step) + GAP_MM, self._tall * 1.06 + GAP_MM)
        if cell[1] > self._size[1]:  # a low zone has no room for columns as long as that
            self._step *= (self._size[1] - GAP_MM - self._tall) / (cell[1] - GAP_MM - self._tall)
            cell = (cell[0], self._size[1])
        return cell, (max(int(self._size[0] // cell[0]), 1), max(int(self._size[1] // cell[1]), 1))

    @property
    def room(self) -> int:
        """How many more groups there is a place for."""
        return len(self._free)

    def is_pile(self, group: int) -> bool:
        """Whether a group is squared."""
        return self._spreads[group].pile

    def _onto(self, x: float, y: float, turn: float) -> tuple[float, float, float]:
        """From the side's own view (origin at the zone's centre) onto the table."""
        cos, sin = np.cos(self._zone.turn), np.sin(self._zone.turn)
        return (
            float(self._centre[0] + cos * x - sin * y),
            float(self._centre[1] + sin * x + cos * y),
            float(self._zone.turn + turn),
        )

    def _corner(self, place: tuple[int, int]) -> tuple[float, float]:
        """The middle of the first card of a group at a place, in the side's own view."""
        spare = (self._cell[0] - self._need[0], self._cell[1] - self._need[1])
        aside = (self._rng.uniform(0.15, 0.85) * spare[0], self._rng.uniform(0.15, 0.85) * spare[1])
        x = -self._size[0] / 2 + place[0] * self._cell[0] + aside[0] + (CARD_MM + GAP_MM) / 2
        y = -self._size[1] / 2 + place[1] * self._cell[1] + aside[1] + (self._tall + GAP_MM) / 2
        return float(x), float(y)

    def lay(self, group: int, cards: Sequence[int], z: float, apart: bool = False) -> tuple[Lying, ...]:
        """Lays a new group. If ``apart``, hardly overlapping, as red threes are."""
        place = self._free.pop(0)
        self._taken[group] = place
        x, y = self._corner(place)
        rng = self._rng
        style: Style = "row" if apart else self._style
        step = self._step * (1 + rng.normal(0, 0.05))
        if apart and self._style == "column":
            style, step = "column", self._step * 1.2
        slant = float(rng.normal(0, 0.012)) * self._tidy
        self._spreads[group] = _Spread(x, y, float(rng.normal(0, 0.025) * self._tidy), style, step, slant, [])
        return self.add(group, cards, z)

    def add(self, group: int, cards: Sequence[int], z: float) -> tuple[Lying, ...]:
        """Lays more cards onto a group: on from the last one, or on top of a pile."""
        spread = self._spreads[group]
        made: list[Lying] = []
        for card in cards:
            if spread.pile:
                made.append(self._on_pile(spread, card, z + len(made), len(spread.cards)))
            else:
                made.append(self._spread_out(spread, card, z + len(made), len(spread.cards)))
            spread.cards.append(card)
        return tuple(made)

    def take_back(self, group: int, card: int) -> None:
        """Forgets a card that is taken back."""
        self._spreads[group].cards.remove(card)

    def _spread_out(self, spread: _Spread, card: int, z: float, number: int) -> Lying:
        rng, tidy = self._rng, self._tidy
        dx, dy, da = (float(value) * tidy for value in rng.normal(0, 1, 3).clip(-1.5, 1.5) * (0.8, 0.8, 0.014))
        if spread.style == "column":
            dx, dy = dx + number * spread.slant * self._tall, dy + number * spread.step * self._tall
        else:
            dx, dy = dx + number * spread.step * CARD_MM, dy + number * spread.slant * CARD_MM
        if spread.style == "fan":
            angle = (number - (ROOM - 3) / 2) * spread.step * CARD_MM / (2.4 * self._tall)
            dy, da = dy + 2.4 * self._tall * (1 - np.cos(angle)) * 0.8, da + angle * 0.8
        cos, sin = np.cos(spread.turn), np.sin(spread.turn)
        x, y, turn = self._onto(spread.x + cos * dx - sin * dy, spread.y + sin * dx + cos * dy, float(spread.turn + da))
        return Lying(card, x, y, turn, z)

    def square(self, group: int, order: Sequence[int], z: float, crosswise: bool) -> tuple[Lying, ...]:
        """Squares a group to a pile in a new order, lowest first; if ``crosswise``, the lowest lies across."""
        spread = self._spreads[group]
        spread.pile, spread.cards = True, []
        spread.x += float(self._rng.normal(0, 5))
        # a pile is put down in the middle of what it was, or where it began
        if spread.style == "column":
            spread.y += float(self._rng.uniform(0, 2.5)) * spread.step * self._tall
        else:
            spread.x += float(self._rng.uniform(0, 2.5)) * spread.step * CARD_MM
        spread.turn = float(self._rng.normal(0, 0.05))
        made = []
        for number, card in enumerate(order):
            lying = self._on_pile(spread, card, z + number, number)
            if crosswise and number == 0:
                aside = self._rng.normal(0, 4)
                lying = replace(lying, turn=lying.turn + np.pi / 2 + self._rng.normal(0, 0.05), x=lying.x + aside)
            made.append(lying)
            spread.cards.append(card)
        return tuple(made)

    def _on_pile(self, spread: _Spread, card: int, z: float, number: int) -> Lying:
        rng, tidy = self._rng, self._tidy
        x, y, turn = self._onto(spread.x + rng.normal(0, 0.9) * tidy, spread.y + rng.normal(0, 0.9) * tidy, spread.turn)
        # the camera sees the upper cards of a pile a little further from its middle
        lift = 1 + number * PACKET_MM / 900
        return Lying(card, x * lift, y * lift, float(turn + rng.normal(0, 0.02) * tidy), z)

    def push(self, group: int, lying: Sequence[Lying], z: float) -> tuple[Lying, ...]:
        """Pushes a whole group a little aside, or to another place, turning it slightly."""
        spread, rng = self._spreads[group], self._rng
        old = (spread.x, spread.y)
        if self._free and rng.random() < 0.4:
            place = self._free.pop(int(rng.integers(len(self._free))))
            self._free.append(self._taken[group])
            self._taken[group] = place
        spread.x, spread.y = self._corner(self._taken[group])
        turn = float(rng.normal(0, 0.03))
        spread.turn += turn
        a, b = self._onto(*old, 0.0), self._onto(spread.x, spread.y, 0.0)
        cos, sin = np.cos(turn), np.sin(turn)
        made = []
        for number, one in enumerate(sorted(lying, key=lambda card: card.z)):
            dx, dy = one.x - a[0], one.y - a[1]
            x, y = b[0] + cos * dx - sin * dy, b[1] + sin * dx + cos * dy
            made.append(replace(one, x=float(x), y=float(y), turn=one.turn + turn, z=z + number))
        return tuple(made)
