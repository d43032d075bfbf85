"""``handfoot score``: tallies of round sheets, and a sentence for what is no sheet."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.drawn import NO_CARDS, photo
from webui.cli import main

SHEET: dict[str, Any] = {
    "rules": "golden-games",
    "round": 1,
    "players": 4,
    "sides": [
        {"name": "North–South", "melds": [["4H", "4S", "4D", "4C", "4H", "4S", "4D"]], "went_out": True},
        {"name": "East–West", "left": [["3S"], []]},
    ],
}

Captured = pytest.CaptureFixture[str]


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_sheet_is_scored(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps(SHEET), encoding="utf-8")
    assert main(["score", str(path), "--json"]) == 0
    (tally,) = lines(capsys.readouterr().out)
    # the rule sheet's own example: a clean book of seven 4s is 735; 100 for going out
    assert [side["total"] for side in tally["sides"]] == [835, -100]
    assert tally["sides"][0]["violations"][0]["code"] == "out-without-books"
    assert main(["score", str(path)]) == 0
    text = capsys.readouterr().out
    assert "North–South: 835" in text and "700  clean book of 4s" in text and "out-without-books" in text


def test_the_lines_of_two_players_left_over_cards_say_whose_they_are(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "sheet.json"
    left = [{"name": "North–South", "left": [["2S"], ["2H"]]}, {"name": "East–West", "left": [["2S"], []]}]
    path.write_text(json.dumps({**SHEET, "sides": left}), encoding="utf-8")
    assert main(["score", str(path)]) == 0
    north, east = capsys.readouterr().out.split("East–West")
    assert "player 1: 2s left: 1 × -20" in north and "player 2: 2s left: 1 × -20" in north
    assert "-20  2s left: 1 × -20" in east, "one player alone needs no name"
    assert main(["score", str(path), "--json"]) == 0
    assert "player" not in capsys.readouterr().out


def test_invalid_sheets_get_a_sentence_and_the_others_are_scored(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    bad = [
        b"not json",
        b'{"rules": 1, "rules": 2}',
        b"[" * 50_000,
        b'{"round": ' + b"9" * 6000 + b"}",
        b"\xff\xfe",
        json.dumps({**SHEET, "colour": "red"}).encode(),
        json.dumps({**SHEET, "rules": "bridge"}).encode(),
        b'{"rules": "\\ud800"}',
    ]
    text = b"\n".join([json.dumps(SHEET).encode(), b"", *bad, json.dumps(SHEET).encode()])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["score", "-", "--json"]) == 1
    said = capsys.readouterr()
    assert [tally["sides"][0]["total"] for tally in lines(said.out)] == [835, 835]
    sentences = said.err.splitlines()
    assert [sentence.split(":")[1].split(" cannot")[0] for sentence in sentences] == [
        f" standard input, line {number}" for number in range(3, 11)
    ]
    assert "colour" in sentences[5] and "golden-games" in sentences[6]


def test_missing_and_binary_files_get_a_sentence(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "photo.jpg").write_bytes(photo(NO_CARDS))
    assert main(["score", str(tmp_path / "none.json"), str(tmp_path / "photo.jpg"), str(tmp_path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 3
