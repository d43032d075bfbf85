"""The values of teaching: a card found in a photo, and what is wrong with a photo."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scorer.faces import Face
from vision.values import Pixels, Quad


class Trouble(StrEnum):
    """What can be wrong with photos of a deck's cards."""

    NO_CARDS = "no-cards"
    TOO_FEW = "too-few"
    BLURRED = "blurred"
    TOO_SMALL = "too-small"
    DARK = "dark"
    CUT_OFF = "cut-off"
    OVERLAPPING = "overlapping"
    SAME_TWICE = "same-twice"
    MIXED = "mixed"
    MISSING = "missing"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class TeachingNote:
    """One thing that is wrong: a code of ``Trouble``, one sentence for a person, and the cards that it is about.

    ``photo`` is the number of the photo from 0, None where it is about all; ``cards`` are positions in
    ``DeckPhotos.cards``.
    """

    code: str
    message: str
    photo: int | None = None
    cards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TaughtCard:
    """One whole card in a photo of a deck's cards.

    Attributes:
        photo: the number of its photo, from 0.
        row, place: where it lies in the photo, both from 0: the row from the top, the place in it from the left.
        quad: its outline in pixels of the photo, from the corner that is its top left one in ``picture``.
        picture: (height, ``pictures.WIDTH``, 3) BGR, rectified, upright, in even light; all of one height.
        width: its width in the photo, in pixels.
        sharpness: as ``pictures.card_sharpness``: 0.2 and more where sharp.
        brightness: its bright parts in the photo, 0..255.
        proposals: faces that it may be, with their probabilities, likeliest first; empty where nothing is known.
        turn_unsure: whether it may lie upside down in ``picture``: its ends differ, and no index tells.
    """

    photo: int
    row: int
    place: int
    quad: Quad
    picture: Pixels
    width: float
    sharpness: float
    brightness: float
    proposals: tuple[tuple[Face, float], ...] = ()
    turn_unsure: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class DeckPhotos:
    """All cards of one to four photos, in reading order, and what is wrong with them.

    ``same`` are pairs of positions in ``cards`` that look like the same card.
    """

    cards: tuple[TaughtCard, ...]
    notes: tuple[TeachingNote, ...]
    same: tuple[tuple[int, int], ...]

    def of_photo(self, number: int) -> tuple[TaughtCard, ...]:
        """The cards of one photo, in reading order."""
        return tuple(card for card in self.cards if card.photo == number)
