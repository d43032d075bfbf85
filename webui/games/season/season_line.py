"""How a season went: what people or sides made of a round on average, day by day, month by month or year by year."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from webui.games.plot import Plot, plot_lines
from webui.games.season.person_total import PersonTotal
from webui.wording import day_text

_MOST_LINES = 6
"""As many as can be told apart; those with the most rounds."""
_MOST_PLACES = 12
_DAY, _MONTH, _YEAR = 10, 7, 4
"""Lengths of the beginning of an ISO date that they have in common."""


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """The plot, and what it shows as a table: what its columns are called, and each name with its averages."""

    plot: Plot
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[int | None, ...]], ...]
    step: str


def season_line(players: Iterable[PersonTotal]) -> SeasonLine | None:
    """The line of a season, None where it is no longer than a day.

    Args:
        players: people or sides, of games under the same rules, as other points cannot be compared.
    """
    most = sorted(players, key=lambda player: -player.rounds)[:_MOST_LINES]
    days = {day for player in most for day in player.days}
    length = next((length for length in (_DAY, _MONTH) if len({day[:length] for day in days}) <= _MOST_PLACES), _YEAR)
    places = sorted({day[:length] for day in days})[-_MOST_PLACES:]
    if len(places) < 2:
        return None
    averages = [(player.name, _averages(player, places, length)) for player in most]
    rows = tuple((name, row) for name, row in averages if any(value is not None for value in row))
    step = {_DAY: "day", _MONTH: "month", _YEAR: "year"}[length]
    return SeasonLine(
        plot_lines(rows, [_label(place) for place in places]), tuple(_name(place) for place in places), rows, step
    )


def _averages(player: PersonTotal, places: Sequence[str], length: int) -> tuple[int | None, ...]:
    sums = dict.fromkeys(places, (0, 0))
    for day, (points, rounds) in player.days.items():
        if (place := day[:length]) in sums:
            sums[place] = sums[place][0] + points, sums[place][1] + rounds
    return tuple(round(points / rounds) if rounds else None for points, rounds in sums.values())


def _name(place: str) -> str:
    """A place in full: ``Nov 21, 2026``, ``Nov 2026``, ``2026``; a day that is none stays as it is."""
    try:
        if len(place) == _MONTH:
            return f"{date.fromisoformat(f'{place}-01'):%b %Y}"
        return day_text(date.fromisoformat(place)) if len(place) == _DAY else place
    except ValueError:
        return place


def _label(place: str) -> str:
    """A place as short as along an axis: ``Nov 21``, ``Nov``, ``2026``."""
    return place if len(place) == _YEAR else _name(place).rpartition("," if len(place) == _DAY else " ")[0] or place
