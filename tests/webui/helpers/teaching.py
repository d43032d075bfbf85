"""Photos that teach a deck, drawn, and a reader that knows what lies in them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from datasets.scenes.teaching_photos import Bad, TeachingPhoto, deck_cards, draw_teaching_photos
from scorer.faces import JOKER
from tests.vision.teach.drawn import DECK, SIZE, photos, seen
from tests.webui.helpers.drawn import DrawnReader
from vision.images.jpeg import to_jpeg
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Reading


@cache
def cards_photo(seed: int, count: int = 6, bad: Bad | None = None) -> TeachingPhoto:
    """The first ``count`` cards of a deck in rows."""
    return photos(seed, count, bad=bad)[0]


@cache
def jokers_photo(seed: int, number: int = 2, cards: int = 1) -> TeachingPhoto:
    """So many unlike jokers of a deck, and beside them other cards than those of ``cards_photo``."""
    jokers = [card for card in deck_cards(DECK) if card[1] == JOKER][:number]
    shown = [*jokers, *deck_cards(DECK)[30 : 30 + cards]]
    return draw_teaching_photos(np.random.default_rng(seed), DECK, 1, SIZE, cards=shown)[0]


def file_of(photo: TeachingPhoto) -> bytes:
    """The photo as a phone sends it."""
    return to_jpeg(photo.picture, quality=92)


class KnowingReader(DrawnReader):
    """Knows the cards of photos by the names of their files; ``taught`` is what it was given to look for."""

    def __init__(self) -> None:
        super().__init__()
        self.known: dict[str, TeachingPhoto] = {}
        self.taught: list[object] = []

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        self.taught.append(taught)
        photo = self.known.get(frame.source)
        if photo is None:
            return super().read(frame, house_rules)
        cards = [seen(card.face, card.quad) for card in photo.cards if card.face != JOKER]
        return Reading(frame.width, frame.height, 0.01, tuple(cards), (), ())


def faces_of(photo: TeachingPhoto) -> Sequence[str]:
    """The faces that lie in a photo, in reading order."""
    return [str(card.face) for card in photo.cards]
