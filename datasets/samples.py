"""Draws the sample pictures that the program ships: ``python -m datasets.samples FOLDER``.

They show one round of two sides. Only drawn decks are used, so that the pictures have the project's licence.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.labels import truth
from datasets.scenes.layouts import CARD_MM, Kind, SceneCard
from datasets.scenes.tables import draw_table
from scorer.faces import JOKER, SUITS, Face

SIZE = (1600, 1200)
Groups = list[tuple[Kind, str, int, int]]
"""Kind, rank, number of naturals and of wilds of each group; the rank of a hand is ignored.

North and South have two clean and three dirty books, so that one of them may go out by the usual rules.
"""

SCENES: dict[str, Groups] = {
    "1-north-south-table": [
        *(("meld", "8", 7, 0), ("meld", "Q", 5, 2), ("meld", "K", 5, 2), ("meld", "5", 7, 0)),
        *(("meld", "10", 3, 0), ("meld", "A", 4, 3), ("threes", "3", 2, 0)),
    ],
    "2-north-south-left": [("hand", "", 5, 1)],
    "3-east-west-table": [
        *(("meld", "4", 6, 1), ("meld", "J", 7, 0), ("meld", "7", 3, 1), ("meld", "9", 7, 1)),
        *(("meld", "6", 3, 0), ("threes", "3", 1, 0)),
    ],
    "4-east-west-left": [("hand", "", 8, 1)],
}


def _faces(rng: np.random.Generator, kind: Kind, rank: str, naturals: int, wilds: int) -> list[Face]:
    suits = [str(suit) for suit in rng.choice(SUITS, naturals)]
    if kind == "threes":
        return [Face("3", "H" if i % 2 else "D") for i in range(naturals)]
    if kind == "hand":
        ranks = [str(r) for r in rng.choice(["4", "6", "7", "9", "10", "J", "K", "A"], naturals, replace=False)]
        faces = [Face(r, suit) for r, suit in zip(ranks, suits, strict=True)]
    else:
        faces = [Face(rank, suit) for suit in suits]
    return faces + [JOKER if i % 2 else Face("2", str(rng.choice(SUITS))) for i in range(wilds)]


def _lay(rng: np.random.Generator, deck: DeckArt, groups: Groups) -> list[SceneCard]:
    """Lays melds as columns side by side, four to a row; a hand as a fan."""
    tall = CARD_MM * deck.height / deck.back.shape[1]
    placed = []
    per_row = 4
    rows = -(-len(groups) // per_row)
    for number, (kind, rank, naturals, wilds) in enumerate(groups):
        faces = _faces(rng, kind, rank, naturals, wilds)
        row, column = divmod(number, per_row)
        in_row = min(per_row, len(groups) - row * per_row)
        x0 = (column - (in_row - 1) / 2) * 1.55 * CARD_MM + rng.normal(0, 3)
        y0 = (row - (rows - 1) / 2) * 2.9 * tall - 0.57 * tall + rng.normal(0, 3)
        turn = rng.normal(0, 0.03)
        for i, face in enumerate(faces):
            if kind == "hand":
                angle = (i - (len(faces) - 1) / 2) * 0.16
                x, y, a = 190 * np.sin(angle), 190 * (1 - np.cos(angle)), angle
            else:
                x, y, a = x0 + rng.normal(0, 1), y0 + i * 0.24 * tall + rng.normal(0, 1), turn + rng.normal(0, 0.012)
            pictures = deck.faces[face]
            picture = pictures[int(rng.integers(len(pictures)))]
            placed.append(SceneCard(deck, face, picture, float(x), float(y), float(a), number, kind))
    return placed


def draw_samples(folder: Path, seed: int) -> None:
    """Writes a JPEG per scene and truth.jsonl into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, (name, groups) in enumerate(SCENES.items()):
        rng = np.random.default_rng([seed, number])
        deck = draw_deck("sample", seed)
        across = 132 if len(groups) > 1 else 230
        table = draw_table(
            rng, [deck], SIZE, card_pixels=across, max_tilt=0.3, clean=True, cards=_lay(rng, deck, groups)
        )
        cv2.imwrite(str(folder / f"{name}.jpg"), table.picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
        lines.append(json.dumps(truth(table, f"{name}.jpg")))
    (folder / "truth.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where to write the pictures and truth.jsonl")
    parser.add_argument("--seed", type=int, default=41)
    options = parser.parse_args()
    draw_samples(options.folder, options.seed)


if __name__ == "__main__":
    main()
