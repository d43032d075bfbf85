"""The league of a club: each person's own totals over its evenings, to show, to print, and as files."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, request

from webui.context.guard.rights import viewer
from webui.context.responses.files import data_file, table_file
from webui.context.services import services
from webui.events.league import ORDERS, League, leagues
from webui.events.shown.league_files import league_data, league_lines
from webui.events.stored import all_evenings
from webui.games.csv_lines import as_csv
from webui.games.season.round_words import AVERAGE, round_word
from webui.games.season.same_people import SamePeople
from webui.games.season.span import Span, SpanError, read_span, usual_spans
from webui.storage.clock import now
from webui.storage.events.facts import EventRecord
from webui.translation import N_, _

page = Blueprint("league", __name__, url_prefix="/league")

_NAMES = {
    "points": N_("total points"),
    "prizes": N_("prizes"),
    "won": N_("tables won"),
    "evening": N_("average evening"),
}


@page.get("/")
@viewer
def show() -> str | tuple[str, int]:
    """Everybody's evenings, a table for all rules."""
    try:
        span, found, failed = _leagues()
    except SpanError as error:
        return _page(Span(), [], [], str(error)), 400
    return _page(span, found, failed, None)


@page.get("/league.csv")
def as_table() -> Response:
    """The league for a spreadsheet."""
    _span, found, _failed = _asked()
    return table_file(as_csv(league_lines(found, _order()), _round_word(found)), "league")


@page.get("/league.json")
def as_data() -> Response:
    """The league as data, with everybody's evenings and partners."""
    _span, found, _failed = _asked()
    return data_file(league_data(found, _order()), "league")


def _page(span: Span, found: list[League], failed: list[EventRecord], sentence: str | None) -> str:
    order, word = _order(), _round_word(found)
    return render_template(
        "league/league.html",
        span=span,
        leagues=found,
        failed=failed,
        sentence=sentence,
        order=order,
        orders=_NAMES | {"round": AVERAGE[word]},
        round_word=word,
        since=request.args.get("since", ""),
        until=request.args.get("until", ""),
        spans=[
            (name if usual.query else _("All evenings"), usual.query | {"by": order}, usual == span and not sentence)
            for name, usual in usual_spans(now().astimezone().date()).items()
        ],
        query=span.query | {"by": order},
    )


def _round_word(found: list[League]) -> str:
    """What the rounds of these leagues are called together."""
    return round_word(one.in_hands for one in found)


def _asked() -> tuple[Span, list[League], list[EventRecord]]:
    try:
        return _leagues()
    except SpanError as error:
        abort(400, str(error))


def _leagues() -> tuple[Span, list[League], list[EventRecord]]:
    """The days of the query, everybody's totals over them, and evenings that cannot be counted.

    Raises:
        SpanError: they make no span.
    """
    span, store = read_span(request.args.get("since", ""), request.args.get("until", "")), services().store
    evenings, failed = all_evenings(store)
    return span, leagues(evenings, span, SamePeople.of(store.people.other_names())), failed


def _order() -> str:
    order = request.args.get("by", "")
    return order if order in ORDERS else "points"
