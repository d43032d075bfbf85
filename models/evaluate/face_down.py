"""Evaluates the detection of face-down cards: ``python -m models.evaluate.face_down``.

On drawn tables of cards that lie apart; counts those found, and false ones.
"""

from __future__ import annotations

import argparse

import numpy as np

from datasets.decks.backs import patterned_back
from datasets.decks.splits import sample_deck, training_decks
from datasets.scenes.layouts import SceneCard
from datasets.scenes.tables import draw_table
from vision.arrays import floats
from vision.checks.face_down import find_card_candidates, find_face_down
from vision.geometry import card_widths

COLUMNS, ROWS = (-210, -105, 0, 105, 210), (-110, 0, 110)
"""Positions of the cards on the table, in mm from its centre."""
FACE_UP, MAX_FACE_DOWN = 6, 2
SIZE, ACROSS, MAX_TILT = (1280, 960), (90.0, 150.0), 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=120, help="number of tables (default: 120)")
    parser.add_argument("--seed", type=int, default=77)
    options = parser.parse_args()
    packaged = training_decks(drawn=0)
    down = right = wrong = 0
    for number in range(options.tables):
        rng = np.random.default_rng([options.seed, number])
        deck = sample_deck(packaged, rng)
        deck = deck.with_back(np.dstack([patterned_back(rng, deck.height), deck.back[:, :, 3]]))
        faces, count = list(deck.faces), int(rng.integers(0, MAX_FACE_DOWN + 1))
        cells = rng.permutation([(x, y) for x in COLUMNS for y in ROWS])[: FACE_UP + count]
        placed = []
        for n, (x, y) in enumerate(cells + rng.normal(0, 4, cells.shape)):
            face = None if n < count else faces[int(rng.integers(len(faces)))]
            picture = deck.faces[face][0] if face else deck.back
            placed.append(SceneCard(deck, face, picture, float(x), float(y), float(rng.normal(0, 0.3)), n, "meld"))
        table = draw_table(rng, [deck], SIZE, float(rng.uniform(*ACROSS)), MAX_TILT, cards=placed)
        if table.cards:
            quads = [floats(card.quad) for card in table.cards]
            candidates = find_card_candidates(table.picture, float(np.median(card_widths(np.stack(quads)))))
            found = len(find_face_down(candidates, quads))
            down, right, wrong = down + count, right + min(found, count), wrong + max(found - count, 0)
    print(f"{options.tables} tables: {down} cards face down, {right} seen, {wrong} seen where none is")


if __name__ == "__main__":
    main()
