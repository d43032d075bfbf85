"""The values of a filmed round: where each card lies, what changes when, and what disturbs the picture.

All is plain data: millimetres on the table (origin where the picture's centre is at first, y downwards), radians
clockwise, and seconds of the film.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from scorer.faces import Face

What = Literal["laid", "added", "squared", "moved", "taken-back", "beside"]
"""What happens to a group of the table; ``beside``: to cards that are no group, such as a discard."""
GroupKind = Literal["meld", "threes"]
CoverKind = Literal["cup", "phone", "paper", "arm", "person"]
EASE = 0.6
"""Seconds in which people lean in, before a cover begins, and back."""
PASSING = ("arm", "person")
"""Covers that people are: they come from the edge, and never lie perfectly still."""


@dataclass(frozen=True, slots=True)
class Lying:
    """One card on the table.

    Attributes:
        card: its number in ``Play.faces``.
        x, y: its centre in mm.
        turn: its rotation, 0 if its top is towards the picture's top.
        z: its height in the heap: of two cards that overlap, the one with the larger ``z`` lies on top.
        up: whether its face shows.
    """

    card: int
    x: float
    y: float
    turn: float
    z: float
    up: bool = True


@dataclass(frozen=True, slots=True)
class Change:
    """One change of the table.

    Attributes:
        second: when the hand lets go; from then on the cards lie as told.
        what: what happens.
        side: the side whose group changes, or None.
        group: the number of that group, or None.
        cards: the cards that come to the group or leave it, in the order in which they are laid; all of it where it is
            squared or moved.
        lying: the new places of all cards that move.
        gone: the cards that leave the table.
        comes, leaves, out: when the hand enters the picture, starts back, and is out of the picture again.
        edge: the direction (radians) in which the arm lies, seen from the hand.
        target: where the hand lets go.
        player: whose hand it is.
    """

    second: float
    what: What
    side: int | None
    group: int | None
    cards: tuple[int, ...]
    lying: tuple[Lying, ...]
    gone: tuple[int, ...]
    comes: float
    leaves: float
    out: float
    edge: float
    target: tuple[float, float]
    player: int


@dataclass(frozen=True, slots=True)
class Cover:
    """Something that lies or leans over the table for a while: its middle (an arm's finger tips), size in mm, rotation
    (of an arm or a person: where the body is), and the number that its look follows from."""

    kind: CoverKind
    begins: float
    ends: float
    x: float
    y: float
    size: float
    turn: float
    look: int


@dataclass(frozen=True, slots=True)
class Shift:
    """The camera is bumped, or the cloth is pulled with all that lies on it: for good, by so many mm and radians about
    the picture's centre."""

    kind: Literal["bump", "cloth"]
    second: float
    x: float
    y: float
    turn: float


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp is switched, or a cloud passes: from this second on the light is another one, whose look follows from a
    number; ``takes`` seconds until it has changed."""

    second: float
    takes: float
    look: int


@dataclass(frozen=True, slots=True)
class Zone:
    """A side's part of the table: left, top, right, bottom in mm, and which way its cards face."""

    side: int
    box: tuple[float, float, float, float]
    turn: float


@dataclass(frozen=True, slots=True)
class Group:
    """A group of the table: its side and kind."""

    side: int
    kind: GroupKind


@dataclass(frozen=True)
class Play:
    """A round as it is filmed.

    Attributes:
        rules: id of the rule set.
        deck: id of the deck profile.
        round: number of the round, from 1.
        seats: the side of each player.
        faces: the face of each card that is ever seen, by its number.
        zones: each side's part of the table.
        beginning: the cards that lie on the table before anything happens.
        changes: in the order of time.
        groups: the groups of the table by number.
        marks: where the printed marks lie that tell a program the table's corners, by number: x and y of their middle
            and rotation; none if the table has none.
        covers, shifts, lamps: what disturbs the picture.
        ends: length of the film in seconds.
        minutes: how long the round took at the table, before its waits were shortened.
    """

    rules: str
    deck: str
    round: int
    seats: tuple[int, ...]
    faces: tuple[Face, ...]
    zones: tuple[Zone, ...]
    beginning: tuple[Lying, ...]
    changes: tuple[Change, ...]
    groups: Mapping[int, Group]
    covers: tuple[Cover, ...]
    shifts: tuple[Shift, ...]
    lamps: tuple[Lamp, ...]
    marks: tuple[tuple[float, float, float], ...]
    ends: float
    minutes: float
