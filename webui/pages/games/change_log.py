"""The log of a game's changes, undoing changes to the game itself, and switching its house rules."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.rules import RulesError, RuleSet, load_rules
from webui.context.lookups import find_game, find_progress
from webui.context.services import services
from webui.games.change_log import log_lines
from webui.games.names import rename_changes
from webui.games.progress import GameProgress, game_progress
from webui.games.rule_choice import offered_rules
from webui.storage.db.audit_log import GAME_COLUMNS
from webui.storage.records import GameRecord, SideRecord

page = Blueprint("change_log", __name__, url_prefix="/game/<int:game_id>")


@page.get("/log")
def show(game_id: int) -> str:
    """The log, newest change first."""
    progress = find_progress(game_id)
    lines = log_lines(progress.game, services().store.log(game_id), progress.rules)
    return render_template("change_log/change_log.html", game=progress.game, lines=lines)


@page.post("/undo/<int:entry_id>")
def undo_change(game_id: int, entry_id: int) -> Response:
    """Undoes a change to the game itself; the undo is a change in the log too."""
    game = find_game(game_id)
    store = services().store
    log = [entry for entry in store.log(game_id) if entry.what in GAME_COLUMNS]
    entry = next((entry for entry in log if entry.id == entry_id), None)
    if entry is None or entry.before is None or entry != [change for change in log if change.what == entry.what][-1]:
        abort(409, "That was changed again since then and cannot be taken back any more; look at the newest changes.")
    changed = entry.before
    if entry.what == "sides":
        changed = rename_changes(game, [SideRecord(side["name"], tuple(side["players"])) for side in changed["sides"]])
    store.change_game(game_id, changed)
    return redirect(url_for(".show", game_id=game_id), 303)


@dataclass(frozen=True, slots=True)
class RuleSetOption:
    """A rule set for this game; ``why_not`` is a sentence why it does not fit, else None."""

    rules: RuleSet
    why_not: str | None


@page.get("/rules")
def rules(game_id: int) -> str:
    """The rule sets to choose from; with one chosen, all rounds scored by it beside the current points."""
    game = find_game(game_id)
    choices = [RuleSetOption(rules, _why_not(game, rules)) for rules in offered_rules()]
    chosen = next((one for one in choices if one.rules.id == request.args.get("to") and not one.why_not), None)
    now: GameProgress | None = None
    try:
        now = game_progress(game, load_rules(game.rules))
    except RulesError as error:
        flash(str(error))
    after = game_progress(game, chosen.rules) if chosen else None
    return render_template("change_log/rules.html", game=game, choices=choices, now=now, after=after)


@page.post("/rules")
def switch_rules(game_id: int) -> Response:
    """Switches the game to another rule set."""
    game = find_game(game_id)
    try:
        rules = load_rules(request.form.get("to", ""))
    except RulesError as error:
        abort(400, str(error))
    if sentence := _why_not(game, rules):
        abort(409, sentence)
    services().store.change_game(game_id, {"rules": rules.id})
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
