"""Names, file names and errors from anywhere: a terminal shows them and obeys nothing in them."""

from __future__ import annotations

import json
import logging
import re
import sys
import unicodedata
from pathlib import Path

import pytest

from scorer.rules import use_folder
from tests.webui.commands.test_score import SHEET
from webui.cli import main
from webui.server.request_log import TerminalFormatter
from webui.shown_line import shown_line

Captured = pytest.CaptureFixture[str]
CLEARED = "\x1b[2J"
"""Clears a terminal."""
EVIL = f"Ann{CLEARED}\u202e\x9b1A\x07\r\u2028Bo"


def assert_only_shown(text: str) -> None:
    obeyed = {sign for sign in text if sign != "\n" and unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    assert not obeyed, f"a terminal obeys {obeyed}"
    assert "1b[2J" in text, "what stands there is spelled out"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a rule set and a deck of evil names, and a sheet and a photo that are neither."""
    rules = tmp_path / "rulesets" / "ours.toml"
    rules.parent.mkdir()
    shipped = (Path(__file__).parents[2] / "scorer/rulesets/grandma-sue.toml").read_text(encoding="utf-8")
    named = re.sub(
        "^name = .*\nsource = .*",
        lambda _: f"name = {json.dumps(EVIL)}\nsource = {json.dumps(EVIL)}",
        shipped,
        flags=re.M,
    )
    rules.write_text(named.replace('"grandma-sue"', '"ours"'), encoding="utf-8")
    rules.with_name("broken.toml").write_text(f"{json.dumps(EVIL)} = 1\n", encoding="utf-8")
    deck = tmp_path / "decks" / "wizards" / "deck.toml"
    deck.parent.mkdir(parents=True)
    deck.write_text(f'id = "wizards"\nname = {json.dumps(EVIL)}\nprofile = "standard"\n', encoding="utf-8")
    sides = [{"name": EVIL, "left": [["3S"], []]}, {"name": "East–West", "left": [[], []]}]
    (tmp_path / "sheet.json").write_text(json.dumps({**SHEET, "sides": sides}), encoding="utf-8")
    (tmp_path / "wrong.json").write_text(json.dumps({**SHEET, EVIL: 1}), encoding="utf-8")
    (tmp_path / f"photo{CLEARED}.jpg").write_bytes(b"no photo")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "score sheet.json",
        "score wrong.json",
        f"score missing{CLEARED}.json",
        "rules",
        "rules ours",
        f"rules unknown{CLEARED}",
        "decks wizards",
        f"decks unknown{CLEARED}",
        f"scan photo{CLEARED}.jpg",
        f"watch photo{CLEARED}.jpg",
        f"explain photo{CLEARED}.jpg",
        f"import photo{CLEARED}.jpg",
        f"report folder{CLEARED}/report.zip",
        f"score sheet.json --rules {CLEARED}",
    ],
)
def test_a_terminal_obeys_nothing_that_a_command_tells(
    command: str, data: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(data)
    monkeypatch.setattr(sys, "argv", ["handfoot", *command.split()])
    try:
        main([*command.split(), "--data", str(data)])
    except SystemExit as wrong_usage:
        assert wrong_usage.code == 2
    finally:
        use_folder(None)
    said = capsys.readouterr()
    assert_only_shown(said.out + said.err)


def test_a_line_end_in_a_name_begins_no_line(data: Path, capsys: Captured) -> None:
    sheet = {**SHEET, "sides": [{**SHEET["sides"][0], "name": "North\nEast: 9999"}, SHEET["sides"][1]]}
    (data / "sheet.json").write_text(json.dumps(sheet), encoding="utf-8")
    main(["score", str(data / "sheet.json"), "--data", str(data)])
    assert r"North\nEast: 9999: 835" in capsys.readouterr().out.splitlines()


def test_json_has_names_as_they_are(data: Path, capsys: Captured) -> None:
    main(["score", str(data / "sheet.json"), "--data", str(data), "--json"])
    assert json.loads(capsys.readouterr().out)["sides"][0]["name"] == EVIL


def test_the_log_on_a_terminal_keeps_its_lines() -> None:
    record = logging.LogRecord("webui", logging.WARNING, "x.py", 1, "%s cannot be read\nfor good", (EVIL,), None)
    said = TerminalFormatter().format(record)
    assert_only_shown(said)
    assert said.count("\n") == 1


@pytest.mark.parametrize("name", ["Jürgen 🃏", "N’Golo – Łukasz", "👩‍🦳 Ann", "می‌خواهم", "דוד", "山田"])
def test_names_of_all_scripts_stay_as_they_are(name: str) -> None:
    assert shown_line(name) == name
