"""What both formats of events tell: places, prizes, and what the coordinator has to decide."""

from __future__ import annotations

from dataclasses import dataclass


class RefusedError(Exception):
    """Something cannot be done with an event now; the text says why, as a sentence for people."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the standings: place (shared by those who are tied), name, points of each stage, and the total.

    ``stages`` has None for a stage that somebody does not play; ``average`` are the stages for which they got the
    average, since they sat out. ``gone``: went home while they still had something to play; their place is 0.
    ``adjusted``: penalties and extra points together, which are in the total and in no stage.
    """

    place: int
    name: str
    stages: tuple[int | None, ...]
    total: int
    tied: bool = False
    average: tuple[int, ...] = ()
    gone: bool = False
    adjusted: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that only a person can decide.

    ``kind`` is ``cut`` (choose ``choose`` of ``names`` for stage ``stage``, besides ``sure``), ``order`` (the order of
    ``names``), ``winner`` (which side of ``table`` won), ``review`` (nothing to choose: who plays would be others by
    corrected scores).
    """

    kind: str
    sentence: str
    names: tuple[str, ...]
    stage: int = 0
    table: int = 0
    choose: int = 0
    sure: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Prizes:
    """A prize with who has it by the standings now; several are tied for it."""

    name: str
    names: tuple[str, ...]
    total: int

    @property
    def tied(self) -> bool:
        """Whether several share it."""
        return len(self.names) > 1
