"""Data written by people (TOML files, JSON) read into frozen models; all that is wrong becomes one sentence."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

TAG = "="
"""First letter of a union's tags, which stand in pydantic's places and in no place a person knows."""

_LONGEST_SHOWN = 60


class Frozen(BaseModel):
    """A fact: never changed, no key that is not declared."""

    model_config = ConfigDict(frozen=True, extra="forbid")


_Model = TypeVar("_Model", bound=Frozen)


def shown(value: object) -> str:
    """A value as a person wrote it in JSON, shortened; printable whatever it is."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        text = f"something of type {type(value).__name__} that cannot be shown"
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")  # JSON can spell half a character
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def place(parts: Iterable[int | str]) -> str:
    """Where something stands: ``("sides", 0, "melds", 2, 1)`` is ``sides[0].melds[2][1]``."""
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        elif not part.startswith(TAG):
            name = part if part.isprintable() and len(part) <= _LONGEST_SHOWN else shown(part)  # a key can be anything
            text += f".{name}" if text else name
    return text


def all_wrong(error: ValidationError, model: type[Frozen]) -> str:
    """Everything a model refused, one ``place: what was expected, what came`` after the other, in one sentence."""
    told = (f"{where}: {text}" if where else text for where, text in each_wrong(error, model))
    return " ".join("; ".join(told).splitlines())  # what came may have lines


def each_wrong(error: ValidationError, model: type[Frozen]) -> list[tuple[str, str]]:
    """Everything a model refused: the place, empty for the whole, and what was expected and what came."""
    details = error.errors(include_url=False)
    # A list with a wrong item is also called too short, which would be one problem told twice.
    inner = {detail["loc"][:n] for detail in details for n in range(len(detail["loc"]))}
    told = (detail for detail in details if detail["type"] != "too_short" or detail["loc"] not in inner)
    return [(place(detail["loc"]), _wrong(detail, model)) for detail in told]


def read_toml(path: Path, model: type[_Model]) -> _Model:
    """Reads one data file.

    Raises:
        ValueError: it cannot be read, is no TOML, or the model refuses it; names the file and each key.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path.name}: expected a readable TOML file, got: {error}") from error
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ValueError(f"{path.name}: {all_wrong(error, model)}") from error


def _wrong(detail: ErrorDetails, model: type[Frozen]) -> str:
    came = shown(detail["input"])
    match detail["type"]:
        case "extra_forbidden":
            keys = ", ".join(_model_at(model, detail["loc"][:-1]).model_fields)
            text = f"unknown key, expected one of {keys}, got {came}"
        case "missing":
            text = "expected this key, got nothing"
        case "value_error":
            text = str(detail["ctx"]["error"])
        case "model_type" | "dict_type":
            text = f"expected an object with keys, got {came}"
        case "tuple_type":
            text = f"expected a list, got {came}"
        case "int_type":
            text = f"expected a whole number, got {came}"
        case "too_short":
            text = f"expected {detail['ctx']['min_length']} or more, got {came}"
        case "greater_than_equal":
            text = f"expected {detail['ctx']['ge']} or more, got {came}"
        case "less_than_equal":
            text = f"expected {detail['ctx']['le']} or less, got {came}"
        case _:
            text = f"expected {detail['msg'].removeprefix('Input should be ')}, got {came}"
    return text


def _model_at(model: type[Frozen], parts: Iterable[int | str]) -> type[Frozen]:
    for part in parts:
        if isinstance(part, str) and not part.startswith(TAG):
            model = next(_models_in(model.model_fields[part].annotation))
    return model


def _models_in(annotation: Any) -> Iterator[type[Frozen]]:
    if isinstance(annotation, type) and issubclass(annotation, Frozen):
        yield annotation
    for inner in get_args(annotation):
        yield from _models_in(inner)
