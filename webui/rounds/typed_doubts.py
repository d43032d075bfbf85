"""Typed points that cannot be right: no sum of these cards gives them, or they are less than the typed books hold."""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd

from scorer.faces import Face
from scorer.scoring.typed import book_kinds, unfinished_kinds
from scorer.sheets import TypedBooks, TypedSide
from webui.rounds.round_view import RoundView
from webui.wording import count_text, points_text


def typed_doubts(view: RoundView, typed: TypedSide) -> Iterator[str]:
    """What to look at in points that people typed, each as a sentence without the side's name.

    Most slips of a key break one of two things: under nearly all rules every card counts a multiple of 5, and books
    of so many cards count so many points at least.
    """
    rules = view.rules
    unit = gcd(*(points for face in view.deck.faces for points in (rules.played(face), rules.left(face))))
    named = [("card points of", typed.cards), ("points left over of", -typed.left)]
    if typed.total is not None:
        unit, named = gcd(unit, *_bonuses(view)), [("the total of", typed.total)]
    for name, points in named:
        if unit > 1 and points % unit:
            shown = points_text(points)
            yield f"{name} {shown} cannot be right, as all points are multiples of {unit}; look at it again."
    if typed.total is not None or rules.cards_count:
        return
    books = sum(told.count for told in typed.books)
    least = sum(told.count * _least(view, told) for told in typed.books)
    if typed.cards < least:
        holders = count_text(books, "typed book holds", "typed books hold")
        yield f"{holders} cards of {points_text(least)} points at least, but {points_text(typed.cards)} were typed."


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
