"""The draw of a game or set, from its draft to the announcement; who has no place in it, or one that does not fit."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from webui.events.entry.roster import game_sides
from webui.events.evening import HAT, Evening, Stage
from webui.events.fold import swapped
from webui.events.formats import format_of
from webui.events.ranking import RefusedError
from webui.events.stored import step
from webui.storage.events.event_store import Outcome, TableGame
from webui.storage.events.facts import Confirm, Release, Swap, TableSides
from webui.translation import _, ngettext
from webui.wording import listed


def misfits(evening: Evening, stage: Stage) -> tuple[str, ...]:
    """Who is in the draw of a stage and should not be, or should be and is not: since then scores were corrected,
    somebody went home or came late."""
    return tuple(sorted(set(stage.names) ^ set(format_of(evening).field(stage.number))))


def unseated(evening: Evening) -> tuple[str, ...]:
    """Teams that came after the draw of the first game and have no place yet; people come in with the next set."""
    stage = evening.current
    if not evening.is_teams or stage.status != "released" or stage.number > 1:
        return ()
    return tuple(name for name in evening.present if name not in stage.names)


@step
def draw(evening: Evening, number: int, seed: str = "") -> Outcome:
    """Draws a stage anew, with a seed that was typed or a new one. It is a draft until it is confirmed."""
    _stage(evening, number)
    if number < evening.current.number or (number > evening.current.number and not evening.current.released):
        raise RefusedError(_("That cannot be drawn now. Look at the newest draw."))
    seed = seed if seed != HAT else ""
    draft = format_of(evening).draft(number, seed or f"{secrets.randbelow(10**6):06}")
    stage = evening.stage(number)
    if stage.status == "released" and (draft.tables, draft.out) == (stage.released, stage.released_out):
        raise RefusedError(_("Everyone has a place already, so there is nobody to draw for."))
    return Outcome((draft,))


@step
def draw_from_hat(evening: Evening, number: int, drawn: Mapping[str, int | None]) -> Outcome:
    """Seats everyone by the numbers that they drew from a hat: a team's is its table; of people one to four sit at
    table 1, the first two as partners. Who drew none sits out.

    Args:
        number: a game of teams, or the first set of people.
        drawn: the number of each.
    """
    stage, current = _stage(evening, number), evening.current
    if stage.status == "released" or number < current.number or (number > 1 and not evening.is_teams):
        raise RefusedError(_("That cannot be drawn now. Look at the newest draw."))
    draft = format_of(evening).draft(number, HAT)
    names = sorted([*(name for sides in draft.tables for side in sides for name in side), *draft.out])
    by_number: dict[int, list[str]] = {}
    for name in names:
        if (of := drawn.get(name)) is not None:
            by_number.setdefault(of, []).append(name)
    each, numbers = (2, len(draft.tables)) if evening.is_teams else (1, 4 * len(draft.tables))
    for of in (*range(1, numbers + 1), *by_number):
        if len(by_number.get(of, ())) != (each if 1 <= of <= numbers else 0):
            raise RefusedError(_not_drawn(of, by_number.get(of, []), each, numbers))
    seats = [name for of in range(1, numbers + 1) for name in by_number[of]]
    size = len(seats) // (2 * len(draft.tables))
    sides = [tuple(seats[at : at + size]) for at in range(0, len(seats), size)]
    tables = tuple(zip(sides[::2], sides[1::2], strict=True))
    out = tuple(name for name in names if name not in seats)
    return Outcome((draft.model_copy(update={"tables": tables, "out": out}),))


def _not_drawn(number: int, names: list[str], each: int, numbers: int) -> str:
    if not names:
        return _("Nobody has number %(number)s. Check the numbers.", number=number)
    values = {"number": number, "names": listed(names), "most": numbers}
    if not 1 <= number <= numbers:
        return _("%(names)s: number %(number)s is not in the hat. The numbers go from 1 to %(most)s.", **values)
    if each == 1:
        return _("%(names)s have the same number, %(number)s. Check the numbers.", **values)
    return _("Number %(number)s belongs to two teams, but here it is of %(names)s. Check the numbers.", **values)


@step
def swap(evening: Evening, number: int, one: str, two: str) -> Outcome:
    """Lets two teams or people change places in a draft, by hand."""
    stage = _stage(evening, number)
    if stage.status not in ("draft", "confirmed"):
        raise RefusedError(_("These tables are announced already, so nobody can change places any more."))
    if one == two or not {one, two} <= set(stage.names):
        raise RefusedError(_("Choose two different names of this draw."))
    tables, _out = swapped(stage.tables, stage.out, one, two)
    if any((number, table) in evening.games for table in _changed(stage.tables, tables)):
        raise RefusedError(_("One of them sits at a table that has begun, so they cannot change places."))
    return Outcome((Swap(stage=number, one=one, two=two),))


def _changed(before: tuple[TableSides, ...], after: tuple[TableSides, ...]) -> list[int]:
    pairs = zip(before, after, strict=True)
    return [number for number, (one, two) in enumerate(pairs, 1) if one != two]


@step
def confirm(evening: Evening, number: int, draft: int) -> Outcome:
    """Confirms a draft; ``draft`` is the number of the newest fact of it that the person has seen."""
    stage = _stage(evening, number)
    _seen(evening, stage, draft)
    if stage.status != "draft":
        raise RefusedError(_("There is no draft to confirm."))
    return Outcome((Confirm(stage=number),))


@step
def release(evening: Evening, number: int, draft: int) -> Outcome:
    """Announces the tables of a stage: each gets its game, unless it has one."""
    stage = _stage(evening, number)
    _seen(evening, stage, draft)
    if stage.status != "confirmed":
        raise RefusedError(_("Confirm the draw first."))
    places = enumerate(stage.tables, 1)
    new = [(table, sides) for table, sides in places if (number, table) not in evening.games]
    games = tuple(TableGame(number, table, game_sides(evening, number, sides)) for table, sides in new)
    return Outcome((Release(stage=number),), games)


def _seen(evening: Evening, stage: Stage, draft: int) -> None:
    if stage.draft != draft:
        raise RefusedError(_("Someone changed the draw meanwhile. Look at it again."))
    if missing := misfits(evening, stage):
        raise RefusedError(
            _("The draw does not fit any more, because of %(names)s. Draw again.", names=listed(missing))
        )


def _stage(evening: Evening, number: int) -> Stage:
    if not 1 <= number <= len(evening.stages):
        count = len(evening.stages)
        games = ngettext("This event has %(num)s game.", "This event has %(num)s games.", count)
        sets = ngettext("This event has %(num)s set.", "This event has %(num)s sets.", count)
        raise RefusedError(games if evening.is_teams else sets)
    if evening.state == "removed":
        raise RefusedError(_("This event was removed. Restore it first."))
    return evening.stage(number)
