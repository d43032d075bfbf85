"""The league as lines for spreadsheets and as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from webui.events.league import League, LeaguePerson
from webui.games.csv_lines import Lines
from webui.games.season.person_total import Together


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
            "people": [_person(place, one) for place, one in league.ranking(order)],
        }
        for league in leagues
    ]


def _person(place: int, one: LeaguePerson) -> dict[str, Any]:
    def counted(of: LeaguePerson | Together, tables: int) -> dict[str, Any]:
        return {"name": of.name, "points": of.points, "rounds": of.rounds, "tables": tables, "won": of.won}

    return {
        "place": place,
        **counted(one, one.finished),
        "prizes": dict(sorted(one.prizes.items())),
        "partners": [counted(other, other.games) for other in one.most_together],
        "evenings": [
            {"evening": e.event_id, **{k: v for k, v in asdict(e).items() if k != "event_id"}} for e in one.evenings
        ],
    }
