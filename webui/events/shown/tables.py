"""The tables of a stage as they are now: who sits there, how far they are, who has not agreed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from webui.events.evening import Evening
from webui.rounds.agreement import unsettled_rounds
from webui.storage.events.facts import TableSides
from webui.storage.store import Store
from webui.translation import _
from webui.wording import listed


@dataclass(frozen=True, slots=True)
class TableNow:
    """One table of a stage.

    ``state`` is ``names`` (they have not said that it is they), ``playing``, ``waiting`` (a side has not agreed yet),
    ``changed`` (a round was changed and not agreed again), ``left`` (somebody went home before it was done) or
    ``done``; ``sentence`` says it. ``points`` are those of the agreed rounds together, one for each side; ``calls`` is
    whether they call for help.
    """

    number: int
    sides: TableSides
    game_id: int | None
    state: str
    sentence: str
    points: tuple[int, int]
    agreed: int
    calls: bool
    brief: str = ""
    """How far it is, in as few words as fit a big screen."""


@dataclass(frozen=True, slots=True)
class RoundNow:
    """One round of a table.

    ``state`` is ``missing``, ``waiting`` (a side has not agreed), ``changed``, ``agreed`` or ``left`` (somebody went
    home before it was played). ``points`` are those that count, one for each side; None before it was agreed.
    """

    number: int
    state: str
    points: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class TableRounds:
    """All rounds of a table of a stage; ``missing`` counts those that are not agreed as they stand."""

    stage: int
    table: int
    sides: TableSides
    game_id: int
    rounds: tuple[RoundNow, ...]

    @property
    def missing(self) -> tuple[int, ...]:
        """The rounds that are not agreed as they stand."""
        return tuple(one.number for one in self.rounds if one.state not in ("agreed", "left"))


def all_rounds(store: Store, evening: Evening) -> list[TableRounds]:
    """Every round of every table that was announced, newest stage first."""
    games = {place: game for place, game in evening.games.items() if place[1] <= len(evening.stage(place[0]).released)}
    ids = [game.id for game in games.values()]
    unsettled, facts = unsettled_rounds(store, ids), store.events.round_facts(ids)
    found = []
    for (stage, table), game in sorted(games.items(), key=lambda one: (-one[0][0], one[0][1])):
        agreed, begun, rounds = evening.results[stage, table], facts.get(game.id, {}), list[RoundNow]()
        unplayed = "left" if evening.left_during(stage, table) else "missing"
        for number in range(1, evening.rounds + 1):
            state = "agreed" if number in agreed else "waiting" if begun.get(number, {}).get("agreed") else unplayed
            changed = number in unsettled.get(game.id, ())
            rounds.append(RoundNow(number, "changed" if changed else state, agreed.get(number)))
        found.append(TableRounds(stage, table, evening.stage(stage).released[table - 1], game.id, tuple(rounds)))
    return found


def tables_now(store: Store, evening: Evening, stage: int, only: int | None = None) -> list[TableNow]:
    """The tables of a released stage, by their number; or one of them, where there is one of that number."""
    seated = {place[1]: game for place, game in evening.games.items() if place[0] == stage}
    games = {table: game for table, game in seated.items() if only in (None, table)}
    ids = [game.id for game in games.values()]
    unsettled, facts = unsettled_rounds(store, ids), store.events.round_facts(ids)
    found = []
    for number, sides in enumerate(evening.stage(stage).released, 1):
        if only not in (None, number):
            continue
        game = games.get(number)
        rounds = evening.results.get((stage, number), {})
        points = (sum(of[0] for of in rounds.values()), sum(of[1] for of in rounds.values()))
        state, sentence = "playing", _("There is no game at this table.")
        if game is not None:
            names = tuple(side.name for side in game.sides)
            said = (stage, number) in evening.names_said
            changed = unsettled.get(game.id, ())
            state, sentence = _state(evening, rounds, facts.get(game.id, {}), names, changed, said)
            if state not in ("changed", "done") and (gone := evening.left_during(stage, number)):
                state, sentence = "left", _left(evening, sides, gone)
        game_id = None if game is None else game.id
        calls = number in evening.calls
        found.append(
            TableNow(
                number, sides, game_id, state, sentence, points, len(rounds), calls, _brief(evening, state, len(rounds))
            )
        )
    return found


def _brief(evening: Evening, state: str, agreed: int) -> str:
    told = {
        "done": _("all agreed"),
        "changed": _("correcting a score"),
        "left": _("somebody went home"),
        "waiting": _("one side has not agreed yet"),
    }
    of = _("%(round)s of %(planned)s", round=evening.round_name(agreed + 1), planned=evening.rounds)
    return told.get(state, of)


def _state(
    evening: Evening,
    agreed: Mapping[int, Any],
    facts: Mapping[int, Mapping[str, Any]],
    names: tuple[str, ...],
    changed: Iterable[int],
    said: bool,
) -> tuple[str, str]:
    if changed := tuple(changed):
        rounds = evening.round_name(listed(map(str, changed)))
        return "changed", _("Changed: %(rounds)s. All must agree again before the change counts.", rounds=rounds)
    planned = evening.rounds
    if len(agreed) >= planned:
        return "done", _("All rounds are agreed.") if evening.is_teams else _("All hands are agreed.")
    number = next(one for one in range(1, planned + 1) if one not in agreed)
    values = {"round": evening.round_name(number), "planned": planned}
    yes = {side for side in facts.get(number, {}).get("agreed", {}) if side in ("0", "1")}
    if yes and len(yes) < len(names):
        missing = listed(name for side, name in enumerate(names) if str(side) not in yes)
        return "waiting", _("Waiting for %(names)s to agree to %(round)s.", names=missing, **values)
    if not said and not agreed:
        return "names", _("They have not confirmed their names yet.")
    return "playing", _("Playing %(round)s of %(planned)s.", **values)


def _left(evening: Evening, sides: TableSides, gone: tuple[str, ...]) -> str:
    """What those get whose table breaks off, and what they do."""
    here = [name for side in sides for name in side if name not in gone]
    if not here:
        return _("Everybody of this table went home.")
    values = {"gone": listed(gone), "names": listed(here)}
    if evening.is_teams:
        return _(
            "%(gone)s went home. %(names)s: what is agreed counts, and for each other round you get the average of "
            "the other tables. You need not play on; please wait for the next draw.",
            **values,
        )
    return _(
        "%(gone)s went home. %(names)s: what is agreed counts, and the other hands count nothing, unless a substitute "
        "plays on. Ask whoever runs the evening, who also says which side moves up.",
        **values,
    )
