"""The change log of a game in words: what was changed, and its state before and after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorer.faces import Face
from scorer.rules import RulesError, RuleSet, load_rules, rules_from_text
from scorer.scoring import score
from scorer.sheets import SheetError, read_sheet
from webui import wording
from webui.corrections.answers import OUT, TABLE, answered_steps, facts_of, starter_of
from webui.games.seating import player_name, sides_now
from webui.storage.db.audit_log import GAME_COLUMNS
from webui.storage.records import GameRecord, KeptRules, LogEntry, SideRecord

_STATES = {None: "in progress", "ended": "ended", "open": "reopened", "removed": "removed"}
_COUNTS = {"exact_deals": "exact deals", "improper_melds": "improper melds"}
_OPERATIONS = {
    "remove": "Card removed",
    "add": "Card added",
    "add-cards": "Cards typed",
    "name": "Card changed",
    "move": "Card moved",
    "regroup": "Cards moved",
    "join": "Groups combined",
    "reset": "Back to what the camera saw",
    "count": "Pile counted",
    "spread": "Not a pile",
    "accept": "Checked, looks right",
    "drop-photo": "Photo removed",
}


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log; ``can_undo`` marks the newest change of its kind to the game."""

    id: int
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
    faces = _faces_read(game)
    lines = []
    newest = {entry.what: entry.id for entry in log if entry.what in GAME_COLUMNS}
    for entry in log:
        what, before, after = _in_words(entry, game, rules, faces, agreed)
        where = rules.round_name(entry.round) if entry.round else "Game"
        if entry.side is not None and entry.side < len(game.sides):
            where += f", {game.sides[entry.side].name}"
        can_undo = newest.get(entry.what) == entry.id
        lines.append(LogLine(entry.id, entry.made_at, where, what, before, after, can_undo, entry.who or ""))
    return lines[::-1]


def _in_words(
    entry: LogEntry, game: GameRecord, rules: RuleSet, faces: dict[str, str], agreed: AgreedSheets
) -> tuple[str, str, str]:
    before, after = entry.before or {}, entry.after or {}
    match entry.what:
        case "rules":
            return _other_rules(before, after)
        case "sides":
            return "Names", _sides(before["sides"]), _sides(after["sides"])
        case "state":
            return "The game", _STATES.get(before["state"], ""), _STATES.get(after["state"], "")
        case "first":
            return "Plays first in round 1", before["first"] or "not chosen", after["first"] or "not chosen"
        case "begun":
            return "Game started", "", f"{_rules_name(after['rules'])}; {_sides(after['sides'])}"
        case "first-meld":
            what = "First meld checked" if entry.before is None else "Card of a first meld changed"
            return what, _first_meld(before), _first_meld(after)
        case "round-begun":
            return "Round started", "", ""
        case "photo" | "read":
            cards = after.get("cards")
            return (
                f"Photo {entry.what.replace('photo', 'added')}",
                "",
                "" if cards is None else wording.count_text(cards, "card"),
            )
        case "facts":
            return _facts(before, after, _seated(game, entry))
        case "confirmed":
            points = [
                _points(sheet, _rules_of(entry.round, sheet, agreed) or rules) for sheet in (entry.before, entry.after)
            ]
            return "Round agreed", points[0], points[1]
        case "confirmed-undone":
            rules_of = [_rules_of(entry.round, sheet, agreed) or rules for sheet in (entry.before, entry.after)]
            old, new = _points(entry.before, rules_of[0]), _points(entry.after, rules_of[1])
            return "Undone: round agreed", old, new or "not agreed"
        case "correction":
            return _correction(after, faces)
        case "correction-undone" if entry.after:
            return "Undone: photo", "", "removed"
        case "correction-undone":
            return _undone_correction(before, faces)
        case "facts-undone":
            what, old, new = _facts(before, after, _seated(game, entry))
            return _undone(what), old, new
    return entry.what.replace("-", " ").capitalize(), _key_values(before), _key_values(after)


def _seated(game: GameRecord, entry: LogEntry) -> tuple[SideRecord, ...]:
    """The sides with the players of the round of an entry."""
    record = None if entry.round is None else game.round(entry.round)
    return game.sides if record is None else sides_now(game, record)


def _correction(change: Mapping[str, Any], faces: dict[str, str]) -> tuple[str, str, str]:
    """A correction of a card or a group; updates ``faces``, the name of each card's current face by the card's id."""
    operation, card = str(change.get("op", "")), str(change.get("card", ""))
    what = _OPERATIONS.get(operation, operation.replace("-", " ").capitalize())
    face = wording.name_of(Face.parse(change["face"])) if "face" in change else ""
    previous = faces.get(card, "")
    match operation:
        case "name":
            faces[card] = face
            faces[f"before {change.get('id')}"] = previous
            return what, previous, face
        case "remove":
            return what, previous, ""
        case "add":
            faces[f"a{change.get('id')}"] = face
            return what + _into(change), "", face
        case "add-cards":
            typed = [Face.parse(text) for text in change.get("faces", ())]
            faces |= {f"a{change.get('id')}.{at}": wording.name_of(one) for at, one in enumerate(typed)}
            return what + _into(change), "", " ".join(map(wording.short_name, typed))
        case "count":
            wilds = wording.count_text(len(change.get("wilds", ())), "wild")
            return what, "", f"{wording.count_text(int(change.get('cards', 0)), 'card')}, {wilds}"
        case "move":
            return f"{what}{_into(change)}: {previous}" if previous else what + _into(change), "", ""
    return what, "", ""


def _into(change: Mapping[str, Any]) -> str:
    """Where cards were put, if that is no meld."""
    group = str(change.get("group", ""))
    place = {"laid": "laid threes", "buried": "buried cards"}.get(group, "")
    return f" to the {place}" if place else " to the cards left" if group.startswith("left") else ""


def _undone_correction(change: Mapping[str, Any], faces: dict[str, str]) -> tuple[str, str, str]:
    """An undone correction; a card gets its previous face in ``faces``."""
    card = str(change.get("card", ""))
    previous = faces.get(f"before {change.get('id')}", "")
    if change.get("op") == "name":
        faces[card], current = previous, faces.get(card, "")
        return "Undone: card changed", current, previous
    what, before, after = _correction(change, faces)
    return _undone(what), after, before


def _undone(what: str) -> str:
    return f"Undone: {what[:1].lower()}{what[1:]}"


def _faces_read(game: GameRecord) -> dict[str, str]:
    """The name of each card's face as read, by the card's id."""
    return {
        f"p{photo.id}c{index}": wording.name_of(Face.parse(card["face"]))
        for record in game.rounds
        for photo in record.photos
        if photo.reading
        for index, card in enumerate(photo.reading.get("cards", ()))
    }


def _first_meld(first_meld: Mapping[str, Any]) -> str:
    return " ".join(card["face"] for card in first_meld.get("faces", ()))


def _other_rules(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[str, str, str]:
    """Other rules for further rounds, for agreed ones, or for both."""
    names = (_rules_name(before["rules"]), _rules_name(after["rules"]))
    anew = sorted(map(int, after.get("rounds", ())))
    if not anew:
        return "House rules for new rounds", *names
    rounds = f"round{'s' if len(anew) > 1 else ''} {wording.listed(map(str, anew))} scored again"
    if before["rules"] == after["rules"]:
        return f"House rules: {rounds}", "as agreed", f"{names[1]} as it is now"
    return f"House rules, and {rounds}", *names


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
        return rules_id


def _sides(sides: list[dict[str, Any]]) -> str:
    return "; ".join(f"{side['name']}: {', '.join(side['players'])}" for side in sides)


def _facts(before: Mapping[str, Any], after: Mapping[str, Any], sides: Sequence[SideRecord]) -> tuple[str, str, str]:
    """The facts of a round that differ, with the sides as they were in it."""
    rows: list[tuple[str, str, str]] = []
    old_out, new_out = (_went_out(facts, sides) if OUT in answered_steps(facts) else "" for facts in (before, after))
    if old_out != new_out:
        rows.append(("Who went out", old_out, new_out))
    old_starter, new_starter = (_starter(facts, sides) for facts in (before, after))
    if old_starter != new_starter:
        rows.append(("Who plays first", old_starter, new_starter))
    for side, record in enumerate(sides):
        old, new = facts_of(before, side), facts_of(after, side)
        for key, name in _COUNTS.items():
            if getattr(old, key) != getattr(new, key):
                rows.append((f"{record.name}: {name}", str(getattr(old, key)), str(getattr(new, key))))
        for bonus in dict.fromkeys((*old.bonuses, *new.bonuses)):
            old_times, new_times = old.bonuses.get(bonus, 0), new.bonuses.get(bonus, 0)
            if old_times != new_times:
                rows.append((f"{record.name}: {bonus}", str(old_times), str(new_times)))
        if old.typed != new.typed:
            was, now = (wording.typed_text(typed) if typed else "" for typed in (old.typed, new.typed))
            rows.append((f"{record.name}: {'typed' if new.typed else 'typed points removed'}", was, now))
        for area in sorted(old.nothing ^ new.nothing):
            player = "" if area == TABLE else player_name(record, int(area.removeprefix("left")))
            where = f"cards {player} has left" if player else "the table"
            rows.append((f"{record.name}: {where}", *(("", "nothing") if area in new.nothing else ("nothing", ""))))
        old_hash, new_hash = (facts.get("agreed", {}).get(str(side)) for facts in (before, after))
        if old_hash != new_hash:
            over = after.get("over", {}).get(str(side), ()) if new_hash else ()
            anyway = f" anyway, with {wording.count_text(len(over), 'thing')} to look at" if over else ""
            rows.append((f"{record.name} {'agrees' if new_hash else 'no longer agrees'}{anyway}", "", " ".join(over)))
    if not rows:
        return "Bonuses and penalties", "", "none"
    return "; ".join(row[0] for row in rows), _joined(row[1] for row in rows), _joined(row[2] for row in rows)


def _went_out(facts: Mapping[str, Any], sides: Sequence[SideRecord]) -> str:
    for index, side in enumerate(sides):
        side_facts = facts_of(facts, index)
        if side_facts.went_out:
            return side.name if side_facts.out_player is None else player_name(side, side_facts.out_player)
    return "nobody"


def _starter(facts: Mapping[str, Any], sides: Sequence[SideRecord]) -> str:
    found = starter_of(facts)
    return player_name(sides[found[0]], found[1]) if found and found[0] < len(sides) else ""


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(part for part in parts if part)


def _points(sheet: dict[str, Any] | None, rules: RuleSet) -> str:
    if sheet is None:
        return ""
    try:
        tally = score(read_sheet(sheet), rules)
    except SheetError:
        return "a round that can no longer be read"
    return ", ".join(f"{side.name} {side.total:,}".replace("-", "−") for side in tally.sides)


def _key_values(document: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in document.items())
