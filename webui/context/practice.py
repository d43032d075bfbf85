"""The practice cards: drawn tables that stand in for photos in games that count nowhere."""

from __future__ import annotations

from scorer.deck import load_deck
from vision.errors import PhotoError
from vision.images.decode import load_photo, photos_in
from vision.values import Frame
from webui.context.services import services
from webui.decks.examples import example_folder
from webui.storage.records import GameRecord
from webui.translation import _

_FIRST_HANDS = 4
"""How many pictures come before those of the second hands: each side's table, and the first hand of its players."""


def practice_frame(game: GameRecord, side: int, hand: int | None) -> Frame:
    """The practice cards of a side: those on its table, or those that are left over. Of an example deck, with which a
    practice game may be played, both sides have the same.

    Args:
        side: the side's index.
        hand: which of its players who have cards left, in their order; None for the table.

    Raises:
        PhotoError: there are none for this place.
    """
    folder, place = services().settings.samples, 2 * side + (hand is not None)
    if game.decks:
        folder, place = example_folder(folder, load_deck(game.decks[0]).id), int(hand is not None)
    if hand:
        place = _FIRST_HANDS + side
    tables = photos_in(folder, _("of the practice cards"))
    if place >= len(tables) or hand not in (None, 0, 1):
        raise PhotoError(_("there are no practice cards for this; add a few by hand, or tap the button for none"))
    return load_photo(tables[place], tables[place].name)
