"""Folds the facts of an event and the agreed rounds of its games together, to how it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from scorer.rules import load_rules
from webui.events.evening import Entrant, Evening, Stage
from webui.storage.events.facts import (
    Adjust,
    Break,
    CheckIn,
    Clock,
    Confirm,
    Draft,
    Enter,
    EventRecord,
    FactRecord,
    Help,
    Leave,
    Names,
    Order,
    PlaysOn,
    Release,
    Rename,
    State,
    Substitute,
    Swap,
    TableSides,
    Undo,
    Winner,
)
from webui.storage.records import GameRecord


def effective(facts: Iterable[FactRecord]) -> list[FactRecord]:
    """The facts that count: all but those that were taken back, and the taking back."""
    told = list(facts)
    undone = {one.fact.number for one in told if isinstance(one.fact, Undo)}
    return [one for one in told if one.number not in undone and not isinstance(one.fact, Undo)]


def fold(record: EventRecord, games: Iterable[GameRecord]) -> Evening:
    """Works out how an event stands.

    Args:
        record: the event with its facts.
        games: the games of its tables.

    Raises:
        RulesError: its rule set cannot be loaded.
    """
    seated = {(game.event.stage, game.event.table): game for game in games if game.event}
    stages = tuple(Stage(number) for number in range(1, record.setup.stages + 1))
    evening = Evening(record, load_rules(record.rules), seated, stages)
    for one in effective(record.facts):
        _apply(evening, one)
    for name in [name for name in evening.gone if name not in evening.seated]:  # taken off before they played
        evening.entrants.pop(name, None)
        del evening.gone[name]
        evening.adjusted = {number: of for number, of in evening.adjusted.items() if of.name != name}
    evening.here &= evening.entrants.keys()
    return evening


def _apply(evening: Evening, one: FactRecord) -> None:
    match one.fact:
        case Enter(name=name, players=players, group=group):
            known = evening.entrants.get(name) or Entrant(name, players, group, evening.is_teams)
            evening.entrants[name] = replace(known, players=players or known.players, group=group)
            evening.gone.pop(name, None)
        case Rename(name=name, to=to, players=players, group=group):
            _rename(evening, name, replace(evening.entrants[name], name=to, players=players, group=group))
        case Substitute(name=name, to=to, player=player, by=by) as one_more:
            known = evening.entrants[name]
            now = tuple(by if one == player else one for one in known.now)
            all_ = (*known.substitutes, one_more)
            _rename(evening, name, replace(known, name=to, players=now, substitutes=all_))
        case Leave(name=name, stage=stage, done=done):
            evening.gone[name] = stage
            (evening.done.add if done else evening.done.discard)(name)
        case Names(stage=stage, table=table):
            evening.names_said.add((stage, table))
        case Help(table=table, wanted=wanted):
            (evening.calls.add if wanted else evening.calls.discard)(table)
        case PlaysOn(stage=stage, names=names):
            evening.plays_on[stage] = tuple(dict.fromkeys(names))
        case Winner(stage=stage, table=table, side=side):
            evening.winners[stage, table] = side
        case Order(names=names):
            evening.orders.append(names)
        case Adjust() as adjustment:
            evening.adjusted[one.number] = adjustment
        case Break(until=until):
            evening.until = until
        case Clock(ends=ends) as clock:
            evening.clock = clock if ends else None
        case CheckIn(name=name, here=here):
            (evening.here.add if here else evening.here.discard)(name)
        case State(state=state):
            evening.state = state
        case Draft() | Swap() | Confirm() | Release():
            _apply_to_stage(evening, one)


def _rename(evening: Evening, old: str, entrant: Entrant) -> None:
    """Lets somebody be called otherwise in everything that was recorded so far; facts to come use the new name."""
    new = entrant.name

    def called(names: Iterable[str]) -> tuple[str, ...]:
        return tuple(new if name == old else name for name in names)

    def seats(tables: tuple[TableSides, ...]) -> tuple[TableSides, ...]:
        return tuple((called(one), called(two)) for one, two in tables)

    evening.entrants = {
        entrant.name if name == old else name: entrant if name == old else one for name, one in evening.entrants.items()
    }
    evening.gone = {new if name == old else name: stage for name, stage in evening.gone.items()}
    evening.done = set(called(evening.done))
    evening.here = set(called(evening.here))
    evening.plays_on = {stage: called(names) for stage, names in evening.plays_on.items()}
    evening.orders = [called(names) for names in evening.orders]
    for number, known in evening.adjusted.items():
        if known.name == old:
            evening.adjusted[number] = known.model_copy(update={"name": new})
    for stage in evening.stages:
        stage.tables, stage.out = seats(stage.tables), called(stage.out)
        stage.released, stage.released_out = seats(stage.released), called(stage.released_out)
        stage.swaps = [
            one.model_copy(update=dict(zip(("one", "two"), called((one.one, one.two)), strict=True)))
            for one in stage.swaps
        ]


def _apply_to_stage(evening: Evening, one: FactRecord) -> None:
    match one.fact:
        case Draft(stage=number, seed=seed, tables=tables, out=out):
            stage = evening.stage(number)
            stage.status, stage.seed, stage.draft = "draft", seed, one.number
            stage.tables, stage.out, stage.swaps = tables, out, []
        case Swap(stage=number) as swap:
            stage = evening.stage(number)
            stage.status, stage.draft = "draft", one.number
            stage.swaps.append(swap)
            stage.tables, stage.out = swapped(stage.tables, stage.out, swap.one, swap.two)
        case Confirm(stage=number):
            evening.stage(number).status = "confirmed"
        case Release(stage=number):
            stage = evening.stage(number)
            stage.status, stage.released, stage.released_out = "released", stage.tables, stage.out
            evening.until = evening.clock = None


def swapped(
    tables: tuple[TableSides, ...], out: tuple[str, ...], one: str, two: str
) -> tuple[tuple[TableSides, ...], tuple[str, ...]]:
    """The tables, and who sits out, with two names in each other's places."""
    other = {one: two, two: one}

    def side(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(other.get(name, name) for name in names)

    return tuple((side(sides[0]), side(sides[1])) for sides in tables), side(out)
