"""Samples and training of the corner side classifier."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from datasets.scenes.tables import TrueIndex
from vision.arrays import floats
from vision.crops.pyramid import as_input
from vision.engines.load import load_corner_side
from vision.engines.weights import FOLDER
from vision.geometry import UNIT
from vision.rescore.corner_side import VIEW

pytest.importorskip("torch", reason="the extra train is not installed")
import torch

from models.networks.corner_side import CornerSideNet
from models.networks.crop_verifier import CropVerifierNet
from models.samples import corner_side
from models.samples.corner_side import CornerSideCrops, load_crops, neighbour_hidden, write_crops
from models.train.corner_side import install, train, with_verifier_layers

CARD = UNIT * floats([60, 90])


def side_crops(count: int, seed: int) -> CornerSideCrops:
    """Views with a bright edge, to the right of the index where it stands in the right-hand corner."""
    rng = np.random.default_rng(seed)
    views = rng.integers(0, 60, (count, VIEW.size, VIEW.size, 3), dtype=np.uint8)
    right = rng.random(count) < 0.5
    for n in range(count):
        at = VIEW.size // 2 + (12 if right[n] else -20)
        views[n, :, at : at + 8] = 250
    return CornerSideCrops(views, right)


@pytest.mark.by_hand
def test_learns_the_side_of_an_edge(tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    shutil.copytree(FOLDER, weights)
    parts = [side_crops(90, 1), side_crops(70, 2)]
    install(train(parts, tmp_path, minutes=0, steps=40, batch=24), weights, parts)
    new = side_crops(40, 3)
    (right,) = load_corner_side(weights)._session.run(["right"], {"views": as_input(list(new.crops))})
    assert ((right[:, 0] > 0) == new.right).mean() > 0.9


def test_starts_from_the_verifiers_layers(tmp_path: Path) -> None:
    verifier, fresh = CropVerifierNet(), CornerSideNet()
    torch.save({name: part.half() for name, part in verifier.state_dict().items()}, tmp_path / "crop_verifier.pt")
    before = fresh.right.weight.clone()
    net = with_verifier_layers(fresh, tmp_path / "crop_verifier.pt")
    known = verifier.state_dict()["body.0.0.weight"]
    assert torch.allclose(net.state_dict()["body.0.0.weight"], known, atol=1e-3)
    assert net.state_dict()["body.0.0.weight"].dtype == torch.float32
    assert torch.equal(net.right.weight, before)


def test_finds_indices_whose_neighbour_is_hidden() -> None:
    left, right = TrueIndex(0, CARD, False), TrueIndex(0, CARD, True)
    far_end = TrueIndex(0, np.roll(CARD, 2, axis=0), True)
    next_card = TrueIndex(1, CARD + floats([20, 0]), True)
    assert neighbour_hidden([left, right, next_card]) == [False, False, True]
    assert neighbour_hidden([left, far_end]) == [True, True]


@pytest.mark.by_hand
def test_crops_are_drawn_once_and_reproducible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corner_side, "DRAWN_DECKS", 3)
    path = write_crops(990, 2, tmp_path)
    (part,) = load_crops([path])
    assert isinstance(part.crops, np.memmap) and part.crops.shape[1:] == (VIEW.size, VIEW.size, 3)
    assert len(part.crops) == len(part.right) > 5
    again = (path.stat().st_mtime_ns, write_crops(990, 2, tmp_path).stat().st_mtime_ns)
    assert again[0] == again[1]
    other = write_crops(990, 2, tmp_path / "other")
    assert np.array_equal(np.load(other), part.crops), "the same seed draws the same"
