"""Loads TOML and JSON into frozen pydantic models and turns all validation errors into one readable sentence."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, StrictInt, ValidationError
from pydantic_core import ErrorDetails

TAG = "="
"""Prefix of discriminated-union tags. Pydantic puts tags into error locations; ``location`` leaves them out."""

_LONGEST_SHOWN = 60
_LARGEST = 1_000_000
_LONGEST_FILE = 100_000
"""Characters of a TOML file; a shipped rule set has some 3,000."""

_MOST_DOTS = 200
"""Dots in a line: the time that ``tomllib`` takes for a key of many parts grows with the square of their number."""


class Frozen(BaseModel):
    """Base of all data models: immutable, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


_Model = TypeVar("_Model", bound=Frozen)


def _countable(value: int) -> int:
    if abs(value) > _LARGEST:
        raise ValueError(f"expected a number between -{_LARGEST} and {_LARGEST}, got {shown(value)}")
    return value


Whole = Annotated[StrictInt, AfterValidator(_countable)]
"""A whole number of a data file, no larger than a game counts: others fill memory, or no column holds them."""


def shown(value: object) -> str:
    """Returns any value as printable JSON text, shortened for an error sentence."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        text = f"something of type {type(value).__name__} that cannot be shown"
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")  # JSON may hold lone surrogates
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def location(parts: Iterable[int | str]) -> str:
    """Formats an error location: ``("sides", 0, "melds", 2, 1)`` becomes ``sides[0].melds[2][1]``."""
    text = ""
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        elif not part.startswith(TAG):
            name = (
                part if part.isprintable() and len(part) <= _LONGEST_SHOWN else shown(part)
            )  # user data may hold any key
            text += f".{name}" if text else name
    return text


def error_sentence(error: ValidationError, model: type[Frozen]) -> str:
    """Joins all errors of a model into one line: ``location: expected ..., got ...; location: ...``."""
    errors = (f"{where}: {text}" if where else text for where, text in error_list(error, model))
    return " ".join("; ".join(errors).splitlines())  # a quoted value may contain line breaks


def error_list(error: ValidationError, model: type[Frozen]) -> list[tuple[str, str]]:
    """Returns each error of a model as its location (empty for the whole document) and its message."""
    details = error.errors(include_url=False)
    # Pydantic drops invalid items before it counts them, so a list with a bad item is also reported as too short.
    with_inner_errors = {detail["loc"][:n] for detail in details for n in range(len(detail["loc"]))}
    reported = (detail for detail in details if detail["type"] != "too_short" or detail["loc"] not in with_inner_errors)
    return [(location(detail["loc"]), _message(detail, model)) for detail in reported]


def read_toml(path: Path, model: type[_Model]) -> _Model:
    """Reads one TOML file into a model.

    Raises:
        ValueError: the file cannot be read, is not TOML, or does not fit the model; names the file and each key.
    """
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(_LONGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise ValueError(f"{path.name}: expected a readable TOML file, got: {error}") from error
    return parse_toml(text, path.name, model)


def parse_toml(text: str, name: str, model: type[_Model]) -> _Model:
    """Reads the text of a TOML file into a model.

    Args:
        text: what the file holds.
        name: the file's name, for error sentences.
        model: what it has to fit.

    Raises:
        ValueError: it is too long, is not TOML, or does not fit the model; names the file and each key.
    """
    try:
        if len(text) > _LONGEST_FILE:
            raise ValueError(f"more than {_LONGEST_FILE} characters")
        if max(line.count(".") for line in (*text.splitlines(), "")) > _MOST_DOTS:
            raise RecursionError
        data = tomllib.loads(text)
    except ValueError as error:
        raise ValueError(f"{name}: expected a readable TOML file, got: {error}") from error
    except RecursionError as error:
        raise ValueError(f"{name}: expected a readable TOML file, got: one nested too deeply") from error
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ValueError(f"{name}: {error_sentence(error, model)}") from error


def _message(detail: ErrorDetails, model: type[Frozen]) -> str:
    got = shown(detail["input"])
    match detail["type"]:
        case "extra_forbidden":
            keys = ", ".join(_model_at(model, detail["loc"][:-1]).model_fields)
            text = f"unknown key, expected one of {keys}, got {got}"
        case "missing":
            text = "expected this key, got nothing"
        case "value_error":
            text = str(detail["ctx"]["error"])
        case "model_type" | "dict_type":
            text = f"expected an object with keys, got {got}"
        case "tuple_type":
            text = f"expected a list, got {got}"
        case "int_type" | "int_parsing":
            text = f"expected a whole number, got {got}"
        case "too_short":
            text = f"expected {detail['ctx']['min_length']} or more, got {got}"
        case "greater_than_equal":
            text = f"expected {detail['ctx']['ge']} or more, got {got}"
        case "less_than_equal":
            text = f"expected {detail['ctx']['le']} or less, got {got}"
        case _:
            text = f"expected {detail['msg'].removeprefix('Input should be ')}, got {got}"
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
