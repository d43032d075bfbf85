"""House rules: to choose from, to read, to copy, and to change, each value with what it means."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, abort, flash, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.rules import RulesError, RuleSet, broken_rules, load_rules
from webui.context.services import services
from webui.games.rule_choice import SHEETS, is_user_rule_set, offered_rules
from webui.house_rules.form import sections
from webui.house_rules.submitted import read_submitted, validate_submitted
from webui.house_rules.user_rules import as_data, copy_rules, remove_rules, save_rules
from webui.settings import rules_folder

page = Blueprint("rules", __name__, url_prefix="/rules")


@page.get("/")
def show() -> str:
    offered = offered_rules()
    own = [rules for rules in offered if is_user_rule_set(rules.id, _folder())]
    parts = [
        ("Your own", own),
        ("The five rule sheets", [rules for rules in offered if rules.id in SHEETS and rules not in own]),
        ("From published pages", [rules for rules in offered if rules.id not in SHEETS and rules not in own]),
    ]
    return render_template("rules/list.html", parts=[part for part in parts if part[1]], broken=broken_rules())


@page.get("/<rules_id>")
def one(rules_id: str) -> str:
    rules = _find(rules_id)
    return render_template(
        "rules/one.html", rules=rules, sections=sections(as_data(rules), 0), own=is_user_rule_set(rules_id, _folder())
    )


@page.post("/<rules_id>/copy")
def copy(rules_id: str) -> AnyResponse:
    made = copy_rules(_find(rules_id), _folder())
    return redirect(url_for(".edit", rules_id=made.id), 303)


@page.get("/<rules_id>/edit")
def edit(rules_id: str) -> str:
    rules = _find_own(rules_id)
    return _form(rules, as_data(rules), {})


@page.post("/<rules_id>/edit")
def keep(rules_id: str) -> AnyResponse | tuple[str, int]:
    rules = _find_own(rules_id)
    posted = read_submitted(request.form, rules_id)
    changed, wrong = validate_submitted(posted)
    if changed is None:
        wrong = {_compact(name, posted.moved): sentence for name, sentence in wrong.items()}
        return _form(rules, posted.data, wrong), 400
    save_rules(changed, _folder())
    flash(f"{changed.name} is kept. {_played(rules_id)}", "good")
    return redirect(url_for(".one", rules_id=rules_id), 303)


@page.post("/<rules_id>/check")
def check(rules_id: str) -> Response:
    """What is wrong with the form as it stands: a sentence by the question's name."""
    _, wrong = validate_submitted(read_submitted(request.form, rules_id))
    return jsonify(wrong=wrong)


@page.post("/<rules_id>/remove")
def remove(rules_id: str) -> AnyResponse:
    rules = _find_own(rules_id)
    if games := _games(rules_id):
        abort(409, f"{rules.name} is what {games} of your games are played by, so it stays; go back to the rules.")
    remove_rules(rules_id, _folder())
    return redirect(url_for(".show"), 303)


def _form(rules: RuleSet, data: dict[str, object], wrong: dict[str, str]) -> str:
    return render_template(
        "rules/edit.html", rules=rules, sections=sections(data), wrong=wrong, played=_played(rules.id)
    )


def _compact(name: str, moved: dict[str, str]) -> str:
    """A question's name in a form that is laid out anew, where no empty row stands between others."""
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


def _games(rules_id: str) -> int:
    return sum(game.rules == rules_id for game in services().store.games())


def _played(rules_id: str) -> str:
    games = _games(rules_id)
    if not games:
        return "No game is played by it yet."
    are = "game is" if games == 1 else "games are"
    return f"{games} {are} played by it; the points of all their rounds follow every change."
