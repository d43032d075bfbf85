"""The results of a club evening for everybody: who sits where, standings, winners, each one's card; also as files."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote, unquote

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import get_locale
from markupsafe import Markup
from werkzeug.wrappers import Response as Redirect

from webui.access.choice_cookies import choice_of_device, forget_choice, keep_choice
from webui.context.guard.rights import viewer
from webui.context.invitation import qr_code, reachable_base
from webui.context.lookups import find_evening
from webui.context.responses.files import data_file, table_file
from webui.context.services import services
from webui.events.evening import Evening
from webui.events.formats import format_of
from webui.events.shown.announcements import announcement
from webui.events.shown.cards import score_cards
from webui.events.shown.exports import FILES, evening_json
from webui.events.shown.next_places import where_now
from webui.events.shown.tables import tables_now
from webui.games.csv_lines import Lines, as_csv
from webui.translation import _
from webui.wording import name_key

page = Blueprint("results", __name__, url_prefix="/evening/<int:event_id>/results")

_OWN_NAME = "own-name"
"""The cookie with the name whose card a device shows."""


@page.get("/")
@viewer
def show(event_id: int) -> str:
    """The tables that are announced, the standings, and the winners once all is played."""
    evening = find_evening(event_id)

    def standings() -> str:
        told = format_of(evening)
        prizes, rows, playing = told.prizes(), told.standings(), evening.playing
        return render_template(
            "results/standings.html", evening=evening, event=evening.record, playing=playing, rows=rows, prizes=prizes
        )

    return render_template(
        "results/results.html",
        evening=evening,
        event=evening.record,
        playing=evening.playing,
        standings=Markup(services().evenings.text(evening, f"standings in {get_locale()}", standings)),
        own=_remembered(evening),
    )


@page.get("/screen")
@viewer
def screen(event_id: int) -> str:
    """The same in large type for a hall: pages that turn by themselves, and what is read aloud."""
    store = services().store
    evening = find_evening(event_id)
    told, playing = format_of(evening), evening.playing
    prizes = told.prizes()
    base = reachable_base() if services().access_code.secrets.open_to_viewers else None
    return render_template(
        "results/screen.html",
        evening=evening,
        event=evening.record,
        playing=playing,
        tables=tables_now(store, evening, playing.number) if playing and not evening.is_over else [],
        rows=told.standings() if playing else [],
        prizes=prizes,
        news=announcement(evening, prizes),
        address=base and base + url_for(".show", event_id=event_id),
        qr_code=qr_code(base + url_for(".card", event_id=event_id)) if base else None,
        version=evening.version,
    )


@page.get("/card")
@viewer
def card(event_id: int) -> Response | Redirect:
    """The score card of a name. It is remembered on the device that asked for it, until that asks for none."""
    evening = find_evening(event_id)
    asked = request.args.get("name")
    name = _remembered(evening) if asked is None else _entrant(evening, asked)
    if name is None:
        answer = redirect(url_for(".show", event_id=event_id), 303)
        if asked:
            flash(_("Nobody of that name takes part. Choose a name from the list."))
        elif asked is not None:
            forget_choice(answer, _OWN_NAME)
        return answer
    told = format_of(evening)
    page = render_template(
        "results/card.html",
        evening=evening,
        event=evening.record,
        card=score_cards(evening, told)[name],
        goes=where_now(evening, name),
        prizes=[prize for prize in told.prizes() if name in prize.names],
        version=evening.version,
    )
    shown = make_response(page)
    if asked is not None:
        keep_choice(shown, _OWN_NAME, quote(name))
    return shown


def _remembered(evening: Evening) -> str | None:
    """Who of those who take part this device asked for last; None for nobody."""
    return _entrant(evening, unquote(choice_of_device(_OWN_NAME) or ""))


def _entrant(evening: Evening, name: str) -> str | None:
    """The person or team of a name, or the team in which somebody of that name plays."""
    key = name_key(name)
    for one in evening.entrants.values():
        if key and key in map(name_key, (one.name, *one.players)):
            return one.name
    return None


@page.get("/version")
@viewer
def version(event_id: int) -> Response:
    """The number of the evening's last change."""
    return jsonify(version=services().evenings.version(event_id))


@page.get("/evening.json")
def whole(event_id: int) -> Response:
    """The whole evening as data."""
    evening = find_evening(event_id)
    return data_file(evening_json(evening), _name(evening))


@page.get("/<what>.csv")
def as_table(event_id: int, what: str) -> Response:
    """Draw, score cards, standings or results for a spreadsheet."""
    evening = find_evening(event_id)
    return table_file(as_csv(_lines(what)(evening), evening.round_word), f"{_name(evening)}-{what}")


@page.get("/<what>.json")
def as_data(event_id: int, what: str) -> Response:
    """Draw, score cards, standings or results as data."""
    evening = find_evening(event_id)
    return data_file(_lines(what)(evening), f"{_name(evening)}-{what}")


def _lines(what: str) -> Callable[[Evening], Lines]:
    if what not in FILES:
        abort(404, _("There is no such file. Go back to the results."))
    return FILES[what]


def _name(evening: Evening) -> str:
    return f"{'rehearsal-' if evening.record.setup.rehearsal else ''}evening-{evening.record.id}"
