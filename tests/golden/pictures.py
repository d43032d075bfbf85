"""The pictures of the golden tests: the shipped samples, and tables drawn from fixed seeds each time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.tables import Table
from models.samples.drawn_tables import few_table, readable_table
from tests.drawing_fonts import TEST_FONT_FOLDERS
from vision.images.decode import load_photo
from vision.values import Frame, Pixels

SAMPLES = Path(__file__).parents[2] / "webui" / "samples"
SAMPLE_NAMES = tuple(path.name for path in sorted(SAMPLES.glob("*.jpg")))
DRAWN_NAMES = ("drawn-plain", "drawn-face-down", "drawn-jokers", "drawn-uneven-light", "drawn-tight", "drawn-few")
_SEED = 61
_MIN_RANK_HEIGHT = 20.0
"""Smallest height of a readable rank on a drawn table, in pixels."""


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
        return few_table(_SEED, number, decks)
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


def signature(pixels: Pixels) -> list[int]:
    """Mean brightness in 6 rows of 8 cells: tells different pictures apart, not different processors."""
    cells = [np.array_split(row, 8, axis=1) for row in np.array_split(pixels, 6)]
    return [round(float(cell.mean())) for row in cells for cell in row]
