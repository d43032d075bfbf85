"""What is done with an event beside its draws; each decides on the event as it stands then, and records it as facts."""

from __future__ import annotations

from typing import Literal

from webui.events.entry.entrants import Understood, understand
from webui.events.entry.presets import most_teams
from webui.events.evening import Evening
from webui.events.formats import format_of
from webui.events.ranking import RefusedError
from webui.events.steps.draws import unseated
from webui.events.stored import step
from webui.storage import clock
from webui.storage.events.event_store import Outcome
from webui.storage.events.facts import Break, Help, Leave, Names, Order, PlaysOn, State, Winner
from webui.translation import _
from webui.wording import tidy


@step
def enter(evening: Evening, text: str, seen: str | None = None) -> Outcome:
    """Adds teams or people, one a line; such that come late play from the next draw on.

    ``seen`` is the mark of what the list was shown to be understood as; None where nobody was shown anything.
    """
    if why := closed(evening):
        raise RefusedError(why)
    found = understood(evening, text)
    if seen is not None and found.mark != seen:
        raise RefusedError(
            _("Someone added teams or people meanwhile. Look at the list again, and add yours once more.")
        )
    return Outcome(found.new)


def understood(evening: Evening, text: str) -> Understood:
    """What a list of more teams or people is understood as; raises RefusedError as ``understand`` does."""
    setup = evening.record.setup
    most = most_teams(evening.record.rules, setup)
    return understand(text, evening.is_teams, setup.groups, evening.entrants.values(), most)


def closed(evening: Evening) -> str:
    """Why nobody can join any more, in a sentence; empty while somebody can."""
    if evening.is_teams:
        drawn = len(evening.stages) > 1 and evening.stage(2).status != "none"
        return _("Game 2 is drawn already, so a new team cannot join any more.") if drawn else ""
    return _("The last set is announced already, so nobody can join any more.") if evening.stages[-1].released else ""


@step
def leave(evening: Evening, name: str) -> Outcome:
    """Somebody goes home: before the next stage, or during the one that is played; or is taken off the list, where
    they have never had a place."""
    if name not in evening.present:
        raise RefusedError(_("%(name)s is not playing any more.", name=name))
    newest = evening.playing.number if evening.playing else 0
    never = name in unseated(evening)
    over = newest == 0 or evening.is_played(newest) or evening.table_of(name, newest) is None
    stage = newest if never else newest + over
    following = format_of(evening).field(stage) if evening.is_teams and over and not never else ()
    return Outcome((Leave(name=name, stage=stage, done=bool(following) and name not in following),))


@step
def say_names(evening: Evening, number: int, table: int) -> Outcome:
    """The people of a table said that it is they who sit there."""
    _not_over(evening)
    if (number, table) not in evening.games:
        raise RefusedError(_("There is no game at this table now."))
    known = (number, table) in evening.names_said
    return Outcome(() if known else (Names(stage=number, table=table),))


@step
def call(evening: Evening, table: int, wanted: bool) -> Outcome:
    """A table calls for the coordinator, or does not any more."""
    if wanted:
        _not_over(evening)
    return Outcome(() if (table in evening.calls) == wanted else (Help(table=table, wanted=wanted),))


def _not_over(evening: Evening) -> None:
    if evening.state is not None:
        raise RefusedError(_("This evening is over."))


@step
def decide_cut(evening: Evening, number: int, chosen: tuple[str, ...]) -> Outcome:
    """The coordinator chooses who plays on, where the scores leave it open."""
    asked = next((one for one in format_of(evening).decisions() if (one.kind, one.stage) == ("cut", number)), None)
    if asked is None:
        raise RefusedError(_("The scores have changed meanwhile. Look at the standings again."))
    names = tuple(dict.fromkeys(chosen))
    if others := [name for name in names if name not in asked.names]:
        raise RefusedError(_("%(name)s cannot be chosen here. Look at the standings again.", name=tidy(others[0])))
    if asked.choose and len(names) != asked.choose:
        raise RefusedError(_("Choose exactly %(number)s of them.", number=asked.choose))
    if not asked.choose and (len(names) < 2 or len(names) % 2):
        raise RefusedError(_("Choose an even number of teams, so that each has an opponent."))
    return Outcome((PlaysOn(stage=number, names=(*asked.sure, *names)),))


@step
def decide_order(evening: Evening, names: tuple[str, ...]) -> Outcome:
    """The coordinator puts those who are tied for a prize in order, first one first."""
    asked = [one for one in format_of(evening).decisions() if one.kind == "order" and set(one.names) == set(names)]
    if not asked or len(set(names)) != len(names):
        raise RefusedError(_("Give each of them a different place."))
    return Outcome((Order(names=names),))


@step
def decide_winner(evening: Evening, number: int, table: int, side: int) -> Outcome:
    """The coordinator says who won a tied set at a table."""
    asked = [one for one in format_of(evening).decisions() if one.kind == "winner"]
    if (number, table) not in [(one.stage, one.table) for one in asked] or side not in (0, 1):
        raise RefusedError(_("That set is not tied any more. Look at the scores again."))
    return Outcome((Winner(stage=number, table=table, side=side),))


@step
def take_break(_evening: Evening, minutes: int) -> Outcome:
    """Begins a break of so many minutes; none ends it."""
    return Outcome((Break(until=clock.in_minutes(minutes)),))


@step
def set_state(_evening: Evening, state: Literal["finished", "removed"] | None) -> Outcome:
    """Ends the event, takes it off the list, or neither."""
    return Outcome((State(state=state),))
