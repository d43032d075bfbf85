"""Every change to a game, before and after; taking back a change of the whole game; playing by other house rules."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.rules import RulesError, RuleSet, load_rules
from webui.context.lookups import find_game
from webui.context.services import services
from webui.games.change_log import log_lines
from webui.games.progress import GameProgress, game_progress
from webui.games.rule_choice import offered_rules
from webui.pages.games.game import find_progress, renaming
from webui.storage.db.audit_log import GAME_COLUMNS
from webui.storage.records import GameRecord, SideRecord

page = Blueprint("log", __name__, url_prefix="/game/<int:game_id>")


@page.get("/log")
def show(game_id: int) -> str:
    progress = find_progress(game_id)
    told = log_lines(progress.game, services().store.log(game_id), progress.rules)
    return render_template("log/log.html", game=progress.game, told=told)


@page.post("/undo/<int:entry_id>")
def undo(game_id: int, entry_id: int) -> Response:
    """Puts back what a change of the whole game changed; the undo is itself a change in the log."""
    game = find_game(game_id)
    store = services().store
    log = [entry for entry in store.log(game_id) if entry.what in GAME_COLUMNS]
    entry = next((entry for entry in log if entry.id == entry_id), None)
    if entry is None or entry.before is None or entry != [held for held in log if held.what == entry.what][-1]:
        abort(409, "That was changed again since then and cannot be taken back any more; look at the newest changes.")
    changed = entry.before
    if entry.what == "sides":
        changed = renaming(game, [SideRecord(side["name"], tuple(side["players"])) for side in changed["sides"]])
    store.change_game(game_id, changed)
    return redirect(url_for(".show", game_id=game_id), 303)


@dataclass(frozen=True, slots=True)
class Choice:
    """A rule set that this game could be played by; ``why_not`` is the sentence why it cannot, else None."""

    rules: RuleSet
    why_not: str | None


@page.get("/rules")
def rules(game_id: int) -> str:
    """The rule sets to choose from, and, with one chosen, the rounds re-scored by it beside how they stand."""
    game = find_game(game_id)
    choices = [Choice(rules, _why_not(game, rules)) for rules in offered_rules()]
    chosen = next((one for one in choices if one.rules.id == request.args.get("to") and not one.why_not), None)
    now: GameProgress | None = None
    try:
        now = game_progress(game, load_rules(game.rules))
    except RulesError as error:
        flash(str(error))
    after = game_progress(game, chosen.rules) if chosen else None
    return render_template("log/rules.html", game=game, choices=choices, now=now, after=after)


@page.post("/rules")
def switch_rules(game_id: int) -> Response:
    game = find_game(game_id)
    try:
        wanted = load_rules(request.form.get("to", ""))
    except RulesError as error:
        abort(400, str(error))
    if sentence := _why_not(game, wanted):
        abort(409, sentence)
    services().store.change_game(game_id, {"rules": wanted.id})
    return redirect(url_for("game.show", game_id=game_id), 303)


def _why_not(game: GameRecord, rules: RuleSet) -> str | None:
    try:
        deck = load_rules(game.rules).deck
    except RulesError:
        deck = rules.deck
    if rules.deck != deck:
        return "It is played with another deck."
    sizes = tuple(len(side.players) for side in game.sides)
    if sizes not in rules.sides_for(game.players):
        return f"It is not played by sides of {' and '.join(map(str, sizes))}."
    return None
