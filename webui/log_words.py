"""The log of a round in the words of people at a table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scorer.faces import Face
from scorer.rules import load_rules
from scorer.scoring import score
from scorer.sheets import SheetError, read_sheet
from webui import words
from webui.play import RoundView
from webui.storage.meanwhile import UNDONE
from webui.storage.records import LogEntry

_LABELS = {"exact_deals": "exact deals", "improper_melds": "improper melds"}


@dataclass(frozen=True, slots=True)
class Told:
    """One change in words: what it was about, how it was before and after (empty where that says nothing)."""

    entry: LogEntry
    what: str
    before: str = ""
    after: str = ""
    undone: bool = False

    @property
    def short(self) -> str:
        """In one line: ``North–South, 6♦: 6♦ → 9♦``."""
        change = " → ".join(part for part in (self.before, self.after) if part)
        return f"{self.what}: {change}" if change else self.what


def tell(entries: Iterable[LogEntry], view: RoundView) -> list[Told]:
    """Changes of a round in words, in the order given."""
    return [_tell(entry, view) for entry in entries]


def _tell(entry: LogEntry, view: RoundView) -> Told:
    undone = entry.what.endswith(UNDONE)
    kind = entry.what.removesuffix(UNDONE)
    before, after = entry.before or {}, entry.after or {}
    side = f"{view.game.sides[entry.side].name}, " if entry.side is not None else ""
    if kind == "round-begun":
        return Told(entry, "Round begun")
    if kind in ("photo", "read") and not undone:
        cards = after.get("cards")
        return Told(entry, f"{side}photo {_place(after, view, entry.side)}", after=_cards(cards))
    if kind == "correction":
        change = after if not undone else before
        if change.get("op") == "drop-photo" and undone and after:  # how a photo is taken back
            return Told(entry, f"{side}photo", undone=True)
        what, was, now = _correction(change or after, view)
        return Told(entry, side + what, now if undone else was, was if undone else now, undone)
    if kind == "facts":
        rows = _facts(before, after, view)
        what = "; ".join(name for name, _, _ in rows) or "Nothing else"
        return Told(entry, what, _joined(rows, 1), _joined(rows, 2), undone)
    if kind == "confirmed":
        return Told(entry, "Round stored", _points(entry.before), _points(entry.after))
    return Told(entry, f"{side}photo" if kind == "photo" else kind, undone=undone)


def _place(photo: Mapping[str, Any], view: RoundView, side: int | None) -> str:
    player = photo.get("player")
    if player is None or side is None:
        return "of the table"
    return f"of what {view.game.sides[side].players[player]} has left"


def _cards(count: int | None) -> str:
    return "not read yet" if count is None else words.counted(count, "card")


def _correction(change: Mapping[str, Any], view: RoundView) -> tuple[str, str, str]:
    """What a correction is about, and the card or group before and after."""
    card = _face(change.get("card"), view, change.get("id", 0))
    face = _short(change.get("face"))
    group = _group(change.get("group"), view)
    match change.get("op"):
        case "name":
            return "a card", card, face
        case "remove":
            return "a card that is not there", card, "removed"
        case "add":
            return "a card that was missed", "", f"{face} in {group}"
        case "move":
            return "a card moved", card, group
        case "regroup":
            moved = ", ".join(_face(held, view, change.get("id", 0)) for held in change["cards"])
            return "cards moved", moved, group
        case "join":
            return "two groups joined", group, _group(change.get("into"), view)
        case "count":
            wild = f", {words.counted(len(change['wilds']), 'wild')}"
            return f"a pile of {change['rank']}s counted", "", f"{words.counted(change['cards'], 'card')}{wild}"
        case "spread":
            return "a group that is no pile", "", group
        case "accept":
            return "looked at and found right", "", group
        case "drop-photo":
            return "a photo", "", "removed"
        case _:
            return "back to what the camera saw", "", ""


def _face(card: str | None, view: RoundView, before: int) -> str:
    """How a card stood before a correction, short."""
    if not card:
        return ""
    named = [
        made.change["face"]
        for made in view.record.corrections
        if made.id < before and made.change.get("face") and (made.change.get("card") == card or f"a{made.id}" == card)
    ]
    if named:
        return _short(named[-1])
    for photo in view.record.photos:
        prefix = f"p{photo.id}c"
        if card.startswith(prefix) and photo.reading:
            return _short(photo.reading["cards"][int(card.removeprefix(prefix))]["face"])
    return "a card"


def _short(face: str | None) -> str:
    return words.short_name(Face.parse(face)) if face else ""


def _group(group: str | None, view: RoundView) -> str:
    for side in view.sides:
        found = side.table.group(group or "")
        if found is not None:
            name = side.name(found)
            return name[:1].lower() + name[1:]
    return {"new-meld": "a new meld", "new-pile": "a new pile", "loose": "no meld"}.get(group or "", "another group")


def _facts(before: Mapping[str, Any], after: Mapping[str, Any], view: RoundView) -> list[tuple[str, str, str]]:
    """Each fact that differs: what it is, before and after."""
    rows: list[tuple[str, str, str]] = []
    out = [_went_out(document, view) for document in (before, after)]
    if out[0] != out[1] or ("out" in after.get("said", ()) and "out" not in before.get("said", ())):
        rows.append(("Who went out", out[0] if "out" in before.get("said", ()) else "", out[1] or "nobody"))
    for index, side in enumerate(view.game.sides):
        old, new = before.get(str(index), {}), after.get(str(index), {})
        for key, label in _LABELS.items():
            if old.get(key, 0) != new.get(key, 0):
                rows.append((f"{side.name}, {label}", str(old.get(key, 0)), str(new.get(key, 0))))
        for place in sorted(set(old.get("nothing", ())) ^ set(new.get("nothing", ()))):
            where = "the table" if place == "table" else f"what {side.players[int(place[4:])]} has left"
            rows.append((f"{side.name}, {where}", "", "nothing" if place in new.get("nothing", ()) else "open"))
        agreement = [document.get("agreed", {}).get(str(index)) for document in (before, after)]
        if agreement[0] != agreement[1]:
            rows.append((f"{side.name} agrees", "", ""))
    return rows or [("Nothing else to tell", "", "")]


def _went_out(document: Mapping[str, Any], view: RoundView) -> str:
    for index, side in enumerate(view.game.sides):
        stored = document.get(str(index), {})
        if stored.get("went_out"):
            player = stored.get("out_player")
            return side.name if player is None else side.players[player]
    return ""


def _joined(rows: list[tuple[str, str, str]], column: int) -> str:
    return "; ".join(row[column] for row in rows if row[column])


def _points(sheet: dict[str, Any] | None) -> str:
    if sheet is None:
        return ""
    try:
        checked = read_sheet(sheet)
    except SheetError:
        return ""
    return " : ".join(f"{side.total:,}" for side in score(checked, load_rules(checked.rules)).sides)
