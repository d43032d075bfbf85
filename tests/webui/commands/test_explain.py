"""``handfoot explain``."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from scorer.rules import load_rules
from vision.detect.trace import Trace
from vision.images.decode import load_photo
from vision.values import Frame, HouseRules, Reading
from webui.cli import main
from webui.reading.engine_choice import load_chosen_reader
from webui.reading.reader_service import house_rules
from webui.settings import SAMPLES

PHOTO = sorted(SAMPLES.glob("*.jpg"))[0]


@cache
def read_once() -> tuple[Reading, Trace]:
    reader = load_chosen_reader(Path("no-such"))[1]
    return reader.read_traced(load_photo(PHOTO), house_rules(load_rules("golden-games"), 4))


@pytest.fixture
def read_before(monkeypatch: pytest.MonkeyPatch) -> None:
    known = SimpleNamespace(read_traced=lambda *_: read_once())
    monkeypatch.setattr("webui.commands.cards.explain.load_chosen_reader", lambda _: ("onnx", known))


def test_the_json_output_keeps_its_contract(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(PHOTO), "--json"]) == 0
    (row,) = capsys.readouterr().out.splitlines()
    explained = json.loads(row)
    assert main(["scan", str(PHOTO), "--json"]) == 0
    scanned = json.loads(capsys.readouterr().out)
    assert explained["photo"] == str(PHOTO)
    assert [(card["face"], card["doubt"]) for card in explained["cards"]] == [
        (card["face"], card["doubt"]) for card in scanned["cards"]
    ]
    card = explained["cards"][0]
    assert {"card", "face", "confidence", "doubt", "quad", "others", "indices", "paired_face"} <= set(card)
    steps = card["indices"][0]["steps"]
    assert [step["stage"] for step in steps] == ["detector", "roi-head", "relations"]
    assert isinstance(explained["rejected"], list)


@pytest.mark.usefixtures("read_before")
def test_one_card_is_shown_stage_by_stage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(PHOTO), "--card", "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("card 1: ") and "card 0" not in shown
    for stage in (
        "detector",
        "roi head",
        "relations",
        "pairing",
        "house rules",
        "doubt",
    ):
        assert f"    {stage} " in shown


@pytest.mark.usefixtures("read_before")
@pytest.mark.parametrize("number", ["-1", "999"])
def test_a_card_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture[str], number: str) -> None:
    assert main(["explain", str(PHOTO), "--card", number]) == 1
    said = capsys.readouterr()
    assert not said.out and f"has no card {number}: its cards are 0 to " in said.err


def test_no_photo_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["explain", str(tmp_path / "none.jpg")]) == 1
    assert "none.jpg" in capsys.readouterr().err


def test_the_number_of_players_decides_the_packs(capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[HouseRules] = []

    class Noting:
        def read_traced(self, frame: Frame, house_rules: HouseRules, taught: object) -> tuple[None, Trace]:
            asked.append(house_rules)
            return None, Trace()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("webui.commands.cards.explain.load_chosen_reader", lambda _: ("onnx", Noting()))
        for options in ([], ["--players", "6"]):
            assert main(["explain", str(PHOTO), "--rules", "tanglewood", *options]) == 0
    rules = load_rules("tanglewood")
    assert asked == [house_rules(rules, 4), house_rules(rules, 6)] and asked[0] != asked[1]


@pytest.mark.parametrize("number", ["0", "-3", "1000000000"])
def test_a_number_of_players_that_the_rules_do_not_allow_is_one_sentence(
    capsys: pytest.CaptureFixture[str], number: str
) -> None:
    assert main(["explain", str(PHOTO), "--players", number]) == 1
    said = capsys.readouterr()
    assert not said.out and "is for 4 players; got " in said.err
    assert said.err.rstrip(".\n").endswith(f"got {number}")
