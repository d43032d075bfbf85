"""The log of a game in words: what was changed, what it was before and what after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorer.faces import Face
from scorer.rules import RulesError, RuleSet, load_rules
from scorer.scoring import score
from scorer.sheets import SheetError, read_sheet
from webui import words
from webui.storage.log import GAME_COLUMNS
from webui.storage.records import GameRecord, LogEntry

_STATES = {None: "goes by its rounds", "ended": "ended", "open": "open again", "removed": "removed"}
_FACTS = {"went_out": "went out", "exact_deals": "exact deals", "improper_melds": "improper melds"}
_OPS = {
    "remove": "Card removed",
    "add": "Card added",
    "name": "Card named",
    "move": "Card moved",
    "count": "Pile counted",
    "spread": "No pile, but spread",
    "accept": "Looked at and right",
    "drop-photo": "Photo removed",
}


@dataclass(frozen=True, slots=True)
class Told:
    """One line of the log; ``undo`` says whether it can be taken back: the newest change of its kind to the game."""

    id: int
    made_at: str
    where: str
    what: str
    before: str
    after: str
    undo: bool


def tell(game: GameRecord, log: list[LogEntry], rules: RuleSet) -> list[Told]:
    """The whole log, the newest first."""
    faces = _faces_seen(game)
    told = []
    newest = {entry.what: entry.id for entry in log if entry.what in GAME_COLUMNS}
    for entry in log:
        what, before, after = _in_words(entry, game, rules, faces)
        where = f"Round {entry.round}" if entry.round else "Game"
        if entry.side is not None and entry.side < len(game.sides):
            where += f", {game.sides[entry.side].name}"
        told.append(Told(entry.id, entry.made_at, where, what, before, after, newest.get(entry.what) == entry.id))
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
        case "round-begun":
            return "Round begun", "", ""
        case "photo" | "read":
            cards = after.get("cards")
            return (
                f"Photo {entry.what.replace('photo', 'added')}",
                "",
                "" if cards is None else words.counted(cards, "card"),
            )
        case "facts":
            return "What no camera sees", _facts(before, game), _facts(after, game)
        case "confirmed":
            return "Round agreed", _points(entry.before, rules), _points(entry.after, rules)
        case "correction":
            return _correction(after, faces)
        case "correction-undone":
            return _undone(before, faces)
    return entry.what.replace("-", " ").capitalize(), _plain(before), _plain(after)


def _correction(change: Mapping[str, Any], faces: dict[str, str]) -> tuple[str, str, str]:
    """A change to a card or a group; ``faces`` follows what each card is called."""
    op, card = str(change.get("op", "")), str(change.get("card", ""))
    what = _OPS.get(op, op.replace("-", " ").capitalize())
    face = words.name_of(Face.parse(change["face"])) if "face" in change else ""
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
            wilds = words.counted(len(change.get("wilds", ())), "wild")
            return what, "", f"{words.counted(int(change.get('cards', 0)), 'card')}, {wilds}"
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
        f"p{photo.id}c{index}": words.name_of(Face.parse(card["face"]))
        for held in game.rounds
        for photo in held.photos
        if photo.reading
        for index, card in enumerate(photo.reading.get("cards", ()))
    }


def _rules(rules_id: str) -> str:
    try:
        return load_rules(rules_id).name
    except RulesError:
        return rules_id


def _sides(sides: list[dict[str, Any]]) -> str:
    return "; ".join(f"{side['name']}: {', '.join(side['players'])}" for side in sides)


def _facts(facts: Mapping[str, Any], game: GameRecord) -> str:
    told = []
    for side, record in enumerate(game.sides):
        held = facts.get(str(side), {})
        parts = [
            name if value is True else f"{name} {value}" for key, name in _FACTS.items() if (value := held.get(key))
        ]
        if parts:
            told.append(f"{record.name}: {', '.join(parts)}")
    return "; ".join(told) or "nothing"


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
