"""Which decks are printed light on dark paper: the detector, which is not taught, finds their indices on negatives."""

from __future__ import annotations

import numpy as np

from datasets.arrays import Picture
from datasets.decks.deck_art import DeckArt
from datasets.scenes.tables import Table
from models.samples.drawn_tables import readable_table
from models.samples.roi_head import MAX_SAME
from models.samples.simulated import box_centre
from vision.detect.detector import Detector
from vision.detect.multi_scale import detect
from vision.geometry import quad_width

TABLES, LEAST_HEIGHT, SEED = 3, 24.0, 880_000
"""Tables drawn of a deck, the smallest height of a rank on them in pixels, and their seed."""


def is_dark(deck: DeckArt, detector: Detector) -> bool:
    """Whether more of a deck's indices are found on the negatives of drawn tables than on the tables themselves."""
    tables = [readable_table(SEED, number, [deck], LEAST_HEIGHT) for number in range(TABLES)]
    usual = sum(_found(table, table.picture, detector) for table in tables)
    return sum(_found(table, np.bitwise_not(table.picture), detector) for table in tables) > usual


def _found(table: Table, picture: Picture, detector: Detector) -> int:
    """How many of a table's indices are found on its ``picture``."""
    centres = detect(detector, picture).split_by_confidence()[0].box_centres()
    return sum(
        bool((np.hypot(*(centres - box_centre(index)).T) < MAX_SAME * quad_width(index.quad)).any())
        for index in table.indices
    )
