"""The committed checkpoints can be loaded."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("ultralytics", reason="the extra train is not installed")

from models.networks import corner_side, crop_verifier, detector, index_classifier, outline_refiner, relation_model
from models.networks.layers import load_state
from models.networks.roi_head import STATE, RoiHeadNet
from vision.engines.weights import weights_path

CHECKPOINTS = Path(__file__).parents[3] / "models" / "checkpoints"


@pytest.mark.parametrize(
    "network", [corner_side, crop_verifier, index_classifier, outline_refiner, relation_model], ids=lambda m: m.__name__
)
def test_checkpoint_fits_its_network(network: object) -> None:
    name = network.__name__.rsplit(".", 1)[-1]  # type: ignore[attr-defined]
    net = network.load(CHECKPOINTS / f"{name}.pt")  # type: ignore[attr-defined]
    assert not net.training


def test_shipped_state_of_the_roi_head_fits_its_network() -> None:
    load_state(RoiHeadNet(), weights_path(STATE))


def test_detector_checkpoint_fits_its_network() -> None:
    load_state(detector.build(), CHECKPOINTS / "detector-state.pt")


def test_old_names_of_the_relation_model_are_translated() -> None:
    old = {"layers.0.heed.weight": 1, "layers.2.think.3.bias": 2, "find.0.weight": 3, "kept.1.bias": 4, "mean": 5}
    assert list(relation_model.current_names(old)) == [  # type: ignore[arg-type]
        "layers.0.attention.weight",
        "layers.2.mlp.3.bias",
        "node.0.weight",
        "keep.1.bias",
        "mean",
    ]
