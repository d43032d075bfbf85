"""The form of a side that people counted themselves: what it asks under these rules, and what it says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from scorer.faces import Face
from scorer.scoring import score
from scorer.scoring.typed import book_kinds, unfinished_kinds
from scorer.sheets import TypedBooks, TypedSide, read_sheet
from webui.rounds.round_view import RoundView
from webui.translation import _
from webui.wording import points_text

_MOST, _MOST_POINTS = 99, 99_999
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[\s,'](?=\d{3}\b)")
_MINUS = str.maketrans({"−": "-", "–": "-"})


class TypedFormError(ValueError):
    """A field cannot be read; the text is a sentence that names it, ``field`` its name in the form."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


@dataclass(frozen=True, slots=True)
class CountField:
    """A field for a number of books, caps or laid cards.

    Attributes:
        name: its name in the form.
        label: what it asks for.
        each: the points of one, by which the page shows the sum as one types.
        count: how many were said before; 0 where nothing was.
    """

    name: str
    label: str
    each: int
    count: int


@dataclass(frozen=True, slots=True)
class TypedQuestions:
    """What the form asks of a side.

    Attributes:
        counts: fields for books, caps and laid cards.
        cards: the points of the cards on the table, as they were said before.
        left: the points of the cards left over, which count against the side, as a positive number.
        total: the total, if that was said before.
        extras: the points for what the steps of the round ask: going out, exact deals, penalties.
        is_told: whether anything was said before.
    """

    counts: tuple[CountField, ...]
    cards: int
    left: int
    total: int | None
    extras: int
    is_told: bool


def typed_questions(view: RoundView, side: int) -> TypedQuestions:
    """What to ask of a side, with what was said before."""
    told = view.sides[side].facts.typed
    typed = told or TypedSide()
    rules = view.rules
    said = {_kind(books): books.count for books in typed.books}
    counts = [
        CountField(f"books-{kind.key}", _first_large(kind.name), kind.points, said.get(_kind(kind.books), 0))
        for kind in book_kinds(rules)
    ]
    short = {_kind(melds): melds.count for melds in typed.unfinished}
    counts += [
        CountField(f"short-{kind.key}", _first_large(kind.name), kind.points, short.get(_kind(kind.books), 0))
        for kind in unfinished_kinds(rules)
    ]
    if rules.cap is not None:
        counts.append(CountField("caps", _("Caps on books"), rules.cap.points, typed.caps))
    for at, name in enumerate(rules.laid):
        faces = _laid_faces(view, name)
        if faces:
            count = sum(rules.is_named(face, (name,)) for face in typed.laid)
            counts.append(
                CountField(
                    f"laid-{at}", _("Laid %(cards)s", cards=rules.label(faces[0])), rules.played(faces[0]), count
                )
            )
    extras = typed_total(view, side, TypedSide())
    return TypedQuestions(tuple(counts), typed.cards, -typed.left, typed.total, extras, told is not None)


def read_typed(form: Mapping[str, str], view: RoundView) -> TypedSide:
    """Reads the form.

    Args:
        form: ``way`` is ``total`` for the total alone, in ``total``, below 0 with ``minus``; else the counts and points
            that ``typed_questions`` names, ``cards`` and ``left``. An empty field counts as 0.
        view: the round.

    Raises:
        TypedFormError: a field is no number, or the total is missing.
    """
    if form.get("way") == "total":
        if not form.get("total", "").strip():
            raise TypedFormError("total", _("Type the total, or choose to type books and points."))
        total = _number(form, "total", _("The total"), _MOST_POINTS)
        return TypedSide(total=-abs(total) if "minus" in form else total)
    books = []
    for kind in book_kinds(view.rules):
        if count := _count(form, f"books-{kind.key}", kind.name):
            books.append(kind.books.model_copy(update={"count": count}))
    short = []
    for kind in unfinished_kinds(view.rules):
        if count := _count(form, f"short-{kind.key}", kind.name):
            short.append(kind.books.model_copy(update={"count": count}))
    laid: list[Face] = []
    for at, name in enumerate(view.rules.laid):
        faces = _laid_faces(view, name)
        laid += (
            [
                faces[turn % len(faces)]
                for turn in range(_count(form, f"laid-{at}", _("laid %(cards)s", cards=name + "s")))
            ]
            if faces
            else []
        )
    return TypedSide(
        books=tuple(books),
        unfinished=tuple(short),
        caps=_count(form, "caps", _("caps on books")) if view.rules.cap else 0,
        laid=tuple(laid[:_MOST]),
        cards=_number(form, "cards", _("Card points"), _MOST_POINTS),
        left=-abs(_number(form, "left", _("Points left in hand"), _MOST_POINTS)),
    )


def typed_total(view: RoundView, side: int, typed: TypedSide) -> int:
    """The points of a side by the rules of the round, if people had counted it so."""
    no_cards = {"melds": [], "laid": [], "buried": [], "left": [], "typed": typed.model_dump(mode="json")}
    sheet = read_sheet({**view.sheet, "sides": [{**view.sheet["sides"][side], **no_cards}]})
    return score(sheet, view.rules).sides[0].total


def shown_sum(form: Mapping[str, str]) -> int | None:
    """The sum that the page showed while somebody typed; None where it showed none."""
    text = form.get("sum", "")
    return int(text) if re.fullmatch(r"-?\d{1,7}", text) else None


def _kind(books: TypedBooks) -> tuple[object, ...]:
    return books.book, books.rank, books.cards, books.wilds, books.run


def _laid_faces(view: RoundView, name: str) -> list[Face]:
    """The faces that a name of the rules, such as ``red 3``, means."""
    return [face for face in view.deck.faces if view.rules.is_named(face, (name,))]


def _count(form: Mapping[str, str], field: str, label: str) -> int:
    number = _number(form, field, _first_large(label), _MOST)
    if number < 0:
        raise TypedFormError(
            field,
            _(
                "%(label)s: %(number)s can’t be below 0. Type how many there are.",
                label=_first_large(label),
                number=number,
            ),
        )
    return number


def _number(form: Mapping[str, str], field: str, label: str, most: int) -> int:
    """The number in a field; thousands may be parted by a comma, a blank or an apostrophe."""
    text = form.get(field, "").strip()
    digits = _BETWEEN_DIGITS.sub("", text.translate(_MINUS))
    if not digits:
        return 0
    if not re.fullmatch(r"-?[0-9]{1,9}", digits):
        shown = text if len(text) <= 20 else f"{text[:20]}…"
        raise TypedFormError(
            field,
            _("%(label)s: “%(shown)s” is not a whole number. Type digits only, like 640.", label=label, shown=shown),
        )
    number = int(digits)
    if abs(number) > most:
        raise TypedFormError(
            field,
            _(
                "%(label)s: %(number)s is too much. It can be %(most)s at most.",
                label=label,
                number=text[:20],
                most=points_text(most),
            ),
        )
    return number


def _first_large(text: str) -> str:
    return text[:1].upper() + text[1:]
