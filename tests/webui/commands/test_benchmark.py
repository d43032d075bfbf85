"""Which engine is chosen on a machine, and what happens if it is missing later."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import webui.commands.machine.benchmark
from tests.webui.helpers.drawn import DrawnReader
from tests.webui.test_cli import Captured
from vision.detect.detections import Detections
from vision.detect.detector import OnnxDetector
from vision.engines.kinds import ENGINES
from vision.errors import WeightsError
from vision.reader import WARM_UP_SHAPE
from vision.values import Pixels
from webui.cli import main
from webui.commands.machine.benchmark import Trial, benchmark, run_trial, same_cards
from webui.reading.engine_choice import chosen_engine, load_chosen_reader, save_engine

CARDS = [("8H", 0.1, 0.1), ("8H", 0.3, 0.1), ("KS", 0.5, 0.2)]
GONE = Trial(0, [], "it is not installed")


def said(monkeypatch: pytest.MonkeyPatch, folder: Path, **trials: Trial) -> str:
    """What is said of a machine with these engines."""
    monkeypatch.setattr(
        webui.commands.machine.benchmark, "run_trial", lambda engine, _: trials.get(engine.replace("-", "_"), GONE)
    )
    return "\n".join(check.message for check in benchmark(folder))


def test_the_fastest_engine_with_the_same_reading_is_chosen_and_stored(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    moved = [(face, x + 0.004, y) for face, x, y in CARDS[::-1]]
    trials = {"onnx": Trial(0.6, CARDS), "ncnn": Trial(0.3, moved), "ncnn_half": Trial(0.2, CARDS[:2])}
    text = said(monkeypatch, tmp_path, **trials)
    assert "ncnn: 0.30 s a look, 3 cards\n" in text
    assert "ncnn-half: 0.20 s a look, 2 cards, not those that onnx reads" in text
    assert "ncnn is the quickest here and is used from now on" in text and chosen_engine(tmp_path) == "ncnn"


def test_a_slightly_faster_engine_is_not_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    save_engine(tmp_path, "ncnn")
    text = said(monkeypatch, tmp_path, onnx=Trial(0.6, CARDS), ncnn=Trial(0.57, CARDS))
    assert "ncnn-half: not to be had here (it is not installed)" in text and chosen_engine(tmp_path) == "onnx"


def test_nothing_is_stored_without_the_default_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said(monkeypatch, tmp_path / "new", ncnn=Trial(0.1, CARDS))
    assert not (tmp_path / "new").exists()


def test_readings_differ_by_face_or_position() -> None:
    assert same_cards(CARDS, [(face, x, y + 0.009) for face, x, y in CARDS])
    assert not same_cards(CARDS, [("8D", 0.1, 0.1), *CARDS[1:]])
    assert not same_cards(CARDS, [("8H", 0.1, 0.12), *CARDS[1:]])
    assert not same_cards(CARDS, [*CARDS, CARDS[0]]) and not same_cards([*CARDS, CARDS[0]], CARDS)


def test_the_default_engine_reads_the_sample_in_its_own_process(tmp_path: Path) -> None:
    done = run_trial("onnx", tmp_path)
    assert done.error is None and done.seconds > 0 and len(done.cards) >= 30
    assert all(0 < x < 1 and 0 < y < 1 for _, x, y in done.cards)


def test_loading_includes_the_warm_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    looked_at = []

    def detect(_: OnnxDetector, pixels: Pixels, scale: float) -> Detections:
        looked_at.append((pixels.shape, scale))
        return Detections.empty()

    monkeypatch.setattr(OnnxDetector, "detect", detect)
    load_chosen_reader(tmp_path)
    assert looked_at == [(WARM_UP_SHAPE, 1.0)]


def test_a_crashing_engine_does_not_affect_the_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    crash = tmp_path / "python"
    crash.write_text("#!/bin/sh\nkill -SEGV $$\n")
    crash.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(crash))
    error = run_trial("ncnn", tmp_path).error
    assert error is not None and error.startswith("it crashed")


def test_a_missing_engine_is_replaced_by_the_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    save_engine(tmp_path, "ncnn")

    def load(engine: str, data_dir: Path) -> DrawnReader:
        if engine != "onnx":
            raise WeightsError("it is not installed")
        return DrawnReader()

    monkeypatch.setattr("webui.reading.engine_choice.load_reader", load)
    engine, reader = load_chosen_reader(tmp_path)
    assert engine == "onnx" and isinstance(reader, DrawnReader)
    assert "read on onnx, not on ncnn: it is not installed" in caplog.text


def test_a_damaged_choice_means_the_default_engine(tmp_path: Path) -> None:
    for rubbish in ("", "[]", '{"engines": 1}'):
        (tmp_path / "engine.json").write_text(rubbish, encoding="utf-8")
        assert chosen_engine(tmp_path) == "onnx"
    save_engine(tmp_path, "abacus")
    assert load_chosen_reader(tmp_path)[0] == "onnx"


def test_the_doctor_benchmarks_first_and_checks_the_choice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Captured
) -> None:
    monkeypatch.setattr(webui.commands.machine.benchmark, "run_trial", lambda *_: Trial(0.5, CARDS))
    monkeypatch.setattr("webui.commands.doctor.load_chosen_reader", lambda _: ("onnx", DrawnReader()))
    assert main(["doctor", "--benchmark", "--data", str(tmp_path)]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "engine" in line]
    assert len(rows) == len(ENGINES) + 2
    assert "onnx is as quick as any here" in rows[-2] and "onnx: " in rows[-1]


def test_a_choice_that_cannot_be_stored_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert "this could not be kept" in said(monkeypatch, tmp_path / "file", onnx=Trial(0.6, CARDS))
