"""Score cards: for each team or person, where they sat, with whom, against whom, and what each round came to."""

from __future__ import annotations

from dataclasses import dataclass

from webui.events.evening import Entrant, Evening, Stage
from webui.events.ranking import Format, Row


@dataclass(frozen=True, slots=True)
class CardLine:
    """One stage on a card.

    ``state`` is ``open`` (not announced yet), ``plays``, ``out`` (sits out) or ``absent`` (does not play it).
    ``rounds`` holds the points of each round, None for one that is not agreed; ``total`` is what the stage counts, None
    where it counts nothing. ``average``: the average of the others is in it.
    """

    stage: int
    state: str
    table: int | None = None
    partners: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    rounds: tuple[int | None, ...] = ()
    total: int | None = None
    average: bool = False


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """The card of a team or a person, with their line of the standings."""

    entrant: Entrant
    row: Row
    lines: tuple[CardLine, ...]

    @property
    def name(self) -> str:
        """Whose card it is."""
        return self.entrant.name

    @property
    def begun(self) -> bool:
        """Whether anything on it counts yet."""
        return any(line.total is not None for line in self.lines)


def score_cards(evening: Evening, told: Format) -> dict[str, ScoreCard]:
    """The card of everybody who takes part, by name, in the order of the alphabet."""
    rows = {row.name: row for row in told.standings()}
    lines: dict[str, list[CardLine]] = {name: [] for name in evening.entrants}
    for stage in evening.stages:
        seats = _seats(evening, stage)
        for name, so_far in lines.items():
            so_far.append(_line(evening, stage, rows[name], seats.get(name)))
    names = sorted(lines, key=str.casefold)
    return {name: ScoreCard(evening.entrants[name], rows[name], tuple(lines[name])) for name in names}


def _seats(evening: Evening, stage: Stage) -> dict[str, CardLine]:
    """Everybody's seat in a stage with the points of its rounds."""
    found = {}
    for table, sides in enumerate(stage.released, 1):
        known = evening.results.get((stage.number, table), {})
        for at, side in enumerate(sides):
            rounds = tuple(known[one][at] if one in known else None for one in range(1, evening.rounds + 1))
            for name in side:
                partners = tuple(other for other in side if other != name)
                found[name] = CardLine(stage.number, "plays", table, partners, sides[1 - at], rounds)
    return found


def _line(evening: Evening, stage: Stage, row: Row, seat: CardLine | None) -> CardLine:
    total, average = row.stages[stage.number - 1], stage.number in row.average
    if seat is not None:
        of = seat.rounds if total is not None else ()
        shown = total if any(one is not None for one in of) or average else None
        return CardLine(stage.number, "plays", seat.table, seat.partners, seat.against, seat.rounds, shown, average)
    if not stage.released:
        gone = evening.gone.get(row.name, stage.number + 1) <= stage.number
        return CardLine(stage.number, "absent" if gone else "open")
    out = row.name in stage.released_out
    return CardLine(stage.number, "out" if out else "absent", total=total if out else None, average=out)
