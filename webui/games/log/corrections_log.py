"""Corrections in words: what a card was, and what it became."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scorer.faces import Face
from vision.doubts import Doubt
from webui import wording
from webui.games.seating import player_name
from webui.storage.records import GameRecord, SideRecord
from webui.translation import N_, _, gettext, ngettext
from webui.whole_numbers import whole_number

_OPERATIONS = {
    "remove": N_("Card removed"),
    "add": N_("Card added"),
    "add-cards": N_("Typed cards added"),
    "name": N_("Card changed"),
    "move": N_("Card moved"),
    "regroup": N_("Cards moved"),
    "join": N_("Groups combined"),
    "reset": N_("Back to what the camera saw"),
    "count": N_("Closed book counted"),
    "spread": N_("Not a closed book"),
    "accept": N_("Checked, looks right"),
    "drop-photo": N_("Photo removed"),
    "watched": N_("Cards seen while watching"),
    "set-aside": N_("The photos count, not what was seen while watching"),
}

_PLACED = {
    "laid": N_("%(what)s to the laid threes"),
    "buried": N_("%(what)s to the buried cards"),
    "left": N_("%(what)s to the cards %(player)s has left"),
}
"""Where cards were put that is no meld."""


class Known(NamedTuple):
    """What a card is at one point of the log: its face by name, and what the reader doubted of it, unless answered."""

    name: str
    doubt: str | None = None


def correction(change: Mapping[str, Any], faces: dict[str, Known], side: SideRecord | None) -> tuple[str, str, str]:
    """A correction of a card or a group; updates ``faces``, what each card is by its id."""
    operation, card = str(change.get("op", "")), str(change.get("card", ""))
    what = _(_OPERATIONS[operation]) if operation in _OPERATIONS else operation.replace("-", " ").capitalize()
    face = wording.name_of(Face.parse(change["face"])) if "face" in change else ""
    known = faces.get(card, Known(""))
    previous = known.name
    match operation:
        case "name":
            faces[card] = Known(face)
            faces[f"before {change.get('id')}"] = known
            if face == previous and known.doubt == Doubt.PERHAPS_ANOTHER:
                return _("No card missed beside this one"), "", face
            return (_("Card confirmed"), "", face) if face == previous else (what, previous, face)
        case "remove":
            return what, previous, ""
        case "add":
            faces[f"a{change.get('id')}"] = Known(face)
            return _into(change, what, side), "", face
        case "add-cards":
            suitless, typed = set(change.get("suitless", ())), [Face.parse(text) for text in change.get("faces", ())]
            shown = [Face(one.rank) if at in suitless else one for at, one in enumerate(typed)]
            faces |= {f"a{change.get('id')}.{at}": Known(wording.name_of(one)) for at, one in enumerate(shown)}
            said = (one.rank if at in suitless else wording.short_name(one) for at, one in enumerate(shown))
            return _into(change, what, side), "", " ".join(said)
        case "watched":
            cards = [Face.parse(one["face"]) for group in change.get("groups", ()) for one in group["cards"]]
            faces |= {f"a{change.get('id')}.{at}": Known(wording.name_of(one)) for at, one in enumerate(cards)}
            return what, "", wording.cards_text(len(cards))
        case "count":
            wilds = ngettext("%(num)s wild", "%(num)s wilds", len(change.get("wilds", ())))
            return what, "", f"{wording.cards_text(int(change.get('cards', 0)))}, {wilds}"
        case "regroup" if _is_grouping(change):
            return _("Cards grouped by rank"), "", ""
        case "regroup":
            return _into(change, what, side), "", ""
        case "move":
            what = _into(change, what, side)
            return f"{what}: {previous}" if previous else what, "", ""
    return what, "", ""


def _is_grouping(change: Mapping[str, Any]) -> bool:
    """Whether a correction grouped cards of the table by rank."""
    in_hand = str(change.get("group")).startswith("left")
    return change.get("op") == "regroup" and bool(change.get("keep_doubts")) and not in_hand


def _into(change: Mapping[str, Any], what: str, side: SideRecord | None) -> str:
    """What was done with cards, and where they were put if that is no meld."""
    group = str(change.get("group", ""))
    is_left = group.startswith("left")
    place = _PLACED.get("left" if is_left else group)
    number = whole_number(group.removeprefix("left")) if is_left else None
    player = _("a player") if side is None or number is None else player_name(side, number)
    return gettext(place, what=what, player=player) if place else what


def undone_correction(
    change: Mapping[str, Any], faces: dict[str, Known], side: SideRecord | None
) -> tuple[str, str, str]:
    """An undone correction; a card gets its previous face in ``faces``."""
    card = str(change.get("card", ""))
    previous = faces.get(f"before {change.get('id')}", Known(""))
    if change.get("op") == "name":
        faces[card], current = previous, faces.get(card, Known(""))
        if previous.name != current.name:
            return _("Undone: card changed"), current.name, previous.name
        what, before, after = correction(change, faces, side)
        faces[card] = previous
        return undone(what), after, before
    what, before, after = correction(change, faces, side)
    return undone(what), after, before


def undone(what: str, names: Sequence[str] = ()) -> str:
    """What was undone, as a part of a sentence: small at its beginning, unless one of the names stands there."""
    return _("Undone: %(what)s", what=what if what.startswith(tuple(names)) else what[:1].lower() + what[1:])


def faces_read(game: GameRecord) -> dict[str, Known]:
    """What each card was read as, by the card's id."""
    return {
        f"p{photo.id}c{index}": Known(wording.name_of(Face.parse(card["face"])), card["doubt"])
        for record in game.rounds
        for photo in record.photos
        if photo.reading
        for index, card in enumerate(photo.reading.get("cards", ()))
    }
