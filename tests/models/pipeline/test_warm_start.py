"""A RoI head that starts from an outline refiner and an index classifier says what they say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.tables import Table, draw_table
from models.samples.roi_head import Samples, table_samples
from vision.arrays import floats
from vision.detect.detections import Detections

pytest.importorskip("torch", reason="the extra train is not installed")
import torch

from models.networks.index_classifier import load as load_classifier
from models.networks.layers import normalise_contrast
from models.networks.outline_refiner import load as load_refiner
from models.networks.roi_head import RoiHeadNet, RoiOutputs
from models.pipeline.stages.warm_start import warm_start
from models.samples.index_classifier import RANK_CLASSES
from models.train.roi_head import Batch, as_tensors

CHECKPOINTS = Path(__file__).parents[3] / "models" / "checkpoints"
CLASSIFIER, REFINER = CHECKPOINTS / "index_classifier.pt", CHECKPOINTS / "outline_refiner.pt"


def _table(seed: int) -> Table:
    return draw_table(np.random.default_rng(seed), [draw_deck("start", seed)], (720, 720), card_pixels=130, clean=True)


def _samples(seeds: range) -> Samples:
    """Clear indices, their outlines a little off."""
    nothing, parts = Detections(*(floats(np.zeros(size)) for size in ((0, 4), (0,), (0, 4, 2)))), []
    for seed in seeds:
        rows = table_samples(np.random.default_rng(seed), _table(seed), nothing, 4, 200, seed << 12)
        parts.append(rows[(rows["rank"] >= 0) & (np.abs(rows["shifts"]).max(1) < 0.1)])
    return np.concatenate(parts)


@pytest.fixture(scope="module")
def samples() -> Samples:
    return _samples(range(3, 9))


@pytest.fixture(scope="module")
def net(samples: Samples) -> RoiHeadNet:
    return warm_start(load_classifier(CLASSIFIER), load_refiner(REFINER), samples)


@pytest.fixture(scope="module")
def batch(samples: Samples) -> Batch:
    return as_tensors(samples, torch.device("cpu"))


@torch.no_grad()
def test_it_reads_clear_indices_before_any_training(net: RoiHeadNet, batch: Batch) -> None:
    said = RoiOutputs(*net(batch["index"], batch["around"]))
    assert len(batch["rank"]) > 80
    assert float((said.rank.argmax(1) == batch["rank"]).float().mean()) > 0.9
    suited = batch["suit"] >= 0
    assert float((said.suit.argmax(1) == batch["suit"])[suited].float().mean()) > 0.8
    assert float((said.real[:, 0] > 0).float().mean()) > 0.9


@torch.no_grad()
def test_shifts_side_and_index_are_those_of_the_outline_refiner(net: RoiHeadNet, batch: Batch) -> None:
    said = RoiOutputs(*net(batch["index"], batch["around"]))
    shifts, right, real, _ = load_refiner(REFINER)(batch["around"])
    for mine, other in ((said.shifts, shifts), (said.right, right), (said.real, real)):
        assert torch.allclose(mine, other, atol=1e-4)


@torch.no_grad()
def test_the_embedding_keeps_what_names_are_made_of(net: RoiHeadNet, batch: Batch) -> None:
    classifier = load_classifier(CLASSIFIER)
    said, near = RoiOutputs(*net(batch["index"], batch["around"])), net.index(normalise_contrast(batch["index"]))
    kept = [RANK_CLASSES.index(rank) for rank in net.vocabulary.ranks]
    assert torch.allclose(said.rank, classifier.rank(near)[:, kept], atol=1e-3)
    assert torch.allclose(said.suit, classifier.suit(near), atol=1e-3)
    spread = said.embedding.std(0)
    assert float(spread.min()) > 0.5 and float(spread.max()) < 2
