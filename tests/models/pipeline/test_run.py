"""Recipes as they run: the whole in small, and a training that is stopped and goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
import torch

from datasets.assets.manifest import file_hash
from models.networks.layers import load_state
from models.networks.roi_head import RoiHeadNet
from models.pipeline import run as run_module
from models.pipeline import run_folder
from models.pipeline.__main__ import main
from models.pipeline.recipe import Recipe, RecipeError, StageSpec
from models.pipeline.run import run_recipe
from models.pipeline.run_folder import ROOT, StageStopped, finished
from models.pipeline.stages import relation, roi_head
from models.samples.relations import ROW, Rows
from models.samples.roi_head import SAMPLE, Samples
from vision.crops.roi_crops import AROUND_SIZE, INDEX_SIZE
from vision.engines.kinds.onnx import onnx_session
from vision.engines.weights import fastest_path
from vision.images.decode import load_photo
from vision.reader import load_reader
from vision.recognise.roi_head import OUTPUTS

SAMPLE_TABLE = next((Path(__file__).parents[3] / "webui" / "samples").glob("*.jpg"))
RECIPE = Path(__file__).parents[3] / "models" / "pipeline" / "recipes" / "reader.toml"
CHECKPOINTS = ROOT / "models" / "checkpoints"
DETECTOR, ROI_HEAD = RECIPE.with_name("detector.toml"), RECIPE.with_name("roi_head.toml")


def noise(*given: Any) -> Samples:
    """A block that has nothing to do with cards, fast to draw."""
    rng = np.random.default_rng(given[1])
    block = np.zeros(24, SAMPLE)
    for name in ("index", "around"):
        block[name] = rng.integers(0, 256, block[name].shape)
    block["real"], block["rank"], block["suit"] = (
        rng.integers(0, 2, 24),
        rng.integers(0, 14, 24),
        rng.integers(0, 4, 24),
    )
    block["identity"] = rng.integers(0, 6, 24)
    return block


def a_detector() -> StageSpec:
    path = fastest_path("detector")
    return StageSpec("detector", "given", (), {"seed": 3, "file": str(path), "sha256": file_hash(path)})


def training(steps: int = 6) -> StageSpec:
    settings = {
        "seed": 3,
        "steps": steps,
        "batch": 8,
        "save_every": 2,
        "log_every": 1,
        "optimizer": {"highest_rate": 1e-3, "weight_decay": 0.01, "max_gradient_norm": 5.0, "ema_decay": 0.9},
        "ring": {"first": 1, "window": 2, "steps_per_block": 2},
    }
    return StageSpec("roi-head", "roi_head", ("detector",), settings)


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch) -> Recipe:
    monkeypatch.setattr(roi_head, "draw_block", noise)
    torch.set_num_threads(1)
    return Recipe("small", (a_detector(), training()))


def run(recipe: Recipe, out: Path, **how: Any) -> dict[str, list[Path]]:
    return run_recipe(recipe, out, processes=0, registry=out / "registry.jsonl", **how)


def test_the_whole_recipe_runs_in_small(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = run_module.REGISTRY.read_bytes()
    assert main([str(RECIPE), "--toy", "--out", str(tmp_path), "--processes", "0"]) == 0
    assert "roi-export: " in capsys.readouterr().out
    assert run_module.REGISTRY.read_bytes() == before, "toys are not registered"
    (exported,) = tmp_path.glob("reader-toy/roi-export-*/roi_head.onnx")
    sizes = {"index": INDEX_SIZE, "around": AROUND_SIZE}
    inputs = {name: np.zeros((1, 3, height, width), np.float32) for name, (width, height) in sizes.items()}
    outputs = onnx_session(exported, 1).run(list(OUTPUTS), inputs)
    assert [output.shape for output in outputs] == [(1, 8), (1, 1), (1, 1), (1, 96)]
    (weights,) = tmp_path.glob("reader-toy/weights-*")
    networks = ["detector-int8.onnx", "detector.onnx", "relations.onnx", "roi_head-int8.onnx", "standard.deck.npz"]
    assert sorted(json.loads((weights / "weights.json").read_text())) == ["calibration.json", *networks]
    assert (weights / "relations.onnx").stat().st_size < 1e6, "in half precision"
    reading, trace = load_reader(weights=weights).read_traced(load_photo(SAMPLE_TABLE))
    assert trace.classified is not None and len(trace.classified) and reading.width > 0


@pytest.mark.by_hand
def test_a_roi_head_is_trained_on_from_its_checkpoint(tmp_path: Path) -> None:
    assert main([str(ROI_HEAD), "--toy", "--out", str(tmp_path), "--processes", "0"]) == 0
    (trained,) = tmp_path.glob("roi-head-toy/roi-head-*/roi_head.npz")
    before, after = (load_state(RoiHeadNet(), path).state_dict() for path in (CHECKPOINTS / trained.name, trained))
    off = [float((before[name] - value).abs().mean()) for name, value in after.items() if name.endswith("weight")]
    assert 0 < max(off) < 0.02
    (figures,) = tmp_path.glob("roi-head-toy/roi-check-*/figures.json")
    told = json.loads(figures.read_text())
    assert told["samples"] > 0 and told["rank_right"] > 0.5


def test_a_detector_that_was_stopped_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    torch.set_num_threads(1)
    how = [str(DETECTOR), "--toy", "--processes", "0", "--out", str(tmp_path)]
    assert main([*how, "--stop-after", "0.000001"]) == 1
    assert "--resume goes on" in capsys.readouterr().err
    (state,) = tmp_path.glob("detector-toy/detector-*/state.pt")
    folder = state.parent
    assert torch.load(state, weights_only=True)["step"] == 2
    assert main([*how, "--resume"]) == 0
    assert [json.loads(line)["step"] for line in (folder / "metrics.jsonl").read_text().splitlines()] == [2, 4]
    before, after = (torch.load(path / "detector.pt", weights_only=True) for path in (CHECKPOINTS, folder))
    assert set(before) == set(after) and any(not torch.equal(value, after[name]) for name, value in before.items())


def test_a_stopped_training_goes_on_as_if_it_had_not_stopped(tmp_path: Path, recipe: Recipe) -> None:
    whole = run(recipe, tmp_path / "whole")["roi-head"]
    for _ in range(2):  # stopped when it saves
        with pytest.raises(StageStopped, match="--resume goes on"):
            run(recipe, tmp_path / "parts", resume=True, minutes=1e-9)
    (folder,) = (tmp_path / "parts" / "small").glob("roi-head-*")
    with (folder / "metrics.jsonl").open("a") as file:  # as if it had been killed after two steps more
        file.write('{"step": 5}\n{"step": 6}\n')
    assert torch.load(folder / "state.pt", weights_only=True)["step"] == 4
    parts = run(recipe, tmp_path / "parts", resume=True)["roi-head"]
    assert [path.name for path in parts] == [path.name for path in whole] == ["roi_head.npz"]
    first, second = (np.load(paths[0]) for paths in (whole, parts))
    assert all(np.array_equal(first[name], second[name]) for name in first.files)
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert not (folder / "state.pt").exists() and not list((folder / "ring").iterdir())


def related(number: int) -> Rows:
    """A block of four tables that have nothing to do with cards."""
    rng = np.random.default_rng(number)
    block = np.zeros(24, ROW)
    for name in ("told", "between", "names"):
        block[name] = rng.normal(size=block[name].shape)
    block["places"], block["there"] = rng.integers(0, 6, block["places"].shape), True
    block["table"], block["index"], block["required"] = np.arange(24) // 6, rng.integers(-1, 4, 24), True
    block["rank"] = np.where(block["index"] < 0, -1, rng.integers(0, 14, 24))
    return block


def test_a_stopped_training_of_the_relations_goes_on_as_if_it_had_not_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relation, "_drawn", lambda run, part: lambda: related)
    torch.set_num_threads(1)
    both = Recipe("small", (a_detector(), replace(training(), name="relation", kind="relation")))
    whole = run(both, tmp_path / "whole")["relation"]
    with pytest.raises(StageStopped, match="--resume goes on"):
        run(both, tmp_path / "parts", minutes=1e-9)
    parts = run(both, tmp_path / "parts", resume=True)["relation"]
    first, second = (torch.load(paths[0], weights_only=True) for paths in (whole, parts))
    assert all(torch.equal(value, second[name]) for name, value in first.items())
    assert first["spread"].std() > 0, "its inputs are standardised"


def test_a_stopped_training_is_not_begun_again_unasked(tmp_path: Path, recipe: Recipe) -> None:
    with pytest.raises(StageStopped):
        run(recipe, tmp_path, minutes=1e-9)
    with pytest.raises(RecipeError, match="add --resume, or remove it"):
        run(recipe, tmp_path)


def test_a_finished_stage_is_kept_until_it_or_its_parents_change(tmp_path: Path, recipe: Recipe) -> None:
    first = run(recipe, tmp_path)
    registered = (tmp_path / "registry.jsonl").read_text().splitlines()
    assert [json.loads(line)["stage"] for line in registered] == ["detector", "roi-head"]
    assert {"revision", "result", "figures", "seconds", "finished", "key"} <= json.loads(registered[1]).keys()
    assert run(recipe, tmp_path) == first
    assert len((tmp_path / "registry.jsonl").read_text().splitlines()) == 2
    changed = Recipe("small", (recipe.stages[0], training(steps=4)))
    assert run(changed, tmp_path)["roi-head"] != first["roi-head"]
    first["roi-head"][0].write_bytes(b"other")
    assert finished(first["roi-head"][0].parent) is None
    folder = first["roi-head"][0].parent
    told = json.loads((folder / "environment.json").read_text())
    assert torch.__version__.startswith(told["versions"]["torch"]) and told["processor"] and told["revision"]
    assert json.loads((folder / "config.json").read_text())["settings"]["steps"] == 6


def test_other_code_is_another_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = StageSpec("roi-head", "roi_head", (), {})
    monkeypatch.setattr(run_folder, "ROOT", tmp_path)
    code = tmp_path / run_folder.CODE[0] / "network.py"
    code.parent.mkdir(parents=True)
    keys = set()
    for text in ("a = 1", "a = 2", "a = 1"):
        code.write_text(text)
        keys.add(run_folder.run_key(given, {}, "")[0])
    assert len(keys) == 2
    assert all(list((ROOT / room).glob("*.py")) for room in run_folder.CODE)


def test_a_given_file_must_be_the_one_that_was_meant(tmp_path: Path) -> None:
    given = StageSpec("detector", "given", (), {"file": "models/checkpoints/detector.pt", "sha256": "0" * 64})
    with pytest.raises(RecipeError, match="with SHA-256 0000"):
        run(Recipe("small", (given,)), tmp_path)
    with pytest.raises(RecipeError, match="expected kinds of stages given, "):
        run(Recipe("small", (StageSpec("x", "unknown", (), {}),)), tmp_path)
