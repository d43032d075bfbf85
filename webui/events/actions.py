"""What is done with an event: each decides on the event as it stands at that moment, and records it as facts."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Container
from dataclasses import replace
from datetime import timedelta

from webui.events.checks import misfits, unseated
from webui.events.entry.entrants import read_entrants
from webui.events.evening import Evening, Stage, effective, fold, swapped
from webui.events.formats import format_of
from webui.events.ranking import RefusedError
from webui.games.names import PAIR_NAMES, called_by
from webui.storage import clock
from webui.storage.events.event_store import Outcome, TableGame
from webui.storage.events.facts import (
    Break,
    Confirm,
    EventRecord,
    Fact,
    FactRecord,
    Help,
    Leave,
    Names,
    Order,
    PlaysOn,
    Release,
    State,
    Swap,
    TableSides,
    Undo,
    Winner,
)
from webui.storage.records import SideRecord
from webui.storage.store import Store
from webui.translation import _, ngettext
from webui.wording import listed

Decide = Callable[[Evening], Outcome]
_SILENT = (Names, Help)
"""What tables say for themselves; the coordinator's Undo passes over it."""


def evening_of(store: Store, event_id: int) -> Evening | None:
    """The event as it stands, None where there is none.

    Raises:
        RulesError: its rule set cannot be loaded.
    """
    record = store.events.find(event_id)
    return None if record is None else fold(record, store.event_games(event_id))


def _change(store: Store, event_id: int, decide: Decide) -> None:
    def on(record: EventRecord) -> Outcome:
        return decide(fold(record, store.event_games(event_id)))

    store.events.change(event_id, on)


def enter(store: Store, event_id: int, text: str) -> None:
    """Adds teams or people, one a line; such that come late play from the next draw on."""

    def decide(evening: Evening) -> Outcome:
        setup = evening.record.setup
        if evening.is_teams and len(evening.stages) > 1 and evening.stage(2).status != "none":
            raise RefusedError(_("Game 2 is drawn already, so a new team cannot join any more."))
        return Outcome(read_entrants(text, evening.is_teams, setup.groups, evening.entrants))

    _change(store, event_id, decide)


def leave(store: Store, event_id: int, name: str) -> None:
    """Somebody goes home: before the next stage, or during the one that is played."""

    def decide(evening: Evening) -> Outcome:
        if name not in evening.present:
            raise RefusedError(_("%(name)s is not playing any more.", name=name))
        newest = max((stage.number for stage in evening.stages if stage.released), default=0)
        never = name in unseated(evening)
        over = newest == 0 or evening.is_played(newest) or evening.table_of(name, newest) is None
        stage = newest if never else min(newest + over, len(evening.stages))
        return Outcome((Leave(name=name, stage=stage),))

    _change(store, event_id, decide)


def draw(store: Store, event_id: int, number: int, seed: str = "") -> None:
    """Draws a stage anew, with a seed that was typed or a new one. It is a draft until it is confirmed."""

    def decide(evening: Evening) -> Outcome:
        _stage(evening, number)
        if number < evening.current.number or (number > evening.current.number and not evening.current.released):
            raise RefusedError(_("That cannot be drawn now. Look at the newest draw."))
        draft = format_of(evening).draft(number, seed or f"{secrets.randbelow(10**6):06}")
        stage = evening.stage(number)
        if stage.status == "released" and (draft.tables, draft.out) == (stage.released, stage.released_out):
            raise RefusedError(_("Everyone has a place already, so there is nobody to draw for."))
        return Outcome((draft,))

    _change(store, event_id, decide)


def swap(store: Store, event_id: int, number: int, one: str, two: str) -> None:
    """Lets two teams or people change places in a draft, by hand."""

    def decide(evening: Evening) -> Outcome:
        stage = _stage(evening, number)
        if stage.status not in ("draft", "confirmed"):
            raise RefusedError(_("These tables are announced already, so nobody can change places any more."))
        if one == two or not {one, two} <= set(stage.names):
            raise RefusedError(_("Choose two different names of this draw."))
        tables, _out = swapped(stage.tables, stage.out, one, two)
        if any((number, table) in evening.games for table in _changed(stage.tables, tables)):
            raise RefusedError(_("One of them sits at a table that has begun, so they cannot change places."))
        return Outcome((Swap(stage=number, one=one, two=two),))

    _change(store, event_id, decide)


def _changed(before: tuple[TableSides, ...], after: tuple[TableSides, ...]) -> list[int]:
    pairs = zip(before, after, strict=True)
    return [number for number, (one, two) in enumerate(pairs, 1) if one != two]


def confirm(store: Store, event_id: int, number: int, draft: int) -> None:
    """Confirms a draft; ``draft`` is the number of the newest fact of it that the person has seen."""

    def decide(evening: Evening) -> Outcome:
        stage = _stage(evening, number)
        _seen(evening, stage, draft)
        if stage.status != "draft":
            raise RefusedError(_("There is no draft to confirm."))
        return Outcome((Confirm(stage=number),))

    _change(store, event_id, decide)


def release(store: Store, event_id: int, number: int, draft: int) -> None:
    """Announces the tables of a stage: each gets its game, unless it has one."""

    def decide(evening: Evening) -> Outcome:
        stage = _stage(evening, number)
        _seen(evening, stage, draft)
        if stage.status != "confirmed":
            raise RefusedError(_("Confirm the draw first."))
        places = enumerate(stage.tables, 1)
        new = [(table, sides) for table, sides in places if (number, table) not in evening.games]
        games = tuple(TableGame(number, table, _sides(evening, sides)) for table, sides in new)
        return Outcome((Release(stage=number),), games)

    _change(store, event_id, decide)


def _seen(evening: Evening, stage: Stage, draft: int) -> None:
    if stage.draft != draft:
        raise RefusedError(_("Someone changed the draw meanwhile. Look at it again."))
    if missing := misfits(evening, stage):
        raise RefusedError(
            _("The draw does not fit any more, because of %(names)s. Draw again.", names=listed(missing))
        )


def _sides(evening: Evening, sides: TableSides) -> tuple[SideRecord, SideRecord]:
    one, two = (_side(evening, names, seat) for seat, names in enumerate(sides))
    return one, two


def _side(evening: Evening, names: tuple[str, ...], seat: int) -> SideRecord:
    if not evening.is_teams:
        return SideRecord(called_by(names) or " & ".join(names)[:40], names)
    players = evening.entrants[names[0]].players or tuple(PAIR_NAMES[seat].split("–"))
    return SideRecord(names[0], players)


def say_names(store: Store, event_id: int, number: int, table: int) -> None:
    """The people of a table said that it is they who sit there."""
    _change(store, event_id, lambda evening: _names(evening, number, table))


def _names(evening: Evening, number: int, table: int) -> Outcome:
    _not_over(evening)
    if (number, table) not in evening.games:
        raise RefusedError(_("There is no game at this table now."))
    known = (number, table) in evening.names_said
    return Outcome(() if known else (Names(stage=number, table=table),))


def call(store: Store, event_id: int, table: int, wanted: bool) -> None:
    """A table calls for the coordinator, or does not any more."""

    def asked(evening: Evening) -> Outcome:
        if wanted:
            _not_over(evening)
        return Outcome(() if (table in evening.calls) == wanted else (Help(table=table, wanted=wanted),))

    _change(store, event_id, asked)


def _not_over(evening: Evening) -> None:
    if evening.state is not None:
        raise RefusedError(_("This evening is over."))


def decide_cut(store: Store, event_id: int, number: int, chosen: tuple[str, ...]) -> None:
    """The coordinator chooses who plays on, where the scores leave it open."""

    def decide(evening: Evening) -> Outcome:
        asked = next((one for one in format_of(evening).decisions() if (one.kind, one.stage) == ("cut", number)), None)
        if asked is None:
            raise RefusedError(_("The scores have changed meanwhile. Look at the standings again."))
        names = tuple(name for name in chosen if name in asked.names)
        if asked.choose and len(names) != asked.choose:
            raise RefusedError(_("Choose exactly %(number)s of them.", number=asked.choose))
        if not asked.choose and (len(names) < 2 or len(names) % 2):
            raise RefusedError(_("Choose an even number of teams, so that each has an opponent."))
        return Outcome((PlaysOn(stage=number, names=(*asked.sure, *names)),))

    _change(store, event_id, decide)


def decide_order(store: Store, event_id: int, names: tuple[str, ...]) -> None:
    """The coordinator puts those who are tied for a prize in order, first one first."""

    def decide(evening: Evening) -> Outcome:
        asked = [one for one in format_of(evening).decisions() if one.kind == "order" and set(one.names) == set(names)]
        if not asked or len(set(names)) != len(names):
            raise RefusedError(_("Give each of them a different place."))
        return Outcome((Order(names=names),))

    _change(store, event_id, decide)


def decide_winner(store: Store, event_id: int, number: int, table: int, side: int) -> None:
    """The coordinator says who won a tied set at a table."""

    def decide(evening: Evening) -> Outcome:
        asked = [one for one in format_of(evening).decisions() if one.kind == "winner"]
        if (number, table) not in [(one.stage, one.table) for one in asked] or side not in (0, 1):
            raise RefusedError(_("That set is not tied any more. Look at the scores again."))
        return Outcome((Winner(stage=number, table=table, side=side),))

    _change(store, event_id, decide)


def take_break(store: Store, event_id: int, minutes: int) -> None:
    """Begins a break of so many minutes; none ends it."""
    until = (clock.now() + timedelta(minutes=minutes)).isoformat(timespec="seconds") if minutes > 0 else None
    store.events.change(event_id, lambda _record: Outcome((Break(until=until),)))


def set_state(store: Store, event_id: int, state: str | None) -> None:
    """Ends the event, takes it off the list, or neither."""
    fact: Fact = State(state="finished" if state == "finished" else "removed" if state == "removed" else None)
    store.events.change(event_id, lambda _record: Outcome((fact,)))


def last_step(record: EventRecord) -> tuple[FactRecord, ...]:
    """The newest step of the coordinator that counts: what one form recorded, oldest first; empty where there is none.

    What tables say for themselves is passed over.
    """
    steps = [one for one in effective(record.facts) if not isinstance(one.fact, _SILENT)]
    return tuple(one for one in steps if one.made_at == steps[-1].made_at)


def undo(store: Store, event_id: int, number: int) -> None:
    """Takes back the newest step; ``number`` is that of its last fact. Games that are announced no more are removed,
    and names that were confirmed for them count no more.

    A table that has begun to score keeps its place, but for that of a rehearsal, whose steps are there to be tried.
    """

    def decide(evening: Evening) -> Outcome:
        step = last_step(evening.record)
        if not step or step[-1].number != number:
            raise RefusedError(_("Something else was done since then. Look at it again."))
        undone = {one.number for one in step}
        facts = tuple(one for one in evening.record.facts if one.number not in undone)
        before = fold(replace(evening.record, facts=facts), evening.games.values())
        gone = {
            (stage, table): game
            for (stage, table), game in evening.games.items()
            if table > len(before.stage(stage).released)
        }
        begun = sorted(table for (_stage, table), game in gone.items() if game.rounds)
        if begun and not evening.record.setup.rehearsal:
            raise RefusedError(
                _("Table %(number)s has begun to score, so its place cannot be taken back.", number=begun[0])
            )
        said = [one for one in effective(evening.record.facts) if _is_of(one.fact, gone)]
        taken_back = tuple(Undo(number=one.number) for one in reversed((*step, *said)))
        return Outcome(taken_back, removed=tuple(game.id for game in gone.values()))

    _change(store, event_id, decide)


def _is_of(fact: Fact, places: Container[tuple[int, int]]) -> bool:
    """Whether the people of a table confirmed their names for one of these stages and tables."""
    return isinstance(fact, Names) and (fact.stage, fact.table) in places


def _stage(evening: Evening, number: int) -> Stage:
    if not 1 <= number <= len(evening.stages):
        count = len(evening.stages)
        games = ngettext("This event has %(num)s game.", "This event has %(num)s games.", count)
        sets = ngettext("This event has %(num)s set.", "This event has %(num)s sets.", count)
        raise RefusedError(games if evening.is_teams else sets)
    if evening.state == "removed":
        raise RefusedError(_("This event was removed. Restore it first."))
    return evening.stage(number)
