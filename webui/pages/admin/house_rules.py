"""House rules: the list of rule sets, one rule set in sentences, copying and editing."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, abort, flash, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.rules import RulesError, RuleSet, broken_rules, load_rules
from webui.context.once import once
from webui.context.services import services
from webui.games.rule_choice import SHEETS, is_user_rule_set, offered_rules
from webui.house_rules.form import sections
from webui.house_rules.sentences import explain
from webui.house_rules.submitted import read_submitted, validate_submitted
from webui.house_rules.user_rules import (
    MAX_OWN_RULES,
    TooManyRulesError,
    as_data,
    copy_rules,
    remove_rules,
    save_rules,
)
from webui.settings import rules_folder

page = Blueprint("house_rules", __name__, url_prefix="/rules")


@page.get("/")
def show() -> str:
    """The list of rule sets."""
    offered = offered_rules()
    own = [rules for rules in offered if is_user_rule_set(rules.id, _folder())]
    parts = [
        ("Your own", own),
        ("The five rule sheets", [rules for rules in offered if rules.id in SHEETS and rules not in own]),
        ("From published pages", [rules for rules in offered if rules.id not in SHEETS and rules not in own]),
    ]
    return render_template("house_rules/list.html", parts=[part for part in parts if part[1]], broken=broken_rules())


@page.get("/<rules_id>")
def show_one(rules_id: str) -> str:
    """One rule set in sentences."""
    rules = _find(rules_id)
    return render_template(
        "house_rules/one.html",
        rules=rules,
        topics=explain(rules),
        own=is_user_rule_set(rules_id, _folder()),
    )


@page.post("/<rules_id>/copy")
@once
def copy(rules_id: str) -> AnyResponse:
    """Copies a rule set, so that the copy can be edited."""
    rules = _find(rules_id)
    try:
        made = copy_rules(rules, _folder())
    except TooManyRulesError:
        abort(
            409,
            f"There are {MAX_OWN_RULES} house rules of your own here, which is as many as fit; remove some that no "
            "game is played by, and make the copy again.",
        )
    except RulesError as error:
        abort(409, f"No copy was made, as it could not be read again: {error}; copy other rules.")
    return redirect(url_for(".edit", rules_id=made.id), 303)


@page.get("/<rules_id>/edit")
def edit(rules_id: str) -> str:
    """The form of a user's own rule set."""
    rules = _find_own(rules_id)
    return _form(rules, as_data(rules), {})


@page.post("/<rules_id>/edit")
def save(rules_id: str) -> AnyResponse | tuple[str, int]:
    """Saves the form, or shows it again with what is wrong, or because another device was faster."""
    rules = _find_own(rules_id)
    submitted = read_submitted(request.form, rules_id)
    if request.form.get("mark", rules.content_hash) != rules.content_hash:
        sentence = (
            "These rules were changed on another device since you opened them, and nothing was kept; what you see is "
            "yours. Keep it once more if it shall count, or open the rules again to see theirs."
        )
        return _form(rules, submitted.data, {}, sentence), 409
    changed, errors = validate_submitted(submitted)
    if changed is None:
        errors = {_compact(name, submitted.moved): sentence for name, sentence in errors.items()}
        return _form(rules, submitted.data, errors), 400
    try:
        save_rules(changed, _folder())
    except RulesError as error:
        return _form(rules, submitted.data, {"": f"They could not be read again: {error}; shorten them."}), 400
    flash(f"{changed.name} is kept. {_usage_text(rules_id)}", "good")
    return redirect(url_for(".show_one", rules_id=rules_id), 303)


@page.post("/<rules_id>/check")
def check(rules_id: str) -> Response:
    """What is wrong with the form as JSON: a sentence by field name."""
    _, errors = validate_submitted(read_submitted(request.form, rules_id))
    return jsonify(wrong=errors)


@page.post("/<rules_id>/remove")
def remove(rules_id: str) -> AnyResponse:
    """Removes a user's own rule set, unless a game is played by it."""
    rules = _find_own(rules_id)
    if games := _game_count(rules_id):
        abort(409, f"{rules.name} is what {games} of your games are played by, so it stays; go back to the rules.")
    remove_rules(rules_id, _folder())
    flash(f"{rules.name} is removed from your house rules.", "good")
    return redirect(url_for(".show"), 303)


def _form(rules: RuleSet, data: dict[str, object], errors: dict[str, str], sentence: str | None = None) -> str:
    return render_template(
        "house_rules/edit.html",
        rules=rules,
        sections=sections(data),
        wrong=errors,
        sentence=sentence,
        played=_usage_text(rules.id),
    )


def _compact(name: str, moved: dict[str, str]) -> str:
    """The name of a field in the new form, in which rows after an empty one move up."""
    for now, before in moved.items():
        if name == before or name.startswith(f"{before}."):
            return now + name[len(before) :]
    return name


def _folder() -> Path:
    return rules_folder(services().settings.data_dir)


def _find(rules_id: str) -> RuleSet:
    try:
        return load_rules(rules_id)
    except RulesError as error:
        abort(404, f"{str(error)[:1].upper()}{str(error)[1:]}; go back to the house rules.")


def _find_own(rules_id: str) -> RuleSet:
    rules = _find(rules_id)
    if not is_user_rule_set(rules_id, _folder()):
        abort(403, f"{rules.name} is a rule sheet as it was published; make a copy of it and change that.")
    return rules


def _game_count(rules_id: str) -> int:
    return sum(game.rules == rules_id for game in services().store.games())


def _usage_text(rules_id: str) -> str:
    games = _game_count(rules_id)
    if not games:
        return "No game is played by it yet."
    are = "game is" if games == 1 else "games are"
    return f"{games} {are} played by it; a change counts for further rounds, and agreed ones keep their rules."
