"""A RoI head that a household taught: its weights in the program's graph compute what they did in training."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scorer.faces import JOKER, Face
from vision.arrays import floats
from vision.crops.batching import SERIAL
from vision.crops.roi_crops import AROUND_SIZE, INDEX_SIZE
from vision.detect.detections import ROI_EMBEDDING
from vision.engines.learnt_head import learnt_weights, load_learnt_roi_head
from vision.engines.load import load_detector, load_relations
from vision.engines.weights import FOLDER
from vision.errors import WeightsError
from vision.reader import RoiReader
from vision.recognise.deck_head import taught
from vision.recognise.roi_head import INPUTS, OUTPUTS, ROI_WEIGHTS, is_in_graph


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    """The weights of the shipped network, as if a household had taught them."""
    with np.load(FOLDER / ROI_WEIGHTS) as shipped:
        np.savez(tmp_path / "learnt.npz", **{name: shipped[name] for name in shipped.files if is_in_graph(name)})
    return tmp_path / "learnt.npz"


def test_weights_compute_in_the_graph_what_they_do_in_training(weights: Path, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="the extra train is not installed")
    from models.networks.roi_head import load, save_weights

    net = load(FOLDER / ROI_WEIGHTS)
    assert learnt_weights(save_weights(net, tmp_path / "again.npz")).keys() == learnt_weights(weights).keys()
    taught([Face("8"), JOKER], floats(np.eye(2, ROI_EMBEDDING))).save(tmp_path / "names.npz")
    head = load_learnt_roi_head(weights, tmp_path / "names.npz", SERIAL)
    rng = np.random.default_rng(3)
    crops = [floats(rng.random((5, 3, size[1], size[0]))) for size in (INDEX_SIZE, AROUND_SIZE)]
    computed = head._session.run(OUTPUTS, dict(zip(INPUTS, crops, strict=True)))
    with torch.no_grad():
        expected = net(*map(torch.from_numpy, crops))
    for mine, true in zip(computed, expected[: len(OUTPUTS)], strict=True):
        assert np.abs(mine - true.numpy()).max() < 1e-3
    assert head._deck.vocabulary.faces == (Face("8"), JOKER)


def test_weights_of_another_network_are_refused_before_they_are_loaded(
    weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.stored_arrays._load", lambda *given: pytest.fail("it was loaded"))
    arrays = dict(np.load(weights))
    for change in (
        {"shift.bias": np.zeros(9, np.float16)},
        {"shift.bias": np.zeros(8, np.float32)},
        {"more": np.zeros(1, np.float16)},
    ):
        np.savez(weights, **{**arrays, **change})
        with pytest.raises(WeightsError, match=r"learnt.npz does not fit: expected the weights of this program"):
            learnt_weights(weights)
    weights.write_bytes(b"a graph that never ends")
    with pytest.raises(WeightsError, match="a damaged one"):
        learnt_weights(weights)
    with pytest.raises(WeightsError, match="does not fit"):
        learnt_weights(weights.with_name("missing.npz"))


def test_weights_that_lead_to_no_numbers_are_refused_when_they_are_run(weights: Path, tmp_path: Path) -> None:
    arrays = dict(np.load(weights))
    large = {name: np.full_like(array, 6e4) if array.ndim > 1 else array for name, array in arrays.items()}
    np.savez(weights, **large)
    taught([Face("8"), JOKER], floats(np.eye(2, ROI_EMBEDDING))).save(tmp_path / "names.npz")
    head = load_learnt_roi_head(weights, tmp_path / "names.npz", SERIAL)
    with pytest.raises(WeightsError, match="gives numbers that are none"):
        RoiReader(load_detector(), head, load_relations()).warm()
