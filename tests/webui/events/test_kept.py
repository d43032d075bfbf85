"""Evenings that pages keep until they change: never an old one, and worked out once however many ask."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from scorer.rules import load_rules
from tests.webui.helpers.evenings import begin, score_round, seat
from webui.events import kept
from webui.events.evening import Evening
from webui.events.kept import KeptEvenings
from webui.events.steps import actions
from webui.events.stored import evening_of
from webui.storage.store import Store

EIGHT = tuple(f"{sign}a & {sign}o" for sign in "ABCDEFGH")


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The events that were worked out, by their ids."""
    found: list[int] = []

    def counted(store: Store, event_id: int) -> Evening | None:
        found.append(event_id)
        return evening_of(store, event_id)

    monkeypatch.setattr(kept, "evening_of", counted)
    yield found


def test_an_evening_is_worked_out_once_for_each_change(store: Store, made: list[int]) -> None:
    evenings = KeptEvenings(store)
    begin(store, EIGHT)
    seat(store, 1, 1)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: evenings.find(1), range(40)))
    assert made == [1] and all(one is found[0] for one in found) and found[0] is not None
    score_round(store, 1, 1, 1, 1, (100, 50))
    now = evenings.find(1)
    assert now is not None and now.results[1, 1] == {1: (100, 50)} and made == [1, 1]
    actions.leave(store, 1, "Aa & Ao")
    later = evenings.find(1)
    assert later is not None and "Aa & Ao" in later.gone and made == [1, 1, 1]
    assert evenings.find(2) is None


def test_what_another_machine_changes_is_there_at_once(store: Store, address: str | None) -> None:
    here, there = KeptEvenings(store), Store(store.folder, address, served=True)
    begin(store, EIGHT)
    before = here.find(1)
    seat(there, 1, 1)
    after = here.find(1)
    there.close()
    assert before is not None and not before.games and after is not None and len(after.games) == 4


def test_a_text_is_made_again_only_for_another_evening(store: Store) -> None:
    evenings, made = KeptEvenings(store), list[str]()
    begin(store, EIGHT)

    def text() -> str:
        evening = evenings.find(1)
        assert evening is not None

        def make() -> str:
            made.append(threading.current_thread().name)
            return f"{len(evening.entrants)} teams"

        return evenings.text(evening, "count", make)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: text(), range(40))) == {"8 teams"}
    assert len(made) == 1
    actions.enter(store, 1, "Ia & Io")
    assert text() == "9 teams" and len(made) == 2


def test_rules_that_were_changed_count_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    evenings = KeptEvenings(store)
    begin(store, EIGHT)
    before = evenings.find(1)
    assert before is not None and evenings.find(1) is before
    other = load_rules("golden-games").model_copy()  # as a file that was saved anew is loaded
    monkeypatch.setattr(kept, "load_rules", lambda _: other)
    assert evenings.find(1) is not before


def test_a_table_hears_of_its_own_scores_and_of_the_evening_alone(store: Store) -> None:
    begin(store, EIGHT)
    seat(store, 1, 1)
    own, whole = store.events.version(1, 2), store.events.version(1)
    score_round(store, 1, 1, 1, 1, (100, 50))
    assert store.events.version(1, 2) == own and store.events.version(1) > whole
    score_round(store, 1, 1, 2, 1, (100, 50))
    assert (heard := store.events.version(1, 2)) > own
    actions.take_break(store, 1, 60)
    assert store.events.version(1, 2) > heard


def test_who_asks_for_the_version_hears_of_changes_here_at_once_and_of_others_in_a_second(
    store: Store, address: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(store, EIGHT)
    evenings, there, now = KeptEvenings(store), Store(store.folder, address, served=True), 100.0
    monkeypatch.setattr(kept, "time", SimpleNamespace(monotonic=lambda: now))
    first = evenings.version(1)
    actions.take_break(store, 1, 60)
    assert (second := evenings.version(1)) == store.events.version(1) > first
    asked = list[int]()

    def version(event_id: int, table: int | None = None) -> int:
        asked.append(event_id)
        return there.events.version(event_id, table)

    monkeypatch.setattr(store.events, "version", version)
    assert {evenings.version(1) for _ in range(20)} == {second} and not asked, "nothing has changed here"
    actions.take_break(there, 1, 0)
    now += 1.0
    assert evenings.version(1) == there.events.version(1) > second
    there.close()
