"""The events of the storage: as they stand, how one is changed, and which of them are going on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from typing import Concatenate, ParamSpec

from scorer.rules import RulesError
from webui.events.evening import Evening
from webui.events.fold import effective, fold
from webui.games.season.played_games import Seats
from webui.storage.events.event_store import Outcome
from webui.storage.events.facts import Enter, EventRecord, Rename, State
from webui.storage.records import GameRecord
from webui.storage.store import Store
from webui.wording import name_key

Said = ParamSpec("Said")


def evening_of(store: Store, event_id: int) -> Evening | None:
    """The event as it stands, None where there is none.

    Raises:
        RulesError: its rule set cannot be loaded.
    """
    version = store.events.version(event_id)  # read first: a change made meanwhile counts as new
    record = store.events.find(event_id)
    if record is None:
        return None
    evening = fold(record, store.event_games(event_id))
    evening.version = version
    return evening


def step(decide: Callable[Concatenate[Evening, Said], Outcome]) -> Callable[Concatenate[Store, int, Said], None]:
    """Makes what is decided on an event as it stands a step: given the storage and the event's id, it is recorded."""

    @wraps(decide)
    def done(store: Store, event_id: int, /, *said: Said.args, **named: Said.kwargs) -> None:
        def on(record: EventRecord) -> Outcome:
            return decide(fold(record, store.event_games(event_id)), *said, **named)

        store.events.change(event_id, on)

    return done


def all_evenings(store: Store) -> tuple[list[Evening], list[EventRecord]]:
    """All events as they stand, newest first, and those whose rule set cannot be loaded."""
    games: dict[int, list[GameRecord]] = {}
    for game in store.games():
        if game.event and game.state != "removed":
            games.setdefault(game.event.event_id, []).append(game)
    found, failed = list[Evening](), list[EventRecord]()
    for record in store.events.all():
        try:
            found.append(fold(record, games.get(record.id, ())))
        except RulesError:
            failed.append(record)
    return found, failed


def counted_seats(store: Store) -> dict[int, Seats]:
    """For whom totals count each round of the games of events in which a substitute played, by the game's id."""
    found: dict[int, Seats] = {}
    for record in store.events.with_substitutes():
        with suppress(RulesError):  # such games are not counted at all
            evening = fold(record, store.event_games(record.id))
            for (stage, table), game in evening.games.items():
                if table <= len(evening.stage(stage).released):
                    found[game.id] = {of.number: evening.counted_for(stage, table, of.number) for of in game.rounds}
    return found


def known_groups(store: Store, names: Iterable[str]) -> dict[str, str]:
    """The groups in which some people were ranked at their newest event; without those who never were."""
    groups: dict[str, str] = {}
    for record in store.events.all():
        for one in record.facts:
            if isinstance(one.fact, Enter | Rename) and one.fact.group:
                name = one.fact.to if isinstance(one.fact, Rename) else one.fact.name
                groups.setdefault(name_key(name), one.fact.group)
    return {name: groups[name_key(name)] for name in names if name_key(name) in groups}


def is_running(record: EventRecord) -> bool:
    """Whether an event is neither over nor off the list, nor a rehearsal."""
    states = [one.fact.state for one in effective(record.facts) if isinstance(one.fact, State)]
    return not record.setup.rehearsal and (not states or states[-1] is None)
