"""From photos of a deck's cards laid out in rows to one picture of each card, in reading order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from scorer.faces import JOKER, Face
from vision.arrays import Floats, floats
from vision.geometry import overlap_share, quad_width
from vision.teach import checks
from vision.teach.outlines import Outlines, ReadOutline, find_outlines
from vision.teach.pictures import WIDTH, card_sharpness, evened, likeness, proportion, rectified, same_both_ends
from vision.teach.proposals import face_proposals
from vision.teach.rows import reading_order
from vision.teach.taught import DeckPhotos, TaughtCard
from vision.values import Frame, Pixels, Reading, SeenCard, as_quad

MIN_CONFIDENCE = 0.5
"""Cards of which the reader is less sure than this tell nothing about an outline."""
SAME_OUTLINE = 0.6
"""Share of the smaller one that a card in the photo and one that the reader saw have in common."""
ALIKE, ALIKE_SURE = 0.93, 0.8
"""Correlation of two pictures that show the same card; and of two of which the reader says the same face."""
SURE = 0.9
"""Probability from which the reader's face counts for that."""

Look = Callable[[Frame], Reading]
"""Reads a photo, as ``CardReader.read`` does."""


@dataclass(frozen=True, slots=True, eq=False)
class LookedAt:
    """What was found in one photo: the outlines of its cards, and what the reader read."""

    outlines: Outlines
    reading: Reading


def read_deck_photos(frames: Sequence[Frame], look: Look, faces: Sequence[Face]) -> DeckPhotos:
    """Finds the cards in one to four photos of a deck's cards laid out in plain sight.

    Args:
        frames: the photos.
        look: reads a photo with the reader that there is.
        faces: the faces that the deck has.

    Returns:
        The whole cards of all photos in reading order, with what is wrong with the photos or missing. A card of which
        something is wrong is among them all the same, if it can be used at all.
    """
    return cards_of(frames, [look_at(frame, look) for frame in frames], faces)


def look_at(frame: Frame, look: Look) -> LookedAt:
    """Finds the outlines of the cards in one photo, which takes the most time; ``cards_of`` does the rest."""
    reading = look(frame)
    # picture cards of unknown decks are taken for jokers, and an outline is guessed where one end of it is read
    trusted = [
        card
        for card in reading.cards
        if card.confidence >= MIN_CONFIDENCE and (card.face != JOKER or len(card.corners) > 1)
    ]
    read = [ReadOutline(floats(card.quad), len(card.corners) > 1) for card in trusted]
    return LookedAt(find_outlines(frame.pixels, read), reading)


def cards_of(frames: Sequence[Frame], found: Sequence[LookedAt], faces: Sequence[Face]) -> DeckPhotos:
    """As ``read_deck_photos``, from what was ``found`` in each photo; those of a photo do not depend on the others, but
    for the light and the proportion of their pictures."""
    outlines = [one.outlines for one in found]
    height = round(WIDTH * _common_proportion(frames, outlines))
    cards: list[TaughtCard] = []
    for number, (frame, one) in enumerate(zip(frames, found, strict=True)):
        cards += _cards(frame.pixels, number, one.outlines, one.reading, height, faces)
    pictures = evened([card.picture for card in cards])
    cards = [_turned(replace(card, picture=picture)) for card, picture in zip(cards, pictures, strict=True)]
    same = _same_cards(cards)
    notes = checks.photo_notes(frames, outlines, cards, same, len(set(faces)))
    return DeckPhotos(tuple(cards), tuple(notes), tuple(same))


def _common_proportion(frames: Sequence[Frame], outlines: Sequence[Outlines]) -> float:
    """The usual height of the cards against their width over all photos."""
    shares = [
        proportion(quad[None], (frame.width, frame.height))
        for frame, found in zip(frames, outlines, strict=True)
        for quad in found.quads
    ]
    return float(np.median(shares)) if shares else 1.4


def _cards(
    pixels: Pixels, number: int, outlines: Outlines, reading: Reading, height: int, faces: Sequence[Face]
) -> list[TaughtCard]:
    """The cards of one photo in reading order, in the light of the photo."""
    cards = []
    for row, members in enumerate(reading_order(outlines.quads)):
        for place, n in enumerate(members):
            seen = _seen(outlines.quads[n], reading.cards)
            quad = _upright(outlines.quads[n], seen)
            picture = rectified(pixels, quad, WIDTH, height)
            cards.append(
                TaughtCard(
                    photo=number,
                    row=row,
                    place=place,
                    quad=as_quad(quad),
                    picture=picture,
                    width=quad_width(quad),
                    sharpness=card_sharpness(pixels, quad),
                    brightness=float(np.percentile(cv2.cvtColor(picture[::4, ::4], cv2.COLOR_BGR2GRAY), 85)),
                    proposals=face_proposals(seen, faces),
                    turn_unsure=seen is None,
                )
            )
    return cards


def _seen(quad: Floats, cards: Sequence[SeenCard]) -> SeenCard | None:
    """What the reader said of the card outlined by ``quad`` (4, 2)."""
    shares = [overlap_share(quad, floats(card.quad)) for card in cards]
    best = max(range(len(cards)), key=lambda n: (shares[n], cards[n].confidence), default=None)
    return cards[best] if best is not None and shares[best] >= SAME_OUTLINE else None


def _upright(quad: Floats, seen: SeenCard | None) -> Floats:
    """The outline (4, 2) from the corner at which the card's index is read; as it is where the reader saw none, or one
    at each end."""
    if seen is None or len(seen.corners) > 1:
        return quad
    own = floats(seen.quad)
    one, other = (float(np.abs(np.roll(quad, turn, axis=0) - own).sum()) for turn in (0, 2))
    return quad if one <= other else floats(np.roll(quad, 2, axis=0))


def _turned(card: TaughtCard) -> TaughtCard:
    """The card with its doubt about which end is up ended, where both ends look alike."""
    return replace(card, turn_unsure=False) if card.turn_unsure and same_both_ends(card.picture) else card


def upside_down(card: TaughtCard) -> TaughtCard:
    """The card with its other end up, for a person who says so."""
    a, b, c, d = card.quad
    return replace(card, quad=(c, d, a, b), picture=np.ascontiguousarray(card.picture[::-1, ::-1]), turn_unsure=False)


def _same_cards(cards: Sequence[TaughtCard]) -> list[tuple[int, int]]:
    """Pairs of cards that look like the same one."""
    pairs = []
    for j, two in enumerate(cards):
        turned = np.ascontiguousarray(two.picture[::-1, ::-1])
        for i, one in enumerate(cards[:j]):
            named = [card.proposals[0] for card in (one, two) if card.proposals and card.proposals[0][1] >= SURE]
            if len(named) == 2 and named[0][0] != named[1][0]:
                continue
            least = ALIKE_SURE if len(named) == 2 else ALIKE
            if max(likeness(one.picture, two.picture), likeness(one.picture, turned)) >= least:
                pairs.append((i, j))
    return pairs
