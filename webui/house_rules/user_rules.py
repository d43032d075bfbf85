"""The user's own rule sets: TOML files in the folder ``rulesets`` of the data folder."""

from __future__ import annotations

import itertools
import re
import threading
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Any

import tomli_w

from scorer.rules import RulesError, RuleSet, broken_rules, list_rules, load_rules, parse_rules
from webui.house_rules.submitted import MAX_RULES_NAME
from webui.storage.errors import disk_errors
from webui.storage.files.atomic_files import replace_file
from webui.translation import _
from webui.wording import cut, name_key

MAX_OWN_RULES = 200
"""Rule sets that the page makes; an export brings at most 500 along."""
_MAX_ID_LENGTH = 50
_SUFFIX = " at our table"
_REMOVED = ".toml.removed"
"""The end of the name of a file that was removed; only the last one of each id is kept."""
_adding = threading.Lock()
"""Two that are added at once would take the same id and the same name."""


class NotKeptError(ValueError):
    """Rules cannot be kept; the text is a sentence, ``field`` the field of the form that it is about, if any."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.field = field


def proposed_copy(rules: RuleSet, folder: Path) -> RuleSet:
    """A copy of a rule set under a name and an id that are free, to be changed and added.

    Raises:
        NotKeptError: there are ``MAX_OWN_RULES`` already.
    """
    _check_room(folder)
    stem = re.sub(rf"{_SUFFIX}( \d+)?$", "", rules.name)
    endings = itertools.chain([_SUFFIX], (f"{_SUFFIX} {number}" for number in itertools.count(2)))
    names = (cut(stem, MAX_RULES_NAME - len(ending)) + ending for ending in endings)
    taken = _names()
    name = next(name for name in names if name_key(name) not in taken.values())
    return rules.model_copy(update={"id": free_id(name), "name": name})


def add_rules(rules: RuleSet, folder: Path) -> RuleSet:
    """Saves new rules, under an id made from their name; returns them as they are kept.

    Raises:
        NotKeptError: there are ``MAX_OWN_RULES`` already, or as ``check_name`` and ``save_rules``.
        StorageError: as ``save_rules``.
    """
    with _adding:
        _check_room(folder)
        check_name(rules.name)
        added = rules.model_copy(update={"id": free_id(rules.name)})
        save_rules(added, folder)
    return added


def check_name(name: str, rules_id: str | None = None) -> None:
    """Checks that no rules but those of that id have a name; capitals make no other name.

    Raises:
        NotKeptError: others have it.
    """
    if any(key == name_key(name) for id, key in _names().items() if id != rules_id):
        sentence = _(
            "Other rules are called %(name)s already. Choose another name, so that you can tell them apart.", name=name
        )
        raise NotKeptError(sentence, "name")


def _names() -> dict[str, str]:
    return {id: name_key(load_rules(id).name) for id in list_rules()}


def _check_room(folder: Path) -> None:
    if sum(1 for _ in folder.glob("*.toml")) >= MAX_OWN_RULES:
        sentence = _(
            "There are %(most)s house rules of your own here, which is as many as fit; remove some that no game is "
            "played by, and make the copy again.",
            most=MAX_OWN_RULES,
        )
        raise NotKeptError(sentence)


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
        NotKeptError: it could not be read back; the file is as it was.
        StorageError: the folder cannot be written.
    """
    text = tomli_w.dumps(as_data(rules))
    try:
        parse_rules(text, rules.id)
    except RulesError as error:
        raise NotKeptError(_("They could not be read again: %(error)s; shorten them.", error=error)) from error
    with disk_errors("the rules cannot be kept"):
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / f"{rules.id}.toml", text.encode())


def remove_rules(rules_id: str, folder: Path) -> None:
    """Puts a rule set's file aside, if it exists, so that it can be put back.

    Raises:
        StorageError: the folder cannot be written.
    """
    with disk_errors("the rules cannot be removed"), suppress(FileNotFoundError):
        (folder / f"{rules_id}.toml").replace(folder / f"{rules_id}{_REMOVED}")


def put_back_rules(rules_id: str, folder: Path) -> bool:
    """Puts back a rule set's file that was removed; False if there is none, or another has taken its id meanwhile.

    Raises:
        StorageError: the folder cannot be written.
    """
    removed, place = folder / f"{rules_id}{_REMOVED}", folder / f"{rules_id}.toml"
    with disk_errors("the rules cannot be put back"):
        if place.exists() or not removed.exists():
            return False
        removed.replace(place)
    return True


def as_data(rules: RuleSet) -> dict[str, Any]:
    """A rule set as the data of its file: defaults and None are left out."""
    return rules.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
