"""The pictures of the golden tests: the shipped samples, and tables drawn from fixed seeds each time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.layouts import CARD_MM, lay_table
from datasets.scenes.tables import Table, draw_table
from models.samples.drawn_tables import readable_table
from tests.drawing_fonts import TEST_FONT_FOLDERS
from vision.images.decode import load_photo
from vision.values import Frame, Pixels

SAMPLES = Path(__file__).parents[2] / "webui" / "samples"
SAMPLE_NAMES = tuple(path.name for path in sorted(SAMPLES.glob("*.jpg")))
DRAWN_NAMES = ("drawn-plain", "drawn-face-down", "drawn-jokers", "drawn-uneven-light", "drawn-tight", "drawn-few")
_SEED = 61
_MIN_RANK_HEIGHT = 20.0
"""Smallest height of a readable rank on a drawn table, in pixels."""
_FEW, _SIZES, _LEAST = 8, ((1280, 960), (1600, 1200), (640, 480), (960, 1280), (1920, 1440), (800, 600)), 8.0
"""Of the table with few cards: the most cards, sizes of its picture, and the smallest height of a rank, in pixels."""


def can_draw() -> bool:
    """Whether the fonts are installed that the golden tables are drawn in."""
    return all(folder.is_dir() for folder in TEST_FONT_FOLDERS)


def picture(name: str) -> Frame:
    """Loads a sample or draws a table; the same name gives the same picture."""
    if name in SAMPLE_NAMES:
        return load_photo(SAMPLES / name)
    number = DRAWN_NAMES.index(name)
    return Frame(_draw(number).picture, datetime.now(UTC), name)


def _draw(number: int) -> Table:
    decks = [draw_deck(f"golden-{number}", _SEED + number)]
    name = DRAWN_NAMES[number]
    if name == "drawn-few":
        return _few_cards(number, decks[0])
    return readable_table(
        _SEED,
        number,
        decks,
        _MIN_RANK_HEIGHT,
        face_down_share=float(name == "drawn-face-down"),
        joker_share=0.3 if name == "drawn-jokers" else 0.0,
        uneven_light_share=float(name == "drawn-uneven-light"),
        tight_share=float(name == "drawn-tight"),
    )


def _few_cards(number: int, deck: DeckArt) -> Table:
    """Draws a table with few cards, from far away up to so near that one fills half the picture."""
    rng = np.random.default_rng([_SEED, number, 7])
    while True:
        size = _SIZES[int(rng.integers(len(_SIZES)))]
        across = float(np.exp(rng.uniform(np.log(60), np.log(size[0] * 0.45))))
        count, share = int(rng.integers(1, _FEW + 1)), float(rng.uniform(0.3, 0.9))
        extent = (size[0] * CARD_MM / across * share, size[1] * CARD_MM / across * share)
        cards = lay_table(rng, [deck], extent, max_cards=count, loose_share=0.6)
        table = draw_table(rng, [deck], size, card_pixels=across, cards=cards)
        if table.cards and min(index.tall for index in table.indices) >= _LEAST:
            return table


def signature(pixels: Pixels) -> list[int]:
    """Mean brightness in 6 rows of 8 cells: tells different pictures apart, not different processors."""
    cells = [np.array_split(row, 8, axis=1) for row in np.array_split(pixels, 6)]
    return [round(float(cell.mean())) for row in cells for cell in row]
