"""An event of fixed teams, such as the Golden Games: drawn tables, games of several rounds, the better half advances.

Source: St. Charles County Golden Games, PLAY 1-13, Determining a Winner, Medal Winners. Where the sheet is silent: the
teams of a later game draw their tables as for the first; ties at the cut or for a medal are decided by the coordinator,
who rules on whatever the sheet does not cover.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from random import Random

from scorer.errors import EventError
from scorer.events.standings import Cut, Place, Prize, award, make_cut, rank
from scorer.rules.rule_set import RuleSet

SIDES = 2
"""Teams at a table (PLAY 2)."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The table number that a team drew for a game (PLAY 4)."""

    game: int
    team: str
    table: int


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A team's points in one round."""

    game: int
    round: int
    team: str
    points: int


@dataclass(frozen=True, slots=True)
class Agreed:
    """The other team at the table agrees with a team's score (PLAY 8); a corrected score has to be agreed again."""

    game: int
    round: int
    team: str


@dataclass(frozen=True, slots=True)
class PlaysOn:
    """The teams of a later game, as seated or as decided by the coordinator."""

    game: int
    teams: tuple[str, ...]


Fact = Draw | RoundScore | Agreed | PlaysOn


@dataclass(frozen=True, slots=True)
class Due:
    """A next step.

    ``code`` is ``draw`` (teams draw a table), ``score`` (teams hand in a round), ``agree`` (their opponents agree with
    these teams' scores), ``decide-cut`` (a tie for the last places of the next game), ``review-cut`` (after a
    correction, others should have advanced), ``settle-tie`` (a tie for a prize).
    """

    code: str
    game: int
    teams: tuple[str, ...]
    message: str
    table: int | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class TeamsEvent:
    """An event: rules, teams and all facts in the order they were recorded."""

    rules: RuleSet
    teams: tuple[str, ...]
    facts: tuple[Fact, ...] = ()

    @property
    def games(self) -> int:
        """The number of games."""
        assert self.rules.event is not None and self.rules.event.games is not None
        return self.rules.event.games

    @property
    def rounds(self) -> int:
        """The number of rounds in a game."""
        return self.rules.rounds_for(sum(self.rules.seatings[0].sides) if self.rules.seatings else SIDES * 2)


def begin(rules: RuleSet, teams: tuple[str, ...]) -> TeamsEvent:
    """Starts an event.

    Raises:
        EventError: the rules have no such event, a name is empty or repeated, or a team has no opponent.
    """
    if rules.event is None or rules.event.format != "teams":
        raise EventError(f"expected rules with an event of fixed teams, got {rules.name}")
    if len(set(teams)) < len(teams) or "" in teams:
        raise EventError("expected a name of its own for each team, got one twice or an empty one")
    if not teams or len(teams) % SIDES:
        raise EventError(f"expected an even number of teams, 2 or more, got {len(teams)}")
    return TeamsEvent(rules, teams)


def record(event: TeamsEvent, *facts: Fact) -> TeamsEvent:
    """Returns the event with facts added; a fact about the same thing as an earlier one corrects it.

    Table sizes are checked after all facts are added, so that two teams can swap tables.

    Raises:
        EventError: a fact names an unknown team, game, round or table, overfills a table, scores before the draw,
            agrees without a score, or names teams of a later game that the cut does not allow. After teams are seated,
            or where the better half is an odd number, the coordinator may choose other teams.
    """
    for fact in facts:
        _check(event, fact)
        event = replace(event, facts=(*event.facts, fact))
    for game in sorted({fact.game for fact in facts if isinstance(fact, Draw)}):
        teams_at = Counter(drawn_tables(event, game).values())
        if crowded := [table for table, teams in teams_at.items() if teams > SIDES]:
            raise EventError(f"expected {SIDES} teams at a table, got {teams_at[crowded[0]]} at table {crowded[0]}")
    return event


def draw(event: TeamsEvent, game: int, random: Random) -> TeamsEvent:
    """Draws a table for every team of a game that has none yet.

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
    facts: list[Fact] = [Draw(game, team, table) for team, table in zip(waiting, free, strict=False)]
    return record(event, *([PlaysOn(game, names)] if game > 1 else []), *facts)


def entrants(event: TeamsEvent, game: int) -> tuple[str, ...]:
    """Returns the teams of a game: all for the first; for a later game those recorded, otherwise the better half.

    Empty while a round is missing, a tie is open, or if there is no such game.
    """
    if game == 1:
        return event.teams
    recorded = [fact.teams for fact in event.facts if isinstance(fact, PlaysOn) and fact.game == game]
    if recorded:
        return recorded[-1]
    cut = cut_for(event, game)
    return cut.through if cut and not cut.open and len(cut.through) % SIDES == 0 else ()


def cut_for(event: TeamsEvent, game: int) -> Cut | None:
    """Returns who advances to a later game by the scores of all games before it; None while a score is missing."""
    previous = entrants(event, game - 1) if 1 < game <= event.games else ()
    if not previous or _has_missing_scores(event, game - 1):
        return None
    totals = {team: total(event, team, until=game - 1) for team in previous}
    return make_cut(rank(totals), len(previous) // 2)


def drawn_tables(event: TeamsEvent, game: int) -> dict[str, int]:
    """Returns the table of each team that has drawn one for a game."""
    playing = entrants(event, game)
    tables = {fact.team: fact.table for fact in event.facts if isinstance(fact, Draw) and fact.game == game}
    return {team: tables[team] for team in playing if team in tables}


def scores(event: TeamsEvent) -> dict[tuple[int, int, str], tuple[int, bool]]:
    """Returns points and agreement by game, round and team, with corrections applied."""
    found: dict[tuple[int, int, str], tuple[int, bool]] = {}
    for fact in event.facts:
        if isinstance(fact, RoundScore):
            found[fact.game, fact.round, fact.team] = (fact.points, False)
        elif isinstance(fact, Agreed):
            found[fact.game, fact.round, fact.team] = (found[fact.game, fact.round, fact.team][0], True)
    return found


def total(event: TeamsEvent, team: str, until: int | None = None) -> int:
    """Returns a team's points over all games, or up to a game; games add up (PLAY 12)."""
    return sum(
        points
        for (game, _, name), (points, _) in scores(event).items()
        if name == team and (until is None or game <= until) and team in entrants(event, game)
    )


def standings(event: TeamsEvent) -> tuple[Place, ...]:
    """Returns the current ranking of all teams over all games."""
    return rank({team: total(event, team) for team in event.teams})


def medals(event: TeamsEvent) -> tuple[Prize, ...]:
    """Returns the prizes by the current standings among the teams of the latest game that are known (PLAY 13)."""
    assert event.rules.event is not None
    finalists = next((teams for game in range(event.games, 0, -1) if (teams := entrants(event, game))), ())
    return award(rank({team: total(event, team) for team in finalists}), event.rules.event.prizes)


def _has_missing_scores(event: TeamsEvent, game: int) -> bool:
    known = scores(event)
    return any(
        (game, round, team) not in known for team in entrants(event, game) for round in range(1, event.rounds + 1)
    )


def _check(event: TeamsEvent, fact: Fact) -> None:
    if not 1 <= fact.game <= event.games:
        raise EventError(f"expected a game from 1 to {event.games}, got {fact.game}")
    if isinstance(fact, PlaysOn):
        _check_entrants(event, fact)
        return
    names = entrants(event, fact.game)
    if fact.team not in names:
        raise EventError(f"expected a team of game {fact.game}, got {fact.team}")
    drawn = drawn_tables(event, fact.game)
    if isinstance(fact, Draw):
        tables = len(names) // SIDES
        if not 1 <= fact.table <= tables:
            raise EventError(f"expected a table from 1 to {tables}, got {fact.table}")
        return
    if not 1 <= fact.round <= event.rounds:
        raise EventError(f"expected a round from 1 to {event.rounds}, got {fact.round}")
    if fact.team not in drawn:
        raise EventError(f"expected a team that has drawn its table, got {fact.team}")
    if isinstance(fact, Agreed) and (fact.game, fact.round, fact.team) not in scores(event):
        raise EventError(f"expected a score of {fact.team} in round {fact.round} to agree with, got none")


def _check_entrants(event: TeamsEvent, fact: PlaysOn) -> None:
    cut = cut_for(event, fact.game)
    if cut is None:
        raise EventError(f"expected the teams of game {fact.game} once all scores before it are in, got them now")
    previous = entrants(event, fact.game - 1)
    if others := [team for team in fact.teams if team not in previous]:
        raise EventError(f"expected teams of game {fact.game - 1}, got {', '.join(others)}")
    if not fact.teams or len(set(fact.teams)) % SIDES or len(set(fact.teams)) < len(fact.teams):
        raise EventError(f"expected an even number of teams, each once, got {', '.join(fact.teams) or 'none'}")
    size = len(cut.through) + cut.open
    seated = any(isinstance(known, Draw) and known.game == fact.game for known in event.facts)
    if size % SIDES == 0 and not seated and not cut.allows(fact.teams):
        raise EventError(f"expected the {size} best teams for game {fact.game}, got {', '.join(fact.teams)}")
