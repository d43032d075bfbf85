"""Samples and training of the crop verifier, and the fusion with the relation model."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.arrays import floats
from vision.detect.detections import ScoredDetections
from vision.engines.load import load_crop_verifier, load_relation_model
from vision.engines.weights import FOLDER
from vision.rescore.crop_verifier import VIEW, CropScores, uncertain_indices
from vision.rescore.relation_model import CALIBRATION

pytest.importorskip("torch", reason="the extra train is not installed")
import torch

from models.export.calibration import MIN_WEIGHT, RELATION_MODEL_ONLY, DoubtfulTable, calibrate, fit_fusion
from models.samples.crop_verifier import JOKER, VerifierCrops, detections_to_keep, informative_detections, load_crops
from models.samples.relation_model import sample_of
from models.train.augment import augment
from models.train.crop_verifier import install, losses, sample_batch, train
from tests.models.train.test_relation_model import noisy_table
from tests.vision.rescore.synthetic import classified, scored


def verifier_crops(count: int, seed: int) -> VerifierCrops:
    """Half the crops have a bright square at the centre: an index, of rank 2 if red, 9 if blue."""
    rng = np.random.default_rng(seed)
    views = rng.integers(0, 60, (count, VIEW.size, VIEW.size, 3), dtype=np.uint8)
    asked, red = np.arange(count) % 2 == 0, rng.random(count) < 0.5
    low, high = VIEW.size // 2 - 14, VIEW.size // 2 + 14
    for n in np.flatnonzero(asked):
        views[n, low:high, low:high, 2 if red[n] else 0] = 250
    return VerifierCrops(views, asked, np.where(asked, np.where(red, 2, 9), -1))


def scored_detections(kept: list[float], ranks: list[int]) -> ScoredDetections:
    detections = scored(classified(*[(0.0, 0.0, 0.5, 4)] * len(kept)), kept)
    return replace(detections, final_ranks=floats(np.eye(14)[ranks]))


@pytest.mark.by_hand
def test_learns_what_is_at_the_centre(tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    shutil.copytree(FOLDER, weights)
    parts = [verifier_crops(160, 1), verifier_crops(96, 2)]
    install(train(parts, tmp_path, minutes=0, steps=40, batch=32), weights, parts)
    verifier = load_crop_verifier(weights)
    new = verifier_crops(40, 3)
    given = np.ascontiguousarray(new.crops[..., ::-1].transpose(0, 3, 1, 2), np.float32) / np.float32(255)
    shows, ranks = verifier._session.run(["shows", "rank"], {"views": given})
    assert ((shows[:, 0] > 0) == new.required).mean() > 0.9
    assert (ranks.argmax(1) == new.rank)[new.required].mean() > 0.9


def test_optional_index_does_not_count_for_the_loss() -> None:
    views, asked, rank = sample_batch([verifier_crops(8, 1)], 6, np.random.default_rng(0))

    class FixedOutputs(torch.nn.Module):
        def __init__(self, shows: float) -> None:
            super().__init__()
            self.shows = shows

        def forward(self, views: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
            return torch.full((len(views), 1), self.shows), torch.zeros(len(views), 14)

    optional, known = torch.zeros_like(asked), torch.full_like(rank, 3)
    high, low = (float(losses(FixedOutputs(logit), views, optional, known)[0]) for logit in (9.0, -9.0))
    assert high == low
    assert float(losses(FixedOutputs(9.0), views, optional, torch.full_like(rank, -1))[0]) > 5
    assert float(losses(FixedOutputs(-9.0), views, torch.ones_like(asked), known)[0]) > 5


def test_augmented_pictures_stay_recognisable() -> None:
    views, *_ = sample_batch([verifier_crops(8, 1)], 6, np.random.default_rng(0))
    other = augment(views, np.random.default_rng(1))
    assert other.shape == views.shape and 0 <= float(other.min()) <= float(other.max()) <= 1
    assert float((other - views).abs().mean()) > 0.005
    # from further off, without the grain of these views
    one, two = (torch.nn.functional.avg_pool2d(seen, 8).flatten().numpy() for seen in (views, other))
    assert np.corrcoef(one, two)[0, 1] > 0.9


def test_keeps_the_highest_score_among_right_detections() -> None:
    seen = noisy_table(5)
    sample = sample_of(seen)
    asked = int(np.flatnonzero(sample.required)[0])
    # the same index three times, something else, an optional one
    sample = replace(
        sample,
        index=np.array([4, 4, 4, -1, 7]),
        rank=np.array([sample.rank[asked]] * 3 + [-1, 3]),
        required=np.array([True, True, True, False, False]),
    )
    right, wrong = int(sample.rank[0]), (int(sample.rank[0]) + 1) % 13
    chosen = detections_to_keep(scored_detections([0.5, 0.6, 0.9, 0.9, 0.9], [right, right, wrong, 3, 3]), sample)
    assert chosen.tolist() == [False, True, False, False, False]
    assert not detections_to_keep(scored_detections([0.5] * 5, [wrong] * 5), sample).any()


def test_doubtful_wrong_and_joker_detections_are_informative() -> None:
    sample = sample_of(noisy_table(5))
    count = 400
    sample = replace(sample, index=np.arange(count), rank=np.full(count, 3), required=np.ones(count, bool))
    kept, ranks = np.full(count, 0.999), np.full(count, 3)
    kept[0], ranks[1], ranks[2], kept[3] = 0.5, 4, JOKER, 0.001
    detections = scored_detections(kept.tolist(), ranks.tolist())
    selected = set(informative_detections(detections, sample, np.random.default_rng(0)).tolist())
    assert {0, 1, 2, 3} <= selected and 40 < len(selected) < 140


def doubtful_table(seed: int) -> DoubtfulTable:
    """A table whose detections all score near a half; the verifier mostly knows the right ones."""
    seen = noisy_table(seed)
    sample = sample_of(seen)
    rng = np.random.default_rng(seed)
    keep_scores = rng.uniform(0.3, 0.7, len(sample.index)) + np.where(sample.required, 0.05, -0.05)
    scores = replace(scored(seen.detections, keep_scores.tolist()), final_ranks=seen.detections.ranks)
    chosen, places = detections_to_keep(scores, sample), uncertain_indices(scores)
    shows = np.where(chosen, 2.0, -2.0) + rng.normal(0, 1, len(chosen))
    return DoubtfulTable(seen, scores, places, CropScores(floats(shows)[places], seen.detections.ranks[places]))


@pytest.mark.by_hand
def test_fusion_weights_follow_the_verifiers_accuracy(tmp_path: Path) -> None:
    tables = [doubtful_table(seed) for seed in range(12)]
    weights = fit_fusion(tables)
    assert weights[2] > 1, "the verifier's output counts"
    right = [detections_to_keep(table.scored, sample_of(table.table)) for table in tables]
    known = [table.fused(weights).p_keep > 0.5 for table in tables]
    assert np.mean(np.concatenate(known) == np.concatenate(right)) > 0.93
    for table in tables:
        assert table.fused(RELATION_MODEL_ONLY).p_keep == pytest.approx(table.scored.p_keep, abs=1e-4)

    shutil.copytree(FOLDER, tmp_path / "weights")
    calibrate(tables, tmp_path / "weights")
    fitted = json.loads((tmp_path / "weights" / CALIBRATION).read_text(encoding="utf-8"))
    assert fitted["verified"] == pytest.approx(weights) and len(fitted["sureness"]) == 4
    assert load_relation_model(tmp_path / "weights").card_confidence(0.99, 0.99, 2) > 0.5
    assert min(fitted["sureness"][1:]) >= MIN_WEIGHT, "no feature of a right card counts against it"
    load_crop_verifier(tmp_path / "weights")


def test_crops_are_loaded_lazily(tmp_path: Path) -> None:
    part = verifier_crops(6, 1)
    np.save(tmp_path / "views-1.npy", part.crops)
    np.savez(tmp_path / "views-1.npz", asked=part.required, rank=part.rank)
    (back,) = load_crops([tmp_path / "views-1.npy"])
    assert isinstance(back.crops, np.memmap) and (back.rank == part.rank).all()
    assert np.array_equal(back.crops[3], part.crops[3])
