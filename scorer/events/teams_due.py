"""What is to be done next at an event of fixed teams."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.events.standings import Cut
from scorer.events.teams import SIDES, Due, TeamsEvent, drawn_tables, entrants, medals, scores, the_cut


def due(event: TeamsEvent) -> tuple[Due, ...]:
    """What is due now: all of the game that runs, what a correction has put in question, at last ties for a prize."""
    questions = tuple(_questions(event))
    for game in range(1, event.games + 1):
        if found := tuple(_game(event, game)):
            return (*questions, *found)
    return (*questions, *_ties(event))


def _game(event: TeamsEvent, game: int) -> Iterator[Due]:
    names = entrants(event, game)
    if not names:
        found = the_cut(event, game)
        if found is not None:
            yield Due("decide-cut", game, found.tied or found.through, _cut_message(found, game))
        return
    drawn = drawn_tables(event, game)
    if waiting := tuple(team for team in names if team not in drawn):
        yield Due("draw", game, waiting, f"{', '.join(waiting)}: draw a table for game {game}.")
        return
    for table in sorted(set(drawn.values())):
        yield from _table(event, game, table, tuple(team for team in names if drawn[team] == table))


def _cut_message(found: Cut, game: int) -> str:
    size = len(found.through) + found.open
    if size % SIDES:
        return f"The better half would be {size} teams, one without an opponent; decide who plays game {game}."
    places = "place" if found.open == 1 else f"{found.open} places"
    return f"{' and '.join(found.tied)} are tied for the last {places} of game {game}; decide who plays."


def _table(event: TeamsEvent, game: int, table: int, teams: tuple[str, ...]) -> Iterator[Due]:
    """The first round of a table that is not finished."""
    have = scores(event)
    for round in range(1, event.rounds + 1):
        if missing := tuple(team for team in teams if (game, round, team) not in have):
            message = f"Table {table}: {' and '.join(missing)} play round {round} and hand in their scores."
            yield Due("score", game, missing, message, table, round)
            return
        if open_ := tuple(team for team in teams if not have[game, round, team][1]):
            message = f"Table {table}, round {round}: the other team agrees with the score of {' and '.join(open_)}."
            yield Due("agree", game, open_, message, table, round)
            return


def _questions(event: TeamsEvent) -> Iterator[Due]:
    for game in range(2, event.games + 1):
        playing, found = entrants(event, game), the_cut(event, game)
        if playing and found is not None and not found.allows(playing):
            best = (*found.through, *found.tied)
            names = tuple(team for team in best if team not in playing)
            message = f"By the corrected scores {' and '.join(names)} would play game {game}; the coordinator decides."
            yield Due("review-cut", game, names, message)


def _ties(event: TeamsEvent) -> Iterator[Due]:
    told: set[tuple[str, ...]] = set()
    for prize in medals(event):
        if prize.tied and prize.names not in told:
            told.add(prize.names)
            message = f"{' and '.join(prize.names)} are tied for {prize.name}; the coordinator decides."
            yield Due("settle-tie", event.games, prize.names, message)
