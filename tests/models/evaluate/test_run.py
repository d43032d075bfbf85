"""The evaluation command: labels, corrections of labels, errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("PIL", reason="the extra train is not installed")

ROOT = Path(__file__).parents[3]
CORRECTIONS = ROOT / "models" / "evaluate" / "corrections.jsonl"
PHOTOS = ROOT.parent / "shared" / "photos"


def test_correction_adds_and_removes_cards() -> None:
    from models.evaluate.run import corrected

    assert corrected(["QS", "QD", "KC"], {"photo": "a.jpg", "add": ["QC"], "remove": ["QS"]}) == ["QD", "KC", "QC"]
    assert corrected(["KC"], {}) == ["KC"]
    with pytest.raises(ValueError, match=r"a\.jpg removes 5H, which is not among its labels"):
        corrected(["KC"], {"photo": "a.jpg", "remove": ["5H"]})


@pytest.mark.skipif(not PHOTOS.is_dir(), reason=f"the development photos are not at {PHOTOS}")
def test_shipped_corrections_fit_the_labels() -> None:
    from models.evaluate.run import corrected

    lines = (PHOTOS / "truth.jsonl").read_text(encoding="utf-8").splitlines()
    labels = {known["photo"]: known["cards"] for known in map(json.loads, lines)}
    for correction in map(json.loads, CORRECTIONS.read_text(encoding="utf-8").splitlines()):
        cards = corrected(labels[correction["photo"]], correction)
        # each pack lies there once
        assert len(set(cards)) == len(cards)
        assert correction["why"]


def test_bad_corrections_give_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "truth.jsonl").write_text('{"photo": "a/a.jpg", "cards": ["KC"]}\n', encoding="utf-8")
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text('{"photo": "a/a.jpg", "remove": ["5H"], "why": "a test"}\n', encoding="utf-8")
    for given, said in ((wrong, "removes 5H"), (tmp_path / "none.jsonl", "none.jsonl")):
        command = [sys.executable, "-m", "models.evaluate.run", str(tmp_path), "--corrections", str(given)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("truth", "options", "said"),
    [
        (None, [], "truth.jsonl with a JSON object a line that has photo and cards"),
        ('{"photo": "a/a.jpg", "cards": ["KC"]}\n{"photo": "a/b.jpg"}\n', [], "photo and cards; line 2 has not"),
        ('{"photo": "a/a.jpg", "cards": null}\n', [], "photo and cards; line 1 has not"),
        ('{"photo": "a/a.jpg", "cards": ["KC"]}\n', ["--only", "b"], "expected photos of b/ in"),
        ('{"photo": "a/a.jpg", "cards": ["KC"]}\n', [], "a.jpg"),
    ],
    ids=["no truth", "half a truth", "no list", "no such subfolder", "no photo"],
)
def test_bad_folder_gives_one_sentence(tmp_path: Path, truth: str | None, options: list[str], said: str) -> None:
    if truth is not None:
        (tmp_path / "truth.jsonl").write_text(truth, encoding="utf-8")
    command = [sys.executable, "-m", "models.evaluate.run", str(tmp_path), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr
