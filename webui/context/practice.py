"""The practice cards: drawn tables that stand in for photos in games that count nowhere."""

from __future__ import annotations

from pathlib import Path

from scorer.deck import load_deck
from vision.errors import PhotoError
from vision.images.decode import photos_in
from webui.context.services import services
from webui.decks.examples import example_folder
from webui.storage.records import GameRecord
from webui.translation import _

_FIRST_HANDS = 4
"""How many pictures come before those of the second hands: each side's table, and the first hand of its players."""


def practice_photo(game: GameRecord, side: int, hand: int | None) -> Path | None:
    """The picture of a side's practice cards: those on its table, or those that are left over; None where there are
    none. A practice game that is played with an example deck has its pictures.

    Args:
        game: the practice game.
        side: the side's index.
        hand: which of its players who have cards left, in their order; None for the table.

    Raises:
        PhotoError: the folder cannot be read.
    """
    folder = services().settings.samples
    if game.decks:
        folder = example_folder(folder, load_deck(game.decks[0]).id)
    tables = photos_in(folder, _("of the practice cards"))
    place = _FIRST_HANDS + side if hand else 2 * side + (hand is not None)
    return tables[place] if place < len(tables) and side < 2 and hand in (None, 0, 1) else None


def practice_file(game: GameRecord, side: int, hand: int | None) -> Path:
    """As ``practice_photo``, where there must be one.

    Raises:
        PhotoError: there are no practice cards for this place.
    """
    photo = practice_photo(game, side, hand)
    if photo is None:
        raise PhotoError(_("there are no practice cards for this; add a few by hand, or tap the button for none"))
    return photo
