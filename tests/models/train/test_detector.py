"""The training of the detector."""

from __future__ import annotations

from pathlib import Path

import pytest

from datasets.decks.drawn_decks import draw_deck

pytest.importorskip("ultralytics", reason="the extra train is not installed")
import torch

from models.networks.detector import build
from models.networks.layers import load_state, save_state
from models.samples.detector import DetectorSettings, draw_block
from models.train.detector import DetectorAugmentation, detector_step, prepared


def test_detector_learns_from_a_checkpoint(tmp_path: Path) -> None:
    torch.manual_seed(1)
    net = load_state(build(), save_state(build(), tmp_path / "detector.pt"))
    block = draw_block(DetectorSettings(tables=2, decks=1, size=192), 0, [draw_deck("toy", 3)])
    batch = prepared([block], 2, DetectorAugmentation(), 0, 0)
    step, optimizer = detector_step(lambda number: dict(batch)), torch.optim.AdamW(net.parameters(), lr=2e-3)
    totals = []
    for number in range(5):
        total, parts = step(net, torch.device("cpu"), number)
        optimizer.zero_grad()
        torch.autograd.backward(total)
        optimizer.step()
        totals.append(float(total.detach()))
    assert totals[-1] < totals[0] and set(parts) == {"box", "pose", "kobj", "cls", "dfl"}
