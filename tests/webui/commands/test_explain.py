"""``handfoot explain``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from webui.cli import main
from webui.settings import SAMPLES

PHOTO = sorted(SAMPLES.glob("*.jpg"))[0]


def test_the_json_output_keeps_its_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(PHOTO), "--json"]) == 0
    (row,) = capsys.readouterr().out.splitlines()
    told = json.loads(row)
    assert main(["scan", str(PHOTO), "--json"]) == 0
    scanned = json.loads(capsys.readouterr().out)
    assert told["photo"] == str(PHOTO)
    assert [(card["face"], card["doubt"]) for card in told["cards"]] == [
        (card["face"], card["doubt"]) for card in scanned["cards"]
    ]
    card = told["cards"][0]
    assert {"card", "face", "confidence", "doubt", "quad", "others", "indices", "paired_face"} <= set(card)
    steps = card["indices"][0]["steps"]
    assert [step["stage"] for step in steps][:3] == ["detector", "outline-refiner", "index-classifier"]
    assert isinstance(told["rejected"], list)


def test_one_card_is_shown_stage_by_stage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(PHOTO), "--card", "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("card 1: ") and "card 0" not in shown
    for stage in (
        "detector",
        "outline refiner",
        "index classifier",
        "relation model",
        "pairing",
        "house rules",
        "doubt",
    ):
        assert f"    {stage} " in shown


@pytest.mark.parametrize("number", ["-1", "999"])
def test_a_card_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture[str], number: str) -> None:
    assert main(["explain", str(PHOTO), "--card", number]) == 1
    said = capsys.readouterr()
    assert not said.out and f"has no card {number}: its cards are 0 to " in said.err


def test_no_photo_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["explain", str(tmp_path / "none.jpg")]) == 1
    assert "none.jpg" in capsys.readouterr().err
