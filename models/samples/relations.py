"""Samples for the relations network: all detections of drawn tables as the RoI head sees them, in blocks that depend on
nothing but the settings, their seed and their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import sample_deck
from datasets.scenes.world import draw_view
from models.samples.reader_output import LabelledTable
from models.samples.relation_model import Sample, sample_of
from models.samples.roi_head import RoiSettings
from vision.crops.pyramid import pyramid
from vision.detect.detections import RANK_COUNT
from vision.detect.detector import Detector
from vision.detect.multi_scale import detect
from vision.recognise.pipeline import recognise
from vision.recognise.roi_head import OnnxRoiHead
from vision.rescore.pair_features import NEIGHBOURS
from vision.rescore.relations import EDGE_FEATURES, NODE_FEATURES, log_shares, relation_inputs

ROW = np.dtype(
    [
        ("told", np.float32, NODE_FEATURES),
        ("places", np.int16, NEIGHBOURS),
        ("there", np.bool_, NEIGHBOURS),
        ("between", np.float16, (NEIGHBOURS, EDGE_FEATURES)),
        ("names", np.float32, RANK_COUNT),
        ("index", np.int32),
        ("rank", np.int8),
        ("required", np.bool_),
        ("table", np.int32),
    ]
)
"""One detection: the network's inputs, the names that it weighs, its truth as in ``Sample``, and its table's number in
the block."""
INPUTS = ("told", "places", "there", "between", "names")
Rows = NDArray[np.void]


def draw_tables(
    settings: RoiSettings, number: int, packaged: Sequence[DeckArt], detector: Detector, head: OnnxRoiHead
) -> list[LabelledTable]:
    """Draws the tables of block ``number`` and reads them; returned without their pictures."""
    cv2.setNumThreads(1)
    rng, tables = np.random.default_rng([settings.seed, 75, number]), []
    pool = [sample_deck(packaged, rng, settings.world.look(rng)) for _ in range(settings.decks)]
    for _ in range(settings.tables):
        table = draw_view(rng, packaged, settings.world, pool=pool)
        found = detect(detector, table.picture).snapped_to_boxes()
        rois = recognise(head.naming(), pyramid(table.picture), found, retries=())
        tables.append(LabelledTable(rois, replace(table, picture=table.picture[:0])))
    return tables


def block_of(tables: Sequence[LabelledTable]) -> Rows:
    """The block of these tables."""
    parts = []
    for place, table in enumerate(tables):
        sample, rows = sample_of(table, relation_inputs), np.zeros(len(table.detections), ROW)
        for name, values in sample.inputs.items():
            rows[name] = values
        rows["names"], rows["table"] = log_shares(table.detections.ranks), place
        rows["index"], rows["rank"], rows["required"] = sample.index, sample.rank, sample.required
        parts.append(rows)
    return np.concatenate(parts)


def samples_of(block: Rows) -> list[Sample]:
    """The tables of a block that have detections."""
    tables = [block[block["table"] == place] for place in np.unique(block["table"])]
    return [
        Sample(
            {name: np.asarray(rows[name]) for name in INPUTS},
            *(rows[name].astype(kind) for name, kind in (("index", np.int64), ("rank", np.int64), ("required", bool))),
        )
        for rows in tables
    ]
