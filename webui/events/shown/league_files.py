"""The league as lines for spreadsheets and as data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from webui.events.league import League
from webui.events.shown.exports import Lines


def league_lines(leagues: Iterable[League], order: str) -> Lines:
    """A line for each person and rule set, in the order of the ranking."""
    return [
        {
            "rules": league.id,
            "place": place,
            "player": one.name,
            "evenings": len(one.evenings),
            "points": one.points,
            "rounds": one.rounds,
            "average evening": one.evening_average,
            "average round": one.round_average,
            "tables": one.finished,
            "tables won": one.won,
            "prizes": one.prizes.total(),
            "which prizes": "; ".join(f"{name} {one.prizes[name]}" for name in league.prizes if one.prizes[name]),
            "partners": "; ".join(f"{other.name} ({other.games})" for other in one.most_together),
        }
        for league in leagues
        for place, one in league.ranking(order)
    ]


def league_data(leagues: Iterable[League], order: str) -> list[dict[str, Any]]:
    """Each league with its people, their partners and their evenings."""
    return [
        {
            "rules": league.id,
            "evenings": league.evenings,
            "open": league.open,
            "people": [
                {
                    "place": place,
                    "name": one.name,
                    "points": one.points,
                    "rounds": one.rounds,
                    "tables": one.finished,
                    "won": one.won,
                    "prizes": dict(sorted(one.prizes.items())),
                    "partners": [
                        {"name": p.name, "tables": p.games, "won": p.won, "rounds": p.rounds, "points": p.points}
                        for p in one.most_together
                    ],
                    "evenings": [
                        {
                            "evening": e.event_id,
                            "name": e.name,
                            "begun": e.begun,
                            "place": e.place,
                            "points": e.points,
                            "rounds": e.rounds,
                            "prizes": list(e.prizes),
                        }
                        for e in one.evenings
                    ],
                }
                for place, one in league.ranking(order)
            ],
        }
        for league in leagues
    ]
