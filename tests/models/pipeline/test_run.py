"""Recipes: the whole in small, and a training that is stopped and goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
import torch

from models.networks.layers import load_state
from models.networks.roi_head import RoiHeadNet
from models.pipeline.__main__ import main
from models.pipeline.run import ROOT, RecipeError, load_recipe, run_recipe
from models.pipeline.stages import KINDS
from models.samples import roi_head
from models.samples.roi_head import SAMPLE, Samples
from vision.crops.roi_crops import AROUND_SIZE, INDEX_SIZE
from vision.engines.kinds.onnx import onnx_session
from vision.images.decode import load_photo
from vision.reader import load_reader
from vision.recognise.roi_head import OUTPUTS

SAMPLE_TABLE = next((ROOT / "webui" / "samples").glob("*.jpg"))
RECIPES = ROOT / "models" / "pipeline" / "recipes"
CHECKPOINTS = ROOT / "models" / "checkpoints"
TRAININGS = ("roi_head", "relations", "detector")


@pytest.mark.parametrize("path", sorted(RECIPES.glob("*.toml")), ids=lambda path: path.stem)
@pytest.mark.parametrize("toy", [False, True])
def test_a_committed_recipe_has_stages_of_known_kinds_after_their_parents(path: Path, toy: bool) -> None:
    recipe = load_recipe(path, toy)
    assert recipe["name"].endswith("-toy") == toy and {stage["kind"] for stage in recipe["stage"]} <= set(KINDS)
    earlier: set[str] = set()
    for stage in recipe["stage"]:
        assert all(parent in earlier or (ROOT / parent).is_file() for parent in stage["parents"])
        earlier.add(stage["name"])
        assert stage["kind"] not in TRAININGS or (stage["steps"] < 20) == toy
    assert sum(stage["kind"] in TRAININGS for stage in recipe["stage"]) == 1


def test_the_whole_recipe_runs_in_small(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(RECIPES / "reader.toml"), "--toy", "--out", str(tmp_path), "--processes", "0"]) == 0
    assert "roi-head: " in capsys.readouterr().out
    made = tmp_path / "reader-toy"
    sizes = {"index": INDEX_SIZE, "around": AROUND_SIZE}
    inputs = {name: np.zeros((1, 3, height, width), np.float32) for name, (width, height) in sizes.items()}
    outputs = onnx_session(made / "roi-head" / "roi_head.onnx", 1).run(list(OUTPUTS), inputs)
    assert [output.shape for output in outputs] == [(1, 8), (1, 1), (1, 1), (1, 96)]
    networks = ["detector-int8.onnx", "detector.onnx", "relations.onnx", "roi_head-int8.onnx", "standard.deck.npz"]
    assert sorted(json.loads((made / "weights" / "weights.json").read_text())) == ["calibration.json", *networks]
    assert (made / "weights" / "relations.onnx").stat().st_size < 1e6, "in half precision"
    reading, trace = load_reader(weights=made / "weights").read_traced(load_photo(SAMPLE_TABLE))
    assert trace.classified is not None and len(trace.classified) and reading.width > 0


@pytest.mark.by_hand
@pytest.mark.parametrize("network", ["roi_head.npz", "detector.pt"])
def test_a_network_is_trained_on_from_its_checkpoint(tmp_path: Path, network: str) -> None:
    recipe = RECIPES / f"{Path(network).stem}.toml"
    assert main([str(recipe), "--toy", "--out", str(tmp_path), "--processes", "0"]) == 0
    (trained,) = tmp_path.glob(f"*-toy/*/{network}")
    if network.endswith(".pt"):
        before, after = (torch.load(path, weights_only=True) for path in (CHECKPOINTS / network, trained))
    else:
        before, after = (load_state(RoiHeadNet(), path).state_dict() for path in (CHECKPOINTS / network, trained))
    off = [float((before[name] - value).float().abs().mean()) for name, value in after.items() if "weight" in name]
    assert 0 < max(off) < 0.02


def noise(settings: object, number: int, *_: object) -> Samples:
    """A block that has nothing to do with cards, fast to draw."""
    rng = np.random.default_rng(number)
    block = np.zeros(24, SAMPLE)
    for name in ("index", "around"):
        block[name] = rng.integers(0, 256, block[name].shape)
    for name, many in (("real", 2), ("rank", 14), ("suit", 4), ("identity", 6)):
        block[name] = rng.integers(0, many, 24)
    return block


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(roi_head, "draw_block", noise)
    torch.set_num_threads(1)
    settings = {"seed": 3, "steps": 6, "batch": 8, "save_every": 2, "log_every": 1, "loss": {}, "augmentation": {}}
    optimizer = {"highest_rate": 1e-3, "weight_decay": 0.01, "max_gradient_norm": 5.0, "ema_decay": 0.9, "steady": 1}
    parents = ["models/weights/detector-int8.onnx", "models/checkpoints/roi_head.npz"]
    ring = {"first": 1, "window": 2, "steps_per_block": 2}
    stage = {"name": "roi-head", "kind": "roi_head", "parents": parents, "optimizer": optimizer, "ring": ring}
    return {"name": "small", "stage": [{**stage, **settings}]}


def run(recipe: dict[str, Any], out: Path) -> Path:
    return run_recipe(recipe, KINDS, out, None, 0)["roi-head"][0]


def test_a_stopped_training_goes_on_as_if_it_had_not_stopped(
    tmp_path: Path, recipe: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(recipe, tmp_path / "whole")

    def killed(settings: object, number: int, *_: object) -> Samples:
        if number == 2:
            raise KeyboardInterrupt
        return noise(settings, number)

    monkeypatch.setattr(roi_head, "draw_block", killed)
    with pytest.raises(KeyboardInterrupt):
        run(recipe, tmp_path / "parts")
    state = tmp_path / "parts" / "small" / "roi-head" / "state.pt"
    assert torch.load(state, weights_only=True)["step"] == 4
    monkeypatch.setattr(roi_head, "draw_block", noise)
    parts = run(recipe, tmp_path / "parts")
    first, second = (np.load(path) for path in (whole, parts))
    assert all(np.array_equal(first[name], second[name]) for name in first.files)
    assert not list((state.parent / "ring").iterdir())


def test_a_finished_stage_is_kept_and_other_settings_need_another_folder(
    tmp_path: Path, recipe: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = run(recipe, tmp_path)
    monkeypatch.setitem(KINDS, "roi_head", lambda run: pytest.fail("it is finished"))
    assert run(recipe, tmp_path) == made
    recipe["stage"][0]["steps"] = 4
    with pytest.raises(RecipeError, match=r"other settings in .*roi-head: remove it, or name another --out"):
        run(recipe, tmp_path)


def test_what_cannot_be_run_is_told_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text("name = ")
    assert main([str(bad), "--toy"]) == 1 and "expected a recipe in" in capsys.readouterr().err
    assert main([str(RECIPES / "reader.toml"), "--assets", str(tmp_path)]) == 1
    assert "datasets.assets.collect" in capsys.readouterr().err
