"""The instructions of the README work as written: one file and one worked round."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import scorer
from scorer.deck import parse_deck_file
from scorer.rules import list_rules, load_rules, use_folder
from scorer.scoring import score
from scorer.sheets import read_sheet

_TEXT = (Path(scorer.__file__).parent / "README.md").read_text(encoding="utf-8")


def _block(name: str) -> str:
    block = re.search(rf"<!-- {name} -->\n```\w+\n(.*?)```", _TEXT, re.DOTALL)
    assert block
    return block[1]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    use_folder(tmp_path)
    yield tmp_path
    use_folder(None)


def test_the_rule_set_is_listed_and_scores_its_worked_round(folder: Path) -> None:
    assert "kitchen" not in list_rules()
    (folder / "kitchen.toml").write_text(_block("rule set"), encoding="utf-8")
    assert "kitchen" in list_rules()
    worked: dict[str, Any] = json.loads(_block("worked round"))
    (side,) = score(read_sheet(worked["sheet"]), load_rules("kitchen")).sides
    (expected,) = worked["expected"]
    assert [side.total, [[line.reason, line.points] for line in side.lines], list(side.violations)] == [
        expected["total"],
        expected["lines"],
        expected["violations"],
    ]


def test_the_own_deck_is_one() -> None:
    deck = parse_deck_file(_block("own deck"), "wizards").own_profile
    assert deck is not None and deck.plural("LADY") == "ladies" and len(deck.faces) == 9


def test_every_rule_set_is_in_the_table() -> None:
    for id in list_rules():
        assert f"| `{id}` |" in _TEXT


def test_every_file_and_folder_is_in_the_table() -> None:
    folder = Path(scorer.__file__).parent
    for path in [*folder.glob("*.py"), *folder.glob("rules/*.py"), *folder.glob("scoring/*.py")]:
        assert path.name == "__init__.py" or f"`{path.name}`" in _TEXT, path
    for path in folder.glob("*/"):
        assert path.name == "__pycache__" or f"`{path.name}/`" in _TEXT, path


def test_the_example_prints_what_it_says() -> None:
    found = re.search(r"```python\n(.*?)```", _TEXT, re.DOTALL)
    assert found
    space: dict[str, Any] = {}
    exec(found[1].replace("print(side.total)", "total = side.total"), space)
    assert f"# {space['total']}" in found[1]
