"""Where rule sets come from: those shipped in ``rulesets/``, and a folder of the user's own, one file each."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from scorer.data import read_toml, shown
from scorer.errors import RulesError
from scorer.rules.rule_set import RuleSet

_SHIPPED = Path(__file__).parents[1] / "rulesets"
_ID = re.compile(r"[\w-]{1,60}")  # a file's name on every system
_folders: list[Path] = [_SHIPPED]


def use_folder(folder: Path | None) -> None:
    """Names the folder of the user's own rule sets, or none; it need not be there.

    A file there is listed beside the shipped ones, and comes before a shipped one of the same name.
    """
    _folders[:] = [_SHIPPED] if folder is None else [folder, _SHIPPED]


def list_rules() -> tuple[str, ...]:
    """The ids of all rule sets that can be read; ``broken_rules`` has the others."""
    return tuple(id for id in _found() if not _trouble(id))


def broken_rules() -> dict[str, str]:
    """What is wrong with each rule set that cannot be read, by its id."""
    return {id: trouble for id in _found() if (trouble := _trouble(id))}


def load_rules(id: str) -> RuleSet:
    """The rule set of that id; a file that was changed is read anew.

    Raises:
        RulesError: there is none (the known ones are named), or its file or deck is wrong.
    """
    path = rules_file(id)
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise RulesError(f"{path.name}: expected a readable TOML file, got: {error.strerror}") from error
    return _read(path, changed)


def rules_file(id: str) -> Path:
    """The file that the rule set of that id comes from.

    Raises:
        RulesError: there is none; the known ones are named.
    """
    if _ID.fullmatch(id):
        for folder in _folders:
            if (path := folder / f"{id}.toml").is_file():
                return path
    raise RulesError(f"expected a rule set, one of {', '.join(_found())}, got {shown(id)}")


def read_rules(path: Path) -> RuleSet:
    """Reads one rule-set file.

    Raises:
        RulesError: the file or its deck is wrong; names the file, each key, what was expected and what came.
    """
    try:
        rules = read_toml(path, RuleSet)
    except ValueError as error:
        raise RulesError(str(error)) from error
    if rules.id != path.stem:
        raise RulesError(f"{path.name}: id: expected the file's name {shown(path.stem)}, got {shown(rules.id)}")
    return rules


@lru_cache(maxsize=256)
def _read(path: Path, changed: int) -> RuleSet:
    return read_rules(path)


def _found() -> tuple[str, ...]:
    return tuple(
        sorted({path.stem for folder in _folders for path in folder.glob("*.toml") if _ID.fullmatch(path.stem)})
    )


def _trouble(id: str) -> str:
    try:
        load_rules(id)
    except RulesError as error:
        return str(error)
    return ""
