"""Golden Games events for tests, some way into their play."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from scorer.events.teams import draw, entrants, record
from scorer.events.teams_facts import RoundScore, TeamsEvent
from scorer.rules import load_rules

RULES = load_rules("golden-games")
SIXTEEN = tuple(f"Team {n:02}" for n in range(1, 17))


def number(team: str) -> int:
    return int(team.split()[1])


def drawn(teams: Iterable[str], seed: int = 1, cut: int | None = None) -> TeamsEvent:
    """An event whose first game is drawn."""
    return draw(TeamsEvent(RULES, tuple(teams), cut=cut), 1, Random(seed))


def play(event: TeamsEvent, game: int, points: Callable[[str], int] = number) -> TeamsEvent:
    """Every team of a game scores its points in the first round and nothing in the others."""
    for round in range(1, 5):
        scored = (RoundScore(game, round, team, points(team) * (round == 1)) for team in entrants(event, game))
        event = record(event, *scored)
    return event


def four(*points: int) -> TeamsEvent:
    """Four teams A to D after game 1 with those points."""
    return play(drawn("ABCD"), 1, lambda team: points["ABCD".index(team)])
