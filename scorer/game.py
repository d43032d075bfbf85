"""What carries over between rounds: starting player, floater, sets of hands, personal totals, end of the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scorer.rules.rule_set import RuleSet


def who_starts(rules: RuleSet, seats: Sequence[str], first: str, round: int) -> str | None:
    """Returns who plays first in a round (from 1).

    Args:
        rules: the rule set.
        seats: the players in seating order, clockwise.
        first: who played first in round 1 (``rules.starts.first`` says how that is decided).
        round: the round.

    Returns:
        The player, or None if it is drawn again each round or the rules do not say.

    Raises:
        ValueError: ``first`` is not among the players.
    """
    if first not in seats:
        raise ValueError(f"expected one of {', '.join(seats)} as first player, got {first}")
    if round == 1:
        return first
    if rules.starts is None or rules.starts.then == "drawn again":
        return None
    return seats[(seats.index(first) + round - 1) % len(seats)]


def sides_in_round(
    rules: RuleSet, sides: Sequence[Sequence[str]], floater: str, round: int
) -> tuple[tuple[str, ...], ...]:
    """Returns the players of each side in a round (from 1), with the floater added to the side of that round.

    Raises:
        ValueError: the rules have no floater for sides of these sizes.
    """
    sizes = tuple(map(len, sides))
    for seating in rules.seatings:
        side = seating.floater_side(round)
        if seating.sides == sizes and side is not None:
            return tuple((*names, floater) if i == side else tuple(names) for i, names in enumerate(sides))
    sizes_text = " against ".join(map(str, sizes))
    raise ValueError(f"expected sides beside which {rules.name} has a floater, got {sizes_text}")


def personal_totals(rounds: Iterable[Iterable[tuple[Sequence[str], int]]]) -> dict[str, int]:
    """Returns each player's own total: the points of the sides they played on, over all rounds.

    Args:
        rounds: per round, its sides as pairs of players and points.
    """
    totals: dict[str, int] = {}
    for sides in rounds:
        for players, points in sides:
            for player in players:
                totals[player] = totals.get(player, 0) + points
    return totals


def winner_of(totals: Sequence[int]) -> int | None:
    """Returns which of some totals is the highest, by its index; None for a tie, which is a win for nobody."""
    return totals.index(max(totals)) if totals.count(max(totals)) == 1 else None


def is_over(rules: RuleSet, players: int, rounds_played: int, totals: Mapping[str, int]) -> bool:
    """Whether the game has ended: a side has reached the target score or, without a target, all rounds are played."""
    if rules.target is not None:
        return any(total >= rules.target for total in totals.values())
    return rounds_played >= rules.rounds.for_players(players)
