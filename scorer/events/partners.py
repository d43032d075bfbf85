"""An event with moving partners: sets of hands at numbered tables; each person keeps an individual total.

Source: Hand & Foot Rules Tournament Play, rules 2, 3, 11 and 12. Where they are silent: the winners of the highest
table move to table 1, the only table with two free places, or stay, and its losers move there, where the event says so;
an arriving pair is split between the pair that stayed, by draw, so that partners change; the coordinator decides a tied
set. Where people do not fill tables of four, some sit out, drawn among those who have done so least, or the lowest of
them where the event says so; they get the average of each hand and come in where the next go out.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from scorer.errors import EventError
from scorer.events.event import AT_A_TABLE, Event, Seats, Side, draw_rest, standings
from scorer.events.standings import Prize, award
from scorer.game import winner_of


def present(event: Event, set: int) -> tuple[str, ...]:
    """Returns everybody who did not go home before the end of a set."""
    away = event.gone_by(set)
    return tuple(name for name in event.names if name not in away)


def draw_first(event: Event, random: Random) -> Seats:
    """Draws partners and tables for the first set (rule 2)."""
    names = list(present(event, 1))
    random.shuffle(names)
    seated = len(names) - len(names) % AT_A_TABLE
    tables = (((names[i], names[i + 1]), (names[i + 2], names[i + 3])) for i in range(0, seated, AT_A_TABLE))
    return Seats(tuple(tables), tuple(names[seated:]))


def move(event: Event, set: int, random: Random) -> Seats:
    """Seats the second or a later set: winners move to the next higher table and partners separate (rule 11).

    Raises:
        EventError: a table of the previous set has no winners yet.
    """
    pairs_by_table = moved(event, set)
    if not pairs_by_table:
        raise EventError(f"expected the winners of every table of set {set - 1}, got some that are not known yet")
    here = present(event, set)
    count = len(here) // AT_A_TABLE
    places = [[*arrived, *stayed] for arrived, stayed in pairs_by_table][:count]
    places += [[""] * AT_A_TABLE for _ in range(count - len(places))]
    out = draw_rest(event, set, here, len(here) - count * AT_A_TABLE, random)
    seated = [name for table in places for name in table]
    waiting = [name for name in here if name not in seated and name not in out]
    random.shuffle(waiting)
    tables = []
    for table in places:
        arrived = [name if name in here and name not in out else waiting.pop() for name in table[:2]]
        stayed = [name if name in here and name not in out else waiting.pop() for name in table[2:]]
        random.shuffle(stayed)
        tables.append(((arrived[0], stayed[0]), (arrived[1], stayed[1])))
    return Seats(tuple(tables), out)


def moved(event: Event, set: int) -> tuple[tuple[Side, Side], ...]:
    """Returns, for each table of the second or a later set, the pair that arrives and the pair that stays.

    Empty while a table of the previous set has no winners.
    """
    previous = event.seats(set - 1).tables
    won_by: list[Side] = []
    lost_by: list[Side] = []
    for number, pairs in enumerate(previous, 1):
        won = winners(event, set - 1, number)
        if won is None:
            return ()
        won_by.append(pairs[won])
        lost_by.append(pairs[1 - won])
    if event.top_stays and len(previous) > 1:
        won_by[-1], lost_by[-1] = lost_by[-1], won_by[-1]
    return tuple((won_by[table - 1], stayed) for table, stayed in enumerate(lost_by))  # index -1: the highest table


def winners(event: Event, set: int, table: int) -> int | None:
    """Returns the pair (0 or 1) that won a set at a table; None while a hand is missing or a tie is undecided.

    Where somebody went home during the set, what was decided counts though hands are missing.
    """
    hands, decided = event.scores.get((set, table), {}), event.winners.get((set, table))
    if len(hands) < event.rounds:
        return decided if is_broken_off(event, set, table) else None
    won = winner_of([sum(points[pair] for points in hands.values()) for pair in (0, 1)])
    return decided if won is None else won


def is_broken_off(event: Event, set: int, table: int) -> bool:
    """Whether somebody of a table went home during a set."""
    one, two = event.seats(set).tables[table - 1]
    return not event.gone_by(set).isdisjoint((*one, *two))


def seatings_to_review(event: Event) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yields set, table and names where others would sit by scores that were corrected since."""
    for set in range(2, len(event.stages) + 1):
        seated, expected = event.seats(set).tables, moved(event, set)
        for number, (table, (arrived, stayed)) in enumerate(zip(seated, expected, strict=False), 1):
            elsewhere = {name for other in seated if other != table for pair in other for name in pair}
            if elsewhere & {*arrived, *stayed}:
                yield set, number, (*arrived, *stayed)


def prizes(event: Event) -> tuple[Prize, ...]:
    """Returns the prizes by the current standings, per group: highest man, highest woman (rule 12)."""
    if not event.groups:
        return award(standings(event), event.prizes)
    return tuple(
        prize
        for group in event.groups
        for prize in award(standings(event, group), [f"{name} {group}" for name in event.prizes])
    )
