"""What happens at a table besides the game: groups are pushed aside, cups come and go, people lean and reach over it,
the camera is bumped, the cloth is pulled, and the light changes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.films.playing.changes import Cover, CoverKind, Lamp, Shift
from datasets.films.playing.director import SHORT_WAIT, Director

PUSH_SHARE, THING_SHARE, PASSING_SHARE = 0.04, 0.03, 0.05
"""How often, after an act, a group is pushed aside, a thing is put down, and somebody leans or reaches over."""
LONG_SHARE, BRIEF, LONG = 0.3, (1.0, 6.0), (8.0, 45.0)
"""How many of those stay long, and the seconds that the others and they stay."""
THINGS: tuple[CoverKind, ...] = ("cup", "cup", "phone", "paper")
SHIFTS, LAMPS = (0, 3), (0, 4)
"""How many bumps and pulls, and changes of the light, a film has: from, and below."""


class Distractions:
    """Lets things happen between the acts that a director films."""

    def __init__(self, rng: np.random.Generator, director: Director) -> None:
        self._rng, self._director = rng, director
        self._things: list[tuple[int, float]] = []

    def after(self, player: int) -> None:
        """What may happen after an act of a player."""
        if self._director.of_group and self._rng.random() < PUSH_SHARE:
            self._push(player)
        self._take_things(player)
        if self._rng.random() < THING_SHARE:
            self._put_a_thing(player)
        if self._rng.random() < PASSING_SHARE:
            self._lean_over()

    def _wait(self) -> None:
        self._director.clock.wait(float(self._rng.uniform(*SHORT_WAIT)))

    def _push(self, player: int) -> None:
        director = self._director
        group = list(director.of_group)[int(self._rng.integers(len(director.of_group)))]
        side, cards = director.groups[group].side, director.of_group[group]
        old, target = [director.lying[card] for card in cards], director.middle(group)
        self._wait()
        lying = director.places[side].push(group, old, director.level(len(old)))
        director.change("moved", player, target, lying, group, cards)

    def _take_things(self, player: int) -> None:
        director = self._director
        for index, until in list(self._things):
            if director.clock.now > until:
                self._things.remove((index, until))
                cover = director.covers[index]
                self._wait()
                director.change("beside", player, (cover.x, cover.y))
                director.covers[index] = replace(cover, ends=director.changes[-1].second)

    def _somewhere(self) -> tuple[float, float]:
        """A point of a side's zone."""
        zones = self._director.layout.zones
        left, top, right, bottom = zones[int(self._rng.integers(len(zones)))].box
        return float(self._rng.uniform(left, right)), float(self._rng.uniform(top, bottom))

    def _put_a_thing(self, player: int) -> None:
        rng, director = self._rng, self._director
        kind, (x, y) = THINGS[int(rng.integers(len(THINGS)))], self._somewhere()
        size = float({"cup": rng.uniform(70, 95), "phone": rng.uniform(140, 165)}.get(kind, rng.uniform(90, 200)))
        self._wait()
        director.change("beside", player, (x, y))
        turn, look = float(rng.uniform(0, 2 * np.pi)), int(rng.integers(2**31))
        self._things.append((len(director.covers), director.clock.now + float(rng.uniform(3, 60))))
        director.covers.append(Cover(kind, director.changes[-1].second, np.inf, x, y, size, turn, look))

    def _lean_over(self) -> None:
        rng, director = self._rng, self._director
        stays = float(rng.uniform(*(LONG if rng.random() < LONG_SHARE else BRIEF)))
        kind: CoverKind = "arm" if rng.random() < 0.6 else "person"
        seats = director.layout.seats
        seat = seats[int(rng.integers(len(seats)))]
        if kind == "arm":
            (x, y), size = self._somewhere(), 165.0
        else:
            near, size = float(rng.uniform(0.6, 0.95)), float(rng.uniform(190, 240))
            x, y = seat[0] * near + float(rng.normal(0, 60)), seat[1] * near + float(rng.normal(0, 20))
        turn = float(np.arctan2(seat[1] * 1.6 - y, seat[0] * 1.6 - x))
        begins = director.clock.now + 0.3
        director.covers.append(Cover(kind, begins, begins + stays, x, y, size, turn, int(rng.integers(2**31))))


def sample_shifts(rng: np.random.Generator, ends: float) -> tuple[Shift, ...]:
    """Samples bumps of the camera and pulls of the cloth."""
    made = []
    for _ in range(int(rng.integers(*SHIFTS))):
        bump = rng.random() < 0.6
        x, y = rng.normal(0, 7.0 if bump else 9.0, 2)
        turn, second = float(rng.normal(0, 0.012)), float(rng.uniform(0.1, 0.9) * ends)
        made.append(Shift("bump" if bump else "cloth", second, float(x), float(y), turn))
    return tuple(sorted(made, key=lambda shift: shift.second))


def sample_lamps(rng: np.random.Generator, ends: float) -> tuple[Lamp, ...]:
    """Samples changes of the light: at once, or slowly as by a cloud."""
    made = []
    for _ in range(int(rng.integers(*LAMPS))):
        takes = 0.3 if rng.random() < 0.6 else float(rng.uniform(3, 20))
        made.append(Lamp(float(rng.uniform(0.05, 0.95) * ends), takes, int(rng.integers(2**31))))
    return tuple(sorted(made, key=lambda lamp: lamp.second))
