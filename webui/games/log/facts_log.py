"""What was told of a round in words: who went out, bonuses and penalties, typed points, agreement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scorer.rules import RuleSet
from webui import wording
from webui.corrections.answers import OUT, TABLE, answered_steps, facts_of, starter_of
from webui.corrections.outside import Outside, outside_of
from webui.games.seating import player_name
from webui.storage.records import SideRecord
from webui.translation import N_, _, ngettext

_COUNTS = {"exact_deals": N_("exact pickups"), "improper_melds": N_("low first melds")}


def changed_facts(
    before: Mapping[str, Any], after: Mapping[str, Any], sides: Sequence[SideRecord], rules: RuleSet
) -> tuple[str, str, str]:
    """The facts of a round that differ, with the sides as they were in it."""
    old, new = _said(before, sides, rules), _said(after, sides, rules)
    rows = [(what, old.get(what, ""), new.get(what, "")) for what in {**old, **new} if old.get(what) != new.get(what)]
    if (lie := len(outside_of(after))) and before.get("outside") != after.get("outside"):
        rows.append((_("Cards outside the boxes"), "", ngettext("%(num)s group", "%(num)s groups", lie)))
    for side, record in enumerate(sides):
        old_hash, new_hash = (facts.get("agreed", {}).get(str(side)) for facts in (before, after))
        if old_hash != new_hash:
            over = after.get("over", {}).get(str(side), ()) if new_hash else ()
            rows.append((_agreement(record.name, bool(new_hash), len(over)), "", " ".join(over)))
    if not rows:
        return _("Bonuses and penalties"), "", _("none")
    return "; ".join(row[0] for row in rows), _joined(row[1] for row in rows), _joined(row[2] for row in rows)


def _said(facts: Mapping[str, Any], sides: Sequence[SideRecord], rules: RuleSet) -> dict[str, str]:
    """What was said of a round, by what it is about."""
    said = {_("Who went out"): _went_out(facts, sides)} if OUT in answered_steps(facts) else {}
    said[_("Who plays first")] = _starter(facts, sides)
    for one in outside_of(facts):
        cards = " ".join(map(wording.short_name, one.faces))
        said[_("Cards outside the boxes: %(cards)s", cards=cards)] = _whose(one, sides)
    own_names = {event.key: event.name for event in rules.asked if event.key}
    for side, record in enumerate(sides):
        told = facts_of(facts, side)
        for key, name in _COUNTS.items():
            said[f"{record.name}: {own_names.get(key) or _(name)}"] = str(getattr(told, key))
        said |= {f"{record.name}: {bonus}": str(times) for bonus, times in told.bonuses.items()}
        typed = _("typed")
        said[f"{record.name}: {typed}"] = wording.typed_text(told.typed) if told.typed else ""
        for area in sorted(told.nothing):
            player = "" if area == TABLE else player_name(record, int(area.removeprefix("left")))
            table = _("the table")  # outside of the text in braces, where the list of sentences does not look
            said[player or f"{record.name}: {table}"] = _("no more cards left") if player else _("nothing")
    return {what: text for what, text in said.items() if text}


def _went_out(facts: Mapping[str, Any], sides: Sequence[SideRecord]) -> str:
    for index, side in enumerate(sides):
        side_facts = facts_of(facts, index)
        if side_facts.went_out:
            return side.name if side_facts.out_player is None else player_name(side, side_facts.out_player)
    return _("nobody")


def _whose(one: Outside, sides: Sequence[SideRecord]) -> str:
    if one.side is not None and one.side < len(sides):
        return sides[one.side].name
    return _("nobody’s") if one.is_told else ""


def _agreement(side: str, agrees: bool, over: int) -> str:
    if not agrees:
        return _("%(side)s: agreement taken back", side=side)
    if not over:
        return _("%(side)s: agreed", side=side)
    return ngettext(
        "%(side)s: agreed anyway, with %(num)s thing to look at",
        "%(side)s: agreed anyway, with %(num)s things to look at",
        over,
        side=side,
    )


def _starter(facts: Mapping[str, Any], sides: Sequence[SideRecord]) -> str:
    found = starter_of(facts)
    return player_name(sides[found[0]], found[1]) if found and found[0] < len(sides) else ""


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(part for part in parts if part)
