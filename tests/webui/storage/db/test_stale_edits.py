"""Two people change one round: neither silently overwrites the other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from webui.corrections.answers import agree, set_nothing, set_unseen, set_went_out
from webui.storage.db.audit_log import AUTHOR
from webui.storage.db.stale_edits import StaleEditError
from webui.storage.records import PhotoRecord, SideRecord
from webui.storage.store import Store

SIDES = (SideRecord("Us", ("Ann", "Bo")), SideRecord("Them", ("Cy", "Di")))
REMOVED = {"op": "remove", "card": "p1c0"}


@pytest.fixture
def store(tmp_path: Path, address: str | None) -> Iterator[Store]:
    made = Store(tmp_path, address)
    game = made.add_game("golden-games", 4, SIDES)
    made.rounds.begin(game, 1)
    yield made
    made.close()


def test_a_stale_correction_is_refused_with_the_newer_changes(store: Store) -> None:
    seen = store.version(1)
    AUTHOR.set("Ann's phone")
    store.rounds.correct(1, 0, REMOVED, seen)
    AUTHOR.set(None)
    with pytest.raises(StaleEditError) as refused:
        store.rounds.correct(1, 0, {"op": "name", "card": "p1c0", "face": "9H"}, seen)
    (entry,) = refused.value.entries
    assert (entry.who, entry.after) == ("Ann's phone", {"id": 1, **REMOVED})
    found = store.game(1)
    assert found is not None and len(found.rounds[0].corrections) == 1, "the second was not kept"
    store.rounds.correct(1, 0, {"op": "remove", "card": "p1c1"}, store.version(1))


def test_an_undo_makes_corrections_of_the_card_stale_too(store: Store) -> None:
    store.rounds.correct(1, 0, REMOVED)
    seen = store.version(1)
    store.rounds.undo(1, seen)
    with pytest.raises(StaleEditError):
        store.rounds.correct(1, 0, REMOVED, seen)


NAMED = {"op": "name", "card": "p1c0", "face": "9H"}
ADDED = {"op": "add", "group": "p1g0", "face": "9H"}
COUNTED = {"op": "count", "group": "p1g1", "rank": "8", "cards": 7}
RESET = {"op": "reset", "step": "table"}


@pytest.mark.parametrize(
    ("first", "second", "is_conflict"),
    [
        (NAMED, {**NAMED, "card": "p1c1"}, False),
        (NAMED, {"op": "move", "card": "p1c0", "group": "laid"}, True),
        (NAMED, {"op": "regroup", "cards": ["p1c1", "p1c0"], "group": "new-meld"}, True),
        (NAMED, ADDED, False),
        (ADDED, ADDED, True),
        (ADDED, {"op": "add-cards", "group": "p1g0", "faces": ["8H", "9H"]}, True),
        (ADDED, {**ADDED, "face": "8H"}, False),
        (ADDED, {**ADDED, "group": "p1g1"}, False),
        (COUNTED, {"op": "spread", "group": "p1g1"}, True),
        (COUNTED, {"op": "join", "group": "p1g0", "into": "p1g1"}, True),
        (COUNTED, {"op": "accept", "group": "p1g0"}, False),
        (NAMED, RESET, True),
        (RESET, NAMED, True),
        (NAMED, {"op": "drop-photo", "photo": 1}, True),
    ],
)
def test_only_the_same_card_or_group_is_a_conflict(
    store: Store, first: dict[str, object], second: dict[str, object], is_conflict: bool
) -> None:
    seen = store.version(1)
    store.rounds.correct(1, 0, first, seen)
    if is_conflict:
        with pytest.raises(StaleEditError):
            store.rounds.correct(1, 0, second, seen)
    else:
        store.rounds.correct(1, 0, second, seen)


def test_a_new_photo_is_in_conflict_with_starting_anew_alone(store: Store) -> None:
    seen = store.version(1)
    store.rounds.add_photo(1, PhotoRecord(0, 0, None, "a.jpg", 4, 3, "a", "2026-01-02T03:04:05+00:00", None))
    store.rounds.correct(1, 0, NAMED, seen)
    with pytest.raises(StaleEditError):
        store.rounds.correct(1, 0, RESET, seen)


def test_changes_of_one_side_do_not_make_those_of_the_other_stale(store: Store) -> None:
    seen = store.version(1)
    store.rounds.correct(1, 0, REMOVED, seen)
    store.rounds.correct(1, 1, REMOVED, seen)
    store.rounds.change_facts(1, lambda facts: set_nothing(facts, 0, "table"), seen)
    store.rounds.change_facts(1, lambda facts: set_nothing(facts, 1, "table"), seen)
    store.rounds.change_facts(1, lambda facts: agree(facts, [0], "x"), seen)
    store.rounds.change_facts(1, lambda facts: agree(facts, [1], "x"), seen)
    found = store.game(1)
    assert found is not None and found.rounds[0].facts == {
        "0": {"nothing": ["table"]},
        "1": {"nothing": ["table"]},
        "agreed": {"0": "x", "1": "x"},
    }


def test_the_same_answer_twice_is_no_conflict(store: Store) -> None:
    seen = store.version(1)
    store.rounds.change_facts(1, lambda facts: set_went_out(facts, 2, 0, 1), seen)
    store.rounds.change_facts(1, lambda facts: set_unseen(facts, {0: {"exact_deals": 0}, 1: {"exact_deals": 1}}), seen)
    with pytest.raises(StaleEditError):
        store.rounds.change_facts(1, lambda facts: set_went_out(facts, 2, 1, None), seen)
    with pytest.raises(StaleEditError):
        store.rounds.change_facts(1, lambda facts: set_went_out(facts, 2, None, None), seen)
    store.rounds.change_facts(1, lambda facts: set_went_out(facts, 2, 0, 1), seen)
    found = store.game(1)
    assert found is not None and found.rounds[0].facts["0"] == {"went_out": True, "out_player": 1, "exact_deals": 0}
    assert store.rounds.out_players(2) == {(1, 1, 0): 1}, "of the other side nobody went out"


def test_an_undo_reverts_only_the_change_that_was_shown(store: Store) -> None:
    store.rounds.correct(1, 0, REMOVED)
    (shown,) = store.rounds.last_undoable_step(1)
    store.rounds.correct(1, 1, REMOVED)
    with pytest.raises(StaleEditError) as refused:
        store.rounds.undo(1, shown.id)
    assert [entry.side for entry in refused.value.entries] == [1]


def test_one_of_many_simultaneous_edits_wins(store: Store) -> None:
    seen = store.version(1)
    refused: list[StaleEditError] = []

    def work(face: str) -> None:
        try:
            store.rounds.correct(1, 0, {**NAMED, "face": face}, seen)
        except StaleEditError as error:
            refused.append(error)

    threads = [threading.Thread(target=work, args=(f"{rank}H",)) for rank in "56789JQK"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = store.game(1)
    assert found is not None and len(found.rounds[0].corrections) == 1 and len(refused) == 7
