"""What was chosen in a form: one of what it offers, or a sentence; never the nearest thing that could be meant."""

from __future__ import annotations

from collections.abc import Collection
from typing import NoReturn

from flask import abort, request

from webui.translation import _
from webui.whole_numbers import whole_number
from webui.wording import tidy

_SHOWN = 40


def chosen(field: str, among: Collection[str], unsaid: str | None = None) -> str:
    """The value of a field of the form, one of ``among``; ``unsaid`` where the form has no such field.

    Answers 400 with a sentence for any other value, and where nothing is said and there is no ``unsaid``.
    """
    value = request.form.get(field, unsaid)
    if value is None:
        abort(400, _("Nothing was chosen. Go back, reload the page and choose again."))
    return value if value in among else _refuse(value)


def chosen_number(field: str, among: range, unsaid: int | None = None) -> int:
    """As ``chosen``, of whole numbers; an empty field says nothing."""
    value = request.form.get(field, "").strip()
    if not value and unsaid is not None:
        return unsaid
    number = whole_number(value)
    return number if number is not None and number in among else _refuse(value)


def chosen_player(count: int) -> int | None:
    """The player, from 0, of a side of so many whom the form names; None where it names none.

    Answers 404 with a sentence for a number that none of them has.
    """
    if "player" not in request.form:
        return None
    number = whole_number(request.form["player"])
    if number is None or number >= count:
        abort(404, _("This side has no such player. Go back to its cards."))
    return number


def _refuse(value: str) -> NoReturn:
    if not tidy(value):
        abort(400, _("Nothing was chosen. Go back, reload the page and choose again."))
    abort(
        400,
        _("“%(value)s” cannot be chosen here. Go back, reload the page and choose again.", value=tidy(value, _SHOWN)),
    )
