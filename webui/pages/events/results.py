"""The results of a club evening for everybody: who sits where, standings, winners; also as files."""

from __future__ import annotations

from flask import Blueprint, Response, json, jsonify, render_template

from webui.context.lookups import find_evening
from webui.context.responses.no_stream import no_stream
from webui.context.services import services
from webui.events.evening import Evening
from webui.events.formats import format_of
from webui.events.shown.exports import evening_csv, evening_json

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


@page.get("/results.csv")
def as_csv(event_id: int) -> Response:
    """The standings for a spreadsheet."""
    evening = find_evening(event_id)
    return _file(evening, "\ufeff" + evening_csv(evening), "text/csv", "csv")


@page.get("/results.json")
def as_json(event_id: int) -> Response:
    """The whole evening as data."""
    evening = find_evening(event_id)
    return _file(evening, json.dumps(evening_json(evening), indent=1) + "\n", "application/json", "json")


def _file(evening: Evening, text: str, mimetype: str, ending: str) -> Response:
    name = f"{'rehearsal-' if evening.record.setup.rehearsal else ''}evening-{evening.record.id}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, mimetype=mimetype, headers=headers)
