"""Draws the sample pictures that the program ships: ``python -m datasets.samples FOLDER``.

They show one round of two sides: their tables, and the cards that its players have left. In the second hand of a side
is a 6 with a worn index, which is read as a 5, with doubt: practice has a card to correct. Only drawn decks are used,
so that the pictures have the project's licence.
Of a deck that is shipped as an example the same places are drawn one by one (``draw_example``).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.arrays import Picture
from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.labels import truth
from datasets.scenes.layouts import CARD_MM, Kind, SceneCard
from datasets.scenes.tables import Table, draw_table
from scorer.faces import JOKER, SUITS, Face

SIZE = (1600, 1200)
_HAND_SIZE = (1200, 900)
_WORN = Face("6", "S")
_WEAR = (0.38, 0.43), (0.18, 0.11)
"""Where the print is worn off a corner patch, and how far across and down, in shares of it."""
_GONE = {"5-north-south-second-left": 0.815, "6-east-west-second-left": 0.788}
"""How much of the print is gone there, by the name of the scene: a little less is read right, a little more without
doubt."""
Groups = list[tuple[Kind, str, int, int]]
"""Kind, rank, number of naturals and of wilds of each group; a hand with a rank holds the worn card.

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
    "5-north-south-second-left": [("hand", "6", 3, 0)],
    "6-east-west-second-left": [("hand", "6", 2, 0)],
}


def _faces(rng: np.random.Generator, kind: Kind, rank: str, naturals: int, wilds: int) -> list[Face]:
    suits = [str(suit) for suit in rng.choice(SUITS, naturals)]
    if kind == "threes":
        return [Face("3", "H" if i % 2 else "D") for i in range(naturals)]
    if kind == "hand":
        ranks = [str(r) for r in rng.choice(["4", "6", "7", "9", "10", "J", "K", "A"], naturals, replace=False)]
        faces = [Face(r, suit) for r, suit in zip(ranks, suits, strict=True)]
        if rank:
            faces = [_WORN, *(face for face in faces if face.rank != rank)][:naturals]
    else:
        faces = [Face(rank, suit) for suit in suits]
    return faces + [JOKER if i % 2 else Face("2", str(rng.choice(SUITS))) for i in range(wilds)]


def _lay(
    rng: np.random.Generator,
    deck: DeckArt,
    groups: Sequence[tuple[Kind, Callable[[], list[Face]]]],
    per_row: int = 4,
    step: float = 0.24,
) -> list[SceneCard]:
    """Lays melds as columns side by side, ``per_row`` of them, each card a ``step`` of its height below the last; a
    hand as a fan."""
    tall = CARD_MM * deck.height / deck.back.shape[1]
    placed = []
    rows = -(-len(groups) // per_row)
    for number, (kind, faces_of) in enumerate(groups):
        faces = faces_of()
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
                x, y, a = x0 + rng.normal(0, 1), y0 + i * step * tall + rng.normal(0, 1), turn + rng.normal(0, 0.012)
            pictures = deck.faces[face]
            picture = pictures[int(rng.integers(len(pictures)))]
            placed.append(SceneCard(deck, face, picture, float(x), float(y), float(a), number, kind))
    return placed


def _wear(table: Table, gone: float) -> Picture:
    """The table's picture, (height, width, 3) uint8 BGR, with the print of the worn card's indices nearly gone."""
    picture = table.picture
    (across, down), (half_width, half_height) = _WEAR
    corners = np.array([[0, 0], [100, 0], [100, 200], [0, 200]], np.float32)
    for index in table.indices:
        if index.face != _WORN:
            continue
        spot = np.zeros((200, 100), np.float32)
        centre, axes = (int(100 * across), int(200 * down)), (int(100 * half_width), int(200 * half_height))
        cv2.ellipse(spot, centre, axes, 0, 0, 360, 1.0, -1)
        to_patch = cv2.getPerspectiveTransform(corners, index.patch.astype(np.float32))
        height, width = picture.shape[:2]
        share = gone * cv2.warpPerspective(cv2.GaussianBlur(spot, (0, 0), 3), to_patch, (width, height))[..., None]
        (left, top), (right, bottom) = index.patch.min(0).astype(int), index.patch.max(0).astype(int)
        paper = np.percentile(picture[top:bottom, left:right].reshape(-1, 3), 90, axis=0)
        picture = (picture * (1 - share) + paper * share).astype(np.uint8)
    return picture


def draw_samples(folder: Path, seed: int) -> None:
    """Writes a JPEG per scene into ``folder``, and truth.jsonl, without those that are to be misread."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, (name, groups) in enumerate(SCENES.items()):
        rng = np.random.default_rng([seed, number])
        deck = draw_deck("sample", seed)
        gone = _GONE.get(name)
        size, across = (_HAND_SIZE, 200) if gone else (SIZE, 132 if len(groups) > 1 else 230)
        laid = [(group[0], partial(_faces, rng, *group)) for group in groups]
        table = draw_table(rng, [deck], size, card_pixels=across, max_tilt=0.3, clean=True, cards=_lay(rng, deck, laid))
        picture = _wear(table, gone) if gone else table.picture
        cv2.imwrite(str(folder / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
        if not gone:
            lines.append(json.dumps(truth(table, f"{name}.jpg")))
    (folder / "truth.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


EXAMPLE_SIZE, EXAMPLE_HAND_SIZE = (1280, 960), (800, 600)
_EXAMPLE_QUALITY = 72
EXAMPLES: dict[str, dict[str, list[str]]] = {
    "hand-n-foot": {
        "1-north-south-table": ["8 " * 7, "5 " * 5 + "JESTER " * 2, "11 " * 6 + "JOKER", "6 " * 4, "12 " * 3],
        "2-north-south-left": ["3 7 10 LORD 4"],
        "3-east-west-table": ["9 " * 7, "4 " * 5 + "JESTER " * 2, "10 " * 6 + "JOKER", "2 " * 3, "LORD " * 4],
        "4-east-west-left": ["1 12 5 VILLAIN"],
        "5-north-south-second-left": ["2 9 11"],
        "6-east-west-second-left": ["7 3 8 6"],
    },
    "remastered": {
        "1-north-south-table": ["8 " * 7, "5 " * 7, "Q " * 5 + "W20 W20", "K " * 6 + "W50", "10 " * 6 + "W20", "R3 R3"],
        "2-north-south-left": ["4 6 7 9 J"],
        "3-east-west-table": ["9 " * 7, "J " * 7, "4 " * 6 + "W20", "A " * 5 + "W20 W20", "6 " * 6 + "W50", "R3"],
        "4-east-west-left": ["5 8 Q 10"],
        "5-north-south-second-left": ["A K 7"],
        "6-east-west-second-left": ["4 9 K 7"],
    },
}
"""What lies on the pictures of each example, by its deck's profile: the groups of a table, or a hand left. Each side
has the books with which it may go out by the rules that a practice game with the deck is played by."""


def draw_example(deck: DeckArt, groups: Sequence[str], seed: int, name: str) -> tuple[bytes, dict[str, Any]]:
    """A JPEG of an example's table, or of a hand if there is one group, and its truth as a line of truth.jsonl."""
    rng = np.random.default_rng(seed)
    is_table = len(groups) > 1
    kind: Kind = "meld" if is_table else "hand"
    size, across = (EXAMPLE_SIZE, min(720 / len(groups), 120)) if is_table else (EXAMPLE_HAND_SIZE, 120)
    laid = [(kind, partial(_parsed, group)) for group in groups]
    cards = _lay(rng, deck, laid, per_row=len(groups), step=0.34)
    table = draw_table(rng, [deck], size, card_pixels=across, max_tilt=0.3, clean=True, cards=cards)
    coded = cv2.imencode(".jpg", table.picture, [cv2.IMWRITE_JPEG_QUALITY, _EXAMPLE_QUALITY])[1]
    return coded.tobytes(), truth(table, name)


def _parsed(group: str) -> list[Face]:
    return [Face.parse(name) for name in group.split()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where to write the pictures and truth.jsonl")
    parser.add_argument("--seed", type=int, default=41)
    options = parser.parse_args()
    draw_samples(options.folder, options.seed)


if __name__ == "__main__":
    main()
