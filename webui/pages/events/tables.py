"""One table of a club evening: its private address, its page with the game it plays now, the printed cards."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from flask import Blueprint, Response, abort, flash, jsonify, redirect, render_template, url_for
from werkzeug.wrappers import Response as Redirect

from webui.context.evening_change import change_evening
from webui.context.guard.devices import admit_device, table_device
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import has_access, keeper, public
from webui.context.invitation import qr_code, reachable_base
from webui.context.lookups import find_evening
from webui.context.services import services
from webui.context.visitor import visitor_name
from webui.events.evening import Evening
from webui.events.shown.next_places import last_stage_at, stage_at, where_next
from webui.events.shown.tables import tables_now
from webui.events.steps import actions
from webui.translation import _

page = Blueprint("tables", __name__)

_SQUARE = 16


@page.app_context_processor
def add_own_table() -> dict[str, Callable[[], int | None]]:
    """Tells every template which table the visitor's device scores, if it may do nothing else."""
    return {"own_table": _own_table}


def _own_table() -> int | None:
    device = None if has_access() else table_device()
    return device.table[1] if device and device.table else None


@page.get("/t/<key>")
@public
def enter(key: str) -> Redirect | tuple[str, int]:
    """Lets a device score one table, and leads to that table's page. Who joined already just goes there."""
    store = services().store
    table = store.events.table_of(key)
    if table is None:
        return render_template("tables/old.html"), 403
    device = table_device()
    if not has_access() and (device is None or device.table != table):
        if store.events.is_over(table[0]):
            return render_template("tables/old.html", over=True), 403
        if device is not None:
            store.devices.move_to_table(device.id, table)
        else:
            admit_device(visitor_name(), sha256(key.encode()).hexdigest()[:_SQUARE], table=table)
        if store.events.table_of(key) != table and (new := table_device()):  # revoked while it came in
            store.devices.remove(new.id)
            return render_template("tables/old.html"), 403
    return redirect(url_for(".show", event_id=table[0], table=table[1]), 303)


@page.get("/evening/<int:event_id>/table/<int:table>/")
def show(event_id: int, table: int) -> str:
    """What a table plays now, how far it is, and where its people go next."""
    store = services().store
    version = store.events.version(event_id, table)  # read first: a change made meanwhile counts as new
    evening = _find(event_id, table)
    stage = stage_at(evening, table)
    before = last_stage_at(evening, table)
    said = stage is not None and (stage, table) in evening.names_said
    now = next(iter(tables_now(store, evening, stage, table)), None) if stage else None
    game = evening.games.get((stage, table)) if stage else None
    return render_template(
        "tables/table.html",
        evening=evening,
        table=table,
        stage=stage,
        game=game,
        now=now,
        said=said,
        rounds=evening.results.get((stage, table), {}) if stage else {},
        goes=where_next(evening, stage, table) if stage and now and now.state in ("done", "left") else [],
        left=where_next(evening, before, table) if before and not said else [],
        version=version,
    )


@page.get("/evening/<int:event_id>/table/<int:table>/version")
def version(event_id: int, table: int) -> Response:
    """The number of the last change to the evening or to this table's games."""
    return jsonify(version=services().evenings.version(event_id, table))


@page.post("/evening/<int:event_id>/table/<int:table>/names")
@idempotent
def say_names(event_id: int, table: int) -> Redirect:
    """The people of the table say that it is they who sit there."""
    stage = stage_at(_find(event_id, table), table) or 0
    return change_evening(event_id, actions.say_names, stage, table, then="tables.show", table=table)


@page.post("/evening/<int:event_id>/table/<int:table>/call")
@idempotent
def call(event_id: int, table: int) -> Redirect:
    """The table calls for help, or needs none any more."""
    wanted = table not in _find(event_id, table).calls
    return change_evening(event_id, actions.call, table, wanted, then="tables.show", table=table)


@page.get("/evening/<int:event_id>/cards")
@keeper
def cards(event_id: int) -> str:
    """A card to print for each table, with its private address as a QR code."""
    evening = find_evening(event_id)
    base, events = reachable_base(), services().store.events
    paths = {table: url_for(".enter", key=events.key(event_id, table)) for table in range(1, _count(evening) + 1)}
    links = {table: base + path for table, path in paths.items()} if base else {}
    return render_template(
        "tables/cards.html", evening=evening, links=links, codes={at: qr_code(link) for at, link in links.items()}
    )


@page.post("/evening/<int:event_id>/table/<int:table>/revoke")
@keeper
@idempotent
def revoke(event_id: int, table: int) -> Redirect:
    """Makes a new card for a table; the old one and the devices that came by it score nothing any more."""
    _find(event_id, table)
    store = services().store
    store.events.new_key(event_id, table)
    store.devices.remove_from_table(event_id, table)
    sentence = _(
        "Table %(number)s has a new card. The old one and the phones that used it do not work any more.", number=table
    )
    flash(sentence, "good")
    return redirect(url_for(".cards", event_id=event_id), 303)


def _count(evening: Evening) -> int:
    """For how many tables there are cards."""
    seated = max((len(stage.tables) for stage in evening.stages), default=0)
    at_a_table = 2 if evening.is_teams else 4
    return max(1, seated, len(evening.present) // at_a_table)


def _find(event_id: int, table: int) -> Evening:
    evening = find_evening(event_id)
    if not 1 <= table <= max(_count(evening), len(evening.entrants) // 2):
        abort(404, _("There is no such table."))
    return evening
