"""The user's own rule sets: TOML files in the folder ``rulesets`` of the data folder."""

from __future__ import annotations

import itertools
import re
import threading
import unicodedata
from pathlib import Path
from typing import Any

import tomli_w

from scorer.rules import RuleSet, broken_rules, list_rules, parse_rules
from webui.house_rules.submitted import MAX_RULES_NAME
from webui.storage.errors import StorageError, advice, reason
from webui.storage.files.atomic_files import replace_file
from webui.wording import cut

MAX_OWN_RULES = 200
"""Rule sets that the page makes; an export brings at most 500 along."""
_MAX_ID_LENGTH = 50
_SUFFIX = " at our table"
_REMOVED = ".toml.removed"
"""The end of the name of a file that was removed; only the last one of each id is kept."""
_copying = threading.Lock()
"""Two copies made at once would take the same id."""


class TooManyRulesError(Exception):
    """There are as many own rule sets as the page keeps."""


def copy_rules(rules: RuleSet, folder: Path) -> RuleSet:
    """Saves a copy of a rule set under a new name, to be edited.

    Raises:
        TooManyRulesError: there are ``MAX_OWN_RULES`` already.
        RulesError: the copy could not be read back.
        StorageError: the folder cannot be written.
    """
    name = cut(rules.name, MAX_RULES_NAME - len(_SUFFIX)) + _SUFFIX
    with _copying:
        if sum(1 for _ in folder.glob("*.toml")) >= MAX_OWN_RULES:
            raise TooManyRulesError
        copy = rules.model_copy(update={"id": free_id(name), "name": name})
        save_rules(copy, folder)
    return copy


def free_id(name: str) -> str:
    """An id made from a name, which no valid or broken rule set has yet."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    wanted = re.sub(r"[^a-z0-9]+", "-", ascii_name).strip("-")[:_MAX_ID_LENGTH] or "own"
    taken = {*list_rules(), *broken_rules()}
    numbered = (f"{wanted}-{number}" for number in itertools.count(2))
    return next(id for id in itertools.chain([wanted], numbered) if id not in taken)


def save_rules(rules: RuleSet, folder: Path) -> None:
    """Writes a rule set's file atomically, once its text has been read back as the file will be.

    Raises:
        RulesError: it could not be read back; the file is as it was.
        StorageError: the folder cannot be written.
    """
    text = tomli_w.dumps(as_data(rules))
    parse_rules(text, rules.id)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / f"{rules.id}.toml", text.encode())
    except OSError as error:
        raise StorageError(f"the rules cannot be kept: {reason(error)}; {advice(error)}") from error


def remove_rules(rules_id: str, folder: Path) -> None:
    """Puts a rule set's file aside, if it exists, so that it can be put back.

    Raises:
        StorageError: the folder cannot be written.
    """
    try:
        (folder / f"{rules_id}.toml").replace(folder / f"{rules_id}{_REMOVED}")
    except FileNotFoundError:
        return
    except OSError as error:
        raise StorageError(f"the rules cannot be removed: {reason(error)}; {advice(error)}") from error


def put_back_rules(rules_id: str, folder: Path) -> bool:
    """Puts back a rule set's file that was removed; False if there is none, or another has taken its id meanwhile.

    Raises:
        StorageError: the folder cannot be written.
    """
    removed, place = folder / f"{rules_id}{_REMOVED}", folder / f"{rules_id}.toml"
    try:
        if place.exists() or not removed.exists():
            return False
        removed.replace(place)
    except OSError as error:
        raise StorageError(f"the rules cannot be put back: {reason(error)}; {advice(error)}") from error
    return True


def as_data(rules: RuleSet) -> dict[str, Any]:
    """A rule set as the data of its file: defaults and None are left out."""
    return rules.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
