"""A rule set: one way to play and score a game of the family, as data.

A new house rule is a new file. A field is added only for a rule that none of them can express, with a default that
leaves the others as they are.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal, NamedTuple

from pydantic import Field, StrictBool, StrictInt, model_validator

from scorer.data import Frozen
from scorer.deck import load_deck
from scorer.faces import Face
from scorer.rule_checks import contradictions
from scorer.rule_parts import (
    BookPoints,
    BooksNeeded,
    Cap,
    CardPoints,
    Event,
    GoingOut,
    LaidSet,
    MeldNeeds,
    is_one_of,
    matches,
)
from scorer.table_parts import EventFormat, FirstMeld, PerPlayers, Seating, Starts


class _Known(NamedTuple):
    """A face as a rule set sees it."""

    label: str
    played: int
    left: int


class RuleSet(Frozen):
    """One way to play and score Hand & Foot. Cards are named by rank (``8``), colour and rank (``red 3``) or face."""

    id: str = Field(description="the file's name")
    name: str = Field(min_length=1, description="what players call it")
    source: str = Field(min_length=1, description="the rule sheet it is taken from")
    deck: str = Field(description="the deck it is played with")
    packs: PerPlayers = Field(description="packs in play")
    seatings: tuple[Seating, ...] = Field(default=(), description="sides allowed; none listed means any")
    least_players: StrictInt = Field(default=2, ge=1, description="fewest players, where no seatings are listed")
    rounds: PerPlayers = Field(description="rounds in a game")
    target: StrictInt | None = Field(default=None, ge=1, description="total that ends the game, whatever the rounds")
    hands_in_set: StrictInt = Field(default=1, ge=1, description="hands of a set, added up to one score")
    own_totals: StrictBool = Field(default=False, description="partners change, and each person keeps their own total")
    starts: Starts | None = Field(default=None, description="who plays first")
    hand_cards: tuple[StrictInt, ...] = Field(min_length=1, description="cards in a hand, by round; the last stays")
    foot_cards: StrictInt = Field(ge=0, description="cards in a foot")
    first_meld: FirstMeld = Field(description="points a side's first meld of a round needs")
    wild_ranks: tuple[str, ...] = Field(description="ranks that are wild")
    never_melded: tuple[str, ...] = Field(description="ranks that form no meld")
    laid: tuple[str, ...] = Field(default=(), description="cards laid on the table outside melds")
    laid_sets: tuple[LaidSet, ...] = Field(default=(), description="extra points for laid cards")
    laid_needs: Literal["meld", "book"] | None = Field(
        default=None, description="what a side needs or its laid cards count against it"
    )
    burying: StrictBool = Field(default=False, description="spare cards may be buried face down for their value")
    book_size: StrictInt = Field(ge=1, description="cards that make a meld a book")
    points: tuple[CardPoints, ...] = Field(description="points of a card")
    melds: MeldNeeds = Field(description="what a meld needs")
    books: BookPoints = Field(description="points for a book, apart from its cards")
    cap: Cap | None = Field(default=None, description="a card that caps a finished book")
    going_out: GoingOut = Field(description="going out")
    exact_deal: Event | None = Field(default=None, description="bonus for taking exactly the cards for hand and foot")
    improper_meld: Event | None = Field(default=None, description="penalty for a first meld below the minimum")
    event: EventFormat | None = Field(default=None, description="an event of many tables")

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

    def is_wild(self, face: Face) -> bool:
        return face.rank in self.wild_ranks

    def is_laid(self, face: Face) -> bool:
        """Whether the card is laid on the table outside melds."""
        return is_one_of(face, self.laid)

    def is_cap(self, face: Face) -> bool:
        """Whether the card caps books."""
        return self.cap is not None and is_one_of(face, self.cap.cards)

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
