"""How a field of a rule set is shown in the form, derived from its type annotation."""

from __future__ import annotations

from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from scorer.data import Frozen
from scorer.deck import list_decks

Kind = Literal["number", "text", "yes-no", "choice", "several", "list", "lines", "pairs", "group", "rows"]
_SENTENCES = frozenset({"also", "also_partners"})
"""Lists of sentences, which may contain commas, so that each entry has a line of its own."""


@dataclass(frozen=True, slots=True)
class FieldType:
    """How one field is shown.

    ``optional``: it may be None; ``options``: the values to choose from; ``numbers``: a list has numbers; ``model``:
    the model of a group or of each row; ``least``: the smallest number allowed.
    """

    kind: Kind
    optional: bool = False
    options: tuple[str, ...] = ()
    numbers: bool = False
    model: type[Frozen] | None = None
    least: int | None = None


def field_type(key: str, field: FieldInfo) -> FieldType:
    """The form type of a model's field."""
    bare, optional = _bare(field.annotation)
    least = next((constraint.ge for constraint in field.metadata if hasattr(constraint, "ge")), None)
    if get_origin(bare) is tuple:
        return _list_type(key, get_args(bare)[0])
    if get_origin(bare) is dict:
        return FieldType("pairs")
    if get_origin(bare) is Literal:
        return FieldType("choice", optional, tuple(map(str, get_args(bare))))
    if isinstance(bare, type) and issubclass(bare, Frozen):
        return FieldType("group", optional, model=bare)
    if bare is bool:
        return FieldType("yes-no")
    return FieldType("number", optional, least=least) if bare is int else FieldType("text", optional)


def _list_type(key: str, annotation: Any) -> FieldType:
    item, _ = _bare(annotation)
    if key == "decks":
        return FieldType("several", options=list_decks())
    if get_origin(item) is Literal:
        return FieldType("several", options=tuple(map(str, get_args(item))))
    if isinstance(item, type) and issubclass(item, Frozen):
        return FieldType("rows", model=item)
    return FieldType("lines" if key in _SENTENCES else "list", numbers=item is int)


def _bare(annotation: Any) -> tuple[Any, bool]:
    """A type without ``Annotated`` and ``None``, and whether it may be None."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        others = [arg for arg in get_args(annotation) if arg is not NoneType]
        return _bare(others[0])[0], len(others) < len(get_args(annotation))
    return annotation, False
