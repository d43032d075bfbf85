"""House rules: the list of rule sets, one rule set in sentences, copying and editing."""

from __future__ import annotations

import re
from pathlib import Path

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    get_template_attribute,
    jsonify,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scorer.rules import RulesError, RuleSet, UnknownRulesError, broken_rules, load_rules, shipped_rules
from webui.context.guard.idempotency import idempotent
from webui.context.services import services
from webui.games.rule_choice import SHEETS, for_whom, is_user_rule_set, offered_names, offered_rules
from webui.house_rules.differing import Differing, differing, nearest, told_anew
from webui.house_rules.form import name_question, sections
from webui.house_rules.option_words import option_text
from webui.house_rules.refusals import broken_file_reason
from webui.house_rules.refused_values import has_refused, refused_values
from webui.house_rules.sentences import explain
from webui.house_rules.submitted import SubmittedRules, field_as_sent, read_submitted, validate_submitted
from webui.house_rules.unusable import rules_reason
from webui.house_rules.user_rules import (
    NotKeptError,
    add_rules,
    as_data,
    check_name,
    proposed_copy,
    put_back_rules,
    remove_rules,
    save_rules,
)
from webui.settings import rules_folder
from webui.translation import _, ngettext

page = Blueprint("house_rules", __name__, url_prefix="/rules")

_REMOVED = "removed-rules"
"""The key in the visitor's session of the rules that were just removed: their id and name."""


@page.get("/")
def show() -> str:
    """The list of rule sets."""
    offered = offered_rules()
    own = [rules for rules in offered if is_user_rule_set(rules.id, _folder())]
    sheets, others = (
        [one for one in offered if one not in own and (one.id in SHEETS) == is_sheet] for is_sheet in (True, False)
    )
    parts = [(_("Your own"), own), (_("Rules to choose from"), sheets), (_("More rules, from published pages"), others)]
    broken = [(id, broken_file_reason(error), is_user_rule_set(id, _folder())) for id, error in broken_rules().items()]
    return render_template(
        "house_rules/list.html",
        parts=[part for part in parts if part[1]],
        names=offered_names(offered),
        for_whom=for_whom,
        own={rules.id for rules in own},
        broken=broken,
        removed=session.pop(_REMOVED, None),
    )


@page.get("/<rules_id>")
def show_one(rules_id: str) -> str:
    """One rule set in sentences."""
    rules = _find(rules_id)
    own = is_user_rule_set(rules_id, _folder())
    differs = _differs(rules) if own else None
    return render_template("house_rules/one.html", rules=rules, topics=explain(rules), own=own, differs=differs)


def _differs(rules: RuleSet, original: RuleSet | None = None) -> Differing | None:
    """What differs from the rules that a copy is made of, or from the printed sheet that a rule set is most like."""
    if original is not None:
        return differing(rules, original)
    return nearest(rules, (one for one in offered_rules() if not is_user_rule_set(one.id, _folder())))


@page.get("/<rules_id>/copy")
def show_copy(rules_id: str) -> str:
    """The form of a copy, of which nothing is kept before it is saved."""
    rules = _find(rules_id)
    try:
        copy = proposed_copy(rules, _folder())
    except NotKeptError as error:
        abort(409, str(error))
    return _form(copy, as_data(copy), {}, original=rules)


@page.post("/<rules_id>/copy")
@idempotent
def save_copy(rules_id: str) -> AnyResponse | tuple[str, int]:
    """Saves a copy as rules of its own, or shows its form again with what is wrong."""
    rules = _find(rules_id)
    submitted = read_submitted(request.form, rules_id)
    changed, errors = _validate(submitted, None)
    if changed is not None:
        try:
            return _saved(add_rules(changed, _folder()), is_copy=True)
        except NotKeptError as error:
            errors = {error.field: str(error)}
    return _refused(rules, submitted, errors, original=rules)


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
    if request.form.get("mark") != rules.content_hash:
        sentence = _(
            "Someone changed these rules on another device after you opened them, so yours are not saved "
            "yet. What you see is yours: save again to use it, or open the rules again to see theirs."
        )
        return _form(rules, submitted.data, {}, sentence), 409
    changed, errors = _validate(submitted, rules_id)
    if changed is None:
        return _refused(rules, submitted, errors)
    try:
        save_rules(changed, _folder())
    except NotKeptError as error:
        return _refused(rules, submitted, {error.field: str(error)})
    return _saved(changed)


@page.post("/<rules_id>/check", defaults={"is_copy": False})
@page.post("/<rules_id>/copy/check", defaults={"is_copy": True})
def check(rules_id: str, is_copy: bool) -> Response:
    """What is wrong with the form as JSON: a sentence by field name; what differs, as a part of the page; and what the
    sentences of the form say now."""
    submitted = read_submitted(request.form, rules_id)
    changed, errors = _validate(submitted, None if is_copy else rules_id)
    errors = {field_as_sent(name, submitted.moved): sentence for name, sentence in errors.items()}
    rules = _find(rules_id)
    differs = _differs(changed or rules, rules if is_copy else None)
    shown = get_template_attribute("house_rules/differing.html", "differs_box")
    box = str(shown(differs, changed is None)) if differs else ""
    return jsonify(wrong=errors, differs=box, said=told_anew(changed, rules) if changed else [])


@page.post("/<rules_id>/remove")
def remove(rules_id: str) -> AnyResponse:
    """Removes a user's own rule set, which may be a broken file, unless a game or a club evening is played by it.

    A broken file in the place of an included rule set goes whatever is played by it: the included one counts again.
    """
    is_broken = rules_id in broken_rules() and is_user_rule_set(rules_id, _folder())
    name = f"{rules_id}.toml" if is_broken else _find_own(rules_id).name
    stays_included = is_broken and rules_id in shipped_rules()
    games = 0 if stays_included else _game_count(rules_id)
    if games:
        sentence = ngettext(
            "One of your games is played by %(name)s. Choose other house rules there first, then remove this one.",
            "%(num)s of your games are played by %(name)s. Choose other house rules there first, then remove this one.",
            games,
            name=name,
        )
        abort(409, sentence)
    if not stays_included and _has_evening(rules_id):
        abort(409, _("A club evening is played by %(name)s, so these house rules have to stay.", name=name))
    remove_rules(rules_id, _folder())
    session[_REMOVED] = [rules_id, name]
    return redirect(url_for(".show"), 303)


@page.post("/<rules_id>/put-back")
@idempotent
def put_back(rules_id: str) -> AnyResponse:
    """Undoes a removal."""
    if re.fullmatch(r"[a-z0-9-]+", rules_id) is None or not put_back_rules(rules_id, _folder()):
        abort(409, _("These rules can’t be put back any more. Make a copy of others and change that."))
    flash(_("The rules are back."), "good")
    return redirect(url_for(".show"), 303)


def _validate(submitted: SubmittedRules, rules_id: str | None) -> tuple[RuleSet | None, dict[str, str]]:
    """As ``validate_submitted``; beside that, no other rules have the name. None is the id of rules that are new."""
    changed, errors = validate_submitted(submitted)
    try:
        if "name" not in errors:
            check_name(str(submitted.data.get("name", "")), rules_id)
    except NotKeptError as error:
        return None, {**errors, error.field: str(error)}
    return changed, errors


def _saved(rules: RuleSet, is_copy: bool = False) -> AnyResponse:
    """Leads to the rules; or back to the ``game`` whose rules these are to be, where it takes up a copy."""
    flash(_("%(name)s is saved. %(usage)s", name=rules.name, usage=_usage_text(rules.id)), "good")
    game = request.args.get("game", type=int)
    if game is None:
        return redirect(url_for(".show_one", rules_id=rules.id), 303)
    taken_up = url_for("change_log.rules", game_id=game, to=rules.id) if is_copy else url_for("game.show", game_id=game)
    return redirect(taken_up, 303)


def _form(
    rules: RuleSet,
    data: dict[str, object],
    errors: dict[str, str],
    sentence: str | None = None,
    original: RuleSet | None = None,
) -> str:
    """The form of own rules, or of a copy that is not kept yet, with what it was copied from."""
    told = original or rules
    name, asked = name_question(data), sections(told, data)
    if original is None:
        about = _usage_text(rules.id)
    elif errors:
        about = _("This copy is kept once you save it.")
    else:
        about = _("This copy is kept once you save it, as %(name)s.", name=rules.name)
    return render_template(
        "house_rules/edit.html",
        rules=rules,
        original=original,
        game=request.args.get("game", type=int),
        name=name,
        told=[section for section in asked if section.told],
        untold=[section for section in asked if section.untold],
        differs=_differs(rules, original),
        has_refused=lambda questions: has_refused(questions, errors),
        option_text=option_text,
        refused=refused_values([name, *(question for section in asked for question in section.questions)], errors),
        wrong=errors,
        sentence=sentence,
        played=about,
    )


def _refused(
    rules: RuleSet, submitted: SubmittedRules, errors: dict[str, str], original: RuleSet | None = None
) -> tuple[str, int]:
    """The form once more as it was typed, with what is wrong; rows that were left empty are gone."""
    return _form(rules, submitted.data, errors, original=original), 400


def _folder() -> Path:
    return rules_folder(services().settings.data_dir)


def _find(rules_id: str) -> RuleSet:
    try:
        return load_rules(rules_id)
    except UnknownRulesError:
        abort(404, _("There are no such house rules here. Go back to the house rules."))
    except RulesError as error:
        abort(404, rules_reason(error))


def _find_own(rules_id: str) -> RuleSet:
    rules = _find(rules_id)
    if not is_user_rule_set(rules_id, _folder()):
        abort(
            403,
            _(
                "%(name)s is a printed rule sheet and can't be changed. Make a copy of it and change that.",
                name=rules.name,
            ),
        )
    return rules


def _game_count(rules_id: str) -> int:
    return sum(game.rules == rules_id for game in services().store.games())


def _has_evening(rules_id: str) -> bool:
    return any(event.rules == rules_id for event in services().store.events.all())


def _usage_text(rules_id: str) -> str:
    if not (games := _game_count(rules_id)):
        return _("A club evening uses these rules.") if _has_evening(rules_id) else _("No game uses these rules yet.")
    return ngettext(
        "%(num)s game uses these rules. A change counts from the next round on; rounds you agreed on stay as they are.",
        "%(num)s games use these rules. A change counts from the next round on; rounds you agreed on stay as they are.",
        games,
    )
