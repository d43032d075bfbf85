"""A photo of a table that was watched, compared with what was seen: nothing of either replaces the other by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.faces import Face
from scorer.rules import RuleSet
from vision.values import Reading
from webui.corrections.side_table import LAID, SideTable
from webui.storage.changes import NEW_MELD, AddCards
from webui.translation import _
from webui.wording import short_name


@dataclass(frozen=True, slots=True)
class Comparison:
    """Cards that only the photo shows, and cards that lay open and are not in it."""

    only_photo: tuple[Face, ...]
    only_seen: tuple[Face, ...]

    @property
    def sentences(self) -> list[str]:
        """What differs, in words."""
        told = []
        if self.only_photo:
            cards = _cards(self.only_photo)
            told.append(_("Only this photo shows %(cards)s. They do not count until you add them.", cards=cards))
        if self.only_seen:
            cards = _cards(self.only_seen)
            told.append(_("Not in this photo: %(cards)s. They were seen being laid, and count.", cards=cards))
        return told or [_("This photo shows the cards that were seen being laid. They count once.")]


def compare(table: SideTable, reading: Reading) -> Comparison:
    """Compares the cards in a photo with those of the table as it stands. A suit that differs is no other card."""
    groups = [group for group in table.groups if group.kind != "left"]
    cards = sorted((card for group in groups for card in group.cards), key=lambda card: card.hidden)
    only_photo = [card.face for card in reading.cards]
    for by_rank in (False, True):
        unmatched = []
        for card in cards:
            alike = (face for face in only_photo if face == card.face or (by_rank and face.rank == card.face.rank))
            same = next(alike, None)
            if same is None:
                unmatched.append(card)
            else:
                only_photo.remove(same)
        cards = unmatched
    return Comparison(tuple(only_photo), tuple(card.face for card in cards if not card.hidden))


def additions(table: SideTable, faces: Sequence[Face], rules: RuleSet) -> list[AddCards]:
    """The corrections that add cards to the melds of their rank, to the laid threes, or as new melds."""
    places: dict[str, list[Face]] = {}
    for face in faces:
        melds = [group.id for group in table.groups if group.kind == "meld" and group.rank == face.rank]
        place = LAID if rules.is_laid(face) else melds[0] if len(melds) == 1 else f"{NEW_MELD} {face.rank}"
        places.setdefault(place, []).append(face)
    return [AddCards(group=place.partition(" ")[0], faces=tuple(map(str, own))) for place, own in places.items()]


def _cards(faces: Sequence[Face]) -> str:
    return " ".join(map(short_name, faces))
