"""What belongs to one step is kept whole or not at all, on both databases, and what fails is a sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.postgres import Cluster
from tests.webui.pages.games.test_change_log import begun
from webui.storage.db.connect import FILE_NAME
from webui.storage.errors import StorageError
from webui.storage.store import Store


class PowerCut(BaseException):
    """Stands for whatever ends a step in its middle."""


@pytest.fixture
def store(tmp_path: Path, address: str | None) -> Iterator[Store]:
    made = Store(tmp_path, address)
    yield made
    made.close()


def cut(_: object) -> Any:
    raise PowerCut


def test_agreeing_and_storing_the_round_is_one_step(store: Store) -> None:
    game_id, round_id = begun(store)
    stood, log = store.game(game_id), store.log(game_id)
    with pytest.raises(PowerCut):
        store.rounds.change_facts(
            round_id, lambda facts: {"agreed": {"0": "x"}}, corrections={1: [{"op": "reset"}]}, agreed_sheet=cut
        )
    assert (store.game(game_id), store.log(game_id)) == (stood, log), "nothing of it was kept"
    store.rounds.change_facts(
        round_id,
        lambda facts: {"agreed": {"0": "x"}},
        corrections={1: [{"op": "reset"}]},
        agreed_sheet=lambda _: {"n": 1},
    )
    found = store.game(game_id)
    assert found is not None and found.rounds[0].agreed_sheet == {"n": 1} and len(found.rounds[0].corrections) == 1
    assert [entry.what for entry in store.log(game_id)[len(log) :]] == ["correction", "facts", "confirmed"]


def test_the_cards_of_a_pile_are_added_all_or_none(store: Store) -> None:
    game_id, round_id = begun(store)
    with pytest.raises(PowerCut):
        store.rounds.correct_all(round_id, 0, [{"op": "add", "n": 1}], then=cut)
    assert store.log(game_id)[-1].what == "round-begun"
    first, second = store.rounds.correct_all(round_id, 0, [{"n": 1}], then=lambda id: [{"group": f"n{id}"}])
    found = store.game(game_id)
    assert found is not None and [(made.id, made.change) for made in found.rounds[0].corrections] == [
        (first, {"n": 1}),
        (second, {"group": f"n{first}"}),
    ]


def test_one_who_only_looks_sees_one_moment(store: Store) -> None:
    """A game is read in several questions; what is changed between them must not be seen by half."""
    game_id, round_id = begun(store)
    with store._session() as session:
        before = session.connection().exec_driver_sql("SELECT count(*) FROM corrections").scalar()
        store.rounds.correct(round_id, 0, {"op": "reset"})
        assert session.connection().exec_driver_sql("SELECT count(*) FROM corrections").scalar() == before
    assert len(store.log(game_id)) == 3


def test_what_is_confirmed_is_synced(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store._session() as session:
        asked = session.connection().exec_driver_sql
        assert (asked("PRAGMA journal_mode").scalar(), asked("PRAGMA synchronous").scalar()) == ("wal", 2)
    store.close()


def test_a_file_that_somebody_else_holds_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.storage.db.engines.WAIT", 0.2)
    store = Store(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="nothing was changed: somebody else has been writing for too long"):
            begun(store)
        assert store.games() == [], "looking is still possible"
    begun(store)
    store.close()


def test_a_server_that_is_gone_or_an_address_that_is_none_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"^games cannot be kept in postgresql.*secret.*see that it runs") as told:
        Store(tmp_path, f"postgresql://club:secret@/secret?host={tmp_path}")
    assert "club:secret" not in str(told.value), "a password is never shown"
    for address in ("mysql://x/y", "nonsense"):
        with pytest.raises(StorageError, match="expected one such as postgresql://user:password@host/database"):
            Store(tmp_path, address)


def test_trying_to_write_changes_nothing_and_tells_nobody(store: Store) -> None:
    heard = store.change_signal.count
    store.check_writable()
    assert (store.change_signal.count, store.newest_change()) == (heard, 0)


def test_other_devices_hear_of_a_change(tmp_path: Path, postgres: Cluster) -> None:
    address = postgres.emptied()
    there, here = Store(tmp_path / "there", address), Store(tmp_path / "here", address)
    heard = here.change_signal.count
    for _ in range(5):  # its first look only learns what stands
        begun(there)
        if here.change_signal.wait(heard, 2.0) > heard:
            break
    assert here.change_signal.count > heard
    here.close()
    there.close()
