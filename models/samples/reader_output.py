"""The networks' output on drawn tables with ground truth: training data of relation model and crop verifier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.splits import sample_deck, training_decks
from datasets.scenes.tables import Table, TrueIndex
from models.samples.drawn_tables import few_table, readable_table
from models.samples.simulated import box_centre
from vision.arrays import Floats, floats
from vision.crops.batching import SERIAL
from vision.crops.pyramid import pyramid
from vision.detect.detections import ClassifiedDetections
from vision.detect.detector import OnnxDetector
from vision.detect.multi_scale import detect
from vision.engines.load import load_index_classifier, load_outline_refiner, onnx_session
from vision.engines.weights import fastest_path
from vision.geometry import quad_width
from vision.recognise.pipeline import RefinerAndClassifier, recognise
from vision.values import Pixels

FIRST_SEED = 5_000_000
"""Offset of the tables' seeds; other trainings use lower ones."""
FACE_DOWN_SHARE = 0.5
"""Share of tables with cards face down among the others."""
JOKER_SHARE = 0.04
"""Share of cards replaced by jokers."""
UNEVEN_LIGHT_SHARE = 0.1
"""Share of tables on which each card has its own brightness and white."""
TIGHT_SHARE = 0.2
"""Share of tables on which hardly more than its rank shows of any card."""
MIN_HEIGHTS = (9.0, 20.0)
"""Range of the smallest height of a table's readable ranks, in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTable:
    """The classified detections of one drawn table, and the table without its picture."""

    detections: ClassifiedDetections
    table: Table

    def true_indices(self) -> list[TrueIndex]:
        """All true indices: readable, doubtful and covered ones, in this order."""
        return [*self.table.indices, *self.table.doubtful, *self.table.covered]


def box_centres(indices: list[TrueIndex]) -> tuple[Floats, Floats]:
    """Returns the centres of the boxes of true indices, (n, 2), and their cards' widths, (n,), in pixels."""
    centres = floats([box_centre(index) for index in indices]).reshape(-1, 2)
    return centres, floats([quad_width(index.quad) for index in indices])


def read_tables(seed: int, first: int, count: int, weights: Path, few: bool = False) -> list[LabelledTable]:
    """Like ``read_tables_with_pictures``, without the pictures."""
    return [table for _, table in read_tables_with_pictures(seed, first, count, weights, few)]


def read_tables_with_pictures(
    seed: int, first: int, count: int, weights: Path, few: bool = False
) -> Iterator[tuple[Pixels, LabelledTable]]:
    """Draws ``count`` tables from number ``first`` on and runs the networks of ``weights`` on them; yields each picture
    (height, width, 3) BGR with its table. If ``few``, the tables have few cards.

    Nearly every table has a deck of its own (``sample_deck``): with few decks a network overfits to them.
    """
    cv2.setNumThreads(1)
    # one thread each: several processes run at once, and more threads than cores wait for each other
    detector = OnnxDetector(onnx_session(fastest_path("detector", weights), 1))
    recogniser = RefinerAndClassifier(load_outline_refiner(weights, SERIAL), load_index_classifier(weights, SERIAL))
    packaged = training_decks(drawn=0)
    for number in range(first, first + count):
        rng = np.random.default_rng([seed, number, 1])
        decks, min_height = [sample_deck(packaged, rng)], float(rng.uniform(*MIN_HEIGHTS))
        if few:
            table = few_table(FIRST_SEED + seed, number, decks)
        else:
            table = readable_table(
                FIRST_SEED + seed,
                number,
                decks,
                min_height,
                face_down_share=FACE_DOWN_SHARE,
                joker_share=JOKER_SHARE,
                uneven_light_share=UNEVEN_LIGHT_SHARE,
                tight_share=TIGHT_SHARE,
            )
        detections = detect(detector, table.picture).snapped_to_boxes()
        classified = recognise(recogniser, pyramid(table.picture), detections)
        yield table.picture, LabelledTable(classified, replace(table, picture=table.picture[:0]))
