"""Golden Games events for tests, some way into their play."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from scorer.events.teams import begin, draw, entrants, record
from scorer.events.teams_facts import Agreed, RoundScore, TeamsEvent
from scorer.rules import load_rules

RULES = load_rules("golden-games")
SIXTEEN = tuple(f"Team {n:02}" for n in range(1, 17))


def number(team: str) -> int:
    return int(team.split()[1])


def play(event: TeamsEvent, game: int, points: Callable[[str], int] = number) -> TeamsEvent:
    """Every team of a game scores its points in the first round and nothing in the others; all is agreed."""
    for round in range(1, 5):
        for team in entrants(event, game):
            event = record(
                event,
                RoundScore(game, round, team, points(team) if round == 1 else 0),
                Agreed(game, round, team),
            )
    return event


def four(*points: int) -> TeamsEvent:
    """Four teams A to D after game 1 with those points."""
    event = draw(begin(RULES, ("A", "B", "C", "D")), 1, Random(1))
    return play(event, 1, lambda team: points["ABCD".index(team)])
