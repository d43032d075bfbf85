"""Films a game's acts: each becomes a timed change of where the cards lie, made by a hand that comes and goes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from datasets.films.playing.changes import Change, Cover, Group, Lying, What
from datasets.films.playing.game import Act, Game
from datasets.films.playing.table import Layout, Places

Marking = Literal["top", "crosswise", "both", "none"]
MARKINGS: tuple[Marking, ...] = ("top", "top", "both", "both", "crosswise", "none")
"""How a household marks its books: a red or black card on top, a wild crosswise under a dirty one."""
SHORT_WAIT, LONG_WAIT = (1.2, 2.6), (1.8, 4.0)
"""Seconds in which nothing happens, within a turn and between two turns."""
TOGETHER_SHARE, PACKET_SHARE = 0.5, 0.06
"""How often cards that are added one after the other come with one movement, to a spread meld and to a pile."""
DRAW_SHARE, NUDGE_SHARE, NUDGE_MM = 0.3, 0.2, 1.6
"""How often a hand is filmed that draws from the stock; how often the cards that lie there are nudged as others are
added, and how far."""
_MOST_BACKS = 7


@dataclass
class Clock:
    """Seconds of the film, and of the round as it was at the table."""

    now: float = 3.0
    real: float = 20.0

    def wait(self, seconds: float, real: float = 0.0) -> None:
        self.now += seconds
        self.real += seconds + real


class Director:
    """Turns acts into changes; keeps where every card lies."""

    def __init__(
        self,
        rng: np.random.Generator,
        game: Game,
        layout: Layout,
        places: Sequence[Places],
        tall: float,
        marking: Marking,
    ) -> None:
        self.rng, self.game, self.layout, self.marking = rng, game, layout, marking
        self.clock = Clock()
        self.places = places
        self.lying: dict[int, Lying] = {}
        self.of_group: dict[int, list[int]] = {}
        self.groups: dict[int, Group] = {}
        self.changes: list[Change] = []
        self.covers: list[Cover] = []
        self._z = 0.0
        self._threes: dict[int, int] = {}
        self._tall = tall
        self._held: dict[int, list[int]] = {}
        self.hands = [list(hand) for hand in game.dealt_hands]
        self.feet = [list(foot) for foot in game.dealt_feet]

    def level(self, count: int = 1) -> float:
        """Returns the height at which ``count`` more cards lie on top of everything."""
        self._z += count
        return self._z - count

    def change(
        self,
        what: What,
        player: int,
        target: tuple[float, float],
        lying: Sequence[Lying] = (),
        group: int | None = None,
        cards: Sequence[int] = (),
        gone: Sequence[int] = (),
        joins: bool = False,
    ) -> None:
        """Adds a change by a player's hand; ``joins``: by the hand that made the last change and is still there."""
        rng, clock = self.rng, self.clock
        seat = self.layout.seats[player]
        edge = float(np.arctan2(seat[1] * 1.6 - target[1], seat[0] * 1.6 - target[0]) + rng.normal(0, 0.12))
        comes = clock.now
        if joins and self.changes:
            last = self.changes[-1]
            comes = last.second
            clock.now = last.second + 0.2
            self.changes[-1] = _held_on(last, clock.now)
        second = clock.now + float(rng.uniform(0.5, 1.1) + 0.12 * min(len(cards), 6))
        leaves = second + float(rng.uniform(0.05, 0.5))
        out = leaves + float(rng.uniform(0.35, 0.7))
        side = self.groups[group].side if group is not None else None
        made = Change(
            second=second,
            what=what,
            side=side,
            group=group,
            cards=tuple(cards),
            lying=tuple(lying),
            gone=tuple(gone),
            comes=comes,
            leaves=leaves,
            out=out,
            edge=edge,
            target=target,
            player=player,
        )
        self.changes.append(made)
        for card in gone:
            self.lying.pop(card, None)
        for one in lying:
            self.lying[one.card] = one
        clock.wait(out - clock.now)

    @property
    def piles(self) -> int:
        """How many groups are squared."""
        return len({change.group for change in self.changes if change.what == "squared"})

    def middle(self, group: int) -> tuple[float, float]:
        """The middle of the newest cards of a group."""
        cards = [self.lying[card] for card in self.of_group[group][-3:]]
        return float(np.mean([card.x for card in cards])), float(np.mean([card.y for card in cards]))

    def hold(self, player: int, cards: Sequence[int]) -> tuple[list[Lying], list[int]]:
        """Fans a player's cards, face down, where they sit; returns their places and the cards no longer shown."""
        x, y, looks = self.layout.seats[player]
        shown = list(cards)[:_MOST_BACKS]
        before = [card for card in self._held.get(player, []) if card not in shown and card in self.lying]
        gone = [card for card in before if not self.lying[card].up]
        self._held[player] = shown
        spread, z = float(self.rng.uniform(0.08, 0.16)), self.level(len(shown))
        made = []
        for number, card in enumerate(shown):
            angle = (number - (len(shown) - 1) / 2) * spread
            dx, dy = 160 * np.sin(angle) + self.rng.normal(0, 2), 25 + 160 * (1 - np.cos(angle))
            cos, sin = np.cos(looks), np.sin(looks)
            place = (float(x + cos * dx - sin * dy), float(y + sin * dx + cos * dy))
            made.append(Lying(card, *place, float(looks + angle), z + number, False))
        return made, gone

    def begin(self) -> tuple[Lying, ...]:
        """The stock, the feet, and the hands of all players."""
        made: list[Lying] = []
        stock = list(range(len(self.game.faces)))[-6:]
        for card in stock:
            x, y = self.layout.stock
            spot = self.rng.normal(0, 1.0, 2)
            turn = float(self.rng.normal(0, 0.03))
            made.append(Lying(card, x + float(spot[0]), y + float(spot[1]), turn, self.level(), False))
        for number in range(len(self.game.players)):
            x, y, looks = self.layout.seats[number]
            aside = 150 if x * np.cos(looks) + y * np.sin(looks) < 0 else -150
            at = (x + aside * np.cos(looks) + 0.0 * np.sin(looks), y + aside * np.sin(looks))
            for card in self.feet[number][:4]:
                spot = self.rng.normal(0, 1.5, 2)
                turn = looks + float(self.rng.normal(0, 0.05))
                made.append(Lying(card, float(at[0] + spot[0]), float(at[1] + spot[1]), turn, self.level(), False))
            made += self.hold(number, self.hands[number])[0]
        self.lying = {one.card: one for one in made}
        return tuple(made)

    def packet_share(self, act: Act) -> float:
        """How often two cards of an act come with one movement: seldom on a pile, where one then hides the other."""
        assert act.meld is not None
        return PACKET_SHARE if self.places[self.groups[act.meld].side].is_pile(act.meld) else TOGETHER_SHARE

    def do(self, act: Act, joins: bool = False) -> None:
        """Films one act; ``joins``: with the hand that is still there from the one before."""
        rng = self.rng
        self._count(act)
        hand = self.hands[act.player]
        side = self.game.players[act.player].side
        cards = list(act.cards)
        if act.what in ("new", "three"):
            group = self._threes.get(side) if act.what == "three" else act.meld
            if group is not None and group in self.of_group:
                self._add(act.player, group, cards)
                return
            group = group if group is not None else -1 - side
            self.groups[group] = Group(side, "threes" if act.what == "three" else "meld")
            if act.what == "three":
                self._threes[side] = group
            lying = self.places[side].lay(group, cards, self.level(len(cards)), act.what == "three")
            self.of_group[group] = cards
            target = (float(np.mean([one.x for one in lying])), float(np.mean([one.y for one in lying])))
            self.change("laid", act.player, target, lying, group, cards)
        elif act.what in ("add", "wrong", "cap") and act.meld is not None:
            self._add(act.player, act.meld, cards)
        elif act.what == "back" and act.meld is not None:
            self.places[side].take_back(act.meld, cards[0])
            self.of_group[act.meld].remove(cards[0])
            at = self.lying[cards[0]]
            self.change("taken-back", act.player, (at.x, at.y), (), act.meld, cards, cards)
        elif act.what == "close" and act.meld is not None:
            self._close(act.player, side, act.meld, joins)
        elif act.what == "discard":
            x, y = self.layout.discards
            spot, turn = rng.normal(0, 5, 2), float(rng.normal(0, 0.15))
            lying = (Lying(cards[0], x + float(spot[0]), y + float(spot[1]), turn, self.level()),)
            held, gone = self.hold(act.player, hand)
            self.change("beside", act.player, (x, y), (*lying, *held), None, cards, gone)
        elif act.what == "foot":
            held, gone = self.hold(act.player, hand)
            foot = [card for card in hand if card in self.lying and card not in self._held[act.player]]
            x, y, _ = self.layout.seats[act.player]
            self.change("beside", act.player, (x * 0.8, y * 0.8), held, None, (), [*gone, *foot])
        elif act.what == "draw" and rng.random() < DRAW_SHARE:
            self.change("beside", act.player, self.layout.stock)

    def _count(self, act: Act) -> None:
        """Keeps count of what the players hold."""
        hand = self.hands[act.player]
        if act.drawn:
            hand.extend(act.drawn)
        if act.what in ("new", "three", "add", "cap", "discard"):
            self.hands[act.player] = [card for card in hand if card not in act.cards]
        if act.what == "foot":
            self.hands[act.player], self.feet[act.player] = self.feet[act.player], []

    def open_hands(self) -> None:
        """At the end of a round, each player lays open what is left."""
        for player, (x, y, looks) in enumerate(self.layout.seats):
            cards = [*self.hands[player], *self.feet[player]]
            gone = [card for card in self._held.get(player, []) if card in self.lying and card not in cards]
            gone = [card for card in gone if not self.lying[card].up]
            cos, sin = np.cos(looks), np.sin(looks)
            step = min(20.0, 330.0 / max(len(cards), 1))
            made = []
            for number, card in enumerate(cards):
                dx = (number - (len(cards) - 1) / 2) * step + self.rng.normal(0, 1)
                dy = -0.5 * self._tall + self.rng.normal(0, 2)
                turn = float(looks + self.rng.normal(0, 0.03))
                place = (float(x + cos * dx - sin * dy), float(y + sin * dx + cos * dy))
                made.append(Lying(card, *place, turn, self.level()))
            if made:
                self.change("beside", player, (x * 0.9, y * 0.9), made, None, (), gone)
                self.clock.wait(float(self.rng.uniform(*SHORT_WAIT)))

    def _add(self, player: int, group: int, cards: Sequence[int]) -> None:
        side = self.groups[group].side
        old = self._nudged(group) if self.rng.random() < NUDGE_SHARE else []
        lying = (*old, *self.places[side].add(group, cards, self.level(len(cards))))
        self.of_group[group] += cards
        at = (lying[-1].x, lying[-1].y)
        self.change("added", player, at, lying, group, cards)

    def _nudged(self, group: int) -> list[Lying]:
        """The cards of a group, each moved by very little."""
        old = [self.lying[card] for card in self.of_group[group]]
        steps = self.rng.normal(0, 1, (len(old), 3)) * (NUDGE_MM, NUDGE_MM, 0.012)
        return [
            replace(one, x=one.x + float(dx), y=one.y + float(dy), turn=one.turn + float(turn))
            for one, (dx, dy, turn) in zip(old, steps, strict=True)
        ]

    def _close(self, player: int, side: int, group: int, joins: bool) -> None:
        order, crosswise = self._order(list(self.of_group[group]))
        target = self.middle(group)
        lying = self.places[side].square(group, order, self.level(len(order)), crosswise)
        self.change("squared", player, target, lying, group, self.of_group[group], (), joins)

    def _order(self, cards: list[int]) -> tuple[list[int], bool]:
        """The order of a pile, lowest first, and whether the lowest lies crosswise, as this household marks books."""
        rules, faces = self.game.rules, self.game.faces
        wilds = [card for card in cards if rules.is_wild(faces[card])]
        naturals = [card for card in cards if card not in wilds]
        crosswise = bool(wilds and naturals and self.marking in ("crosswise", "both"))
        if crosswise:
            first = wilds[0]
            cards = [first, *(card for card in cards if card != first)]
        if self.marking in ("top", "both") and naturals:
            fitting = [card for card in naturals if faces[card].is_red != bool(wilds)] or naturals
            top = fitting[-1]
            cards = [*(card for card in cards if card != top), top]
        return cards, crosswise


def _held_on(change: Change, until: float) -> Change:
    """A change whose hand stays until the next one."""
    return replace(change, leaves=until, out=until)
