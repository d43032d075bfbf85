"""The form of a new event, read: its name, its house rules, and how it is played."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from scorer.rules import RulesError, load_rules
from webui.events.entry.presets import Preset, plays_events
from webui.events.ranking import RefusedError
from webui.house_rules.unusable import rules_reason
from webui.storage.events.facts import MOST_ENTRANTS, Setup
from webui.translation import _
from webui.whole_numbers import whole_number
from webui.wording import name_key, tidy

_MOST_STAGES = 20
_LONGEST_NAME = 60


def read_event_name(fields: Mapping[str, str], preset: Preset) -> str:
    """The name of the event; that of the preset where nobody typed one."""
    return tidy(fields.get("name", ""), _LONGEST_NAME) or preset.name


def read_event_rules(fields: Mapping[str, str], preset: Preset) -> str:
    """The id of the rule set that its tables play by.

    Raises:
        RefusedError: there is none of that name, or it has no sides of two.
    """
    try:
        rules = load_rules(fields.get("rules", preset.rules))
    except RulesError as error:
        raise RefusedError(rules_reason(error)) from error
    if not plays_events(rules):
        raise RefusedError(_("%(rules)s is not played by two against two. Choose other house rules.", rules=rules.name))
    return rules.id


def read_setup(fields: Mapping[str, str], preset: Preset) -> Setup:
    """How the event is played; what the form leaves out is as in the preset.

    Raises:
        RefusedError: a number is not one that can be played, there are too many prizes, or an answer is none of those
            that were offered.
    """
    usual = preset.setup
    format_ = fields.get("format", usual.format)
    stages = whole_number(fields["stages"]) if "stages" in fields else usual.stages
    if stages is None or not 1 <= stages <= _MOST_STAGES:
        games, sets = (
            _("Choose from 1 to %(most)s games.", most=_MOST_STAGES),
            _("Choose from 1 to %(most)s sets.", most=_MOST_STAGES),
        )
        raise RefusedError(games if format_ == "teams" else sets)
    prizes_for = fields.get("prizes_for", "all")
    try:
        setup = Setup.model_validate(
            {
                "format": format_,
                "stages": stages,
                "cut": _cut(fields, usual),
                "groups": _words(fields, "groups", usual.groups),
                "prizes": _words(fields, "prizes", usual.prizes),
                "top": fields.get("top", usual.top),
                "finalists_only": {"all": False, "finalists": True}.get(prizes_for),
                "ties": fields.get("ties", usual.ties),
                "byes": fields.get("byes", usual.byes),
            }
        )
    except ValidationError as error:
        if any(one["loc"][0] in ("prizes", "groups") for one in error.errors()):
            raise RefusedError(_("There is room for 10 prizes and 6 groups. Take some out.")) from None
        raise RefusedError(_("Choose one of the answers that are offered.")) from None
    # The form of one format has fields of the other; what that other would do with them is left out.
    if setup.format == "teams":
        return setup.model_copy(update={"groups": (), "top": "first"})
    return setup.model_copy(update={"finalists_only": False})


def _cut(fields: Mapping[str, str], usual: Setup) -> str | int:
    said = fields.get("cut", str(usual.cut))
    if said in ("half", "all"):
        return said
    number = whole_number(fields.get("cut_number") or said)
    if number is None or not 2 <= number <= MOST_ENTRANTS or number % 2:
        raise RefusedError(_("Say how many teams play on as an even number, 2 or more."))
    return number


def _words(fields: Mapping[str, str], key: str, usual: tuple[str, ...]) -> tuple[str, ...]:
    if key not in fields:
        return usual
    words = tuple(filter(None, (tidy(word) for word in fields[key].split(","))))
    keys = [name_key(word) for word in words]
    if twice := next((word for at, word in enumerate(words) if keys[at] in keys[:at]), None):
        raise RefusedError(
            _("“%(name)s” is there twice. Give each prize and each group a name of its own.", name=twice)
        )
    return words
