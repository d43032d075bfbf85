"""What happens in the hall beside the games: who is here, the clock of a round, penalties and extra points."""

from __future__ import annotations

from webui.events.evening import Evening
from webui.events.ranking import RefusedError
from webui.events.stored import step
from webui.storage import clock
from webui.storage.events.event_store import Outcome
from webui.storage.events.facts import MOST_ADJUSTED, Adjust, CheckIn, Clock, Leave, Undo
from webui.translation import _


@step
def check_in(evening: Evening, name: str, here: bool) -> Outcome:
    """Somebody is here, or is not after all."""
    if name not in evening.present:
        raise RefusedError(_("Nobody of that name takes part. Look at the list again."))
    return Outcome(() if (name in evening.here) == here else (CheckIn(name=name, here=here),))


@step
def take_off_absent(evening: Evening) -> Outcome:
    """Takes everybody off the list who was not checked in, as one step, before the first tables are announced."""
    if evening.stages[0].released:
        raise RefusedError(_("The tables are announced already. Say of each who is missing that they go home."))
    if not evening.here:
        raise RefusedError(_("Nobody has been checked in yet."))
    return Outcome(tuple(Leave(name=name, stage=1) for name in evening.not_here))


@step
def set_clock(_evening: Evening, minutes: int, warning: int) -> Outcome:
    """Starts the clock of a round anew, which warns so many minutes before its end; no minutes stop it."""
    return Outcome((Clock(ends=clock.in_minutes(minutes), warning=min(warning, minutes)),))


@step
def adjust(evening: Evening, name: str, stage: int, points: int | None, reason: str) -> Outcome:
    """Takes points off somebody (below 0) or gives them some, for a reason that everybody sees.

    They count in the total after a stage, so also for who plays the next one; who won at a table stays the same.
    """
    if name not in evening.entrants:
        raise RefusedError(_("Nobody of that name takes part. Look at the list again."))
    if not 1 <= stage <= len(evening.stages):
        raise RefusedError(_("Choose a game of this evening.") if evening.is_teams else _("Choose a set of it."))
    if not points or abs(points) > MOST_ADJUSTED:
        raise RefusedError(_("Type the points as a whole number from 1 to %(most)s.", most=MOST_ADJUSTED))
    if not reason:
        raise RefusedError(_("Say why, so that everybody can see it."))
    return Outcome((Adjust(name=name, stage=stage, points=points, reason=reason),))


@step
def take_back_adjustment(evening: Evening, number: int) -> Outcome:
    """Takes back a penalty or extra points, whatever was done since; ``number`` is that of its fact."""
    if number not in evening.adjusted:
        raise RefusedError(_("That was taken back already."))
    return Outcome((Undo(number=number),))
