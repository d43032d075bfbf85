"""Who plays on which side in each round: a floater, such as the fifth player of Hand 'n Foot, changes sides.

A game keeps its sides as they are in round 1, with the floater as the last player of the side they begin on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scorer.game import sides_in_round
from scorer.rules import RulesError, RuleSet, load_rules
from webui.games.agreed_rules import rules_of_round
from webui.storage.records import GameRecord, RoundRecord, SideRecord


def floater_side(sides: Sequence[SideRecord], rules: RuleSet, number: int = 1) -> int | None:
    """The index of the side on which the floater plays in a round (from 1); None if the game has no floater."""
    return floater_seat([len(side.players) for side in sides], rules, number)


def floater_seat(sizes: Sequence[int], rules: RuleSet, number: int = 1) -> int | None:
    """``floater_side`` by the number of players of each side in round 1."""
    seatings = (seating for seating in rules.seatings if seating.floater and seating.in_round(1) == tuple(sizes))
    return next((seating.floater_side(number) for seating in seatings), None)


def sides_of_round(sides: Sequence[SideRecord], rules: RuleSet, number: int) -> tuple[SideRecord, ...]:
    """The sides with their players in a round (from 1); a floater sits in the last place of a side.

    Args:
        sides: the sides of the game.
        rules: the rules of the round.
        number: the round.
    """
    begins = floater_side(sides, rules)
    if begins is None:
        return tuple(sides)
    fixed = [side.players[: len(side.players) - (index == begins)] for index, side in enumerate(sides)]
    seated = sides_in_round(rules, fixed, sides[begins].players[-1], number)
    return tuple(replace(side, players=players) for side, players in zip(sides, seated, strict=True))


def sides_now(game: GameRecord, record: RoundRecord) -> tuple[SideRecord, ...]:
    """The sides with their players in a round of a game; as they began where its rules cannot be read."""
    try:
        return sides_of_round(game.sides, rules_of_round(record, load_rules(game.rules)), record.number)
    except RulesError:
        return game.sides


def player_name(side: SideRecord, player: int) -> str:
    """The name of a player of a side, and the side's own where it has no such player."""
    return side.players[player] if player < len(side.players) else side.name
