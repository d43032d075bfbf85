"""The next steps of an event with moving partners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorer.events.partners import hand_scores, moved, prizes, seats, winners
from scorer.events.partners_facts import Pair, PartnersEvent


@dataclass(frozen=True, slots=True)
class Due:
    """A next step.

    ``code`` is ``seat`` (draw a set, or move its winners), ``score`` (a table plays a hand), ``decide-winners`` (a set
    before the last ended in a tie), ``review-move`` (after a correction, others should have moved), ``settle-tie`` (a
    tie for a prize).
    """

    code: str
    set: int
    names: tuple[str, ...]
    message: str
    table: int | None = None
    hand: int | None = None


def due(event: PartnersEvent) -> tuple[Due, ...]:
    """Returns the next steps: seatings to review after corrections, then the current set, finally ties for prizes."""
    reviews = tuple(seatings_to_review(event))
    for set in range(1, event.sets + 1):
        if steps := tuple(_steps_of_set(event, set)):
            return (*reviews, *steps)
    return (*reviews, *_ties(event))


def _steps_of_set(event: PartnersEvent, set: int) -> Iterator[Due]:
    tables = seats(event, set)
    if not tables:
        names = tuple(person.name for person in event.people)
        todo = "draw partners and tables" if set == 1 else f"the winners of set {set - 1} move up a table"
        yield Due("seat", set, names, f"Set {set}: {todo}.")
        return
    for number, pairs in enumerate(tables, 1):
        yield from _steps_at_table(event, set, number, pairs)


def _steps_at_table(event: PartnersEvent, set: int, table: int, pairs: tuple[Pair, Pair]) -> Iterator[Due]:
    scores = [hand_scores(event, set, table, place) for place in (0, 1)]
    for hand in range(1, event.rules.hands_in_set + 1):
        if missing := [pair for pair, scored in zip(pairs, scores, strict=True) if hand not in scored]:
            names = tuple(name for pair in missing for name in pair)
            message = f"Table {table}: {' and '.join(names)} play hand {hand} of set {set} and write their scores."
            yield Due("score", set, names, message, table, hand)
            return
    if set < event.sets and winners(event, set, table) is None:
        names = (*pairs[0], *pairs[1])
        yield Due("decide-winners", set, names, f"Table {table}: set {set} is tied; decide who moves.", table)


def seatings_to_review(event: PartnersEvent) -> Iterator[Due]:
    """Yields the tables at which others would sit by scores that were corrected since."""
    for set in range(2, event.sets + 1):
        seated, expected = seats(event, set), moved(event, set)
        for number, (table, (arrived, stayed)) in enumerate(zip(seated, expected, strict=False), 1):
            elsewhere = {name for other in seated if other != table for pair in other for name in pair}
            if elsewhere & {*arrived, *stayed}:
                message = (
                    f"By the corrected scores others would sit at table {number} in set {set}; it stays as played."
                )
                yield Due("review-move", set, (*arrived, *stayed), message, number)


def _ties(event: PartnersEvent) -> Iterator[Due]:
    for prize in prizes(event):
        if prize.tied:
            message = f"{' and '.join(prize.names)} are tied for {prize.name}; the coordinator decides."
            yield Due("settle-tie", event.sets, prize.names, message)
