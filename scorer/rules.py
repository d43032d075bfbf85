"""Rule sets: house rules as data, one file each in ``rulesets/``.

A new house rule is a new file. A field is added only for a rule that none of them can express, with a default that
leaves the others as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pydantic import Field, StrictBool, StrictInt, model_validator

from scorer.data import Frozen, read_toml, shown
from scorer.deck import load_deck
from scorer.errors import RulesError
from scorer.faces import Face
from scorer.rule_parts import (
    BookPoints,
    BooksNeeded,
    CardPoints,
    Event,
    FirstMeld,
    GoingOut,
    MeldNeeds,
    PerPlayers,
    Seating,
    is_one_of,
    matches,
)

__all__ = ["RuleSet", "RulesError", "describe", "list_rules", "load_rules", "read_rules"]

_FOLDER = Path(__file__).parent / "rulesets"


class RuleSet(Frozen):
    """One way to play and score Hand & Foot. Cards are named by rank (``8``), colour and rank (``red 3``) or face."""

    id: str = Field(description="the file's name")
    name: str = Field(description="what players call it")
    source: str = Field(description="the rule sheet it is taken from")
    deck: str = Field(description="the deck it is played with")
    packs: PerPlayers = Field(description="packs in play")
    seatings: tuple[Seating, ...] = Field(default=(), description="sides allowed; none listed means any")
    least_players: StrictInt = Field(default=2, ge=1, description="fewest players, where no seatings are listed")
    rounds: PerPlayers = Field(description="rounds in a game")
    hand_cards: tuple[StrictInt, ...] = Field(min_length=1, description="cards in a hand, by round; the last stays")
    foot_cards: StrictInt = Field(ge=0, description="cards in a foot")
    first_meld: FirstMeld = Field(description="points a side's first meld of a round needs")
    wild_ranks: tuple[str, ...] = Field(description="ranks that are wild")
    never_melded: tuple[str, ...] = Field(description="ranks that form no meld")
    laid: tuple[str, ...] = Field(default=(), description="cards laid on the table outside melds")
    burying: StrictBool = Field(default=False, description="spare cards may be buried face down for their value")
    book_size: StrictInt = Field(ge=1, description="cards that make a meld a book")
    points: tuple[CardPoints, ...] = Field(description="points of a card")
    melds: MeldNeeds = Field(description="what a meld needs")
    books: BookPoints = Field(description="points for a book, apart from its cards")
    going_out: GoingOut = Field(description="going out")
    exact_deal: Event | None = Field(default=None, description="bonus for taking exactly the cards for hand and foot")
    improper_meld: Event | None = Field(default=None, description="penalty for a first meld below the minimum")

    def minimum_first_meld(self, round: int) -> int:
        """Points that a side's first meld of a round (from 1) needs at least.

        Raises:
            ValueError: the round is below 1.
        """
        return self.first_meld.in_round(round)

    def hand_size(self, round: int) -> int:
        """Cards in a hand in a round (from 1).

        Raises:
            ValueError: the round is below 1.
        """
        if round < 1:
            raise ValueError(f"expected a round of 1 or more, got {round}")
        return self.hand_cards[min(round, len(self.hand_cards)) - 1]

    def packs_for(self, players: int) -> int:
        """Packs in play for a number of players."""
        return self.packs.for_players(players)

    def rounds_for(self, players: int) -> int:
        """Rounds in a game for a number of players."""
        return self.rounds.for_players(players)

    def books_to_go_out(self, players: int) -> BooksNeeded:
        """The books that a side needs before it goes out, for a number of players at the table."""
        return self.going_out.books

    def sides_for(self, players: int) -> tuple[tuple[int, ...], ...]:
        """Each way to seat so many players, as the players on each side; empty if these rules are not for so many.

        Where the rules name no seatings, every split into equal sides.
        """
        if self.seatings:
            return tuple(seating.sides for seating in self.seatings if sum(seating.sides) == players)
        if players < self.least_players:
            return ()
        return tuple((size,) * (players // size) for size in range(players // 2, 0, -1) if players % size == 0)

    def is_wild(self, face: Face) -> bool:
        return face.rank in self.wild_ranks

    def is_laid(self, face: Face) -> bool:
        """Whether the card is laid on the table outside melds."""
        return is_one_of(face, self.laid)

    def played(self, face: Face) -> int:
        """What a card on the table is worth; 0 for one of another deck, or a 3 whose colour is not known."""
        return next((entry.played for entry in self.points if is_one_of(face, entry.cards)), 0)

    def left(self, face: Face) -> int:
        """What a card left in a hand or foot is worth, as a rule below 0."""
        return next((entry.left for entry in self.points if is_one_of(face, entry.cards)), 0)

    def label(self, face: Face) -> str:
        """Several of such cards in words, as these rules tell them apart: ``8s``, ``aces``, ``red 3s``."""
        names = (name for entry in self.points for name in entry.cards if matches(name, face))
        colour = next(names, "").rpartition(" ")[0]
        plural = load_deck(self.deck).plural(face.rank)
        return f"{colour} {plural}" if colour else plural

    @model_validator(mode="after")
    def _fits_its_deck(self) -> RuleSet:
        deck = load_deck(self.deck)
        for key, ranks, allowed in (
            ("wild_ranks", self.wild_ranks, deck.wild_ranks),
            ("never_melded", self.never_melded, deck.ranks),
        ):
            if strangers := [rank for rank in ranks if rank not in allowed]:
                raise ValueError(f"{key}: expected ranks of {', '.join(allowed)}, got {', '.join(strangers)}")
        for key, names in (("laid", self.laid), *((f"points[{i}].cards", e.cards) for i, e in enumerate(self.points))):
            for name in names:
                if not any(matches(name, face) for face in deck.faces):
                    raise ValueError(f'{key}: expected a card of the deck such as "8" or "red 3", got "{name}"')
        for face in deck.faces:
            if (times := sum(matches(name, face) for entry in self.points for name in entry.cards)) != 1:
                raise ValueError(f"points: expected the points of {face} once, got them {times} times")
        return self


def list_rules() -> tuple[str, ...]:
    """The ids of all rule sets."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


@cache
def load_rules(id: str) -> RuleSet:
    """The rule set of that id.

    Raises:
        RulesError: there is none (the known ones are named), or its file or deck is wrong.
    """
    if id not in list_rules():
        raise RulesError(f"expected a rule set, one of {', '.join(list_rules())}, got {shown(id)}")
    return read_rules(_FOLDER / f"{id}.toml")


def read_rules(path: Path) -> RuleSet:
    """Reads one rule-set file.

    Raises:
        RulesError: the file or its deck is wrong; names the file, each key, what was expected and what came.
    """
    try:
        rules = read_toml(path, RuleSet)
    except ValueError as error:
        raise RulesError(str(error)) from error
    if rules.id != path.stem:
        raise RulesError(f"{path.name}: id: expected the file's name {shown(path.stem)}, got {shown(rules.id)}")
    return rules


def describe(rules: RuleSet) -> str:
    """The whole rule set as a person reads it: a line a field, its meaning first."""
    return "\n".join(_rows(rules, ""))


def _rows(part: Frozen, indent: str) -> Iterator[str]:
    for key, field in type(part).model_fields.items():
        value = getattr(part, key)
        meaning = f"{indent}{field.description}"
        if value is None:
            yield f"{meaning}: none"
        elif isinstance(value, Frozen) and type(value).__str__ is Frozen.__str__:  # says nothing shorter of itself
            yield f"{meaning}:"
            yield from _rows(value, indent + "  ")
        elif isinstance(value, tuple) and any(isinstance(item, Frozen) for item in value):
            yield f"{meaning}:"
            yield from (f"{indent}  {item}" for item in value)
        elif isinstance(value, tuple):
            yield f"{meaning}: {', '.join(map(str, value)) or 'none'}"
        elif isinstance(value, bool):
            yield f"{meaning}: {'yes' if value else 'no'}"
        else:
            yield f"{meaning}: {value}"
