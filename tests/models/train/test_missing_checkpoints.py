"""A training that goes on from a checkpoint says at once, in a sentence, that there is none."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from models.train import corner_side, index_classifier, relation_model
from models.train.tune import crops
from models.train.tune import index_classifier as tuned


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (crops, "--run"),
        (tuned, "--run"),
        (index_classifier, "--resume"),
        (relation_model, "--resume"),
        (corner_side, "--verifier"),
    ],
)
def test_a_missing_checkpoint_is_told_before_anything_is_drawn(
    command: ModuleType,
    option: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["train", option, str(tmp_path / "nowhere")])
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "expected" in told and "train that network first" in told
