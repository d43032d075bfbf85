"""Sheets of a club evening to print: the draw of a game or set, and everybody's score card, one to a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from flask import Blueprint, abort, render_template, request

from webui.context.lookups import find_evening
from webui.events.evening import seats_of
from webui.events.formats import format_of
from webui.events.shown.cards import score_cards
from webui.translation import _

Line = TypeVar("Line")

page = Blueprint("sheets", __name__, url_prefix="/evening/<int:event_id>")

TABLES_ON_A_SHEET = 10
"""Each with both sides in letters that are read while the sheet hangs on a wall."""
NAMES_ON_A_SHEET = 44


@page.get("/<int:number>/draw")
def draw(event_id: int, number: int) -> str:
    """The tables of a stage to hang up: by their numbers, and from more tables than fit one sheet on also by names."""
    evening = find_evening(event_id)
    if not 1 <= number <= len(evening.stages) or evening.stage(number).status == "none":
        abort(404, _("Nothing is drawn yet. Go back to the evening."))
    stage = evening.stage(number)
    tables = _sheets(list(enumerate(stage.tables, 1)), TABLES_ON_A_SHEET)
    names = sorted(((name, table) for table, _side, name in seats_of(stage.tables)), key=lambda one: one[0].casefold())
    return render_template(
        "sheets/draw.html",
        evening=evening,
        event=evening.record,
        stage=stage,
        sheets=tables,
        names=_sheets(names, NAMES_ON_A_SHEET) if len(tables) > 1 or not evening.is_teams else [],
    )


@page.get("/score-cards")
def cards(event_id: int) -> str:
    """Everybody's score card, or the one of a name."""
    evening = find_evening(event_id)
    found = score_cards(evening, format_of(evening))
    if (name := request.args.get("name")) is not None:
        if name not in found:
            abort(404, _("Nobody of that name takes part. Choose a name from the list."))
        found = {name: found[name]}
    return render_template("sheets/cards.html", evening=evening, event=evening.record, cards=list(found.values()))


def _sheets(lines: Sequence[Line], most: int) -> list[Sequence[Line]]:
    """Lines in parts of so many at most."""
    return [lines[start : start + most] for start in range(0, len(lines), most)]
