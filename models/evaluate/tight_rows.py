"""Evaluates very tight rows, down to a tenth of each card showing: ``python -m models.evaluate.tight_rows``.

On drawn tables of held-out decks. Cards count if one of their indices is readable.
"""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

import numpy as np

from datasets.decks.deck_art import PLAIN_FACES, DeckArt
from datasets.decks.splits import held_out_decks
from datasets.scenes.layouts import CARD_MM, SceneCard
from datasets.scenes.tables import Table, draw_table
from models.evaluate.metrics import Metrics, score_table
from vision.reader import load_reader
from vision.values import Frame

SPREADS = (0.08, 0.1, 0.12, 0.15, 0.2)
"""Share of its width that shows of each card."""
CARDS, ROW_DISTANCE = 9, 120.0
"""Cards in a row, and millimetres between the centres of two rows."""
SIZE, ACROSS, MAX_TILT = (1600, 1200), (110.0, 170.0), 0.5


def tight_rows(rng: np.random.Generator, deck: DeckArt, spread: float) -> Table:
    """Draws two rows of cards, each card ``spread`` of its width further right than the one before."""
    placed = []
    for row in range(2):
        for n in range(CARDS):
            face = PLAIN_FACES[int(rng.integers(len(PLAIN_FACES)))]
            while face not in deck.faces:
                face = PLAIN_FACES[int(rng.integers(len(PLAIN_FACES)))]
            x = (n - CARDS / 2) * spread * CARD_MM + rng.normal(0, 0.2)
            y = (row - 0.5) * ROW_DISTANCE + rng.normal(0, 0.7)
            turn, name = rng.normal(0, 0.01), f"{spread:.2f} of a card showing"
            placed.append(SceneCard(deck, face, deck.faces[face][0], x, y, turn, row, "meld", name))
    return draw_table(rng, [deck], SIZE, float(rng.uniform(*ACROSS)), MAX_TILT, cards=placed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=40, help="number of tables for each spread (default: 40)")
    parser.add_argument("--seed", type=int, default=88)
    options = parser.parse_args()
    decks, reader, metrics = held_out_decks(), load_reader(), Metrics()
    for spread in SPREADS:
        for number in range(options.tables):
            rng = np.random.default_rng([options.seed, round(1000 * spread), number])
            table = tight_rows(rng, decks[int(rng.integers(len(decks)))], spread)
            score_table(metrics, reader.read(Frame(table.picture, datetime.now(UTC), "drawn")), table)
    for name, part in sorted(metrics.parts.items()):
        if name.endswith("showing"):
            print(f"{name}: {part.found} of {part.found + part.missed} read")
    print(f"{metrics.wrong} read that do not lie there")


if __name__ == "__main__":
    main()
