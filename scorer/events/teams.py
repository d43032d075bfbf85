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
from scorer.events.event import Event, Seats, breaks, draw_rest, round_points, standings, totals
from scorer.events.standings import Cut, Prize, award, make_cut, rank

SIDES = 2
"""Teams at a table (PLAY 2)."""


def draw(event: Event, game: int, random: Random) -> Seats:
    """Draws a table for every team of a game that has none yet; of an odd number, one sits out.

    Raises:
        EventError: the teams of the game are not decided yet.
    """
    names, drawn = entrants(event, game), event.seats(game)
    if not names:
        raise EventError(f"expected a settled field for game {game}, got one that is not settled yet")
    waiting = [team for team in names if team not in drawn.seated and team not in event.gone]
    free = [table for table in range(len(waiting) // SIDES) for _ in range(SIDES)]
    random.shuffle(free)
    rests = draw_rest(event, game, waiting, len(waiting) % SIDES, random)
    new: list[list[str]] = [[] for _ in range(len(waiting) // SIDES)]
    for team, table in zip((team for team in waiting if team not in rests), free, strict=True):
        new[table].append(team)
    seats = Seats((*drawn.tables, *(((one,), (two,)) for one, two in new)))
    return replace(seats, out=tuple(sorted({*names} - {*seats.seated})))


def entrants(event: Event, game: int) -> tuple[str, ...]:
    """Returns the teams of a game: all for the first; for a later game those drawn, otherwise the better half.

    Empty while a round is missing, a tie is open, or if there is no such game.
    """
    drawn = event.seats(game) if 1 <= game <= len(event.stages) else Seats()
    if game == 1 or drawn.tables:
        away = event.gone_by(game) - {*drawn.seated}
        return tuple(team for team in (event.names if game == 1 else (*drawn.seated, *drawn.out)) if team not in away)
    cut = cut_for(event, game)
    if cut is None:
        return ()
    chosen = event.plays_on.get(game, ())
    if chosen and _may_choose(event, game, cut, chosen):
        return chosen
    return () if needs_decision(event, cut) else cut.through


def needs_decision(event: Event, cut: Cut) -> bool:
    """Whether the coordinator has to say who plays on: a tie is open, or a team would have no opponent."""
    everybody = event.cut is not None and event.cut >= len(event.names)
    return bool(cut.open) or (len(cut.through) % SIDES > 0 and not everybody)


def _may_choose(event: Event, game: int, cut: Cut, chosen: tuple[str, ...]) -> bool:
    """Whether the coordinator's choice for a game still is one, by the scores as they are now."""
    if not event.gone_by(game).isdisjoint(chosen):
        return False
    if cut.open and (len(cut.through) + cut.open) % SIDES == 0:
        return cut.allows(chosen)
    return needs_decision(event, cut) and len(chosen) % SIDES == 0


def cut_for(event: Event, game: int) -> Cut | None:
    """Returns who advances to a later game by the scores of all games before it; None while a score is missing."""
    previous = entrants(event, game - 1) if 1 < game <= len(event.stages) else ()
    known, away = (round_points(event, game - 1) if previous else {}), event.gone_by(game - 1)
    if not previous or any(len(known.get(team, ())) < event.rounds for team in previous if team not in away):
        return None
    reached, away = totals(event, game - 1), event.gone_by(game)
    staying = {team: reached[team] for team in previous if team not in away}
    return make_cut(rank(staying, breaks=breaks(event, game - 1)), min(event.cut or len(previous) // 2, len(staying)))


def medals(event: Event) -> tuple[Prize, ...]:
    """Returns the prizes by the current standings (PLAY 13), of all teams or of those of the newest game alone."""
    places = standings(event)
    if event.finalists_only:
        games = range(len(event.stages), 0, -1)
        finalists = next((teams for game in games if (teams := entrants(event, game))), ())
        kept = (replace(one, names=tuple(name for name in one.names if name in finalists)) for one in places)
        places = tuple(one for one in kept if one.names)
    return award(places, event.prizes)
