"""Finds and loads rule sets: the shipped ones in ``rulesets/`` and those in a folder of the user, one file each."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from scorer.data import parse_toml, read_toml, shown
from scorer.deck import decks_state
from scorer.errors import RulesError, UnknownRulesError
from scorer.rules.rule_set import RuleSet

_SHIPPED = Path(__file__).parents[1] / "rulesets"
_ID = re.compile(r"[\w-]{1,60}")  # a valid file name on every operating system
_folders: list[Path] = [_SHIPPED]


def use_folder(folder: Path | None) -> None:
    """Sets the folder of the user's own rule sets, or none; the folder need not exist.

    Its files are listed beside the shipped ones and replace shipped ones of the same name; who has scored by a rule set
    keeps it as text (``RuleSet.text``).
    """
    _folders[:] = [_SHIPPED] if folder is None else [folder, _SHIPPED]


def list_rules() -> tuple[str, ...]:
    """Returns the ids of all valid rule sets; ``broken_rules`` returns the others."""
    return tuple(id for id in _all_ids() if not _load_error(id))


def broken_rules() -> dict[str, str]:
    """Returns the error of each rule set that cannot be loaded, by id."""
    return {id: error for id in _all_ids() if (error := _load_error(id))}


def shipped_rules() -> tuple[str, ...]:
    """Returns the ids of the shipped rule sets, in which no user's folder has a say."""
    return tuple(sorted(path.stem for path in _SHIPPED.glob("*.toml")))


def load_rules(id: str) -> RuleSet:
    """Loads a rule set by id; a file that has changed is read again.

    Raises:
        UnknownRulesError: it does not exist.
        RulesError: its file or deck is invalid.

    >>> rules = load_rules("golden-games")
    >>> rules.name, rules.book_size
    ('Golden Games doubles', 7)
    """
    path = rules_file(id)
    try:
        modified_ns = path.stat().st_mtime_ns
    except OSError as error:
        raise RulesError(f"{path.name}: expected a readable TOML file, got: {error.strerror}") from error
    return _read(path, modified_ns, decks_state())


def rules_file(id: str) -> Path:
    """Returns the file of a rule set.

    Raises:
        UnknownRulesError: it does not exist; the message lists the known ids.
    """
    if _ID.fullmatch(id):
        for folder in _folders:
            if _is_file(path := folder / f"{id}.toml"):
                return path
    raise UnknownRulesError(f"expected a rule set, one of {', '.join(_all_ids())}, got {shown(id)}", id)


def read_rules(path: Path) -> RuleSet:
    """Reads one rule-set file.

    Raises:
        RulesError: the file or its deck is invalid; names the file, each key, what was expected and what came.
    """
    try:
        rules = read_toml(path, RuleSet)
    except ValueError as error:
        raise RulesError(str(error)) from error
    return _named_as_file(rules, path.stem)


def parse_rules(text: str, id: str) -> RuleSet:
    """Reads the text of a rule-set file as ``read_rules`` would read the file of that id.

    Raises:
        RulesError: the text or its deck is invalid; names the file, each key, what was expected and what came.
    """
    try:
        rules = parse_toml(text, f"{id}.toml", RuleSet)
    except ValueError as error:
        raise RulesError(str(error)) from error
    return _named_as_file(rules, id)


def _named_as_file(rules: RuleSet, id: str) -> RuleSet:
    if rules.id != id:
        raise RulesError(f"{id}.toml: id: expected the file's name {shown(id)}, got {shown(rules.id)}")
    return rules


@lru_cache(maxsize=256)
def _read(path: Path, modified_ns: int, decks: object) -> RuleSet:
    """Cached by path and modification time, and by the own decks that it may be played with."""
    return read_rules(path)


def _all_ids() -> tuple[str, ...]:
    return tuple(
        sorted(
            {
                path.stem
                for folder in _folders
                for path in folder.glob("*.toml")
                if _ID.fullmatch(path.stem) and _is_file(path)
            }
        )
    )


def _is_file(path: Path) -> bool:
    """Whether this is a file; not where its folder may not be looked into, so that the shipped rules go on."""
    try:
        return path.is_file()
    except OSError:
        return False


def _load_error(id: str) -> str:
    try:
        load_rules(id)
    except RulesError as error:
        return str(error)
    return ""
