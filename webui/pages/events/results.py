"""The results of a club evening for everybody: who sits where, standings, winners, each one's card; also as files."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, json, jsonify, render_template

from webui.context.lookups import find_evening
from webui.context.responses.no_stream import no_stream
from webui.context.services import services
from webui.events.evening import Evening
from webui.events.formats import format_of
from webui.events.shown.exports import FILES, Lines, as_csv, evening_json
from webui.translation import _

page = Blueprint("results", __name__, url_prefix="/evening/<int:event_id>/results")


@page.get("/")
def show(event_id: int) -> str:
    """The tables that are announced, the standings, and the winners once all is played."""
    version = services().store.events.version(event_id)
    evening = find_evening(event_id)
    told = format_of(evening)
    return render_template(
        "results/results.html",
        evening=evening,
        event=evening.record,
        playing=next((one for one in reversed(evening.stages) if one.released), None),
        rows=told.standings(),
        prizes=told.prizes() if evening.is_played(len(evening.stages)) else [],
        version=version,
    )


@page.get("/version")
def version(event_id: int) -> Response:
    """The number of the evening's last change."""
    return jsonify(version=services().store.events.version(event_id))


@page.get("/live")
def live(event_id: int) -> Response:
    """No stream, as many look on; pages ask for the version now and then."""
    del event_id
    return no_stream()


@page.get("/evening.json")
def whole(event_id: int) -> Response:
    """The whole evening as data."""
    return _json(find_evening(event_id), "whole", evening_json)


@page.get("/<what>.csv")
def as_table(event_id: int, what: str) -> Response:
    """Draw, score cards, standings or results for a spreadsheet."""
    evening = find_evening(event_id)
    # Spreadsheets recognise UTF-8 only by a byte order mark.
    return _file(evening, what, "\ufeff" + as_csv(_lines(what)(evening)), "csv")


@page.get("/<what>.json")
def as_data(event_id: int, what: str) -> Response:
    """Draw, score cards, standings or results as data."""
    return _json(find_evening(event_id), what, _lines(what))


def _lines(what: str) -> Callable[[Evening], Lines]:
    if what not in FILES:
        abort(404, _("There is no such file. Go back to the results."))
    return FILES[what]


def _json(evening: Evening, what: str, told: Callable[[Evening], object]) -> Response:
    return _file(evening, what, json.dumps(told(evening), indent=1, ensure_ascii=False, sort_keys=False) + "\n", "json")


def _file(evening: Evening, what: str, text: str, ending: str) -> Response:
    start = "rehearsal-" if evening.record.setup.rehearsal else ""
    name = f"{start}evening-{evening.record.id}{'' if what == 'whole' else f'-{what}'}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, mimetype="text/csv" if ending == "csv" else "application/json", headers=headers)
