"""A span of days, such as a season: which games count."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from webui.translation import _
from webui.wording import day_text, listed, tidy


class SpanError(ValueError):
    """Two days that make no span; the message is a sentence for people."""


@dataclass(frozen=True, slots=True)
class Span:
    """The local days from ``since`` to ``until``, both of them included; None where the span is open."""

    since: date | None = None
    until: date | None = None

    def holds(self, stamp: str) -> bool:
        """Whether an ISO time lies in the span; a text that is no time lies only in the span that is open."""
        if self == Span():
            return True
        try:
            day = datetime.fromisoformat(stamp).astimezone().date()
        except (ValueError, OverflowError):
            return False
        return (self.since is None or self.since <= day) and (self.until is None or day <= self.until)

    @property
    def text(self) -> str:
        """``from Sep 1, 2026 through Dec 31, 2026``, ``of all time``."""
        first, last = (day_text(day) if day else "" for day in (self.since, self.until))
        if first and last:
            return _("from %(first)s through %(last)s", first=first, last=last)
        if first:
            return _("from %(first)s", first=first)
        return _("through %(last)s", last=last) if last else _("of all time")

    @property
    def query(self) -> dict[str, str]:
        """The span as the query of an address; nothing where it is open."""
        parts = {"since": self.since, "until": self.until}
        return {name: day.isoformat() for name, day in parts.items() if day}


def read_span(since: str, until: str) -> Span:
    """The span of two typed days such as ``2026-09-01``; an empty one leaves it open.

    Raises:
        SpanError: one of them is no day, or the first is after the last.
    """
    first, last = _day(since), _day(until)
    if first and last and first > last:
        shown = listed([day_text(first), day_text(last)])
        raise SpanError(_("The first day is later than the last day: %(shown)s. Change one of them.", shown=shown))
    return Span(first, last)


def usual_spans(today: date) -> dict[str, Span]:
    """The spans that pages offer at one tap, by their names."""
    this_year = today.replace(month=1, day=1)
    last_year = this_year.replace(year=max(today.year - 1, date.min.year))
    return {
        _("All games"): Span(),
        _("Today"): Span(today, today),
        _("This year"): Span(this_year, None),
        _("Last year"): Span(last_year, last_year.replace(month=12, day=31)),
    }


def _day(typed: str) -> date | None:
    text = tidy(typed)
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise SpanError(_("“%(text)s” is not a date. Choose one, or type it like 2026-09-01.", text=text)) from None
