"""Decks of photographed cards, to compose rounds with known truth: duplicates, wilds and fans, which no photo shows.

Cards that are fully visible are cut out of labelled photos and brought to the same white. The reader outlines them, and
only those are used that it classifies as labelled; the question is how it reads them when they overlap in other light.
For evaluation only: nothing is trained on photographs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.arrays import Cutout, Picture, doubles, floats
from datasets.decks.backs import plain_back
from datasets.decks.deck_art import CARD_WIDTH, PLAIN_FACES, DeckArt, Rect, printed_mask, rounded_alpha
from scorer.faces import JOKER, Face
from vision.arrays import Floats
from vision.images.decode import load_photo
from vision.values import Reading, SeenCard

HEIGHT = 336
"""Height of a cut-out card CARD_WIDTH pixels wide: poker size."""
MIN_CONFIDENCE = 0.99
"""Smallest confidence of cards that are cut out."""
INSET = 3
"""Pixels cut off at each edge, so that no background shows."""
WHITE = (232.0, 236.0, 238.0)
"""White of the paper, BGR."""
MAX_COVERED = 0.06
"""Largest share of a card's margin with another brightness than paper; more means that something covers it."""
MIN_FACES = 20
"""Smallest number of faces of a deck."""


def _fully_visible(reading: Reading, card: SeenCard) -> bool:
    """Tells whether a card lies fully in the picture and contains no index and no centre of another."""
    quad = floats(card.quad)
    if quad.min() < 4 or (quad.max(0) > floats([reading.width, reading.height]) - 4).any():
        return False
    for other in reading.cards:
        if other is card:
            continue
        middles = [np.mean(np.reshape(corner.box, (2, 2)), axis=0) for corner in other.corners]
        for x, y in (*middles, np.mean(other.quad, axis=0)):
            if cv2.pointPolygonTest(quad, (float(x), float(y)), True) > -2:
                return False
    return True


def _cut(pixels: Picture, quad: Floats) -> Picture | None:
    """Cuts out the card ``quad``, (HEIGHT, CARD_WIDTH, 3) BGR on white paper; None if something covers it."""
    flat = floats([[0, 0], [CARD_WIDTH, 0], [CARD_WIDTH, HEIGHT], [0, HEIGHT]])
    onto = cv2.getPerspectiveTransform(quad, flat)
    card = cv2.warpPerspective(pixels, onto, (CARD_WIDTH, HEIGHT), flags=cv2.INTER_CUBIC)
    card = cv2.resize(card[INSET:-INSET, INSET:-INSET], (CARD_WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    sides = card[20:-20, 5:9], card[20:-20, -9:-5]
    rim = np.concatenate([side.reshape(-1, 3) for side in (card[6:14, 60:-60], card[-14:-6, 60:-60], *sides)])
    paper = np.median(rim, axis=0)
    if np.mean(np.abs(rim.max(1).astype(int) - paper.max()) > 45) > MAX_COVERED:
        return None
    white = doubles(WHITE) / np.maximum(paper, 40)
    return np.asarray((card * white).clip(0, 255), np.uint8)


def _cards(
    folder: Path, truth: Iterable[dict[str, Any]], readings: Mapping[str, Reading]
) -> Iterator[tuple[str, Face, Picture, int]]:
    """Yields subfolder, face, picture and number of indices of each card that is fully visible and read as labelled."""
    for known in truth:
        reading, pixels = readings[known["photo"]], load_photo(folder / known["photo"]).pixels
        for card in reading.cards:
            if str(card.face) not in known["cards"] or card.confidence < MIN_CONFIDENCE or len(card.corners) < 2:
                continue
            picture = _cut(pixels, floats(card.quad)) if _fully_visible(reading, card) else None
            if picture is not None:
                yield Path(known["photo"]).parent.name, card.face, picture, len(card.corners)


def _rank_box(pictures: Sequence[Cutout]) -> Rect:
    """Measures where the rank is printed in the top left corner, the median over ``pictures``."""
    boxes = []
    for picture in pictures:
        corner = printed_mask(picture)[: round(0.3 * HEIGHT), : round(0.22 * CARD_WIDTH)]
        stats = cv2.connectedComponentsWithStats(corner)[2][1:]
        marks = doubles([(x, y, x + w, y + h) for x, y, w, h, _ in stats if x > 2 and y > 2 and h > 0.05 * HEIGHT])
        if len(marks):
            top = marks[marks[:, 1].argmin()]
            beside = marks[(marks[:, 1] + marks[:, 3]) / 2 < top[3]]
            boxes.append([*beside[:, :2].min(0), *beside[:, 2:].max(0)])
    x0, y0, x1, y1 = np.median(boxes, axis=0) / (CARD_WIDTH, HEIGHT, CARD_WIDTH, HEIGHT)
    return float(x0), float(y0), float(x1), float(y1)


def photographed_decks(folder: Path, truth: Iterable[dict[str, Any]], readings: Mapping[str, Reading]) -> list[DeckArt]:
    """Makes a deck of each subfolder whose photos show MIN_FACES faces in full; all pictures of a face are used.

    ``truth`` comes from ``evaluate.run.truth_of``, ``readings`` are what was read on each photo. A face that no photo
    shows is replaced by another suit of its rank, so suits mean nothing; all decks have the jokers of all photos.

    Raises:
        PhotoError: a photo cannot be read.
        ValueError: no subfolder shows so many, or a rank is missing; the message is for the user.
    """
    shown: dict[str, dict[Face, list[Cutout]]] = defaultdict(lambda: defaultdict(list))
    indices: dict[str, list[int]] = defaultdict(list)
    alpha, jokers = rounded_alpha(HEIGHT, CARD_WIDTH, 0.05 * CARD_WIDTH), []
    for name, face, picture, count in _cards(folder, truth, readings):
        if face == JOKER:
            jokers.append(np.dstack([picture, alpha]))
        else:
            shown[name][face].append(np.dstack([picture, alpha]))
            indices[name].append(count)
    decks: list[DeckArt] = []
    for name, faces in shown.items():
        ranks = {face.rank: pictures for face, pictures in faces.items()}
        if len(faces) < MIN_FACES or any(face.rank not in ranks for face in PLAIN_FACES):
            continue
        whole = {face: tuple(faces.get(face) or ranks[face.rank]) for face in PLAIN_FACES}
        back = np.dstack([plain_back(np.random.default_rng(len(decks)), HEIGHT), alpha])
        whole |= {JOKER: tuple(jokers)} if jokers else {}
        box = _rank_box([pictures[0] for face, pictures in whole.items() if face.rank in "456789"])
        four = float(np.median(indices[name])) > 2
        decks.append(DeckArt(name, whole, back, box, four, str(folder / name), "as the photos", True))
    if not decks:
        raise ValueError(
            f"expected photos in {folder} of which some subfolder shows every rank wholly in sight, got none; "
            "leave --composed out"
        )
    return decks
