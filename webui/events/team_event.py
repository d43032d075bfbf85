"""An evening of fixed teams: handed to ``scorer.events.teams``, which decides everything, and told in plain words."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from scorer.errors import EventError
from scorer.events.standings import Prize
from scorer.events.teams import SIDES, cut_for, draw, entrants, medals, needs_decision
from webui.events.ranking import Decision, Format, RefusedError
from webui.storage.events.facts import Draft, TableSides
from webui.translation import _, ngettext
from webui.wording import listed


class TeamEvening(Format):
    """What an evening of teams comes to."""

    def draft(self, number: int, seed: str) -> Draft:
        """Draws the tables of a stage; who sits at a table of it already stays there."""
        cuts = [one for one in self._open_decisions() if (one.kind, one.stage) == ("cut", number)]
        if cuts:
            raise RefusedError(cuts[0].sentence)
        try:
            drawn = draw(self.event, number, Random(seed))
        except EventError:
            if number == 1:
                raise RefusedError(_("There are no teams yet. Type in the teams first.")) from None
            seated = self._evening.stage(1).names
            if number == 2 and (late := [name for name in self._evening.present if name not in seated]):
                late_ones = listed(late)
                sentence = _(
                    "%(names)s: no place in game 1 yet. Give them one, or say that they go home.", names=late_ones
                )
                raise RefusedError(sentence) from None
            raise self._not_over(number) from None
        return Draft(stage=number, seed=seed, tables=drawn.tables, out=drawn.out)

    def field(self, number: int) -> tuple[str, ...]:
        return entrants(self.event, number)

    def _winners(self) -> tuple[Prize, ...]:
        return medals(self.event)

    def _open_decisions(self) -> Iterator[Decision]:
        for stage in self._evening.stages[1:]:
            if self._evening.state and not stage.released:
                return
            number, cut = stage.number, cut_for(self.event, stage.number)
            if cut is None:
                continue
            playing = entrants(self.event, number)
            if stage.released:
                others = tuple(name for name in cut.through if name not in playing)
                if others and not cut.allows(playing):
                    values = {"names": listed(others), "number": number}
                    sentence = _(
                        "By the corrected scores %(names)s would play game %(number)s. It stays as played.", **values
                    )
                    yield Decision("review", sentence, others, number)
            elif not playing and needs_decision(self.event, cut):
                yield self._cut(number)

    def _cut(self, number: int) -> Decision:
        cut = cut_for(self.event, number)
        assert cut is not None
        size = len(cut.through) + cut.open
        if cut.open and size % SIDES == 0:
            sentence = ngettext(
                "%(names)s are tied for the last place in game %(number)s. Choose who plays on.",
                "%(names)s are tied for the last %(num)s places in game %(number)s. Choose who plays on.",
                cut.open,
                names=listed(cut.tied),
                number=number,
            )
            return Decision("cut", sentence, cut.tied, number, choose=cut.open, sure=cut.through)
        sentence = _(
            "The better half would be %(size)s teams, and one would have no opponent. "
            "Choose who plays game %(number)s.",
            size=size,
            number=number,
        )
        everybody = tuple(row.name for row in self.standings() if not row.gone)
        return Decision("cut", sentence, everybody, number, choose=0)

    def reason(self, number: int, sides: TableSides) -> str:
        names = {*sides[0], *sides[1]}
        met = [
            stage.number
            for stage in self._evening.stages
            if stage.number < number and any({*one, *two} == names for one, two in stage.released)
        ]
        how = self._how(number, sides)
        if number == 1:
            return how
        before = _("They also met in game %(number)s.", number=met[-1]) if met else _("They have not met today.")
        return " ".join([how, before])
