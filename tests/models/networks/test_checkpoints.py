"""The committed checkpoints can be loaded."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("ultralytics", reason="the extra train is not installed")

from models.networks import detector, relations, roi_head
from models.networks.layers import load_state

CHECKPOINTS = Path(__file__).parents[3] / "models" / "checkpoints"


@pytest.mark.parametrize(("network", "name"), [(roi_head, roi_head.STATE), (relations, "relations.pt")])
def test_a_checkpoint_fits_its_network(network: ModuleType, name: str) -> None:
    assert not network.load(CHECKPOINTS / name).training


def test_detector_checkpoint_fits_its_network() -> None:
    load_state(detector.build(), CHECKPOINTS / "detector.pt")
