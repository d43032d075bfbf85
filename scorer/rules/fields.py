"""The fields of a rule set: what a TOML file in ``rulesets/`` may say."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, StrictBool

from scorer.data import Frozen, Whole
from scorer.rules.book_parts import BookPoints, GoingOut
from scorer.rules.card_parts import (
    Bonus,
    Cap,
    CardPoints,
    CardsCount,
    LaidNeeds,
    LaidSet,
    MeldNeeds,
    Reported,
    Runs,
)
from scorer.rules.table_parts import EventFormat, FirstMeld, PerPlayers, Seating, Starts


class RuleFields(Frozen):
    """All fields of a rule set, each validated by itself; ``RuleSet`` adds the checks between fields.

    Cards are named by rank (``8``), by colour and rank (``red 3``) or by face (``8H``). Each field's description is
    what ``describe`` prints.
    """

    id: str = Field(description="the file's name")
    name: str = Field(min_length=1, description="name of these rules")
    source: str = Field(min_length=1, description="where these rules come from")
    deck: str = Field(description="deck of cards")
    decks: tuple[str, ...] = Field(default=(), description="other decks you can play with")
    packs: PerPlayers = Field(description="packs in play")
    jokers: Whole | None = Field(default=None, ge=0, le=99, description="jokers in a pack (leave empty for two)")
    seatings: tuple[Seating, ...] = Field(default=(), description="teams you can play in (leave empty for any)")
    least_players: Whole = Field(default=2, ge=1, le=99, description="fewest players, if no teams are listed")
    rounds: PerPlayers = Field(description="rounds in a game")
    target: Whole | None = Field(default=None, ge=1, description="points that end the game, after any number of rounds")
    hands_in_set: Whole = Field(default=1, ge=1, description="rounds in a set, added up to one score")
    own_totals: StrictBool = Field(default=False, description="partners change, and each person keeps their own total")
    starts: Starts | None = Field(default=None, description="who plays first")
    hand_cards: tuple[Whole, ...] = Field(
        min_length=1, description="cards in a hand, round by round; the last one stays"
    )
    hand_by_players: dict[int, Whole] = Field(
        default={}, description="cards in a hand for some numbers of players, if different"
    )
    knee_cards: Whole = Field(default=0, ge=0, description="cards in a third pile between hand and foot, the knee")
    foot_cards: Whole = Field(ge=0, description="cards in a foot")
    first_meld: FirstMeld = Field(description="points a side's first meld of a round needs")
    wild_ranks: tuple[str, ...] = Field(description="wild cards")
    never_melded: tuple[str, ...] = Field(description="cards that can't be melded")
    melded_going_out: tuple[str, ...] = Field(
        default=(), description="cards that only the side going out can meld, without wild cards"
    )
    laid: tuple[str, ...] = Field(default=(), description="cards laid out on the table beside the melds")
    laid_sets: tuple[LaidSet, ...] = Field(default=(), description="extra points for cards laid out")
    laid_needs: Literal["meld", "book"] | None = Field(
        default=None, description="what a side needs, or its cards laid out count against it"
    )
    laid_if: LaidNeeds | None = Field(
        default=None, description="what else a side needs for its cards laid out to count"
    )
    burying: StrictBool = Field(default=False, description="spare cards can be buried face down and still count")
    book_size: Whole = Field(ge=1, description="cards in a book")
    points: tuple[CardPoints, ...] = Field(description="what the cards are worth")
    melds: MeldNeeds = Field(description="what a meld needs")
    runs: Runs | None = Field(default=None, description="runs: melds of one suit in a row")
    books: BookPoints = Field(description="points for a book, on top of its cards")
    cards_count: CardsCount | None = Field(default=None, description="when cards in melds count, if not always")
    cap: Cap | None = Field(default=None, description="a card you can put on a finished book for extra points")
    going_out: GoingOut = Field(description="going out")
    exact_deal: Reported | None = Field(
        default=None, description="bonus for taking exactly the cards for hand and foot"
    )
    improper_meld: Reported | None = Field(default=None, description="penalty for a first meld below the minimum")
    bonuses: tuple[Bonus, ...] = Field(default=(), description="other bonuses and penalties you are asked about")
    event: EventFormat | None = Field(default=None, description="a tournament with several tables")
