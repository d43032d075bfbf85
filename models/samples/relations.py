"""Samples for the relations network: all detections of drawn tables as the RoI head sees them, in blocks that depend on
nothing but the settings, their seed and their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import sample_deck
from datasets.scenes.tables import Table
from datasets.scenes.world import draw_view
from models.samples.roi_head import MIN_DIFFERENT, NO_RANK, NOTHING, RoiSettings, classes_of
from models.samples.simulated import box_centre
from vision.arrays import floats
from vision.crops.pyramid import pyramid
from vision.detect.detections import RANK_COUNT, ClassifiedDetections
from vision.detect.detector import Detector
from vision.detect.multi_scale import detect
from vision.geometry import quad_width
from vision.recognise.deck_head import DeckHead
from vision.recognise.roi_head import OnnxRoiHead
from vision.rescore.pair_features import NEIGHBOURS
from vision.rescore.relations import EDGE_FEATURES, NODE_FEATURES, log_shares, relation_inputs

CORNER_WEIGHT = 0.3
"""Weight of the distance of the cards' corners against that of the boxes, when detections are matched to indices."""
COVERED_PENALTY = (0.0, 0.05, 0.12)
"""Card widths added to the distance of a readable, a doubtful and a covered index: in a pile the covered ones lie at
the same place as the top card's."""
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
"""One detection: the network's inputs, the names that it weighs, the number of the index that it shows (NOTHING for
none), that index's rank class (NO_RANK for none or a covered one), whether that index must be read, and its table's
number in the block."""
INPUT_TYPES = {
    "told": np.float32,
    "places": np.int64,
    "there": np.bool_,
    "between": np.float32,
    "names": np.float32,
}
"""What the network's training takes, in this order and of these types."""
Rows = NDArray[np.void]


@dataclass(frozen=True, slots=True, eq=False)
class LabelledTable:
    """The classified detections of one drawn table, and the table without its picture."""

    detections: ClassifiedDetections
    table: Table


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The n detections of several tables: as in ROW, indices numbered through.

    ``same`` (n, NEIGHBOURS) tells which neighbours show the same index, ``both`` where both show any.
    """

    inputs: list[torch.Tensor]
    index: torch.Tensor
    rank: torch.Tensor
    required: torch.Tensor
    same: torch.Tensor
    both: torch.Tensor

    def to(self, device: torch.device) -> Batch:
        """The same on a device."""
        inputs = [part.to(device) for part in self.inputs]
        return Batch(inputs, *(getattr(self, field.name).to(device) for field in fields(self)[1:]))


def draw_tables(
    settings: RoiSettings,
    number: int,
    packaged: Sequence[DeckArt],
    detector: Detector,
    head: OnnxRoiHead,
    deck: DeckHead,
) -> list[LabelledTable]:
    """Draws the tables of block ``number`` and reads them; returned without their pictures."""
    cv2.setNumThreads(1)
    rng, tables = np.random.default_rng([settings.seed, 75, number]), []
    pool = [sample_deck(packaged, rng, settings.world.look(rng)) for _ in range(settings.decks)]
    for _ in range(settings.tables):
        table = draw_view(rng, packaged, settings.world, pool=pool)
        found = detect(detector, table.picture).snapped_to_boxes()
        size = (table.picture.shape[1], table.picture.shape[0])
        named = deck.named(head.look(pyramid(table.picture), found), size)
        tables.append(LabelledTable(named, replace(table, picture=table.picture[:0])))
    return tables


def match_to_indices(table: LabelledTable) -> NDArray[np.int64]:
    """The index that each detection shows, (n,): its place among the table's ``indices``, ``doubtful`` and ``covered``
    ones, or NOTHING."""
    kinds, detections = (table.table.indices, table.table.doubtful, table.table.covered), table.detections
    indices = [index for kind in kinds for index in kind]
    matches = np.full(len(detections), NOTHING)
    if not indices:
        return matches
    centres = floats([box_centre(index) for index in indices])
    widths = floats([quad_width(index.quad) for index in indices])
    corners = floats([index.quad[int(index.right)] for index in indices])
    penalty = np.repeat(COVERED_PENALTY, [len(kind) for kind in kinds])
    for n, centre in enumerate(detections.box_centres()):
        corner = detections.quads[n][int(detections.index_on_right[n])]
        distance = np.hypot(*(centres - centre).T) / widths
        cost = distance + CORNER_WEIGHT * np.hypot(*(corners - corner).T) / widths + penalty
        cost = np.where(distance > MIN_DIFFERENT, np.inf, cost)
        if np.isfinite(cost.min()):
            matches[n] = int(cost.argmin())
    return matches


def block_of(tables: Sequence[LabelledTable]) -> Rows:
    """The block of these tables."""
    parts = []
    for place, table in enumerate(tables):
        shown, rows = match_to_indices(table), np.zeros(len(table.detections), ROW)
        for name, values in relation_inputs(table.detections).items():
            rows[name] = values
        readable, doubtful = table.table.indices, table.table.doubtful
        ranks = np.array([*(classes_of(index.face)[0] for index in (*readable, *doubtful)), NO_RANK])
        rows["names"], rows["table"], rows["index"] = log_shares(table.detections.ranks), place, shown
        rows["rank"] = ranks[np.where(shown < len(ranks), shown, -1)]
        rows["required"] = (shown != NOTHING) & (shown < len(readable))
        parts.append(rows)
    return np.concatenate(parts)


def collate(tables: Sequence[Rows]) -> Batch:
    """Combines the rows of several tables into a batch."""
    parts: dict[str, list[NDArray[np.generic]]] = {name: [] for name in (*INPUT_TYPES, "index", "same", "both")}
    detections = indices = 0
    for rows in tables:
        for name, kind in INPUT_TYPES.items():
            parts[name].append(rows[name].astype(kind))
        here, other = rows["index"][:, None], rows["index"][rows["places"]]
        parts["both"].append(rows["there"] & (here >= 0) & (other >= 0))
        parts["same"].append(parts["both"][-1] & (here == other))
        parts["index"].append(np.where(rows["index"] < 0, NOTHING, rows["index"].astype(np.int64) + indices))
        parts["places"][-1] = parts["places"][-1] + detections
        detections, indices = detections + len(rows), indices + int(rows["index"].max(initial=-1)) + 1
    parts["rank"] = [rows["rank"].astype(np.int64) for rows in tables]
    parts["required"] = [rows["required"] for rows in tables]
    joined = {name: torch.from_numpy(np.concatenate(part)) for name, part in parts.items()}
    inputs = [joined[name] for name in INPUT_TYPES]
    return Batch(inputs, *(joined[field.name] for field in fields(Batch)[1:]))
