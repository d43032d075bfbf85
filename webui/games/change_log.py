"""The log of a game in words: what was changed, what it was before and what after."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.faces import Face
from scorer.rules import RulesError, RuleSet, load_rules
from scorer.scoring import score
from scorer.sheets import SheetError, read_sheet
from webui import wording
from webui.corrections.answers import OUT, TABLE, answered_steps, facts_of
from webui.storage.db.audit_log import GAME_COLUMNS
from webui.storage.records import GameRecord, LogEntry

_STATES = {None: "goes by its rounds", "ended": "ended", "open": "open again", "removed": "removed"}
_FACTS = {"exact_deals": "exact deals", "improper_melds": "improper melds"}
_OPS = {
    "remove": "Card removed",
    "add": "Card added",
    "name": "Card named",
    "move": "Card moved",
    "regroup": "Cards moved",
    "join": "Groups joined",
    "reset": "Back to what the camera saw",
    "count": "Pile counted",
    "spread": "No pile, but spread",
    "accept": "Looked at and right",
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
        """In one line, without when and who: ``Round 1, North–South: Card named: 6 of diamonds → 9 of diamonds``."""
        changed = " → ".join(part for part in (self.before, self.after) if part)
        return f"{self.where}: {self.what}" + (f": {changed}" if changed else "")


def log_lines(game: GameRecord, log: list[LogEntry], rules: RuleSet) -> list[LogLine]:
    """The whole log, the newest first."""
    faces = _faces_seen(game)
    told = []
    newest = {entry.what: entry.id for entry in log if entry.what in GAME_COLUMNS}
    for entry in log:
        what, before, after = _in_words(entry, game, rules, faces)
        where = f"Round {entry.round}" if entry.round else "Game"
        if entry.side is not None and entry.side < len(game.sides):
            where += f", {game.sides[entry.side].name}"
        can_undo = newest.get(entry.what) == entry.id
        told.append(LogLine(entry.id, entry.made_at, where, what, before, after, can_undo, entry.who or ""))
    return told[::-1]


def _in_words(entry: LogEntry, game: GameRecord, rules: RuleSet, faces: dict[str, str]) -> tuple[str, str, str]:
    before, after = entry.before or {}, entry.after or {}
    match entry.what:
        case "rules":
            return "House rules", _rules(before["rules"]), _rules(after["rules"])
        case "sides":
            return "Names", _sides(before["sides"]), _sides(after["sides"])
        case "state":
            return "The game", _STATES.get(before["state"], ""), _STATES.get(after["state"], "")
        case "first":
            return "Plays first in round 1", before["first"] or "nobody said", after["first"] or "nobody said"
        case "begun":
            return "Game begun", "", f"{_rules(after['rules'])}; {_sides(after['sides'])}"
        case "first-meld":
            asked = "First meld checked" if entry.before is None else "Card of a first meld named"
            return asked, _named(before), _named(after)
        case "round-begun":
            return "Round begun", "", ""
        case "photo" | "read":
            cards = after.get("cards")
            return (
                f"Photo {entry.what.replace('photo', 'added')}",
                "",
                "" if cards is None else wording.counted(cards, "card"),
            )
        case "facts":
            return _facts(before, after, game)
        case "confirmed":
            return "Round agreed", _points(entry.before, rules), _points(entry.after, rules)
        case "correction":
            return _correction(after, faces)
        case "correction-undone" if entry.after:
            return "Undone: photo", "", "removed"
        case "correction-undone":
            return _undone(before, faces)
        case "facts-undone":
            what, undone_before, undone_after = _facts(before, after, game)
            return f"Undone: {what[:1].lower()}{what[1:]}", undone_before, undone_after
    return entry.what.replace("-", " ").capitalize(), _plain(before), _plain(after)


def _correction(change: Mapping[str, Any], faces: dict[str, str]) -> tuple[str, str, str]:
    """A change to a card or a group; ``faces`` follows what each card is called."""
    op, card = str(change.get("op", "")), str(change.get("card", ""))
    what = _OPS.get(op, op.replace("-", " ").capitalize())
    face = wording.name_of(Face.parse(change["face"])) if "face" in change else ""
    seen = faces.get(card, "")
    match op:
        case "name":
            faces[card] = face
            faces[f"before {change.get('id')}"] = seen
            return what, seen, face
        case "remove":
            return what, seen, ""
        case "add":
            faces[f"a{change.get('id')}"] = face
            return what, "", face
        case "count":
            wilds = wording.counted(len(change.get("wilds", ())), "wild")
            return what, "", f"{wording.counted(int(change.get('cards', 0)), 'card')}, {wilds}"
        case "move":
            return f"{what}: {seen}" if seen else what, "", ""
    return what, "", ""


def _undone(change: Mapping[str, Any], faces: dict[str, str]) -> tuple[str, str, str]:
    """A correction taken back: a card is called again what it was called before."""
    card = str(change.get("card", ""))
    earlier = faces.get(f"before {change.get('id')}", "")
    if change.get("op") == "name":
        faces[card], now = earlier, faces.get(card, "")
        return "Undone: card named", now, earlier
    what, before, after = _correction(change, faces)
    return f"Undone: {what[:1].lower()}{what[1:]}", after, before


def _faces_seen(game: GameRecord) -> dict[str, str]:
    """What the reader took each card for, by the card's name on the page."""
    return {
        f"p{photo.id}c{index}": wording.name_of(Face.parse(card["face"]))
        for held in game.rounds
        for photo in held.photos
        if photo.reading
        for index, card in enumerate(photo.reading.get("cards", ()))
    }


def _named(first_meld: Mapping[str, Any]) -> str:
    return " ".join(card["face"] for card in first_meld.get("faces", ()))


def _rules(rules_id: str) -> str:
    try:
        return load_rules(rules_id).name
    except RulesError:
        return rules_id


def _sides(sides: list[dict[str, Any]]) -> str:
    return "; ".join(f"{side['name']}: {', '.join(side['players'])}" for side in sides)


def _facts(before: Mapping[str, Any], after: Mapping[str, Any], game: GameRecord) -> tuple[str, str, str]:
    """What differs of what people said about a round: what it is, and how it was before and after."""
    rows: list[tuple[str, str, str]] = []
    was, now = (_went_out(facts, game) if OUT in answered_steps(facts) else "" for facts in (before, after))
    if was != now:
        rows.append(("Who went out", was, now))
    for side, record in enumerate(game.sides):
        old, new = facts_of(before, side), facts_of(after, side)
        for key, name in _FACTS.items():
            if getattr(old, key) != getattr(new, key):
                rows.append((f"{record.name}: {name}", str(getattr(old, key)), str(getattr(new, key))))
        for place in sorted(old.nothing ^ new.nothing):
            where = (
                "the table" if place == TABLE else f"what {record.players[int(place.removeprefix('left'))]} has left"
            )
            rows.append((f"{record.name}: {where}", *(("", "nothing") if place in new.nothing else ("nothing", ""))))
        marks = [facts.get("agreed", {}).get(str(side)) for facts in (before, after)]
        if marks[0] != marks[1]:
            rows.append((f"{record.name} {'agrees' if marks[1] else 'agrees no more'}", "", ""))
    if not rows:
        return "What no camera sees", "", "nothing to log_lines"
    return "; ".join(row[0] for row in rows), _joined(row[1] for row in rows), _joined(row[2] for row in rows)


def _went_out(facts: Mapping[str, Any], game: GameRecord) -> str:
    for side, record in enumerate(game.sides):
        held = facts_of(facts, side)
        if held.went_out:
            return record.name if held.out_player is None else record.players[held.out_player]
    return "nobody"


def _joined(parts: Iterable[str]) -> str:
    return "; ".join(part for part in parts if part)


def _points(sheet: dict[str, Any] | None, rules: RuleSet) -> str:
    if sheet is None:
        return ""
    try:
        tally = score(read_sheet(sheet), rules)
    except SheetError:
        return "a sheet that cannot be read any more"
    return ", ".join(f"{side.name} {side.total:,}".replace("-", "−") for side in tally.sides)


def _plain(held: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in held.items())
