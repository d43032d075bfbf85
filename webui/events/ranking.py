"""What both formats of events tell: places, prizes, and what the coordinator has to decide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from scorer.events.event import Event, Seats, resting, stage_points, standings
from scorer.events.standings import Prize
from webui.events.evening import HAT, Evening
from webui.storage.events.facts import Draft, TableSides
from webui.translation import _
from webui.wording import listed


class RefusedError(Exception):
    """Something cannot be done with an event now; the text says why, as a sentence for people."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings: place (shared by those who are tied), name, points of each stage, and the total.

    ``stages`` has None for a stage of which somebody has nothing; ``absent`` are those that were announced without
    them, ``average`` are the stages for which they got the
    average, since they sat out. ``gone``: went home while they still had something to play; their place is 0.
    ``adjusted``: penalties and extra points together, which are in the total and in no stage.
    """

    place: int
    name: str
    stages: tuple[int | None, ...]
    total: int
    tied: bool = False
    average: tuple[int, ...] = ()
    gone: bool = False
    adjusted: int = 0
    absent: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that only a person can decide.

    ``kind`` is ``cut`` (choose ``choose`` of ``names`` for stage ``stage``, besides ``sure``), ``order`` (the order of
    ``names``), ``winner`` (which side of ``table`` won), ``review`` (nothing to choose: who plays would be others by
    corrected scores).
    """

    kind: str
    sentence: str
    names: tuple[str, ...]
    stage: int = 0
    table: int = 0
    choose: int = 0
    sure: tuple[str, ...] = ()


def event_of(evening: Evening) -> Event:
    """The event for the engines."""
    setup = evening.record.setup
    return Event(
        teams=evening.is_teams,
        names={one.name: one.group for one in evening.entrants.values()},
        rounds=evening.rounds,
        stages=tuple(Seats(stage.released, stage.released_out) for stage in evening.stages),
        prizes=setup.prizes,
        groups=setup.groups,
        scores=evening.results,
        gone=evening.gone,
        done=evening.done,
        adjusted=tuple((one.name, one.stage, one.points) for one in evening.adjusted.values()),
        orders=tuple(evening.orders),
        plays_on=evening.plays_on,
        winners=evening.winners,
        ties=setup.ties,
        byes=setup.byes,
        cut=None if setup.cut == "half" else len(evening.entrants) if setup.cut == "all" else setup.cut,
        finalists_only=setup.finalists_only,
        top_stays=setup.top == "stay",
    )


class Format(ABC):
    """What an event comes to, whatever its format.

    Args:
        evening: the event as it stands.
    """

    def __init__(self, evening: Evening) -> None:
        self._evening, self.event = evening, event_of(evening)

    @abstractmethod
    def draft(self, number: int, seed: str) -> Draft:
        """Draws the tables of a stage.

        Raises:
            RefusedError: it is not known yet who plays, or where.
        """

    def _not_over(self, number: int) -> RefusedError:
        """Why a stage cannot be drawn while the one before it is played."""
        before, stage = self._evening.stage_name(number - 1), self._evening.stage_name(number)
        return RefusedError(
            _("First %(before)s has to end. Draw %(stage)s when all have agreed.", before=before, stage=stage)
        )

    @abstractmethod
    def field(self, number: int) -> tuple[str, ...]:
        """Who plays a stage, as far as is known; those who sit out included."""

    @abstractmethod
    def reason(self, number: int, sides: TableSides) -> str:
        """Why these sides play each other in a stage, in words."""

    def _how(self, number: int, sides: TableSides) -> str:
        """How the draw of a stage brought these sides together."""
        stage = self._evening.stage(number)
        if not stage.by_hand.isdisjoint((*sides[0], *sides[1])):
            return _("Changed by hand.")
        return _("The numbers from the hat decided.") if stage.seed == HAT else _("Drawn by lot.")

    def out_reason(self, number: int, name: str) -> str:
        """Why somebody sits out a stage, in words."""
        teams, stage = self._evening.is_teams, self._evening.stage(number)
        many = len(stage.names)
        if name in stage.by_hand:
            how = _("Who sits out was changed by hand.")
        elif stage.seed == HAT:
            how = _("Who has no number from the hat sits out.")
        elif number > 1 and self.event.byes == "lowest":
            how = _("The lowest of those who sat out least sits out.")
        else:
            how = _("Drawn among those who sat out least, whatever their points.")
        if teams:
            fit = _("%(number)s teams do not fit two to a table.", number=many)
            return " ".join([fit, how, _("That gives the average of each round.")])
        fit = _("%(number)s people do not fill tables of four.", number=many)
        return " ".join([fit, how, _("That gives the average of each hand.")])

    @abstractmethod
    def _winners(self) -> tuple[Prize, ...]:
        """The prizes by the standings now."""

    @abstractmethod
    def _open_decisions(self) -> Iterator[Decision]:
        """What the coordinator has to decide before the prizes."""

    def standings(self) -> list[Row]:
        """Everyone by place, those who went home last."""
        evening, rows = self._evening, list[Row]()
        points = [stage_points(self.event, stage.number) for stage in evening.stages]
        averaged = [resting(self.event, stage.number) for stage in evening.stages]
        for place in standings(self.event):
            for name in place.names:
                stages = tuple(of.get(name) for of in points)
                average = tuple(number for number, of in enumerate(averaged, 1) if name in of)
                gone, adjusted = evening.left_early(name), evening.adjusted_by(name)
                absent = tuple(of.number for of in evening.stages if of.released and name not in of.announced)
                rows.append(Row(place.place, name, stages, place.total, place.tied, average, gone, adjusted, absent))
        return rows

    def prizes(self) -> tuple[Prize, ...]:
        """The prizes by the standings now; none before the evening is over."""
        return self._winners() if self._evening.is_over else ()

    def decisions(self) -> list[Decision]:
        """What the coordinator has to decide."""
        found, tied = list(self._open_decisions()), dict[tuple[str, ...], str]()
        for prize in self.prizes():
            if prize.tied:
                tied.setdefault(prize.names, prize.name)
        for names, prize_name in tied.items():
            values = {"names": listed(names), "prize": prize_name}
            found.append(Decision("order", _("%(names)s are tied for %(prize)s. Put them in order.", **values), names))
        return found
