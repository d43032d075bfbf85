"""From round to round: who starts, where the floater sits, sets of hands, each person's own total, the game's end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scorer.rules.rule_set import RuleSet


def who_starts(rules: RuleSet, seats: Sequence[str], first: str, round: int) -> str | None:
    """Who plays first in a round (from 1).

    Args:
        rules: the rule set.
        seats: the players as they sit, clockwise.
        first: who played first in round 1, found as ``rules.starts.first`` says.
        round: the round.

    Returns:
        The player, or None where it is drawn anew or the rules do not say.

    Raises:
        ValueError: the round is below 1, or nobody called ``first`` sits there.
    """
    if round < 1:
        raise ValueError(f"expected a round of 1 or more, got {round}")
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
    """The players of each side in a round (from 1), the floater among those of the round's side.

    Raises:
        ValueError: the rules have no floater beside such sides, or the round is below 1.
    """
    if round < 1:
        raise ValueError(f"expected a round of 1 or more, got {round}")
    sizes = tuple(map(len, sides))
    for seating in rules.seatings:
        side = seating.floater_side(round)
        if seating.sides == sizes and side is not None:
            return tuple((*names, floater) if i == side else tuple(names) for i, names in enumerate(sides))
    shown = " against ".join(map(str, sizes))
    raise ValueError(f"expected sides beside which {rules.name} has a floater, got {shown}")


def set_scores(rules: RuleSet, hands: Sequence[int]) -> tuple[int, ...]:
    """The score of each set from the scores of its hands in order; the last set may be unfinished."""
    size = rules.hands_in_set
    return tuple(sum(hands[start : start + size]) for start in range(0, len(hands), size))


def personal_totals(rounds: Iterable[Iterable[tuple[Sequence[str], int]]]) -> dict[str, int]:
    """What each person has, who writes down the points of the side they were on in each round.

    Args:
        rounds: for each round its sides, each as its players and its points.
    """
    totals: dict[str, int] = {}
    for sides in rounds:
        for players, points in sides:
            for player in players:
                totals[player] = totals.get(player, 0) + points
    return totals


def is_over(rules: RuleSet, players: int, rounds_played: int, totals: Mapping[str, int]) -> bool:
    """Whether a game has ended: a side has reached the target, or, where there is none, all rounds are played."""
    if rules.target is not None:
        return any(total >= rules.target for total in totals.values())
    return rounds_played >= rules.rounds_for(players)
