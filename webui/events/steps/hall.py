"""What happens in the hall beside the games: who is here, the clock of a round, penalties and extra points."""

from __future__ import annotations

from datetime import timedelta

from webui.events.evening import Evening
from webui.events.ranking import RefusedError
from webui.events.stored import change
from webui.storage import clock
from webui.storage.events.event_store import Outcome
from webui.storage.events.facts import MOST_ADJUSTED, Adjust, CheckIn, Clock, Leave, Undo
from webui.storage.store import Store
from webui.translation import _


def check_in(store: Store, event_id: int, name: str, here: bool) -> None:
    """Somebody is here, or is not after all."""

    def decide(evening: Evening) -> Outcome:
        if name not in evening.present:
            raise RefusedError(_("Nobody of that name takes part. Look at the list again."))
        return Outcome(() if (name in evening.here) == here else (CheckIn(name=name, here=here),))

    change(store, event_id, decide)


def take_off_absent(store: Store, event_id: int) -> None:
    """Takes everybody off the list who was not checked in, as one step, before the first tables are announced."""

    def decide(evening: Evening) -> Outcome:
        if evening.stages[0].released:
            raise RefusedError(_("The tables are announced already. Say of each who is missing that they go home."))
        if not evening.here:
            raise RefusedError(_("Nobody has been checked in yet."))
        return Outcome(tuple(Leave(name=name, stage=1) for name in evening.present if name not in evening.here))

    change(store, event_id, decide)


def set_clock(store: Store, event_id: int, minutes: int, warning: int) -> None:
    """Starts the clock of a round anew, which warns so many minutes before its end; no minutes stop it."""
    ends = (clock.now() + timedelta(minutes=minutes)).isoformat(timespec="seconds") if minutes > 0 else None
    fact = Clock(ends=ends, warning=min(warning, minutes))
    store.events.change(event_id, lambda _record: Outcome((fact,)))


def adjust(store: Store, event_id: int, name: str, stage: int, points: int | None, reason: str) -> None:
    """Takes points off somebody (below 0) or gives them some, for a reason that everybody sees.

    They count in the total after a stage, so also for who plays the next one; who won at a table stays the same.
    """

    def decide(evening: Evening) -> Outcome:
        if name not in evening.entrants:
            raise RefusedError(_("Nobody of that name takes part. Look at the list again."))
        if not 1 <= stage <= len(evening.stages):
            raise RefusedError(_("Choose a game of this evening.") if evening.is_teams else _("Choose a set of it."))
        if not points or abs(points) > MOST_ADJUSTED:
            raise RefusedError(_("Type the points as a whole number from 1 to %(most)s.", most=MOST_ADJUSTED))
        if not reason:
            raise RefusedError(_("Say why, so that everybody can see it."))
        return Outcome((Adjust(name=name, stage=stage, points=points, reason=reason),))

    change(store, event_id, decide)


def take_back_adjustment(store: Store, event_id: int, number: int) -> None:
    """Takes back a penalty or extra points, whatever was done since; ``number`` is that of its fact."""

    def decide(evening: Evening) -> Outcome:
        if number not in evening.adjusted:
            raise RefusedError(_("That was taken back already."))
        return Outcome((Undo(number=number),))

    change(store, event_id, decide)
