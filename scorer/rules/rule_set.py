"""A rule set: one way to play and score a game of the family, as data.

A new house rule is a new file. A field is added only for a rule that none of them can express, with a default that
leaves the others as they are.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from pydantic import model_validator

from scorer.deck import load_deck
from scorer.faces import Face
from scorer.rules.card_parts import BooksNeeded, matches
from scorer.rules.consistency import contradictions
from scorer.rules.fields import RuleFields


class _Known(NamedTuple):
    """A face as a rule set sees it."""

    label: str
    played: int
    left: int


class RuleSet(RuleFields):
    """A consistent rule set and the questions that scoring asks of it."""

    def hand_of_set(self, round: int) -> int:
        """Which hand of its set (from 1) a round (from 1) is; the round itself where there are no sets.

        Raises:
            ValueError: the round is below 1.
        """
        if round < 1:
            raise ValueError(f"expected a round of 1 or more, got {round}")
        return (round - 1) % self.hands_in_set + 1 if self.hands_in_set > 1 else round

    def minimum_first_meld(self, round: int, total: int = 0) -> int:
        """Points that a side's first meld of a round (from 1) needs at least.

        Args:
            round: the round; in sets, each set begins its list anew.
            total: the side's points before the round, where the rules go by them.

        Raises:
            ValueError: the round is below 1.
        """
        return self.first_meld.in_round(self.hand_of_set(round), total)

    def hand_size(self, round: int) -> int:
        """Cards in a hand in a round (from 1).

        Raises:
            ValueError: the round is below 1.
        """
        return self.hand_cards[min(self.hand_of_set(round), len(self.hand_cards)) - 1]

    def deal_size(self, round: int) -> int:
        """Cards that a player takes for hand and foot together in a round (from 1): what an exact deal is.

        Raises:
            ValueError: the round is below 1.
        """
        return self.hand_size(round) + self.foot_cards

    def packs_for(self, players: int) -> int:
        """Packs in play for a number of players."""
        return self.packs.for_players(players)

    def rounds_for(self, players: int) -> int:
        """Rounds in a game for a number of players."""
        return self.rounds.for_players(players)

    def books_to_go_out(self, players: int, round: int = 1) -> BooksNeeded:
        """The books that a side needs before it goes out, for a number of players at the table and a round."""
        return self.going_out.books_for(players, round)

    def sides_for(self, players: int, round: int = 1) -> tuple[tuple[int, ...], ...]:
        """Each way to seat so many players, as the players on each side; empty if these rules are not for so many.

        Where the rules name no seatings, two sides as even as can be, and every split into equal sides; people may
        still sit otherwise. A floater counts where they play in the round.
        """
        if self.seatings:
            return tuple(seating.in_round(round) for seating in self.seatings if seating.players == players)
        if players < self.least_players:
            return ()
        equal = tuple((size,) * (players // size) for size in range(players // 2, 0, -1) if players % size == 0)
        return (((players + 1) // 2, players // 2), *equal) if players % 2 else equal

    def played(self, face: Face) -> int:
        """What a card on the table is worth; 0 for one of another deck, or a 3 whose colour is not known."""
        return self._know(face).played

    def left(self, face: Face) -> int:
        """What a card left in a hand or foot is worth, as a rule below 0."""
        return self._know(face).left

    def label(self, face: Face) -> str:
        """Several of such cards in words, as these rules tell them apart: ``8s``, ``aces``, ``red 3s``."""
        return self._know(face).label

    @cached_property
    def _known(self) -> dict[Face, _Known]:
        """What was asked about a face before: these rules are asked about the same few faces again and again."""
        return {}

    def _know(self, face: Face) -> _Known:
        found = self._known.get(face)
        if found is None:
            found = self._known[face] = self._look_up(face)
        return found

    def _look_up(self, face: Face) -> _Known:
        plural = load_deck(self.deck).plural(face.rank)
        for entry in self.points:
            for name in entry.cards:
                if matches(name, face):
                    colour = name.rpartition(" ")[0]
                    return _Known(f"{colour} {plural}" if colour else plural, entry.played, entry.left)
        return _Known(plural, 0, 0)

    @model_validator(mode="after")
    def _holds_together(self) -> RuleSet:
        if found := list(contradictions(self)):
            raise ValueError("; ".join(found))
        return self
