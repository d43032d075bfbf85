"""What is wrong with photos of a deck's cards, each in one sentence that says what to do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from scorer.deck import spoken
from scorer.faces import Face
from vision.teach.outlines import Outlines
from vision.teach.pictures import has_dark_paper, proportion
from vision.teach.taught import TaughtCard, TeachingNote, Trouble
from vision.values import Frame

FEW = 3
"""A deck is more cards than this."""
SOFT = 0.15
"""Sharpness below which a card is blurred."""
NARROW = 70.0
"""Width of a card in pixels below which its signs are too small."""
DARK = 60.0
"""Brightness of a card's bright parts, and of the photo's, 0..255, below which it is dark."""
OTHER_SHAPE = 0.06
"""Share by which the proportions of the cards of two photos differ that are of two decks."""
MOST_NAMES = 8
"""So many missing cards are listed by name."""


def photo_notes(
    frames: Sequence[Frame],
    outlines: Sequence[Outlines],
    cards: Sequence[TaughtCard],
    same: Sequence[tuple[int, int]],
    faces: int,
) -> list[TeachingNote]:
    """All that is wrong with the photos ``frames``, of which ``outlines`` and ``cards`` were found; the deck, or the
    part of it that is shown, has so many ``faces``."""
    notes = []
    for number, found in enumerate(outlines):
        own = [n for n, card in enumerate(cards) if card.photo == number]
        light = float(np.percentile(frames[number].pixels[::8, ::8].max(2), 95))
        notes += _of_one_photo(number, len(frames), light, found, [cards[n] for n in own], own)
    if cards and len(cards) <= FEW < faces and not notes:  # a photo of which something is wrong is to be taken again
        message = f"Only {_counted(len(cards))} found: lay out all the cards of the deck, each one once, and try again."
        notes.append(TeachingNote(Trouble.TOO_FEW, message, None, tuple(range(len(cards)))))
    for i, j in same:
        places = f"{place_of(cards[i], len(frames))} and {place_of(cards[j], len(frames))}"
        message = f"The same card seems to lie here twice ({places}): keep one, or say that they are two kinds of it."
        notes.append(TeachingNote(Trouble.SAME_TWICE, message, None, (i, j)))
    return notes + _mixed(frames, outlines, cards)


def _of_one_photo(
    number: int, photos: int, light: float, found: Outlines, cards: Sequence[TaughtCard], rows: Sequence[int]
) -> list[TeachingNote]:
    which = f"photo {number + 1}" if photos > 1 else "the photo"
    notes = []

    def note(code: Trouble, message: str, about: Sequence[int] = ()) -> None:
        notes.append(TeachingNote(code, message[0].upper() + message[1:], number, tuple(about)))

    cut_off, overlapping = len(found.cut_off), len(found.overlapping)
    if not cards and not cut_off and not overlapping:
        note(
            Trouble.NO_CARDS,
            f"{which} shows no cards that can be made out: lay them in rows with a little space between them, "
            "on a plain table of another color, and take the photo from above.",
        )
    blurred = [row for row, card in zip(rows, cards, strict=True) if card.sharpness < SOFT]
    dark = [row for row, card in zip(rows, cards, strict=True) if card.brightness < DARK]
    small = [row for row, card in zip(rows, cards, strict=True) if card.width < NARROW]
    if cards and len(blurred) > len(cards) / 3:
        note(Trouble.BLURRED, f"{which} is blurred: hold the phone still and take it once more.", blurred)
    elif blurred:
        where = _places([cards[rows.index(row)] for row in blurred], photos)
        note(
            Trouble.BLURRED, f"{_counted(len(blurred))} came out blurred ({where}): take that photo once more.", blurred
        )
    if cards and len(dark) > len(cards) / 2 and light < DARK:
        note(Trouble.DARK, f"{which} is very dark: turn on a lamp and take it once more.", dark)
    if cards and len(small) > len(cards) / 2:
        note(
            Trouble.TOO_SMALL,
            f"the cards in {which} are small: lay out fewer cards for each photo and go closer.",
            small,
        )
    if cut_off:
        note(Trouble.CUT_OFF, f"{_counted(cut_off)} {_is(cut_off)} cut off at the edge of {which}: move back a little.")
    if overlapping:
        note(
            Trouble.OVERLAPPING,
            f"{_counted(overlapping)} in {which} {_is(overlapping)} partly covered: lay the cards side by side, so "
            "that none covers another.",
        )
    return notes


def _mixed(frames: Sequence[Frame], outlines: Sequence[Outlines], cards: Sequence[TaughtCard]) -> list[TeachingNote]:
    """A note where the cards are clearly of two decks: of two proportions or papers."""
    shapes = [
        proportion(found.quads, (frame.width, frame.height))
        for frame, found in zip(frames, outlines, strict=True)
        if len(found.quads) > 2
    ]
    if any(abs(a / b - 1) > OTHER_SHAPE for a, b in combinations(shapes, 2)):
        message = "These look like cards of two decks, since they have two shapes: show one deck at a time."
        return [TeachingNote(Trouble.MIXED, message)]
    clear = [n for n, card in enumerate(cards) if card.sharpness >= SOFT]
    dark = [n for n in clear if has_dark_paper(cards[n].picture)]
    light = [n for n in clear if n not in dark]
    strange = min(dark, light, key=len)
    if len(cards) <= FEW or not strange:
        return []
    message = f"These look like cards of two decks, since {_places([cards[n] for n in strange], len(frames))} "
    message += f"{_has(len(strange))} paper of another color: show one deck at a time."
    return [TeachingNote(Trouble.MIXED, message, None, tuple(strange))]


def missing_note(missing: Sequence[Face]) -> TeachingNote | None:
    """The note that names the faces of the deck that no photo shows."""
    if not missing:
        return None
    names = [spoken(face) for face in missing[:MOST_NAMES]]
    more = len(missing) - len(names)
    listed = _listed([*names, f"{more} more"] if more else names)
    them = "it" if len(missing) == 1 else "them"
    message = f"Still missing {_is(len(missing))} {listed}: add a photo of {them}, or go on without."
    return TeachingNote(Trouble.MISSING, message)


def count_note(number: int, found: int, told: int) -> TeachingNote:
    """The note that a photo shows another number of cards than there are faces listed for it."""
    message = (
        f"Photo {number + 1} shows {_counted(found)}, but {told} {'is' if told == 1 else 'are'} listed for it: "
        "list the cards row by row, each row from the left."
    )
    return TeachingNote(Trouble.COUNT, message, number)


def doubled_note(face: Face, cards: Sequence[int], places: str) -> TeachingNote:
    """The note that two cards were given one face, though the deck has it once."""
    message = f"The {spoken(face)} is there twice ({places}): keep one, or say that they are two kinds of it."
    return TeachingNote(Trouble.SAME_TWICE, message, None, tuple(cards))


def place_of(card: TaughtCard, photos: int) -> str:
    """Where a card lies, in words."""
    within = f"row {card.row + 1}, card {card.place + 1}"
    return f"photo {card.photo + 1}, {within}" if photos > 1 else within


def _places(cards: Sequence[TaughtCard], photos: int) -> str:
    shown = [place_of(card, photos) for card in cards[:3]]
    return "; ".join([*shown, f"and {len(cards) - 3} more"] if len(cards) > 3 else shown)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _counted(count: int) -> str:
    return "one card" if count == 1 else f"{count} cards"


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _has(count: int) -> str:
    return "has" if count == 1 else "have"
