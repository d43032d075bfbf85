"""An event of fixed teams, such as the Golden Games: tables by draw, games of some rounds, the better half plays on.

Source: St. Charles County Golden Games, PLAY 1-13, Determining a Winner, Medal Winners. Where the sheet is silent: the
teams of a further game draw for their tables as they did for the first; a tie at the cut or for a medal is shown and
settled by the coordinator, who rules on whatever the sheet does not cover.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from random import Random

from scorer.errors import EventError
from scorer.events.standings import Cut, Place, Prize, award, cut, rank
from scorer.rules.rule_set import RuleSet

SIDES = 2
"""Teams at a table (PLAY 2)."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The table whose number a team drew for a game (PLAY 4)."""

    game: int
    team: str
    table: int


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A team's points of one round."""

    game: int
    round: int
    team: str
    points: int


@dataclass(frozen=True, slots=True)
class Agreed:
    """The other team at the table agrees with a team's score as it stands (PLAY 8); a new score is agreed anew."""

    game: int
    round: int
    team: str


@dataclass(frozen=True, slots=True)
class PlaysOn:
    """The teams of a further game, as they were seated or as the coordinator decided."""

    game: int
    teams: tuple[str, ...]


Fact = Draw | RoundScore | Agreed | PlaysOn


@dataclass(frozen=True, slots=True)
class Due:
    """What is to be done next.

    ``code`` is ``draw`` (teams draw a table), ``score`` (teams hand in a round), ``agree`` (the others agree with these
    teams' scores), ``decide-cut`` (a tie for the last places of the next game), ``review-cut`` (a correction would have
    let others play on), ``settle-tie`` (a tie for a prize).
    """

    code: str
    game: int
    teams: tuple[str, ...]
    message: str
    table: int | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class TeamsEvent:
    """The event: its rules, its teams and all that was told, in order."""

    rules: RuleSet
    teams: tuple[str, ...]
    facts: tuple[Fact, ...] = ()

    @property
    def games(self) -> int:
        assert self.rules.event is not None and self.rules.event.games is not None
        return self.rules.event.games

    @property
    def rounds(self) -> int:
        """Rounds in a game."""
        return self.rules.rounds_for(sum(self.rules.seatings[0].sides) if self.rules.seatings else SIDES * 2)


def begin(rules: RuleSet, teams: tuple[str, ...]) -> TeamsEvent:
    """A new event.

    Raises:
        EventError: the rules have no such event, a name is empty or there twice, or a team has no opponent.
    """
    if rules.event is None or rules.event.format != "teams":
        raise EventError(f"expected rules with an event of fixed teams, got {rules.name}")
    if len(set(teams)) < len(teams) or "" in teams:
        raise EventError("expected a name of its own for each team, got one twice or an empty one")
    if not teams or len(teams) % SIDES:
        raise EventError(f"expected an even number of teams, 2 or more, got {len(teams)}")
    return TeamsEvent(rules, teams)


def record(event: TeamsEvent, *facts: Fact) -> TeamsEvent:
    """The event with facts added; one about the same thing as an earlier one corrects it.

    Facts told together are judged together, so that two teams can change tables.

    Raises:
        EventError: a fact cannot be: a stranger, a game, round or table that there is not, a full table, a score before
            the draw, agreement without a score, teams of a further game that the cut does not allow. Once teams are
            seated the coordinator may decide otherwise, as where the better half is an odd number.
    """
    for fact in facts:
        _check(event, fact)
        event = replace(event, facts=(*event.facts, fact))
    for game in sorted({fact.game for fact in facts if isinstance(fact, Draw)}):
        full = Counter(drawn_tables(event, game).values())
        if crowded := [table for table, teams in full.items() if teams > SIDES]:
            raise EventError(f"expected {SIDES} teams at a table, got {full[crowded[0]]} at table {crowded[0]}")
    return event


def draw(event: TeamsEvent, game: int, random: Random) -> TeamsEvent:
    """Draws a table for every team of a game that has none yet.

    Raises:
        EventError: it is not settled yet who plays.
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
    """The teams of a game: all of the first; of a further one those who were seated, else the better half.

    Empty while a round is missing, a tie is open, or there is no such game.
    """
    if game == 1:
        return event.teams
    told = [fact.teams for fact in event.facts if isinstance(fact, PlaysOn) and fact.game == game]
    if told:
        return told[-1]
    found = the_cut(event, game)
    return found.through if found and not found.open and len(found.through) % SIDES == 0 else ()


def the_cut(event: TeamsEvent, game: int) -> Cut | None:
    """Who plays a further game by the scores until then; None while one is missing."""
    before = entrants(event, game - 1) if 1 < game <= event.games else ()
    if not before or _missing(event, game - 1):
        return None
    totals = {team: total(event, team, until=game - 1) for team in before}
    return cut(rank(totals), len(before) // 2)


def drawn_tables(event: TeamsEvent, game: int) -> dict[str, int]:
    """The table of each team of a game that has drawn."""
    playing = entrants(event, game)
    found = {fact.team: fact.table for fact in event.facts if isinstance(fact, Draw) and fact.game == game}
    return {team: found[team] for team in playing if team in found}


def scores(event: TeamsEvent) -> dict[tuple[int, int, str], tuple[int, bool]]:
    """The points of each game, round and team, as corrected last, and whether the other team agreed with them."""
    found: dict[tuple[int, int, str], tuple[int, bool]] = {}
    for fact in event.facts:
        if isinstance(fact, RoundScore):
            found[fact.game, fact.round, fact.team] = (fact.points, False)
        elif isinstance(fact, Agreed):
            found[fact.game, fact.round, fact.team] = (found[fact.game, fact.round, fact.team][0], True)
    return found


def total(event: TeamsEvent, team: str, until: int | None = None) -> int:
    """A team's points over all games, or until one of them; games add up (PLAY 12)."""
    return sum(
        points
        for (game, _, name), (points, _) in scores(event).items()
        if name == team and (until is None or game <= until) and team in entrants(event, game)
    )


def standings(event: TeamsEvent) -> tuple[Place, ...]:
    """All teams as they stand at this moment, by all games together."""
    return rank({team: total(event, team) for team in event.teams})


def medals(event: TeamsEvent) -> tuple[Prize, ...]:
    """The prizes as things stand, among the teams of the last game as soon as they are known (PLAY 13)."""
    assert event.rules.event is not None
    field = next((found for game in range(event.games, 0, -1) if (found := entrants(event, game))), ())
    return award(rank({team: total(event, team) for team in field}), event.rules.event.prizes)


def _missing(event: TeamsEvent, game: int) -> bool:
    have = scores(event)
    return any(
        (game, round, team) not in have for team in entrants(event, game) for round in range(1, event.rounds + 1)
    )


def _check(event: TeamsEvent, fact: Fact) -> None:
    if not 1 <= fact.game <= event.games:
        raise EventError(f"expected a game from 1 to {event.games}, got {fact.game}")
    if isinstance(fact, PlaysOn):
        _check_field(event, fact)
        return
    names = entrants(event, fact.game)
    if fact.team not in names:
        raise EventError(f"expected a team of game {fact.game}, got {fact.team}")
    drawn = drawn_tables(event, fact.game)
    if isinstance(fact, Draw):
        most = len(names) // SIDES
        if not 1 <= fact.table <= most:
            raise EventError(f"expected a table from 1 to {most}, got {fact.table}")
        return
    if not 1 <= fact.round <= event.rounds:
        raise EventError(f"expected a round from 1 to {event.rounds}, got {fact.round}")
    if fact.team not in drawn:
        raise EventError(f"expected a team that has drawn its table, got {fact.team}")
    if isinstance(fact, Agreed) and (fact.game, fact.round, fact.team) not in scores(event):
        raise EventError(f"expected a score of {fact.team} in round {fact.round} to agree with, got none")


def _check_field(event: TeamsEvent, fact: PlaysOn) -> None:
    found = the_cut(event, fact.game)
    if found is None:
        raise EventError(f"expected the teams of game {fact.game} once all scores before it are in, got them now")
    before = entrants(event, fact.game - 1)
    if strangers := [team for team in fact.teams if team not in before]:
        raise EventError(f"expected teams of game {fact.game - 1}, got {', '.join(strangers)}")
    if not fact.teams or len(set(fact.teams)) % SIDES or len(set(fact.teams)) < len(fact.teams):
        raise EventError(f"expected an even number of teams, each once, got {', '.join(fact.teams) or 'none'}")
    size = len(found.through) + found.open
    seated = any(isinstance(told, Draw) and told.game == fact.game for told in event.facts)
    if size % SIDES == 0 and not seated and not found.allows(fact.teams):
        raise EventError(f"expected the {size} best teams for game {fact.game}, got {', '.join(fact.teams)}")
