"""The next steps of an event of fixed teams."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.events.standings import Cut
from scorer.events.teams import cut_for, drawn_tables, entrants, gone, medals, resting, scores
from scorer.events.teams_facts import SIDES, Due, TeamsEvent


def due(event: TeamsEvent) -> tuple[Due, ...]:
    """Returns the next steps: cuts to review after corrections, then the current game, finally ties for prizes."""
    reviews = tuple(_cuts_to_review(event))
    for game in range(1, event.games + 1):
        if steps := tuple(_steps_of_game(event, game)):
            return (*reviews, *steps)
    return (*reviews, *_ties(event))


def _steps_of_game(event: TeamsEvent, game: int) -> Iterator[Due]:
    names = entrants(event, game)
    if not names:
        cut = cut_for(event, game)
        if cut is not None:
            yield Due("decide-cut", game, cut.tied or cut.through, _cut_message(cut, game))
        return
    drawn = drawn_tables(event, game)
    idle = resting(event, game) | gone(event, game)
    if waiting := tuple(team for team in names if team not in drawn and team not in idle):
        yield Due("draw", game, waiting, f"{', '.join(waiting)}: draw a table for game {game}.")
        return
    for table in sorted(set(drawn.values())):
        yield from _steps_at_table(
            event, game, table, tuple(team for team in names if drawn.get(team) == table and team not in idle)
        )


def _cut_message(cut: Cut, game: int) -> str:
    size = len(cut.through) + cut.open
    if size % SIDES:
        return f"The better half would be {size} teams, one without an opponent; decide who plays game {game}."
    places = "place" if cut.open == 1 else f"{cut.open} places"
    return f"{' and '.join(cut.tied)} are tied for the last {places} of game {game}; decide who plays."


def _steps_at_table(event: TeamsEvent, game: int, table: int, teams: tuple[str, ...]) -> Iterator[Due]:
    """Yields the next step in the first unfinished round of a table."""
    known = scores(event)
    for round in range(1, event.rounds + 1):
        if missing := tuple(team for team in teams if (game, round, team) not in known):
            message = f"Table {table}: {' and '.join(missing)} play round {round} and hand in their scores."
            yield Due("score", game, missing, message, table, round)
            return
        if not_agreed := tuple(team for team in teams if not known[game, round, team][1]):
            message = (
                f"Table {table}, round {round}: the other team agrees with the score of {' and '.join(not_agreed)}."
            )
            yield Due("agree", game, not_agreed, message, table, round)
            return


def _cuts_to_review(event: TeamsEvent) -> Iterator[Due]:
    for game in range(2, event.games + 1):
        playing, cut = entrants(event, game), cut_for(event, game)
        if playing and cut is not None and not cut.allows(playing):
            best = (*cut.through, *cut.tied)
            names = tuple(team for team in best if team not in playing)
            message = f"By the corrected scores {' and '.join(names)} would play game {game}; the coordinator decides."
            yield Due("review-cut", game, names, message)


def _ties(event: TeamsEvent) -> Iterator[Due]:
    reported: set[tuple[str, ...]] = set()
    for prize in medals(event):
        if prize.tied and prize.names not in reported:
            reported.add(prize.names)
            message = f"{' and '.join(prize.names)} are tied for {prize.name}; the coordinator decides."
            yield Due("settle-tie", event.games, prize.names, message)
