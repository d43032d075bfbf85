"""The log of a game's changes, undoing changes to the game itself, and switching its house rules."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.rules import RulesError, RuleSet, load_rules
from webui.access.addresses import referring_page
from webui.context.guard.idempotency import idempotent
from webui.context.lookups import find_game, find_progress
from webui.context.services import services
from webui.decks.in_play import refused_by
from webui.games.agreed_rules import others_since
from webui.games.log.change_log import log_lines, told_once
from webui.games.names import rename_changes
from webui.games.progress import GameProgress, game_progress
from webui.games.rule_choice import book_worth, is_user_rule_set, offered_names, offered_rules
from webui.house_rules.unusable import rules_reason
from webui.settings import rules_folder
from webui.storage.db.audit_log import GAME_COLUMNS
from webui.storage.kept_rules import kept
from webui.storage.records import GameRecord, LogEntry, SideRecord
from webui.translation import _
from webui.wording import listed

page = Blueprint("change_log", __name__, url_prefix="/game/<int:game_id>")


@page.get("/log")
def show(game_id: int) -> str:
    """The log, newest change first."""
    progress = find_progress(game_id)
    store = services().store
    lines = log_lines(progress.game, store.log(game_id), progress.rules, store.agreed_sheets(game_id))
    return render_template("change_log/change_log.html", game=progress.game, lines=told_once(lines))


@page.post("/undo/<int:entry_id>")
@idempotent
def undo_change(game_id: int, entry_id: int) -> Response:
    """Undoes a change to the game itself; the undo is a change in the log too."""
    game = find_game(game_id)
    store = services().store
    log = [entry for entry in store.log(game_id) if entry.what in GAME_COLUMNS]
    entry = next((entry for entry in log if entry.id == entry_id), None)
    if entry is None or entry.before is None or entry != [change for change in log if change.what == entry.what][-1]:
        abort(409, _("That was changed again later, so it can’t be undone. Look at the newest changes."))
    changed = entry.before
    if entry.what == "rules":
        _undo_rules(game, entry)
        return redirect(_back(game_id), 303)
    if entry.what == "sides":
        changed = rename_changes(game, [SideRecord(side["name"], tuple(side["players"])) for side in changed["sides"]])
    store.change_game(game_id, changed)
    return redirect(_back(game_id), 303)


def _back(game_id: int) -> str:
    """The page with the button that was pressed, if it is one of ours."""
    return referring_page() or url_for(".show", game_id=game_id)


def _undo_rules(game: GameRecord, entry: LogEntry) -> None:
    """Undoes a change of the rules, with that of the agreed rounds that it scored anew and that still stand so."""
    before, after = entry.before or {}, entry.after or {}
    scored = {record.number: record.agreed_rules.hash for record in game.rounds if record.agreed_rules}
    anew = {int(number): rules_hash for number, rules_hash in before.get("rounds", {}).items() if rules_hash}
    anew = {number: held for number, held in anew.items() if scored.get(number) == after["rounds"].get(str(number))}
    services().store.change_rules(game.id, before["rules"], anew, _agreed_sheet_ids(game), None)


@dataclass(frozen=True, slots=True)
class RuleSetOption:
    """A rule set for this game; ``why_not`` is a sentence why it does not fit, else None."""

    rules: RuleSet
    why_not: str | None


@page.get("/rules")
def rules(game_id: int) -> str:
    """The rule sets to choose from; with one chosen, all rounds scored by it beside the points that count now.

    The game's own rule set can be chosen where it has changed since rounds were agreed.
    """
    game = find_game(game_id)
    choices = [RuleSetOption(rules, _why_not(game, rules)) for rules in offered_rules()]
    chosen = next((one for one in choices if one.rules.id == request.args.get("to") and not one.why_not), None)
    now: GameProgress | None = None
    try:
        now = game_progress(game, load_rules(game.rules))
    except RulesError as error:
        flash(rules_reason(error))
    after = game_progress(game, chosen.rules, anew=True) if chosen else None
    return render_template(
        "change_log/rules.html",
        game=game,
        choices=choices,
        book_worth=book_worth,
        rule_names=offered_names(one.rules for one in choices),
        now=now,
        after=after,
        changed=others_since(game, now.rules) if now else (),
        mark=_mark(game, chosen.rules) if chosen else "",
        own=now is not None and is_user_rule_set(game.rules, rules_folder(services().settings.data_dir)),
    )


@page.post("/rules")
def switch_rules(game_id: int) -> Response:
    """Switches further rounds to another rule set, and scores the agreed ones anew if the people decide that."""
    game = find_game(game_id)
    try:
        rules = load_rules(request.form.get("to", ""))
    except RulesError as error:
        abort(400, rules_reason(error))
    if sentence := _why_not(game, rules):
        abort(409, sentence)
    anew = "anew" in request.form
    if anew and request.form.get("mark") != _mark(game, rules):
        flash(_("The points have changed since you looked. Please look again before you decide."))
        return redirect(url_for(".rules", game_id=game_id, to=rules.id), 303)
    agreed = _agreed_sheet_ids(game)
    hashes = dict.fromkeys(agreed, rules.content_hash) if anew else {}
    services().store.change_rules(game_id, rules.id, hashes, agreed, kept(rules) if anew else None)
    return redirect(url_for("game.show", game_id=game_id), 303)


def _agreed_sheet_ids(game: GameRecord) -> dict[int, int | None]:
    """The id of the agreed sheet of each agreed round, by its number."""
    return {record.number: record.agreed_sheet_id for record in game.rounds if record.agreed_text is not None}


def _mark(game: GameRecord, rules: RuleSet) -> str:
    """Tells whether agreed rounds or the chosen rules have changed since a page showed them."""
    return f"{rules.content_hash} {sorted(_agreed_sheet_ids(game).items())}"


def _why_not(game: GameRecord, rules: RuleSet) -> str | None:
    try:
        deck = load_rules(game.rules).deck
    except RulesError:
        deck = rules.deck
    if refused_by(rules, game.decks or (deck,)):
        return _("It uses a different deck.")
    sizes = tuple(len(side.players) for side in game.sides)
    if sizes not in rules.sides_for(game.players):
        return _("It is not for sides of %(sizes)s.", sizes=listed(map(str, sizes)))
    return None
