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
    rows: list[tuple[str, str, str]] = []
    own_names = {event.key: event.name for event in rules.asked if event.key}
    old_out, new_out = (_went_out(facts, sides) if OUT in answered_steps(facts) else "" for facts in (before, after))
    if old_out != new_out:
        rows.append((_("Who went out"), old_out, new_out))
    old_starter, new_starter = (_starter(facts, sides) for facts in (before, after))
    if old_starter != new_starter:
        rows.append((_("Who plays first"), old_starter, new_starter))
    if (lie := len(outside_of(after))) and before.get("outside") != after.get("outside"):
        rows.append((_("Cards outside the boxes"), "", ngettext("%(num)s group", "%(num)s groups", lie)))
    answers = {one.place: _whose(one, sides) for one in outside_of(before)}
    for one in outside_of(after):
        old_whose, new_whose = answers.get(one.place, ""), _whose(one, sides)
        if old_whose != new_whose:
            cards = " ".join(map(wording.short_name, one.faces))
            rows.append((_("Cards outside the boxes: %(cards)s", cards=cards), old_whose, new_whose))
    for side, record in enumerate(sides):
        old, new = facts_of(before, side), facts_of(after, side)
        for key, name in _COUNTS.items():
            if getattr(old, key) != getattr(new, key):
                called = own_names.get(key) or _(name)
                rows.append((f"{record.name}: {called}", str(getattr(old, key)), str(getattr(new, key))))
        for bonus in dict.fromkeys((*old.bonuses, *new.bonuses)):
            old_times, new_times = old.bonuses.get(bonus, 0), new.bonuses.get(bonus, 0)
            if old_times != new_times:
                rows.append((f"{record.name}: {bonus}", str(old_times), str(new_times)))
        if old.typed != new.typed:
            was, now = (wording.typed_text(typed) if typed else "" for typed in (old.typed, new.typed))
            what = _("typed") if new.typed else _("typed points removed")
            rows.append((f"{record.name}: {what}", was, now))
        for area in sorted(old.nothing ^ new.nothing):
            player = "" if area == TABLE else player_name(record, int(area.removeprefix("left")))
            table = _("the table")  # outside of the text in braces, where the list of sentences does not look
            whose = player or f"{record.name}: {table}"
            nothing = _("no more cards left") if player else _("nothing")
            rows.append((whose, *(("", nothing) if area in new.nothing else (nothing, ""))))
        old_hash, new_hash = (facts.get("agreed", {}).get(str(side)) for facts in (before, after))
        if old_hash != new_hash:
            over = after.get("over", {}).get(str(side), ()) if new_hash else ()
            rows.append((_agreement(record.name, bool(new_hash), len(over)), "", " ".join(over)))
    if not rows:
        return _("Bonuses and penalties"), "", _("none")
    return "; ".join(row[0] for row in rows), _joined(row[1] for row in rows), _joined(row[2] for row in rows)


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
