"""What a field of a rule set is asked as: found in its type, so that a new field needs nothing here."""

from __future__ import annotations

from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic.fields import FieldInfo

from scorer.data import Frozen

Kind = Literal["number", "text", "yes-no", "choice", "several", "list", "lines", "pairs", "group", "rows"]
_SENTENCES = frozenset({"also"})
"""Lists whose entries are sentences, which may have commas."""


@dataclass(frozen=True, slots=True)
class FieldType:
    """How one field is asked.

    ``optional`` is whether it may be none; ``options`` are the values of a choice; ``numbers`` whether a list is one of
    numbers; ``model`` what a group or each of several rows is made of; ``least`` the smallest number allowed.
    """

    kind: Kind
    optional: bool = False
    options: tuple[str, ...] = ()
    numbers: bool = False
    model: type[Frozen] | None = None
    least: int | None = None


def field_type(key: str, field: FieldInfo) -> FieldType:
    """The shape of a model's field."""
    bare, optional = _bare(field.annotation)
    least = next((rule.ge for rule in field.metadata if hasattr(rule, "ge")), None)
    if get_origin(bare) is tuple:
        return _list_shape(key, get_args(bare)[0])
    if get_origin(bare) is dict:
        return FieldType("pairs")
    if get_origin(bare) is Literal:
        return FieldType("choice", optional, tuple(map(str, get_args(bare))))
    if isinstance(bare, type) and issubclass(bare, Frozen):
        return FieldType("group", optional, model=bare)
    if bare is bool:
        return FieldType("yes-no")
    return FieldType("number", optional, least=least) if bare is int else FieldType("text", optional)


def _list_shape(key: str, annotation: Any) -> FieldType:
    item, _ = _bare(annotation)
    if get_origin(item) is Literal:
        return FieldType("several", options=tuple(map(str, get_args(item))))
    if isinstance(item, type) and issubclass(item, Frozen):
        return FieldType("rows", model=item)
    return FieldType("lines" if key in _SENTENCES else "list", numbers=item is int)


def _bare(annotation: Any) -> tuple[Any, bool]:
    """A type without what is noted beside it, and whether it may be none."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        others = [one for one in get_args(annotation) if one is not NoneType]
        return _bare(others[0])[0], len(others) < len(get_args(annotation))
    return annotation, False
