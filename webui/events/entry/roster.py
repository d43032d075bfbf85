"""The one list of who plays: other names, substitutes, who comes back; the games of the tables follow it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from webui.events.entry.list_words import AND
from webui.events.evening import Entrant, Evening
from webui.events.fold import fold
from webui.events.ranking import RefusedError
from webui.events.stored import step
from webui.games.names import PAIR_NAMES, called_by, rename_changes
from webui.storage.events.event_store import Outcome
from webui.storage.events.facts import Enter, Fact, FactRecord, Rename, Substitute, TableSides
from webui.storage.records import SideRecord
from webui.translation import _
from webui.wording import name_key


def game_sides(evening: Evening, stage: int, sides: TableSides) -> tuple[SideRecord, SideRecord]:
    """The sides of a table's game, with the names of those who play them."""
    one, two = (_side(evening, stage, names, seat) for seat, names in enumerate(sides))
    return one, two


def _side(evening: Evening, stage: int, names: tuple[str, ...], seat: int) -> SideRecord:
    people = tuple(player for name in names for player in evening.entrants[name].seated(stage))
    if not evening.is_teams:
        return SideRecord(called_by(people) or " & ".join(people)[:40], people)
    return SideRecord(names[0], people or tuple(PAIR_NAMES[seat].split("–")))


def renamed_games(before: Evening, after: Evening) -> dict[int, dict[str, Any]]:
    """The columns of games that follow other names, by the game's id."""
    found = {}
    for (number, table), game in after.games.items():
        seats = [one.stage(number).released for one in (before, after)]
        if any(table > len(of) for of in seats):
            continue
        was, now = (game_sides(one, number, of[table - 1]) for one, of in zip((before, after), seats, strict=True))
        if was != now:
            found[game.id] = rename_changes(game, now)
    return found


@step
def rename(evening: Evening, name: str, to: str, players: tuple[str, ...], group: str | None) -> Outcome:
    """Calls a team or person otherwise, everywhere at once.

    Args:
        name: its name so far.
        to: its new name; empty for a team that is called by its players.
        players: its players; of a person none, unless a substitute plays.
        group: the group that a person is ranked in.
    """
    known = _entrant(evening, name)
    called = to or (called_by(players) if len(players) == 2 else None) or name
    if any(name_key(called) == name_key(other) for other in evening.entrants if other != name):
        raise RefusedError(_("%(name)s takes part already. Choose another name.", name=called))
    if known.is_team and len(players) != 2 and (players or known.players):
        raise RefusedError(_("A team has two players. Type both names."))
    _one_name_each(players if known.is_team else (*players, called))
    _only_once(evening, name, (*players, *([] if known.is_team else [called])))
    if group is not None and group not in evening.record.setup.groups:
        raise RefusedError(_("Choose one of the groups of this evening."))
    return _with_games(evening, Rename(name=name, to=called, players=players, group=group))


@step
def substitute(evening: Evening, name: str, player: str, by: str, stage: int, round: int, counts: bool) -> Outcome:
    """Lets somebody play in place of a player from a round on; the team or the person keeps all its points.

    Args:
        name: the team or person.
        player: who is replaced.
        by: who plays instead.
        stage: the game or set from which on.
        round: its round or hand from which on.
        counts: totals over evenings count these rounds for the substitute, else for whom they stand in.
    """
    known = _entrant(evening, name)
    if player not in known.now:
        raise RefusedError(_("%(name)s does not play there now. Look at the list again.", name=player))
    if not by:
        raise RefusedError(_("Type the name of the substitute."))
    _one_name_each((by,))
    if not (1 <= stage <= len(evening.stages) and 1 <= round <= evening.rounds):
        raise RefusedError(_("Choose a round of this evening from which on the substitute plays."))
    if known.substitutes and (stage, round) < (known.substitutes[-1].stage, known.substitutes[-1].round):
        raise RefusedError(_("Another substitute came in later than that. Choose a later round."))
    for other in evening.entrants.values():
        table = evening.table_of(other.name, stage)
        if name_key(by) not in map(name_key, other.seated(stage)):
            continue
        if table is not None:
            raise RefusedError(_("%(name)s already plays at table %(table)s then.", name=by, table=table))
        if other.name in evening.present and not evening.stage(stage).released:
            raise RefusedError(_in_a_team(by, other))
    stands_for = known.substitutes[0].player if known.substitutes else name
    to = name if known.is_team else _("%(substitute)s for %(name)s", substitute=by, name=stands_for)
    fact = Substitute(name=name, to=to, player=player, by=by, stage=stage, round=round, counts=counts)
    return _with_games(evening, fact)


@step
def come_back(evening: Evening, name: str) -> Outcome:
    """Somebody who went home takes part again, from the next draw on, with all their points."""
    known = _entrant(evening, name)
    if name not in evening.gone:
        raise RefusedError(_("%(name)s takes part already.", name=name))
    for other in (evening.entrants[one] for one in evening.present):
        for player in other.now:
            if name_key(player) in map(name_key, known.now):
                raise RefusedError(_in_a_team(player, other))
    return Outcome((Enter(name=name, players=known.players if known.is_team else (), group=known.group),))


def _entrant(evening: Evening, name: str) -> Entrant:
    if name not in evening.entrants:
        raise RefusedError(_("Nobody of that name takes part. Look at the list again."))
    return evening.entrants[name]


def _one_name_each(people: Iterable[str]) -> None:
    if several := next(filter(AND.search, people), None):
        raise RefusedError(_("“%(names)s” is more than one person. Type one name.", names=several))


def _only_once(evening: Evening, name: str, people: tuple[str, ...]) -> None:
    keys = [name_key(one) for one in people]
    for other in evening.entrants.values():
        for player in other.now if other.name != name else ():
            if name_key(player) in keys:
                raise RefusedError(_in_a_team(player, other))
    if len(set(keys)) < len(keys):
        raise RefusedError(_("Give each player a different name."))


def _in_a_team(player: str, other: Entrant) -> str:
    if not other.is_team:
        return _("%(name)s takes part already. Choose another name.", name=player)
    return _(
        "%(name)s plays in %(team)s already. Nobody can play in two teams: if these are two people, write one of them "
        "differently.",
        name=player,
        team=other.name,
    )


def _with_games(evening: Evening, fact: Fact) -> Outcome:
    """What is recorded, with the games whose names follow it."""
    record = evening.record
    number = max((one.number for one in record.facts), default=0) + 1
    told = FactRecord(number, fact, "")
    after = fold(replace(record, facts=(*record.facts, told)), evening.games.values())
    return Outcome((fact,), changed=renamed_games(evening, after))
