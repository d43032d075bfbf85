"""Club evenings: the list, and a new one from a format."""

from __future__ import annotations

import secrets

from flask import Blueprint, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from webui.context import choices
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import keeper
from webui.context.services import services
from webui.context.visitor import known_names
from webui.events import rehearsal
from webui.events.entry.entrants import Understood, understand
from webui.events.entry.presets import PRESETS, most_teams, plays_events, preset
from webui.events.entry.setup_form import read_event_name, read_event_rules, read_setup
from webui.events.ranking import RefusedError
from webui.events.stored import all_evenings, known_groups
from webui.games.rule_choice import offered_names, offered_rules
from webui.translation import _

page = Blueprint("evenings", __name__, url_prefix="/evenings")


@page.get("/")
def show() -> str:
    """All evenings, newest first."""
    evenings, without_rules = all_evenings(services().store)
    return render_template("evenings/evenings.html", evenings=evenings, without_rules=without_rules)


@page.get("/new")
@keeper
def new() -> str:
    """The form of a new evening."""
    return _form()


@page.post("/new")
@keeper
@idempotent
def create() -> Response | tuple[str, int]:
    """Starts an evening, with those of its people who were typed already, once the visitor has seen them understood."""
    chosen = preset(_how())
    people = request.form.get("people", "")
    try:
        name, rules = read_event_name(request.form, chosen), read_event_rules(request.form, chosen)
        setup = read_setup(request.form, chosen)
        teams, most = setup.format == "teams", most_teams(rules, setup)
        understood = understand(people, teams, setup.groups, (), most) if people.strip() else None
    except RefusedError as error:
        return _form(str(error)), 400
    if understood and not understood.is_agreed(request.form):
        return _form(understood=understood), 200
    event_id = services().store.events.add(name, rules, setup, understood.new if understood else ())
    if understood:
        flash(_("The evening is set up. Next: draw the tables."), "good")
    else:
        flash(_("The evening is set up. Next: type in who plays."), "good")
    return redirect(url_for("evening.show", event_id=event_id), 303)


@page.post("/rehearsal")
@keeper
@idempotent
def rehearse() -> Response:
    """Plays an evening of invented people and scores to its winners."""
    chosen = preset(_how())
    event_id = rehearsal.rehearse(services().store, chosen, secrets.token_hex(4))
    return redirect(url_for("evening.show", event_id=event_id), 303)


def _how() -> str:
    keys = [one.key for one in PRESETS]
    return choices.chosen("how", keys, unsaid=keys[0])


def _form(sentence: str = "", understood: Understood | None = None) -> str:
    chosen, known = preset(request.values.get("how", "")), known_names()
    return render_template(
        "evenings/new.html",
        presets=PRESETS,
        chosen=chosen,
        said=request.form,
        rule_names=offered_names(rules for rules in offered_rules() if plays_events(rules)),
        known=known,
        groups_of=known_groups(services().store, known),
        sentence=sentence,
        understood=understood,
    )
