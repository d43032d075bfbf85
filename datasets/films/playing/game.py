"""A round of cards between players who play as most people do: what they meld, add, close and discard, act by act."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from scorer.faces import Face
from scorer.rules.rule_set import RuleSet
from scorer.scoring.melds import check_meld

Deed = Literal["draw", "new", "add", "close", "three", "discard", "foot", "wrong", "back", "cap"]
ADD_SHARE, MELD_SHARE, WILD_SHARE, WILD_MELD_SHARE = 0.85, 0.85, 0.3, 0.25
"""How often a player adds a card that fits, melds three of a rank, adds a wild that may be added, melds wilds alone."""
CLOSE_SHARE, WRONG_SHARE, CAP_SHARE = 0.8, 0.05, 0.6
"""How often a book is closed at once, a turn has a card that does not belong there, and a cap is laid."""
MOST_OPEN = 9
"""Cards of a meld with which it is closed at the latest."""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that a player does: who, what, with which meld, which cards, and which cards are drawn then."""

    player: int
    what: Deed
    meld: int | None = None
    cards: tuple[int, ...] = ()
    drawn: tuple[int, ...] = ()


@dataclass
class Meld:
    """A meld on the table."""

    side: int
    cards: list[int] = field(default_factory=list)
    closed: bool = False


@dataclass
class _Player:
    side: int
    hand: list[int]
    foot: list[int]


class Game:
    """A round while it is played; afterwards ``acts``, ``melds`` by number and ``players`` tell what came of it."""

    def __init__(
        self, rng: np.random.Generator, rules: RuleSet, seats: Sequence[int], round_number: int, most_groups: int
    ) -> None:
        deck = rules.all_decks[0]
        one_pack = [face for face in deck.faces for _ in range(deck.copies[face])]
        faces = one_pack * rules.packs.for_players(len(seats))
        self.faces: tuple[Face, ...] = tuple(faces[i] for i in rng.permutation(len(faces)))
        self.acts: list[Act] = []
        self.melds: dict[int, Meld] = {}
        self.threes: dict[int, list[int]] = {}
        self.went_out: int | None = None
        self._rng, self.rules, self._round = rng, rules, round_number
        self._most_groups = most_groups
        self._stock = list(range(len(faces)))
        size = rules.hand_size(round_number, len(seats))
        self.players = [_Player(side, self._take(size), self._take(rules.foot_cards)) for side in seats]
        self.dealt_hands = [tuple(player.hand) for player in self.players]
        self.dealt_feet = [tuple(player.foot) for player in self.players]
        self._opened: set[int] = set()

    def _take(self, count: int) -> list[int]:
        taken, self._stock = self._stock[:count], self._stock[count:]
        return taken

    def play(self, most_acts: int) -> None:
        """Plays until a side goes out, the stock is used up, or so many acts were done."""
        turn = int(self._rng.integers(len(self.players)))
        while self.went_out is None and len(self.acts) < most_acts and len(self._stock) > 8:
            self._take_turn(turn % len(self.players))
            turn += 1

    def _do(
        self,
        player: int,
        what: Deed,
        meld: int | None = None,
        cards: Sequence[int] = (),
        drawn: Sequence[int] = (),
    ) -> None:
        self.acts.append(Act(player, what, meld, tuple(cards), tuple(drawn)))

    def _take_turn(self, number: int) -> None:
        player = self.players[number]
        drawn = self._take(2)
        player.hand += drawn
        self._do(number, "draw", drawn=drawn)
        self._lay_threes(number)
        if self._rng.random() < WRONG_SHARE:
            self._lay_a_wrong_card(number)
        for _ in range(2):  # a second time with the foot
            if player.side not in self._opened:
                self._open(number)
            else:
                self._meld(number)
                self._add(number)
            if not player.hand and player.foot:
                player.hand, player.foot = player.foot, []
                self._do(number, "foot")
                self._lay_threes(number)
            else:
                break
        self._close_books(number)
        self._end_turn(number)

    def _end_turn(self, number: int) -> None:
        player = self.players[number]
        if len(player.hand) > 0:
            card = self._worst(player.hand)
            player.hand.remove(card)
            self._do(number, "discard", None, [card])
        if not player.hand and player.foot:
            player.hand, player.foot = player.foot, []
            self._do(number, "foot")
        elif not player.hand:
            self.went_out = player.side

    def _lay_threes(self, number: int) -> None:
        player = self.players[number]
        while found := [card for card in player.hand if self.rules.is_laid(self.faces[card])]:
            drawn = self._take(len(found))
            player.hand = [card for card in player.hand if card not in found] + drawn
            self.threes.setdefault(player.side, []).extend(found)
            self._do(number, "three", None, found, drawn)

    def _naturals(self, hand: Sequence[int]) -> dict[str, list[int]]:
        """The cards of a hand that may be melded, by rank."""
        found: dict[str, list[int]] = {}
        for card in hand:
            face = self.faces[card]
            if not (self._wild(card) or self.rules.is_never_melded(face) or self.rules.is_melded_going_out(face)):
                found.setdefault(face.rank, []).append(card)
        return found

    def _wild(self, card: int) -> bool:
        return self.rules.is_wild(self.faces[card])

    def _legal(self, cards: Sequence[int]) -> bool:
        return not check_meld(tuple(self.faces[card] for card in cards), self.rules).violations

    def _of_rank(self, side: int, rank: str) -> int | None:
        """The number of a side's meld of a rank, the newest one first."""
        for number, meld in reversed(self.melds.items()):
            if meld.side == side and self.rank(meld) == rank:
                return number
        return None

    def rank(self, meld: Meld) -> str | None:
        """The rank of a meld's naturals; None if it is of wilds alone."""
        return next((self.faces[card].rank for card in meld.cards if not self._wild(card)), None)

    def _open(self, number: int) -> None:
        """Lays a side's first melds, if they reach the points that they need."""
        player, rules = self.players[number], self.rules
        groups = [cards for cards in self._naturals(player.hand).values() if len(cards) >= 3]
        wilds = [card for card in player.hand if self._wild(card)]
        for pair in [cards for cards in self._naturals(player.hand).values() if len(cards) == 2]:
            if wilds and self._legal([*pair, wilds[0]]) and self._rng.random() < 0.5:
                groups.append([*pair, wilds.pop(0)])
        points = sum(rules.played(self.faces[card]) for cards in groups for card in cards)
        spare = len(player.hand) - sum(map(len, groups))
        if points < rules.minimum_first_meld(self._round) or not groups or (spare < 1 and not player.foot):
            return
        self._opened.add(player.side)
        for cards in groups:
            if self._has_room(player.side):
                self._lay(number, cards)

    def _has_room(self, side: int) -> bool:
        """Whether a side has a place for one more meld."""
        return sum(meld.side == side for meld in self.melds.values()) < self._most_groups

    def _lay(self, number: int, cards: Sequence[int]) -> None:
        player, meld = self.players[number], len(self.melds)
        player.hand = [card for card in player.hand if card not in cards]
        self.melds[meld] = Meld(player.side, list(cards))
        self._do(number, "new", meld, cards)

    def _meld(self, number: int) -> None:
        player = self.players[number]
        for rank, cards in self._naturals(player.hand).items():
            fits = len(cards) >= 3 and self._of_rank(player.side, rank) is None and self._has_room(player.side)
            if fits and self._keeps_enough(player, len(cards)) and self._rng.random() < MELD_SHARE:
                self._lay(number, cards)
        wilds = [card for card in player.hand if self._wild(card)]
        may = len(wilds) >= 4 and self._legal(wilds) and self._of_wilds(player.side) is None
        may = may and self._has_room(player.side)
        if may and self._rng.random() < WILD_MELD_SHARE:
            self._lay(number, wilds)

    def _of_wilds(self, side: int) -> int | None:
        return next((n for n, meld in self.melds.items() if meld.side == side and self.rank(meld) is None), None)

    def _keeps_enough(self, player: _Player, count: int) -> bool:
        """Whether a player may lay so many cards: with cards left, with a foot to take, or going out."""
        return len(player.hand) - count > 1 or bool(player.foot) or self._may_go_out(player.side)

    def _may_go_out(self, side: int) -> bool:
        needed = self.rules.going_out.books_for(len(self.players), self._round)
        cards = [tuple(self.faces[card] for card in meld.cards) for meld in self.melds.values() if meld.side == side]
        made = [book for one in cards if (book := check_meld(one, self.rules).made)]
        return not needed.missing(made)

    def _add(self, number: int) -> None:
        player = self.players[number]
        for rank, cards in self._naturals(player.hand).items():
            meld = self._of_rank(player.side, rank)
            if meld is None:
                continue
            for card in cards:
                if self._keeps_enough(player, 1) and self._rng.random() < ADD_SHARE:
                    self._put(number, meld, card)
        for card in [card for card in player.hand if self._wild(card)]:
            own = [n for n, meld in self.melds.items() if meld.side == player.side and not meld.closed]
            fitting = [n for n in own if len(self.melds[n].cards) >= 4 and self._legal([*self.melds[n].cards, card])]
            if fitting and self._keeps_enough(player, 1) and self._rng.random() < WILD_SHARE:
                self._put(number, fitting[int(self._rng.integers(len(fitting)))], card)
        for card in [card for card in player.hand if self.rules.is_cap(self.faces[card])]:
            closed = [n for n, meld in self.melds.items() if meld.side == player.side and meld.closed]
            fitting = [n for n in closed if self._legal([*self.melds[n].cards, card])]
            if fitting and self._keeps_enough(player, 1) and self._rng.random() < CAP_SHARE:
                self._put(number, fitting[0], card, "cap")

    def _put(self, number: int, meld: int, card: int, what: Deed = "add") -> None:
        if not self.melds[meld].closed and len(self.melds[meld].cards) >= MOST_OPEN:
            self._close(number, meld)
        self.players[number].hand.remove(card)
        self.melds[meld].cards.append(card)
        self._do(number, what, meld, [card])

    def _close_books(self, number: int) -> None:
        for meld, one in self.melds.items():
            finished = one.side == self.players[number].side and len(one.cards) >= self.rules.book_size
            if finished and not one.closed and self._rng.random() < CLOSE_SHARE:
                self._close(number, meld)

    def _close(self, number: int, meld: int) -> None:
        self.melds[meld].closed = True
        self._do(number, "close", meld, tuple(self.melds[meld].cards))

    def _lay_a_wrong_card(self, number: int) -> None:
        """A card is laid on a meld where it does not belong, and taken back."""
        player = self.players[number]
        own = [n for n, meld in self.melds.items() if meld.side == player.side and not meld.closed]
        if not own:
            return
        meld = own[int(self._rng.integers(len(own)))]
        strange = [c for c in player.hand if not self._wild(c) and self.faces[c].rank != self.rank(self.melds[meld])]
        if strange and len(self.melds[meld].cards) < MOST_OPEN:
            card = strange[int(self._rng.integers(len(strange)))]
            self._do(number, "wrong", meld, [card])
            self._do(number, "back", meld, [card])

    def _worst(self, hand: Sequence[int]) -> int:
        """The card that a player discards: one that is never melded, else one of the rank with the fewest."""
        never = [card for card in hand if self.rules.is_never_melded(self.faces[card])]
        if never:
            return never[0]
        ranks = Counter(self.faces[card].rank for card in hand)
        naturals = [card for card in hand if not self._wild(card)] or list(hand)
        return min(naturals, key=lambda card: (ranks[self.faces[card].rank], card))
