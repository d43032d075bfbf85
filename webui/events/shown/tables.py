"""The tables of a stage as they are now: who sits there, how far they are, who has not agreed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from webui.events.evening import Evening
from webui.rounds.agreement import unsettled_rounds
from webui.storage.events.facts import TableSides
from webui.storage.records import GameRecord
from webui.storage.store import Store
from webui.translation import _
from webui.wording import listed


@dataclass(frozen=True, slots=True)
class RoundNow:
    """One round of a table.

    ``state`` is ``missing``, ``waiting`` (a side has not agreed), ``changed``, ``agreed`` or ``left`` (somebody went
    home before it was played). ``points`` are those that count, one for each side; None before it was agreed.
    """

    number: int
    state: str
    points: tuple[int, int] | None


@dataclass(frozen=True)
class TableNow:
    """One table of a stage with all of its rounds; ``agrees`` are the sides that agreed to the one that is played."""

    evening: Evening
    stage: int
    number: int
    sides: TableSides
    game: GameRecord | None
    rounds: tuple[RoundNow, ...]
    agrees: frozenset[int] = frozenset()

    @property
    def game_id(self) -> int:
        """The id of its game."""
        return self.game.id if self.game else 0

    @property
    def missing(self) -> tuple[int, ...]:
        """The rounds that are not agreed as they stand."""
        return tuple(one.number for one in self.rounds if one.state not in ("agreed", "left"))

    @property
    def agreed(self) -> int:
        """How many rounds are agreed."""
        return sum(one.points is not None for one in self.rounds)

    @property
    def points(self) -> tuple[int, int]:
        """The points of the agreed rounds together, one for each side."""
        known = [one.points for one in self.rounds if one.points]
        return sum(of[0] for of in known), sum(of[1] for of in known)

    @property
    def calls(self) -> bool:
        """Whether they call for help."""
        return self.number in self.evening.calls

    @cached_property
    def state(self) -> str:
        """``names`` (they have not said that it is they), ``playing``, ``waiting`` (a side has not agreed yet),
        ``changed`` (a round was changed and not agreed again), ``left`` (somebody went home before it was done) or
        ``done``."""
        if any(one.state == "changed" for one in self.rounds):
            return "changed"
        if self.game and self.agreed == len(self.rounds):
            return "done"
        if self.evening.left_during(self.stage, self.number):
            return "left"
        if self.game and 0 < len(self.agrees) < len(self.game.sides):
            return "waiting"
        said = (self.stage, self.number) in self.evening.names_said
        return "playing" if said or self.agreed or not self.game else "names"

    @property
    def _next(self) -> str:
        """What the round is called that they play."""
        return self.evening.round_name(next((one.number for one in self.rounds if one.points is None), 1))

    @property
    def brief(self) -> str:
        """How far it is, in as few words as fit a big screen."""
        told = {
            "done": _("all agreed"),
            "changed": _("correcting a score"),
            "left": _("somebody went home"),
            "waiting": _("one side has not agreed yet"),
        }
        of = _("%(round)s of %(planned)s", round=self._next, planned=self.evening.rounds)
        return told.get(self.state, of)

    @property
    def sentence(self) -> str:
        """How far it is, in a sentence."""
        if self.game is None:
            return _("There is no game at this table.")
        match self.state:
            case "changed":
                changed = listed(str(one.number) for one in self.rounds if one.state == "changed")
                rounds = self.evening.round_name(changed)
                return _("Changed: %(rounds)s. All must agree again before the change counts.", rounds=rounds)
            case "done":
                return _("All rounds are agreed.") if self.evening.is_teams else _("All hands are agreed.")
            case "left":
                return self._left()
            case "waiting":
                missing = listed(side.name for at, side in enumerate(self.game.sides) if at not in self.agrees)
                return _("Waiting for %(names)s to agree to %(round)s.", names=missing, round=self._next)
            case "names":
                return _("They have not confirmed their names yet.")
        return _("Playing %(round)s of %(planned)s.", round=self._next, planned=self.evening.rounds)

    def _left(self) -> str:
        """What those get whose table breaks off, and what they do."""
        gone = self.evening.left_during(self.stage, self.number)
        here = [name for side in self.sides for name in side if name not in gone]
        if not here:
            return _("Everybody of this table went home.")
        values = {"gone": listed(gone), "names": listed(here)}
        if self.evening.is_teams:
            return _(
                "%(gone)s went home. %(names)s: what is agreed counts, and for each other round you get the average of "
                "the other tables. You need not play on; please wait for the next draw.",
                **values,
            )
        return _(
            "%(gone)s went home. %(names)s: what is agreed counts, and the other hands count nothing, unless a "
            "substitute plays on. Ask whoever runs the evening, who also says which side moves up.",
            **values,
        )


def all_rounds(store: Store, evening: Evening) -> list[TableNow]:
    """Every table that was announced with its game, newest stage first."""
    places = [place for place in evening.games if place[1] <= len(evening.stage(place[0]).released)]
    return _tables(store, evening, sorted(places, key=lambda place: (-place[0], place[1])))


def tables_now(store: Store, evening: Evening, stage: int, only: int | None = None) -> list[TableNow]:
    """The tables of a released stage, by their number; or one of them, where there is one of that number."""
    numbers = range(1, len(evening.stage(stage).released) + 1)
    return _tables(store, evening, [(stage, number) for number in numbers if only in (None, number)])


def _tables(store: Store, evening: Evening, places: Iterable[tuple[int, int]]) -> list[TableNow]:
    games = {place: evening.games.get(place) for place in places}
    ids = [game.id for game in games.values() if game]
    unsettled, facts = unsettled_rounds(store, ids), store.events.round_facts(ids)
    found = []
    for (stage, table), game in games.items():
        agreed = evening.results.get((stage, table), {})
        unplayed = "left" if evening.left_during(stage, table) else "missing"
        rounds, agrees = list[RoundNow](), frozenset[int]()
        for number in range(1, evening.rounds + 1):
            said = facts.get(game.id, {}).get(number, {}).get("agreed", {}) if game else {}
            state = "agreed" if number in agreed else "waiting" if said else unplayed
            if all(one.points for one in rounds) and number not in agreed:  # the one that is played
                agrees = frozenset(side for side in (0, 1) if str(side) in said)
            changed = game is not None and number in unsettled.get(game.id, ())
            rounds.append(RoundNow(number, "changed" if changed else state, agreed.get(number)))
        sides = evening.stage(stage).released[table - 1]
        found.append(TableNow(evening, stage, table, sides, game, tuple(rounds), agrees))
    return found
