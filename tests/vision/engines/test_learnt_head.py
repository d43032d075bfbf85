"""The RoI head for the cards of a household: its weights in the program's graph compute what they did in training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scorer.faces import JOKER, Face
from vision.arrays import floats
from vision.crops.batching import SERIAL
from vision.crops.roi_crops import AROUND_SIZE, INDEX_SIZE
from vision.detect.detections import ROI_EMBEDDING
from vision.engines.learnt_head import load_learnt_roi_head, standard_head
from vision.engines.weights import FOLDER
from vision.recognise.deck_head import taught
from vision.recognise.roi_head import INPUTS, OUTPUTS, ROI_WEIGHTS


def test_weights_compute_in_the_graph_what_they_do_in_training(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="the extra train is not installed")
    from models.networks.roi_head import load

    net = load(FOLDER / ROI_WEIGHTS)
    taught([Face("8"), JOKER], floats(np.eye(2, ROI_EMBEDDING))).save(tmp_path / "names.npz")
    head = load_learnt_roi_head(tmp_path / "names.npz", SERIAL)
    rng = np.random.default_rng(3)
    crops = [floats(rng.random((5, 3, size[1], size[0]))) for size in (INDEX_SIZE, AROUND_SIZE)]
    computed = head._session.run(OUTPUTS, dict(zip(INPUTS, crops, strict=True)))
    with torch.no_grad():
        expected = net(*map(torch.from_numpy, crops))
    for mine, true in zip(computed, expected[: len(OUTPUTS)], strict=True):
        assert np.abs(mine - true.numpy()).max() < 1e-3
    assert head._deck.vocabulary.faces == (Face("8"), JOKER)
    shares = standard_head().classify(computed[-1])
    for share, logits in zip(shares, expected[len(OUTPUTS) :], strict=True):
        assert np.abs(share - torch.softmax(logits, 1).numpy()).max() < 1e-3
