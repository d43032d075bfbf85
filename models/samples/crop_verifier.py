"""Samples for the crop verifier: crops of detections on drawn tables, above all of doubtful ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.samples.index_classifier import RANK_CLASSES
from models.samples.reader_output import read_tables_with_pictures
from models.samples.relation_model import Sample, sample_of
from vision.arrays import Flags
from vision.crops.pyramid import pyramid
from vision.detect.detections import ScoredDetections
from vision.engines.load import load_relation_model
from vision.rescore.crop_verifier import VIEW, uncertain_indices
from vision.values import Pixels

EASY_SHARE = 0.2
"""Share of the detections used that the relation model is right and sure about."""
JOKER = RANK_CLASSES.index("JK")


@dataclass(frozen=True, slots=True, eq=False)
class VerifierCrops:
    """Crops of n detections.

    Attributes:
        crops: (n, size, size, 3) BGR.
        required: whether the index that each shows must be read, (n,).
        rank: its rank class, (n,); -1 if it shows none or a covered one.
    """

    crops: NDArray[np.uint8]
    required: Flags
    rank: NDArray[np.int64]


def detections_to_keep(scored: ScoredDetections, sample: Sample) -> Flags:
    """Marks the detections to be kept, (n,): of each index that must be read the one with the highest score among those
    with the right rank."""
    right: Flags = np.asarray(sample.required & (scored.final_ranks.argmax(1) == sample.rank), bool)
    best = np.full(sample.index.max(initial=-1) + 1, -np.inf)
    np.maximum.at(best, sample.index[right], scored.p_keep[right])
    keep = right.copy()
    keep[right] = scored.p_keep[right] == best[sample.index[right]]
    return keep


def informative_detections(scored: ScoredDetections, sample: Sample, rng: np.random.Generator) -> NDArray[np.intp]:
    """Selects the detections to train on, (m,): doubtful and wrong ones, jokers, and a few of the others."""
    selected = rng.random(len(scored.p_keep)) < EASY_SHARE
    selected[uncertain_indices(scored)] = True
    ranks, kept = scored.final_ranks.argmax(1), scored.p_keep > 0.5
    selected |= (kept != detections_to_keep(scored, sample)) & (kept | sample.required)
    return np.flatnonzero(selected | (ranks == JOKER) | (sample.rank == JOKER))


def write_crops(seed: int, count: int, few: bool, weights: Path, folder: Path) -> Path:
    """Draws ``count`` tables and writes crops of their detections, with the truth beside them, to ``folder``; returns
    the file's path. An existing file is kept."""
    target, model = folder / f"views-{seed}.npy", load_relation_model(weights)
    truth = target.with_suffix(".npz")
    if truth.exists():
        return target
    rng = np.random.default_rng([seed, 11])
    crops: list[Pixels] = []
    required, rank = [], []
    for picture, table in read_tables_with_pictures(seed, 0, count, weights, few):
        detections = table.detections
        if not len(detections):
            continue
        scored, sample = model.score(detections), sample_of(table)
        selected = informative_detections(scored, sample, rng)
        quads, on_right = detections.quads[selected], detections.index_on_right[selected]
        crops += [*VIEW.crop(pyramid(picture), quads, on_right)]
        required.append(sample.required[selected])
        rank.append(sample.rank[selected])
    folder.mkdir(parents=True, exist_ok=True)
    np.save(target, np.stack(crops))
    np.savez(truth, asked=np.concatenate(required), rank=np.concatenate(rank))
    return target


def load_crops(files: Sequence[Path]) -> list[VerifierCrops]:
    """Opens the files of ``write_crops``; the crops stay on disk until they are used."""
    parts = []
    for path in files:
        with np.load(path.with_suffix(".npz")) as truth:
            parts.append(VerifierCrops(np.load(path, mmap_mode="r"), truth["asked"], truth["rank"]))
    return parts
