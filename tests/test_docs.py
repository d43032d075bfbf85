"""The documents tell the truth: what they link to, name and list exists, and what exists is listed in the contract."""

from __future__ import annotations

import re
import tomllib
import typing
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.scoring.tally import Code
from vision.checks.photo_checks import WarningCode
from vision.doubts import Doubt
from webui.cli import _parser

ROOT = Path(__file__).parents[1]
ROOMS = ("scorer", "vision", "webui", "datasets", "models", "tests", "docs", "deploy")
DOCUMENTS = sorted(
    path
    for path in ROOT.rglob("*.md")
    if not any(part.startswith(".") or part == "runs" for part in path.relative_to(ROOT).parts)
)
EXAMPLES = {"tests/scorer/worked/kitchen.json", "vision/cameras/program.py"}
"""Files that a document tells its reader to write."""

_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_PATH = re.compile(r"(?<![\w/.~-])[\w.-]+(?:/[\w.-]+)+/?")
_FILE = re.compile(r"`([\w-]+\.(?:py|md|toml|jsonl))`")
_MODULE = re.compile(rf"-m ((?:{'|'.join(ROOMS)})(?:\.\w+)+)|`((?:{'|'.join(ROOMS)})(?:\.\w+)+)`")
_CODE_ROW = re.compile(r"^\| `([a-z-]+)` \|", re.MULTILINE)


def problems(text: str, folder: Path) -> list[str]:
    """What a document in a folder names that does not exist."""
    return [*_broken_links(text, folder), *_unknown_paths(text, folder), *_unknown_modules(text)]


def _broken_links(text: str, folder: Path) -> Iterator[str]:
    for target in _LINK.findall(text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = folder / name if name else None
        if path is not None and not path.exists():
            yield f"link to {target}"
        elif anchor and anchor not in _anchors(path.read_text(encoding="utf-8") if path else text):
            yield f"link to the heading {target}"


def _anchors(text: str) -> set[str]:
    """The names that GitHub gives to a document's headings."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _unknown_paths(text: str, folder: Path) -> Iterator[str]:
    """Paths that begin at a room, or that name a Python file, and bare names of files in code marks."""
    places = (ROOT, folder, ROOT / "tests", ROOT / "vision")
    for found in _PATH.findall(re.sub(r"\w+://\S+", "", text)):
        path = found.rstrip(".")
        room, rest = path.split("/", 1)
        named = (room in ROOMS and (ROOT / room).is_dir() and bool(rest)) or path.endswith(".py")
        if named and path not in EXAMPLES and not any((place / path).exists() for place in places):
            yield f"path {path}"
    for name in _FILE.findall(text):
        if not (folder / name).exists() and not any(True for room in (*ROOMS, ".") for _ in _named(room, name)):
            yield f"file {name}"


def _named(room: str, name: str) -> Iterator[Path]:
    return (ROOT / room).glob(name) if room == "." else (ROOT / room).rglob(name)


def _unknown_modules(text: str) -> Iterator[str]:
    for match in _MODULE.finditer(text):
        name = match[1] or match[2]
        parts = name.split(".")
        if _is_module(parts) or (not match[1] and _is_module(parts[:-1]) and _has(parts)):
            continue
        yield f"module {name}"


def _is_module(parts: list[str]) -> bool:
    path = ROOT.joinpath(*parts)
    return path.with_suffix(".py").is_file() or path.is_dir()


def _has(parts: list[str]) -> bool:
    """Whether a module defines what is named after it."""
    path = ROOT.joinpath(*parts[:-1]).with_suffix(".py")
    return path.is_file() and bool(
        re.search(rf"^(?:def|class) {parts[-1]}\b|^{parts[-1]}\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    )


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_what_a_document_names_exists(path: Path) -> None:
    assert problems(path.read_text(encoding="utf-8"), path.parent) == []


@pytest.mark.parametrize(
    "wrong",
    [
        "[lost](nowhere.md)",
        "[no such heading](README.md#nowhere)",
        "[nor here](#nowhere)",
        "see vision/nowhere.py.",
        "`webui/nowhere/`",
        "engines/nowhere.py",
        "`nowhere.py`",
        "`python -m webui.nowhere`",
        "`vision.reader.nowhere`",
    ],
)
def test_a_document_that_names_what_does_not_exist_is_found_out(wrong: str) -> None:
    assert len(problems(f"# A heading\n\n{wrong}\n", ROOT)) == 1


def test_links_and_names_that_exist_are_let_pass() -> None:
    right = "[a](README.md#start), [b](#a-heading), vision/reader.py, `webui/pages/`, `reader.py`, `vision.reader`"
    assert problems(f"# A heading\n\n{right}, https://example.org/vision/nowhere.py\n", ROOT) == []


@pytest.mark.parametrize(
    "folder",
    [path.parent for path in DOCUMENTS if path.name == "README.md" and path.relative_to(ROOT).parts[0] in ROOMS[:5]],
    ids=lambda folder: str(folder.relative_to(ROOT)),
)
def test_the_readme_of_a_folder_names_all_its_modules(folder: Path) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    modules = [path for path in folder.glob("*.py") if not path.name.startswith("__")]
    assert [path.name for path in modules if path.name not in text and f"`{path.stem}" not in text] == []


def _subcommands() -> dict[str, ArgumentParser]:
    found = next(action for action in _parser()._actions if isinstance(action, _SubParsersAction))
    return dict(found.choices)


def _options(parser: ArgumentParser) -> set[str]:
    return {option for action in parser._actions for option in action.option_strings if option.startswith("--")}


def _contract() -> str:
    return (ROOT / "docs" / "contract.md").read_text(encoding="utf-8")


def _section(heading: str) -> str:
    return _contract().split(f" {heading}\n", 1)[1].split("\n#", 1)[0]


def test_the_contract_lists_every_command_and_option() -> None:
    commands = _subcommands()
    rows = {match[1]: match[0] for match in re.finditer(r"^\| `(\w+)` \|.*$", _section("Commands"), re.MULTILINE)}
    assert set(rows) == set(commands)
    for name, parser in commands.items():
        assert set(re.findall(r"--[\w-]+", rows[name])) == _options(parser) - {"--help"}, name
    assert set(re.findall(r"^\| `handfoot (\w+)", _section("Commands"), re.MULTILINE)) == set(commands)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_document_names_no_unknown_command_or_option(path: Path) -> None:
    commands = _subcommands()
    for match in re.finditer(r"handfoot (?!-)([a-z]+)\b([^`\n]*)`", path.read_text(encoding="utf-8")):
        assert match[1] in commands, match[0]
        assert set(re.findall(r"--[a-z-]+", match[2])) <= _options(commands[match[1]]), match[0]


def test_the_contract_lists_every_code() -> None:
    assert set(_CODE_ROW.findall(_section("Violations"))) == set(typing.get_args(Code))
    assert set(_CODE_ROW.findall(_section("Doubts"))) == set(Doubt)
    assert set(_CODE_ROW.findall(_section("Photo warnings"))) == set(WarningCode)


def test_figures_of_accuracy_are_those_of_the_model_card() -> None:
    figures = set(re.findall(r"\b0\.\d{3}\b", (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")))
    card = (ROOT / "models" / "CARD.md").read_text(encoding="utf-8")
    assert figures and [figure for figure in sorted(figures) if figure not in card] == []


def test_the_layers_of_the_architecture_are_those_that_are_checked() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = {held["containers"][0]: held["layers"] for held in contracts if "containers" in held}
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (`.* → .*`) \|$", text, re.MULTILINE)
    assert {"scorer", "vision", "webui", "datasets", "models"} == {room for room, _ in rows}
    for room, row in rows:
        assert [layer.strip("`").replace("\\|", "|") for layer in row.split(" → ")] == layers[room], room


def test_targets_of_make_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    asked = re.findall(
        r"^make ([\w ]+?)(?: +#.*)?$|`make ([\w ]+)`", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE
    )
    wanted = {target for pair in asked for target in "".join(pair).split()}
    assert wanted and wanted <= targets
