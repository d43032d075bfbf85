"""An event of fixed teams, such as the Golden Games: drawn tables, games of several rounds, the better half advances.

Source: St. Charles County Golden Games, PLAY 1-13, Determining a Winner, Medal Winners. Where the sheet is silent: the
teams of a later game draw their tables as for the first; ties at the cut or for a medal are decided by the coordinator,
who rules on whatever the sheet does not cover, unless the event says what decides. Of an odd number of teams one sits
out, drawn among those that have done so least, or the lowest of them where the event says so, and gets the average of
each round; so does a team whose opponents went home during a game.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from scorer.errors import EventError
from scorer.events.standings import Cut, Place, Prize, average, award, make_cut, rank
from scorer.events.teams_facts import (
    SIDES,
    Adjusted,
    Draw,
    Fact,
    PlaysOn,
    Ranked,
    RoundScore,
    SitsOut,
    TeamsEvent,
    Withdrawn,
)


def record(event: TeamsEvent, *facts: Fact) -> TeamsEvent:
    """Returns the event with facts added; a fact about the same thing as an earlier one corrects it."""
    return replace(event, facts=(*event.facts, *facts))


def draw(event: TeamsEvent, game: int, random: Random) -> TeamsEvent:
    """Draws a table for every team of a game that has none yet; of an odd number, one sits out.

    Raises:
        EventError: the teams of the game are not decided yet.
    """
    names = entrants(event, game)
    if not names:
        raise EventError(f"expected a settled field for game {game}, got one that is not settled yet")
    drawn = drawn_tables(event, game)
    free = [table for table in range(1, len(names) // SIDES + 1) for _ in range(SIDES)]
    for table in drawn.values():
        free.remove(table)
    random.shuffle(free)
    waiting = [team for team in names if team not in drawn]
    facts: list[Fact] = []
    if len(waiting) > len(free):
        rested = [resting(event, before) for before in range(1, game)]
        often = {team: sum(team in one for one in rested) for team in waiting}
        least = [team for team in waiting if often[team] == min(often.values())]
        if event.byes == "lowest" and game > 1:
            reached = totals(event, until=game - 1)
            least = [team for team in least if reached[team] == min(reached[one] for one in least)]
        rests = random.choice(least)
        waiting.remove(rests)
        facts.append(SitsOut(game, rests))
    facts += [Draw(game, team, table) for team, table in zip(waiting, free, strict=False)]
    return record(event, *([PlaysOn(game, names)] if game > 1 else []), *facts)


def entrants(event: TeamsEvent, game: int) -> tuple[str, ...]:
    """Returns the teams of a game: all for the first; for a later game those recorded, otherwise the better half.

    Empty while a round is missing, a tie is open, or if there is no such game.
    """
    if game == 1:
        return _without_gone(event, game, event.teams)
    recorded = [fact.teams for fact in event.facts if isinstance(fact, PlaysOn) and fact.game == game]
    if recorded:
        return _without_gone(event, game, recorded[-1])
    cut = cut_for(event, game)
    return cut.through if cut and not needs_decision(event, cut) else ()


def needs_decision(event: TeamsEvent, cut: Cut) -> bool:
    """Whether the coordinator has to say who plays on: a tie is open, or a team would have no opponent."""
    everybody = event.cut is not None and event.cut >= len(event.teams)
    return bool(cut.open) or (len(cut.through) % SIDES > 0 and not everybody)


def gone(event: TeamsEvent, game: int) -> frozenset[str]:
    """The teams that went home before the end of a game."""
    return frozenset(fact.team for fact in event.facts if isinstance(fact, Withdrawn) and fact.game <= game)


def _without_gone(event: TeamsEvent, game: int, teams: tuple[str, ...]) -> tuple[str, ...]:
    """Teams without those that went home before they had a table in a game."""
    seated = {fact.team for fact in event.facts if isinstance(fact, Draw) and fact.game == game}
    away = {name for name in gone(event, game) if name in gone(event, game - 1) or name not in seated}
    return tuple(team for team in teams if team not in away)


def cut_for(event: TeamsEvent, game: int) -> Cut | None:
    """Returns who advances to a later game by the scores of all games before it; None while a score is missing."""
    previous = entrants(event, game - 1) if 1 < game <= event.games else ()
    if not previous or _has_missing_scores(event, game - 1):
        return None
    reached, away = totals(event, until=game - 1), gone(event, game)
    staying = {team: reached[team] for team in previous if team not in away}
    return make_cut(rank(staying, breaks=_breaks(event, game - 1)), min(event.cut or len(previous) // 2, len(staying)))


def drawn_tables(event: TeamsEvent, game: int) -> dict[str, int]:
    """Returns the table of each team that has drawn one for a game."""
    tables = {fact.team: fact.table for fact in event.facts if isinstance(fact, Draw) and fact.game == game}
    return {team: tables[team] for team in entrants(event, game) if team in tables}


def resting(event: TeamsEvent, game: int) -> frozenset[str]:
    """The teams without an opponent in a game: those that sit out, and those whose opponents went home during it."""
    tables, away = drawn_tables(event, game), gone(event, game)
    left = {tables[team] for team in tables if team in away}
    sitting = {fact.team for fact in event.facts if isinstance(fact, SitsOut) and fact.game == game}
    alone = {team for team, table in tables.items() if table in left}
    return frozenset((sitting - tables.keys() | alone) & set(entrants(event, game)) - away)


def scores(event: TeamsEvent, until: int | None = None) -> dict[tuple[int, int, str], int]:
    """Returns points by game, round and team, with corrections applied, of all games or up to one.

    A team without an opponent gets the average of a round, once all others have its score.
    """
    found = {(fact.game, fact.round, fact.team): fact.points for fact in event.facts if isinstance(fact, RoundScore)}
    for game in range(1, (until or event.games) + 1):
        if not any(isinstance(fact, SitsOut | Withdrawn) and fact.game == game for fact in event.facts):
            continue
        alone = resting(event, game)
        others = [team for team in drawn_tables(event, game) if team not in alone | gone(event, game)]
        for round in range(1, event.rounds + 1):
            known = [found[game, round, team] for team in others if (game, round, team) in found]
            if known and len(known) == len(others):
                for team in alone:
                    found.setdefault((game, round, team), average(known))
    return found


def totals(event: TeamsEvent, until: int | None = None) -> dict[str, int]:
    """Returns each team's points over all games, or up to a game; games add up (PLAY 12), adjustments with them."""
    playing = {game: set(entrants(event, game)) for game in range(1, (until or event.games) + 1)}
    sums = dict.fromkeys(event.teams, 0)
    for (game, _, team), points in scores(event, until).items():
        if team in playing.get(game, ()):
            sums[team] += points
    for fact in event.facts:
        if isinstance(fact, Adjusted) and fact.game <= (until or event.games):
            sums[fact.team] += fact.points
    return sums


def standings(event: TeamsEvent) -> tuple[Place, ...]:
    """Returns the current ranking of all teams over all games; those that went home before they were done are last."""
    decided = tuple(fact.teams for fact in event.facts if isinstance(fact, Ranked))
    early = {fact.team for fact in event.facts if isinstance(fact, Withdrawn) and not fact.done}
    return rank(totals(event), decided, early, _breaks(event, event.games))


def _breaks(event: TeamsEvent, until: int) -> dict[str, tuple[int, ...]]:
    """What counts between teams with equal totals after a game, one after the other: the last games or best rounds."""
    found = scores(event, until)
    if event.ties == "best":
        return {
            team: tuple(sorted((of for (*_, one), of in found.items() if one == team), reverse=True))
            for team in event.teams
        }
    if event.ties == "last":
        by_game = {team: [0] * until for team in event.teams}
        for (game, _, team), points in found.items():
            if game <= until:
                by_game[team][until - game] += points
        return {team: tuple(points) for team, points in by_game.items()}
    return {}


def medals(event: TeamsEvent) -> tuple[Prize, ...]:
    """Returns the prizes by the current standings (PLAY 13), of all teams or of those of the newest game alone."""
    assert event.rules.event is not None
    places = standings(event)
    if event.finalists_only:
        finalists = next((teams for game in range(event.games, 0, -1) if (teams := entrants(event, game))), ())
        kept = (replace(one, names=tuple(name for name in one.names if name in finalists)) for one in places)
        places = tuple(one for one in kept if one.names)
    return award(places, event.rules.event.prizes)


def _has_missing_scores(event: TeamsEvent, game: int) -> bool:
    known, away = scores(event, game), gone(event, game)
    waited_for = [team for team in entrants(event, game) if team not in away]
    return any((game, round, team) not in known for team in waited_for for round in range(1, event.rounds + 1))
