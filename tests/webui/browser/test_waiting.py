"""Tests in a browser wait for what they expect, as a busy machine shows it a moment later: none looks once."""

from __future__ import annotations

import ast
from pathlib import Path

HERE = Path(__file__).parent
LOOKS = {"is_visible", "is_hidden", "is_checked", "is_enabled", "input_value", "inner_text", "all_inner_texts"}


def looks_once(code: str) -> list[str]:
    """The assertions about what a page shows just then; ``expect(…)`` and ``until(…)`` wait for it."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Assert):
            calls = [one for one in ast.walk(node.test) if isinstance(one, ast.Call)]
            names = {one.func.attr for one in calls if isinstance(one.func, ast.Attribute) and not one.args}
            addresses = {one.attr for one in ast.walk(node.test) if isinstance(one, ast.Attribute)} & {"url"}
            if names & (LOOKS | {"count"}) or addresses:
                found.append(ast.unparse(node))
    return found


def test_they_wait_for_what_they_expect() -> None:
    found = {file.name: looks_once(file.read_text(encoding="utf-8")) for file in HERE.rglob("test_*.py")}
    assert len(found) > 40 and not {name: looks for name, looks in found.items() if looks}


def test_a_look_is_found() -> None:
    assert looks_once("assert page.get_by_text('Saved').is_visible() and x") and looks_once("assert page.url == a")
    assert looks_once("assert rows.count() == 3") and not looks_once("assert text.count('a') == 3")
