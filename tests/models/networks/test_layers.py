"""What all networks share: saved states, and mixed precision."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
import torch

from models.networks.layers import load_state, mixed_precision, save_state


@pytest.mark.parametrize("name", ["net.pt", "net.npz"])
def test_a_state_is_saved_in_half_precision(name: str, tmp_path: Path) -> None:
    net, other = (torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2)) for _ in range(2))
    net(torch.randn(5, 3))
    load_state(other, save_state(net, tmp_path / name))
    for key, value in net.state_dict().items():
        after = other.state_dict()[key]
        assert after.dtype == value.dtype and torch.equal(after, value.half().to(value.dtype))


@pytest.mark.parametrize(
    ("capabilities", "expected_type"), [({"avx512_bf16": True}, torch.bfloat16), ({}, torch.float32)]
)
def test_bfloat16_is_used_only_with_processor_support(
    capabilities: dict[str, bool], expected_type: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities)
    with mixed_precision("cpu"):
        assert torch.nn.Linear(2, 2)(torch.ones(1, 2)).dtype == expected_type
