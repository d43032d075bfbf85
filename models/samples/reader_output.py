"""What the networks see on drawn tables, kept without the pictures: what the judge is trained on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.splits import sample_deck, training_decks
from datasets.scenes.tables import Table, TrueIndex
from models.samples.drawn_tables import few_table, readable_table
from models.samples.outline_refiner import box_middle
from vision.arrays import Floats, floats
from vision.batching import SERIAL
from vision.crops.pyramid import pyramid
from vision.detect.detector import OnnxDetector
from vision.detect.multi_scale import detect
from vision.engines.load import load_index_classifier, load_outline_refiner, onnx_session
from vision.engines.weights import fastest_path
from vision.geometry import width_of
from vision.recognise.classify import ClassifiedDetections
from vision.recognise.pipeline import recognise
from vision.values import Pixels

FIRST_SEED = 5_000_000
"""Tables are drawn from this seed on; other trainings use lower ones."""
BACKS = 0.5
"""On this share of tables cards lie face down among the others."""
JOKERS = 0.04
"""The share of cards that make room for a joker, beside those that people hold."""
UNEVEN = 0.1
"""On this share of tables each card is as bright and as white as it likes."""
TIGHT = 0.2
"""On this share of tables hardly more than its rank shows of any card."""
LEAST = (9.0, 20.0)
"""Between these, in pixels, lies the least height of a table's readable ranks."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The named finds of one table, and the table, its picture left out."""

    named: ClassifiedDetections
    table: Table

    def known(self) -> list[TrueIndex]:
        """All true indices: readable, doubtful and covered ones, in this order."""
        return [*self.table.indices, *self.table.doubtful, *self.table.covered]


def middles_of(indices: list[TrueIndex]) -> tuple[Floats, Floats]:
    """Where the boxes of true indices have their middles, (n, 2), and how wide their cards are, (n,), in pixels."""
    middles = floats([box_middle(index) for index in indices]).reshape(-1, 2)
    return middles, floats([width_of(index.quad) for index in indices])


def see(seed: int, first: int, count: int, weights: Path, few: bool = False) -> list[Seen]:
    """What ``looks`` sees, without the pictures."""
    return [seen for _, seen in looks(seed, first, count, weights, few)]


def looks(seed: int, first: int, count: int, weights: Path, few: bool = False) -> Iterator[tuple[Pixels, Seen]]:
    """What the networks of ``weights`` see on ``count`` tables from number ``first`` on, drawn with ``seed``; on such
    as have ``few`` cards; with each table's picture (height, width, 3) BGR.

    Nearly every table has a deck of its own (``sample_deck``): what is trained on few of them learns them by heart.
    """
    cv2.setNumThreads(1)
    # one thread each: several processes do this at once, and more threads than cores wait for each other
    finder = OnnxDetector(onnx_session(fastest_path("detector", weights), 1))
    settler, namer = load_outline_refiner(weights, SERIAL), load_index_classifier(weights, SERIAL)
    packaged = training_decks(drawn=0)
    for number in range(first, first + count):
        rng = np.random.default_rng([seed, number, 1])
        decks, least = [sample_deck(packaged, rng)], float(rng.uniform(*LEAST))
        if few:
            table = few_table(FIRST_SEED + seed, number, decks)
        else:
            table = readable_table(FIRST_SEED + seed, number, decks, least, BACKS, JOKERS, UNEVEN, TIGHT)
        named = recognise(settler, namer, pyramid(table.picture), detect(finder, table.picture).snapped_to_boxes())
        yield table.picture, Seen(named, replace(table, picture=table.picture[:0]))
