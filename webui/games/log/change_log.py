"""The change log of a game in words: what was changed, and its state before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.rules import RulesError, RuleSet, load_rules, rules_from_text
from scorer.scoring import score
from scorer.sheets import SheetError, read_sheet
from webui import wording
from webui.decks.in_play import name_of_deck
from webui.games.log.corrections_log import Known, correction, faces_read, undone, undone_correction
from webui.games.log.facts_log import changed_facts
from webui.games.seating import player_name, sides_now
from webui.storage.db.audit_log import GAME_COLUMNS
from webui.storage.records import GameRecord, KeptRules, LogEntry, SideRecord
from webui.translation import N_, _, ngettext

_STATES = {None: N_("in progress"), "ended": N_("ended"), "open": N_("reopened"), "removed": N_("removed")}


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log; ``can_undo`` marks the newest change of its kind to the game.

    ``kind`` is that of its entry, such as ``confirmed``.
    """

    id: int
    kind: str
    made_at: str
    where: str
    what: str
    before: str
    after: str
    can_undo: bool
    who: str = ""

    @property
    def summary(self) -> str:
        """One line without time and author: ``Round 1, North–South: Card changed: 6 of diamonds → 9 of diamonds``."""
        changed = " → ".join(part for part in (self.before, self.after) if part)
        return f"{self.where}: {self.what}" + (f": {changed}" if changed else "")


def step_summary(newest: LogLine, others: Sequence[LogLine], text: str | None = None) -> str:
    """What one step changed: its newest line, and how many changes that line does not tell.

    That a round is agreed tells who agreed, and cards that were grouped are moved alike.

    Args:
        newest: the newest line of the step.
        others: its other lines.
        text: what to say of the newest one, its summary if None.
    """
    summary = newest.summary if text is None else text
    if newest.kind == "confirmed":
        return summary
    return wording.with_others(summary, sum(other.summary != newest.summary for other in others))


AgreedSheets = Sequence[tuple[int, dict[str, Any], KeptRules | None]]
"""Every sheet of a game that was ever agreed, as ``Store.agreed_sheets`` returns them."""


def log_lines(game: GameRecord, log: list[LogEntry], rules: RuleSet, agreed: AgreedSheets) -> list[LogLine]:
    """The whole log, newest first.

    Args:
        game: the game with its photos and readings.
        log: its log entries, oldest first.
        rules: the rules of the game, for agreed sheets that do not tell their own.
        agreed: the sheets with the rules that they were agreed under.
    """
    faces = faces_read(game)
    lines = []
    newest = {entry.what: entry.id for entry in log if entry.what in GAME_COLUMNS}
    for entry in log:
        what, before, after = _in_words(entry, game, rules, faces, agreed)
        where = rules.round_name(entry.round, sets_before=game.sets_before) if entry.round else _("Game")
        if entry.side is not None and entry.side < len(game.sides):
            where += f", {game.sides[entry.side].name}"
        can_undo = newest.get(entry.what) == entry.id
        who = entry.who or ""
        lines.append(LogLine(entry.id, entry.what, entry.made_at, where, what, before, after, can_undo, who))
    return lines[::-1]


def told_once(lines: Sequence[LogLine]) -> list[LogLine]:
    """The lines with one for all that one form changed alike, such as cards that it removed or grouped by rank."""
    kept: list[LogLine] = []
    for line in lines:
        if kept and replace(kept[-1], id=line.id, before=line.before, after=line.after) == line:
            before, after = (_joined(*both) for both in ((line.before, kept[-1].before), (line.after, kept[-1].after)))
            kept[-1] = replace(kept[-1], before=before, after=after)
        else:
            kept.append(line)
    return kept


def _joined(first: str, second: str) -> str:
    return ", ".join(filter(None, (first, second)))


Words = tuple[str, str, str]
"""What was changed, and its state before and after."""


def _in_words(
    entry: LogEntry, game: GameRecord, rules: RuleSet, faces: dict[str, Known], agreed: AgreedSheets
) -> Words:
    before, after = entry.before or {}, entry.after or {}
    if told := _of_game(entry.what, before, after):
        return told
    match entry.what:
        case "first-meld":
            what = _("First meld checked") if entry.before is None else _("Card of a first meld changed")
            return what, _first_meld(before), _first_meld(after)
        case "round-begun":
            return _("Round started"), "", ""
        case "photo" | "read":
            cards = after.get("cards")
            what = _("Photo added") if entry.what == "photo" else _("Photo read")
            return what, "", _photographed(None if cards is None else wording.cards_text(cards), entry, game)
        case "facts":
            return changed_facts(before, after, _seated(game, entry), rules)
        case "facts-undone":
            what, old, new = changed_facts(before, after, _seated(game, entry), rules)
            return undone(what, [side.name for side in game.sides]), old, new
        case "confirmed" | "confirmed-undone":
            sheets = (entry.before, entry.after)
            old, new = (_points(sheet, _rules_of(entry.round, sheet, agreed) or rules) for sheet in sheets)
            if entry.what == "confirmed":
                return _("Round agreed"), old, new
            return _("Undone: round agreed"), old, new or _("not agreed")
        case "correction":
            return correction(after, faces, _seat(game, entry))
        case "correction-undone" if entry.after:
            return _("Undone: photo added"), "", ""
        case "correction-undone":
            return undone_correction(before, faces, _seat(game, entry))
    return entry.what.replace("-", " ").capitalize(), _key_values(before), _key_values(after)


def _of_game(what: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Words | None:
    """A change to the game itself; None where it is another."""
    match what:
        case "rules":
            return _other_rules(before, after)
        case "sides":
            return _("Names"), _sides(before["sides"]), _sides(after["sides"])
        case "state":
            was, now = (_(_STATES[told["state"]]) if told["state"] in _STATES else "" for told in (before, after))
            return _("The game"), was, now
        case "watching":
            was, now = (_("on") if told.get("on") else _("off") for told in (before, after))
            return _("Watching the table"), was, now
        case "first":
            unknown = _("not chosen")
            return _("Plays first in round 1"), before["first"] or unknown, after["first"] or unknown
        case "decks":
            return _("Decks in play"), _decks(before), _decks(after)
        case "begun":
            return _("Game started"), "", f"{_rules_name(after['rules'])}; {_sides(after['sides'])}"
    return None


def _photographed(cards: str | None, entry: LogEntry, game: GameRecord) -> str:
    """What a photo shows, and whose cards those are, so that a photo of the table among a hand's is noticed."""
    player = (entry.after or {}).get("player")
    side = _seat(game, entry)
    if player is None or side is None:
        return cards or ""
    whose = _("cards %(player)s has left", player=player_name(side, player))
    return f"{whose}, {cards}" if cards else whose


def _seated(game: GameRecord, entry: LogEntry) -> tuple[SideRecord, ...]:
    """The sides with the players of the round of an entry."""
    record = None if entry.round is None else game.round(entry.round)
    return game.sides if record is None else sides_now(game, record)


def _seat(game: GameRecord, entry: LogEntry) -> SideRecord | None:
    """The side of an entry with its players of the round, None where it is about none."""
    sides = _seated(game, entry)
    return sides[entry.side] if entry.side is not None and entry.side < len(sides) else None


def _first_meld(first_meld: Mapping[str, Any]) -> str:
    return " ".join(card["face"] for card in first_meld.get("faces", ()))


def _other_rules(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, str, str]:
    """Other rules for further rounds, for agreed ones, or for both."""
    names = (_rules_name(before["rules"]), _rules_name(after["rules"]))
    anew = sorted(map(int, after.get("rounds", ())))
    if not anew:
        return _("House rules for new rounds"), *names
    rounds = ngettext(
        "round %(rounds)s scored again",
        "rounds %(rounds)s scored again",
        len(anew),
        rounds=wording.listed(map(str, anew)),
    )
    if before["rules"] == after["rules"]:
        return _("House rules: %(rounds)s", rounds=rounds), _("as agreed"), _("%(rules)s as it is now", rules=names[1])
    return _("House rules, and %(rounds)s", rounds=rounds), *names


def _rules_of(number: int | None, sheet: dict[str, Any] | None, agreed: AgreedSheets) -> RuleSet | None:
    """The rules that a sheet was first agreed under, None where that is not known."""
    kept = next((rules for held, found, rules in agreed if held == number and found == sheet), None)
    try:
        return rules_from_text(kept.text) if kept else None
    except RulesError:
        return None


def _rules_name(rules_id: str) -> str:
    try:
        return load_rules(rules_id).name
    except RulesError:
        return wording.name_from_id(rules_id)


def _decks(document: Mapping[str, Any]) -> str:
    """The decks in play by name."""
    return wording.listed(map(name_of_deck, (document["decks"] or "").split(","))) if document["decks"] else ""


def _sides(sides: list[dict[str, Any]]) -> str:
    return "; ".join(f"{side['name']}: {', '.join(side['players'])}" for side in sides)


def _points(sheet: dict[str, Any] | None, rules: RuleSet) -> str:
    if sheet is None:
        return ""
    try:
        tally = score(read_sheet(sheet), rules)
    except SheetError:
        return _("a round that can no longer be read")
    return ", ".join(f"{side.name} {wording.points_text(side.total)}" for side in tally.sides)


def _key_values(document: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in document.items())
