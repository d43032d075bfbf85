"""Samples for the relation model: all detections of a drawn table, and which index each of them shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from models.samples.index_classifier import RANK_CLASSES
from models.samples.outline_refiner import MIN_DIFFERENT
from models.samples.reader_output import LabelledTable, box_centres
from vision.arrays import floats
from vision.rescore.relation_model import model_inputs

CORNER_WEIGHT = 0.3
"""Weight of the distance of the cards' corners against that of the boxes, when detections are matched to indices."""
COVERED_PENALTY = (0.0, 0.05, 0.12)
"""Card widths added to the distance of a readable, a doubtful and a covered index: in a pile the covered ones lie at
the same place as the top card's."""
STORED_TYPES = {
    "told": np.float32,
    "patches": np.float16,
    "windows": np.float16,
    "places": np.int16,
    "between": np.float16,
}
"""Types in which the model's inputs are kept, to save memory."""
INPUT_TYPES = {"places": np.int64, "there": np.bool_}
"""Types that the model takes, where not float32."""


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """The n detections of one table.

    Attributes:
        inputs: the model's inputs, by their names and in their order.
        index: number of the index that each shows, (n,); -1 for none.
        rank: that index's rank class, (n,); -1 for none or a covered one.
        required: whether that index must be read, (n,).
    """

    inputs: dict[str, Any]
    index: NDArray[np.int64]
    rank: NDArray[np.int64]
    required: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The n detections of several tables: as in ``Sample``, indices numbered through.

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


def match_to_indices(table: LabelledTable) -> NDArray[np.int64]:
    """Returns the position in ``table.true_indices()`` of the index that each detection shows, (n,); -1 for none."""
    indices, detections = table.true_indices(), table.detections
    matches = np.full(len(detections), -1)
    if not indices:
        return matches
    centres, widths = box_centres(indices)
    corners = floats([index.quad[int(index.right)] for index in indices])
    kinds = (table.table.indices, table.table.doubtful, table.table.covered)
    penalty = np.repeat(COVERED_PENALTY, [len(kind) for kind in kinds])
    for n, centre in enumerate(detections.box_centres()):
        corner = detections.quads[n][int(detections.index_on_right[n])]
        distance = np.hypot(*(centres - centre).T) / widths
        cost = distance + CORNER_WEIGHT * np.hypot(*(corners - corner).T) / widths + penalty
        cost = np.where(distance > MIN_DIFFERENT, np.inf, cost)
        if np.isfinite(cost.min()):
            matches[n] = int(cost.argmin())
    return matches


def sample_of(table: LabelledTable, inputs_of: Callable[[Any], dict[str, Any]] = model_inputs) -> Sample:
    """Returns the sample of one table; ``inputs_of`` makes the network's inputs of its detections."""
    indices, matches = table.true_indices(), match_to_indices(table)
    ranks = [RANK_CLASSES.index(index.face.rank) if index.face else -1 for index in indices]
    readable, uncovered = len(table.table.indices), len(table.table.indices) + len(table.table.doubtful)
    rank = np.array([ranks[number] if 0 <= number < uncovered else -1 for number in matches], np.int64)
    inputs = {
        name: value.astype(STORED_TYPES.get(name, value.dtype)) for name, value in inputs_of(table.detections).items()
    }
    return Sample(inputs, matches, rank, (matches >= 0) & (matches < readable))


def collate(samples: Sequence[Sample]) -> Batch:
    """Combines several samples into a batch."""
    detection_starts = np.cumsum([0, *(len(sample.index) for sample in samples)])
    index_starts = np.cumsum([0, *(int(sample.index.max(initial=-1)) + 1 for sample in samples)])
    inputs = []
    for name in samples[0].inputs:
        parts = [sample.inputs[name].astype(INPUT_TYPES.get(name, np.float32)) for sample in samples]
        if name == "places":
            parts = [part + start for part, start in zip(parts, detection_starts, strict=False)]
        inputs.append(torch.from_numpy(np.concatenate(parts)))
    index, same, both = [], [], []
    for sample, start in zip(samples, index_starts, strict=False):
        here, other = sample.index[:, None], sample.index[sample.inputs["places"].astype(np.int64)]
        index.append(np.where(sample.index < 0, -1, sample.index + start))
        both.append(sample.inputs["there"] & (here >= 0) & (other >= 0))
        same.append(both[-1] & (here == other))
    rank, required = [sample.rank for sample in samples], [sample.required for sample in samples]
    return Batch(inputs, *(torch.from_numpy(np.concatenate(part)) for part in (index, rank, required, same, both)))
