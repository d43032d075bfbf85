"""What happens in the hall beside the games: penalties and extra points."""

from __future__ import annotations

from webui.events.evening import Evening
from webui.events.ranking import RefusedError
from webui.events.stored import change
from webui.storage.events.event_store import Outcome
from webui.storage.events.facts import MOST_ADJUSTED, Adjust, Undo
from webui.storage.store import Store
from webui.translation import _


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
