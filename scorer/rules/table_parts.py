"""Rule-set sections about players, rounds and events. ``describe`` prints the description of each field."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StrictBool, model_validator

from scorer.data import Frozen, Whole

MOST, _MOST_A_PLAYER = 99, 9
"""The largest number of players, packs or rounds, and the most of them that one player adds: pages have a line each."""


class PerPlayers(Frozen):
    """A number that may depend on the player count: ``fixed`` plus ``per_player`` for each player, or a list."""

    fixed: Whole = Field(default=0, ge=0, le=MOST, description="however many people play")
    per_player: Whole = Field(default=0, ge=0, le=_MOST_A_PLAYER, description="for each player")
    by_players: dict[int, Whole] = Field(default={}, description="for some numbers of players, if different")

    def for_players(self, players: int) -> int:
        """The number for a player count.

        If the list lacks that count and there is nothing else, the entry of the next lower count holds, or the lowest.
        """
        if self.by_players and (players in self.by_players or not (self.fixed or self.per_player)):
            lower = [count for count in self.by_players if count <= players]
            return self.by_players[max(lower) if lower else min(self.by_players)]
        return self.fixed + self.per_player * players

    @model_validator(mode="after")
    def _is_a_number(self) -> PerPlayers:
        for players, count in self.by_players.items():
            if players < 1 or count < 1:
                raise ValueError(f"by_players: expected numbers of 1 or more, got {players} = {count}")
            if players > MOST or count > MOST:
                raise ValueError(f"by_players: expected numbers of {MOST} or less, got {players} = {count}")
        if not (self.fixed or self.per_player or self.by_players):
            raise ValueError("expected fixed, per_player or by_players of 1 or more, got none")
        return self

    def __str__(self) -> str:
        texts = [f"{count} with {players} players" for players, count in sorted(self.by_players.items())]
        if self.per_player:
            each = "one a player" if self.per_player == 1 else f"{self.per_player} a player"
            texts.append(f"{each} and {self.fixed} more" if self.fixed else each)
        elif self.fixed:
            texts.append(str(self.fixed))
        return ", ".join(texts)


class Seating(Frozen):
    """One way to seat the players: the size of each side, and on which side a floater plays in each round.

    A floater is one more player without a fixed side.
    """

    sides: tuple[Whole, ...] = Field(min_length=2, description="players on each side")
    floater: tuple[Whole, ...] = Field(
        default=(), description="side of one more player, round by round (empty for none)"
    )

    @property
    def players(self) -> int:
        return sum(self.sides) + bool(self.floater)

    def floater_side(self, round: int) -> int | None:
        """The side (from 0) of the floater in a round (from 1); None without a floater."""
        return self.floater[min(round, len(self.floater)) - 1] - 1 if self.floater else None

    def in_round(self, round: int) -> tuple[int, ...]:
        """The size of each side in a round (from 1), including the floater."""
        floater_side = self.floater_side(round)
        return tuple(size + (side == floater_side) for side, size in enumerate(self.sides))

    @model_validator(mode="after")
    def _has_players(self) -> Seating:
        if min(self.sides) < 1:
            raise ValueError(f"sides: expected 1 player or more on each side, got {list(self.sides)}")
        if sum(self.sides) > MOST:
            raise ValueError(f"sides: expected {MOST} players or less, got {sum(self.sides)}")
        if strangers := [side for side in self.floater if not 1 <= side <= len(self.sides)]:
            raise ValueError(f"floater: expected sides from 1 to {len(self.sides)}, got {strangers[0]}")
        return self

    def __str__(self) -> str:
        text = " against ".join(map(str, self.sides))
        if not self.floater:
            return text
        return f"{text}, and a floater who plays on side {', '.join(map(str, self.floater))}, round by round"


class ByScore(Frozen):
    """The minimum first meld for sides whose total has reached a score."""

    least: Whole | None = Field(default=None, description="from this total on (leave empty in the first row)")
    points: Whole = Field(ge=0, description="points the first meld needs")

    def __str__(self) -> str:
        return str(self.points) if self.least is None else f"{self.points} from a total of {self.least}"


Must = Literal["nothing", "no wilds", "a natural meld", "a book", "a clean book"]


class FirstMeldMust(Frozen):
    """What a first meld must be or hold, besides its points."""

    from_round: Whole = Field(default=1, ge=1, description="from this round on")
    what: Must = Field(description="what it must have")

    def __str__(self) -> str:
        return f"{self.what} from round {self.from_round}" if self.from_round > 1 else self.what


class FirstMeld(Frozen):
    """The minimum first meld of a round, listed by round or by the side's total before the round."""

    by_round: tuple[Annotated[Whole, Field(ge=0)], ...] = Field(default=(), description="round by round")
    step: Whole = Field(default=0, ge=0, description="more for each round after that")
    by_score: tuple[ByScore, ...] = Field(default=(), description="by your side's total before the round, lowest first")
    must: tuple[FirstMeldMust, ...] = Field(default=(), description="what it must have; the last row that fits counts")
    wilds_alone: StrictBool = Field(default=False, description="a meld of only wild cards counts for it")

    @property
    def is_free(self) -> bool:
        """Whether any melds will do, in every round."""
        return not (any(self.by_round) or self.step or self.by_score or self.must)

    def must_in(self, round: int) -> Must:
        """What a first meld in a round (from 1) must be or hold."""
        return [*("nothing",), *(entry.what for entry in self.must if entry.from_round <= round)][-1]

    def in_round(self, round: int, total: int = 0) -> int:
        """The minimum in a round (from 1) for a side with a total before it."""
        if self.by_score:
            return [entry for entry in self.by_score if entry.least is None or entry.least <= total][-1].points
        listed = min(round, len(self.by_round))
        return self.by_round[listed - 1] + self.step * (round - listed)

    @model_validator(mode="after")
    def _is_one_list(self) -> FirstMeld:
        if bool(self.by_round) == bool(self.by_score):
            raise ValueError("expected either by_round or by_score, got " + ("both" if self.by_round else "neither"))
        if self.step and self.by_score:
            raise ValueError(f"step: expected none beside by_score, got {self.step}")
        least = [entry.least for entry in self.by_score]
        known = [value for value in least[1:] if value is not None]
        if least and (least[0] is not None or len(known) < len(least) - 1 or known != sorted(set(known))):
            raise ValueError("by_score: expected a first entry without least, then least growing from entry to entry")
        return self

    def __str__(self) -> str:
        listed = ", ".join(map(str, self.by_round or self.by_score))
        text = f"{listed}, then {self.step} more each round" if self.step else listed
        text += "; wilds alone count" if self.wilds_alone else ""
        return f"{text}; with {', '.join(map(str, self.must))}" if self.must else text


class Starts(Frozen):
    """Who plays first in each round."""

    first: str = Field(description="in the first round")
    then: Literal["the next player clockwise", "drawn again"] = Field(description="in each further round")


class EventFormat(Frozen):
    """The format of an event with several tables."""

    format: Literal["teams", "moving-partners"] = Field(
        description="teams that stay together, or partners who change tables"
    )
    games: Whole | None = Field(default=None, ge=1, description="games; after each one the better half plays on")
    groups: tuple[str, ...] = Field(default=(), description="groups of people who are ranked separately")
    prizes: tuple[str, ...] = Field(min_length=1, description="prizes, highest first")
