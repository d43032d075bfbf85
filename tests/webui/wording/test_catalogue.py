"""The list of all sentences is complete, and no sentence of it can fail where it is filled in."""

from __future__ import annotations

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import webui
from webui.translation import TRANSLATIONS

_CALLS = ("_", "N_", "gettext", "ngettext")
ROOT = Path(webui.__file__).parents[1]


def in_code() -> set[tuple[str, ...]]:
    """Every sentence that templates and Python take from the catalogue, with its plural where it has one."""
    mappings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["babel"]["mappings"]
    methods = [(one["pattern"], one["method"]) for one in mappings]
    options = {one["pattern"]: {key: str(value) for key, value in one.items()} for one in mappings}
    found = extract_from_dir(ROOT / "webui", methods, options, strip_comment_tags=True)
    texts = {_texts(message) for _, _, message, _, _ in found}
    plurals = {text[0] for text in texts if len(text) > 1}
    return {text for text in texts if len(text) > 1 or text[0] not in plurals}


def _texts(message: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (message,) if isinstance(message, str) else tuple(message)


@cache
def listed() -> Catalog:
    with (TRANSLATIONS / "messages.pot").open(encoding="utf-8") as file:
        return read_po(file)


def test_the_list_holds_every_sentence_and_no_other() -> None:
    """After a change of what people read: ``make messages``."""
    assert {_texts(message.id) for message in listed() if message.id} == in_code()


def test_the_list_holds_every_literal_that_python_looks_up() -> None:
    """One inside of another call of the catalogue is easily overlooked."""
    known = {text for message in listed() for text in _texts(message.id)}
    for path in (ROOT / "webui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CALLS:
                literals = [one.value for one in node.args[:2] if isinstance(one, ast.Constant)]
                assert {text for text in literals if isinstance(text, str)} <= known, (path, node.lineno)


def test_every_sentence_can_be_filled_in() -> None:
    """A percent sign stands for a named value, or twice for itself."""
    for message in listed():
        for text in _texts(message.id):
            assert "%" not in re.sub(r"%\(\w+\)s|%%", "", text), text


def test_plurals_name_the_same_values() -> None:
    for message in listed():
        if isinstance(message.id, tuple):
            one, many = (set(re.findall(r"%\((\w+)\)s", text)) - {"num", "count"} for text in message.id)
            assert one == many, message.id
