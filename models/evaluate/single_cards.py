"""Evaluates one card that fills the picture, at many sizes: ``python -m models.evaluate.single_cards``.

Of each held-out deck court cards, aces and numbers are drawn, one to a picture, and each picture is read at every size
from a webcam's to a large phone's. Prints how many are read exactly: that card and no other.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from datetime import UTC, datetime

import cv2
import numpy as np

from datasets.arrays import Picture
from datasets.decks.deck_art import PLAIN_FACES, DeckArt
from datasets.decks.splits import held_out_decks
from datasets.scenes.layouts import SceneCard
from datasets.scenes.tables import draw_table
from scorer.faces import Face
from vision.reader import load_reader
from vision.values import Frame

MEGAPIXELS = (1, 2, 4, 8, 12, 24, 48)
DRAWN_SIZE = (2304, 1728)
"""Width and height at which a picture is drawn; it is enlarged or reduced then, with a sensor's grain."""
SHARES = (0.3, 0.62)
"""Width of the card as a share of the picture's shorter side; its height is 1.4 times as much."""
MAX_TILT, GRAIN = 0.4, 4.0
GRAIN_PERIOD = 99_991
"""So many values of the grain are drawn and repeated: a prime, so that no pattern shows."""
COURTS = ("J", "Q", "K", "A")


def single_card(rng: np.random.Generator, deck: DeckArt, face: Face) -> Picture:
    """Draws one card that lies whole in the picture, (height, width, 3) BGR of DRAWN_SIZE."""
    across = float(rng.uniform(*SHARES)) * min(DRAWN_SIZE)
    x, y = rng.normal(0, 1.5, 2)
    card = SceneCard(deck, face, deck.faces[face][0], float(x), float(y), float(rng.normal(0, 0.1)), 0, "hand")
    return draw_table(rng, [deck], DRAWN_SIZE, across, MAX_TILT, clean=True, cards=[card]).picture


def enlarged(rng: np.random.Generator, picture: Picture, megapixels: float) -> Picture:
    """The picture with so many megapixels, with a sensor's grain at that size."""
    scale = float(np.sqrt(megapixels * 1e6 / (picture.shape[0] * picture.shape[1])))
    by = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    grown = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=by), np.uint8)
    grain = np.resize(rng.normal(0, GRAIN, GRAIN_PERIOD).astype(np.int16), grown.shape)
    return np.asarray(cv2.add(grown, grain, dtype=cv2.CV_8U), np.uint8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faces", type=int, default=3, help="cards of each deck, two of three courts or aces")
    parser.add_argument("--seed", type=int, default=89)
    parser.add_argument("--megapixels", type=float, nargs="*", default=MEGAPIXELS, help="sizes of the pictures")
    parser.add_argument("--misses", action="store_true", help="print every picture that is not exactly right")
    options = parser.parse_args()
    reader, right, drawn = load_reader(), Counter[tuple[bool, float]](), Counter[tuple[bool, float]]()
    decks = [(deck, np.random.default_rng([options.seed, number])) for number, deck in enumerate(held_out_decks())]
    for n in range(options.faces):
        is_court = n % 3 < 2
        for deck, rng in decks:
            faces = [face for face in PLAIN_FACES if face in deck.faces and (face.rank in COURTS) == is_court]
            face = faces[int(rng.integers(len(faces)))]
            picture = single_card(rng, deck, face)
            for size in options.megapixels:
                pixels = enlarged(rng, picture, size)
                read = [card.face for card in reader.read(Frame(pixels, datetime.now(UTC), "drawn")).cards]
                drawn[is_court, size] += 1
                right[is_court, size] += read == [face]
                if options.misses and read != [face]:
                    found = " ".join(map(str, read)) or "nothing"
                    print(f"{deck.name} {face} at {size:g} megapixels: read {found}", flush=True)
            print(f"so far: {right.total()} of {drawn.total()} read", file=sys.stderr, flush=True)
    for is_court, name in ((True, "courts and aces"), (False, "numbers")):
        for size in options.megapixels:
            print(f"{name} at {size:g} megapixels: {right[is_court, size]} of {drawn[is_court, size]} read")
    print(f"all: {right.total()} of {drawn.total()} read")


if __name__ == "__main__":
    main()
