"""A list of faces that somebody typed, as the profile of a deck."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pydantic import ValidationError

from scorer.deck import known_wilds
from scorer.deck_profile import PackPart, ProfileFields
from scorer.errors import DeckError
from scorer.faces import JOKER, Face, FaceError, is_picture_card
from webui.translation import _

MOST_TYPED = 4000
"""Letters that are read of a typed list."""
_MOST_COPIES = 99
_JOKER = Face("JOKER")
"""As it is typed; beside cards with suits it is the joker of a standard deck."""


def typed_profile(text: str, copies: int) -> ProfileFields:
    """The faces of a typed list, with commas or lines between them: ``8H, 10C, JK, Lady, 3 x Lord``.

    Args:
        text: the list.
        copies: how many of each card one pack has, where the list does not say.

    Raises:
        DeckError: it names no card, one twice, or something that is no name of a card; the sentence is for people.
    """
    found: dict[Face, int] = {}
    names: dict[str, str] = {}
    for entry in re.split(r"[,;\n]+", text[:MOST_TYPED]):
        if not (entry := entry.strip()):
            continue
        name, face, number = _face(entry)
        if face in found:
            raise DeckError(_("%(card)s is in the list twice. Write each card once.", card=entry[:30]))
        found[face] = copies if number is None else number
        if not face.suit and name.lower() != face.shown:
            names[face.rank] = name.lower()
    if not found:
        raise DeckError(_("Type the cards of one pack, with commas between them, like this: 1, 2, 3, Lady, Joker."))
    if any(not 1 <= number <= _MOST_COPIES for number in found.values()):
        raise DeckError(_("A pack can have 1 to %(most)s of each card.", most=_MOST_COPIES))
    if any(face.suit for face in found) and _JOKER in found and JOKER not in found:
        found = {JOKER if face == _JOKER else face: number for face, number in found.items()}
        names.pop(_JOKER.rank, None)
    wilds = known_wilds()
    try:
        return ProfileFields(
            cards=tuple(_parts(found)),
            wild_ranks=tuple(dict.fromkeys(face.rank for face in found if face.rank in wilds and _may_be_wild(face))),
            names=names,
        )
    except ValidationError as error:
        raise DeckError(_("There are too many cards in the list. Leave some out.")) from error


def _may_be_wild(face: Face) -> bool:
    """A two without a suit is a number like the others."""
    return bool(face.suit) or is_picture_card(face)


def _face(entry: str) -> tuple[str, Face, int | None]:
    """The name that was typed, its face, and how many there are of it, if that is said: ``3 x Lord``."""
    several = re.fullmatch(r"(\d{1,3})\s*[x×*]\s*(.+)", entry, re.IGNORECASE)
    name = several[2] if several else entry
    written = re.sub(r"[\s'’.-]+", "", name).upper()
    try:
        face = Face.parse(written)
        PackPart(ranks=(face.rank,), suits=(face.suit,), copies=1)
    except (FaceError, ValidationError) as error:
        sentence = _(
            "“%(card)s” can’t be the name of a card. Use letters and numbers, 12 at most, like 8H, 10, Lady or Joker.",
            card=name[:30],
        )
        raise DeckError(sentence) from error
    return name, face, int(several[1]) if several else None


def _parts(found: dict[Face, int]) -> Iterable[PackPart]:
    return (PackPart(ranks=(face.rank,), suits=(face.suit,), copies=number) for face, number in found.items())
