"""An evening of moving partners: handed to ``scorer.events.partners``, which decides everything, and told in words."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from scorer.errors import EventError
from scorer.events.event import AT_A_TABLE
from scorer.events.partners import (
    draw_first,
    is_broken_off,
    move,
    moved,
    present,
    prizes,
    seatings_to_review,
    winners,
)
from scorer.events.standings import Prize
from webui.events.ranking import Decision, Format, RefusedError
from webui.storage.events.facts import Draft, TableSides
from webui.translation import _
from webui.wording import listed


class PartnerEvening(Format):
    """What an evening of moving partners comes to."""

    def draft(self, number: int, seed: str) -> Draft:
        """Draws the tables of a set: by lot for the first, later by who won."""
        if self._evening.stage(number).released:
            raise RefusedError(_("This set has begun. Who comes late plays from the next set on."))
        if len(present(self.event, number)) < AT_A_TABLE:
            raise RefusedError(_("A table needs %(number)s people. Type in more people first.", number=AT_A_TABLE))
        if open_ := next((one for one in self._sets() if one.stage == number - 1), None):
            raise RefusedError(open_.sentence)
        try:
            drawn = draw_first(self.event, Random(seed)) if number == 1 else move(self.event, number, Random(seed))
        except EventError:
            raise self._not_over(number) from None
        return Draft(stage=number, seed=seed, tables=drawn.tables, out=drawn.out)

    def field(self, number: int) -> tuple[str, ...]:
        return present(self.event, number)

    def _winners(self) -> tuple[Prize, ...]:
        return prizes(self.event)

    def _open_decisions(self) -> Iterator[Decision]:
        yield from self._sets()
        yield from self._reviews()

    def _sets(self) -> Iterator[Decision]:
        """Sets whose winners the scores do not tell, where another set follows them."""
        for stage in self._evening.stages[:-1]:
            if self._evening.state or not stage.released or self._evening.stage(stage.number + 1).released:
                continue
            for table, sides in enumerate(stage.released, 1):
                if winners(self.event, stage.number, table) is not None:
                    continue
                names = tuple(name for side in sides for name in side)
                values = {"table": table, "number": stage.number}
                if is_broken_off(self.event, stage.number, table):
                    sentence = _(
                        "Table %(table)s: somebody went home during set %(number)s. Say who moves up.", **values
                    )
                elif len(self._evening.results.get((stage.number, table), ())) == self._evening.rounds:
                    sentence = _("Table %(table)s: set %(number)s is a tie. Say who won and moves up.", **values)
                else:
                    continue
                yield Decision("winner", sentence, names, stage.number, table)

    def _reviews(self) -> Iterator[Decision]:
        for number, table, names in seatings_to_review(self.event):
            sentence = _(
                "By the corrected scores others would sit at table %(table)s in set %(number)s. It stays as played.",
                table=table,
                number=number,
            )
            yield Decision("review", sentence, names, number, table)

    def reason(self, number: int, sides: TableSides) -> str:
        here = {name for side in sides for name in side}
        if number == 1 or here & self._evening.stage(number).by_hand:
            return self._how(number, sides)
        told = []
        for table, (arrived, stayed) in enumerate(moved(self.event, number), 1):
            tables = len(self._evening.stage(number - 1).released)
            if came := sorted(here & set(arrived)):
                values = {"names": listed(came), "table": (table - 2) % tables + 1}
                if table == 1 and tables > 1 and self.event.top_stays:
                    told.append(_("%(names)s lost at table %(table)s, the highest, and moved to table 1", **values))
                elif table == 1 and tables > 1:
                    told.append(_("%(names)s won at table %(table)s, the highest, and moved on to table 1", **values))
                else:
                    told.append(_("%(names)s won at table %(table)s and moved up", **values))
            if left := sorted(here & set(stayed)):
                told.append(_("%(names)s stayed at table %(table)s", names=listed(left), table=table))
        known = {name for arrived, stayed in moved(self.event, number) for name in (*arrived, *stayed)}
        if new := sorted(here - known):
            told.append(_("%(names)s came in", names=listed(new)))
        return f"{'; '.join(told)}."
