"""What the big screen of an evening reads aloud: tables that are announced, breaks, the winners."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from scorer.events.standings import Prize
from webui.events.evening import Evening
from webui.events.fold import effective
from webui.games.log.announcements import Announcement
from webui.storage.events.facts import Break, Release
from webui.translation import _
from webui.wording import listed, local_time

_MOST_TABLES = 12
"""So many tables are read out one by one; of more, nobody would hear theirs."""


def announcement(evening: Evening, prizes: Iterable[Prize]) -> Announcement | None:
    """The newest thing that everybody should hear; None before the first. Winners come last of all."""
    told = _winners(prizes) or _newest(evening)
    if told is None:
        return None
    if evening.record.setup.rehearsal:
        told = " ".join([_("Rehearsal."), told])
    return Announcement(int(sha256(told.encode()).hexdigest()[:12], 16), told)


def _winners(prizes: Iterable[Prize]) -> str | None:
    told = [f"{prize.name}: {listed(prize.names)}." for prize in prizes]
    return " ".join([_("The winners."), *told]) if told else None


def _newest(evening: Evening) -> str | None:
    for one in reversed(effective(evening.record.facts)):
        match one.fact:
            case Release(stage=stage):
                return _tables(evening, stage)
            case Break(until=str(until)):
                return _("There is a break until %(time)s.", time=local_time(until))
            case Break(until=None):
                return _("The break is over.")
    return None


def _tables(evening: Evening, number: int) -> str:
    stage = evening.stage(number)
    first = _("The tables of %(stage)s are announced.", stage=evening.stage_name(number))
    if len(stage.released) > _MOST_TABLES:
        return " ".join([first, _("Please look for your name on the screen.")])
    told = [
        _("Table %(table)s: %(one)s against %(two)s.", table=table, one=listed(sides[0]), two=listed(sides[1]))
        for table, sides in enumerate(stage.released, 1)
    ]
    if stage.released_out:
        told.append(_("Sitting out: %(names)s.", names=listed(stage.released_out)))
    return " ".join([first, *told])
