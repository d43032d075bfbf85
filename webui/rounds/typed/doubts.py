"""Typed points that cannot be right: no sum of these cards gives them, or they are less than the typed books hold."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from scorer.faces import Face
from scorer.scoring.typed import book_kinds, unfinished_kinds
from scorer.sheets import TypedBooks, TypedSide
from webui.rounds.round_view import RoundView
from webui.translation import N_, gettext, ngettext
from webui.wording import points_text

_CARD_POINTS = N_(
    "card points of %(points)s cannot be right, as all points are multiples of %(unit)s; look at it again."
)
_POINTS_LEFT = N_(
    "points left over of %(points)s cannot be right, as all points are multiples of %(unit)s; look at it again."
)
_TOTAL = N_("the total of %(points)s cannot be right, as all points are multiples of %(unit)s; look at it again.")


def typed_doubts(view: RoundView, typed: TypedSide) -> Iterator[str]:
    """What to look at in points that people typed, each as a sentence without the side's name.

    Most slips of a key break one of two things: under nearly all rules every card counts a multiple of 5, and books
    of so many cards count so many points at least.
    """
    rules = view.rules
    unit = gcd(*(points for face in view.deck.faces for points in (rules.played(face), rules.left(face))))
    named = [(_CARD_POINTS, typed.cards), (_POINTS_LEFT, -typed.left)]
    if typed.total is not None:
        unit, named = gcd(unit, *_bonuses(view)), [(_TOTAL, typed.total)]
    for sentence, points in named:
        if unit > 1 and points % unit:
            yield gettext(sentence, points=points_text(points), unit=unit)
    if typed.total is not None or rules.cards_count:
        return
    books = sum(told.count for told in typed.books)
    least = sum(told.count * _least(view, told) for told in typed.books)
    if typed.cards < least:
        yield ngettext(
            "%(num)s typed book holds cards of %(least)s points at least, but %(points)s were typed.",
            "%(num)s typed books hold cards of %(least)s points at least, but %(points)s were typed.",
            books,
            least=points_text(least),
            points=points_text(typed.cards),
        )


def _bonuses(view: RoundView) -> Iterator[int]:
    """All points that no card counts by itself."""
    rules = view.rules
    yield from (kind.points for kind in (*book_kinds(rules), *unfinished_kinds(rules)))
    yield from (event.points for event in rules.asked)
    yield from (combination.points for combination in rules.laid_sets)
    yield rules.cap.points if rules.cap else 0
    yield rules.points_for_going_out(view.record.number)


def _least(view: RoundView, told: TypedBooks) -> int:
    """The fewest points that the cards of one such book count."""
    rules = view.rules
    wild = told.book == "wild"
    held = [face for face in view.deck.faces if not rules.is_never_melded(face) and not rules.is_melded_going_out(face)]

    def fits(face: Face) -> bool:
        if rules.is_wild(face):
            return told.book != "clean"
        return not wild and told.rank in (None, face.rank)

    return max(told.cards, rules.book_size) * min((rules.played(face) for face in held if fits(face)), default=0)
