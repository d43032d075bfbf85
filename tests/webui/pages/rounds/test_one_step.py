"""Transactions: changes are stored completely or not at all, on both databases; failures are one sentence."""

from __future__ import annotations

import sqlite3
import threading
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


def test_agreeing_and_storing_is_one_transaction(store: Store) -> None:
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


def test_a_reader_of_the_database_sees_one_snapshot(store: Store) -> None:
    """A game is read in several questions; what is changed between them must not be seen by half."""
    game_id, round_id = begun(store)
    with store._session() as session:
        before = session.connection().exec_driver_sql("SELECT count(*) FROM corrections").scalar()
        other = threading.Thread(target=store.rounds.correct, args=(round_id, 0, {"op": "reset"}))
        other.start()  # with a rollback journal, it waits for this reader
        other.join(0.2)
        assert session.connection().exec_driver_sql("SELECT count(*) FROM corrections").scalar() == before
    other.join()
    assert len(store.log(game_id)) == 3


def test_a_locked_database_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.storage.db.engines.LOCK_SECONDS", 0.2)
    store = Store(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="nothing was changed: someone else has been saving for too long"):
            begun(store)
        assert store.games() == [], "looking is still possible"
    begun(store)
    store.close()


def test_an_unreachable_server_or_invalid_url_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"^games cannot be kept in postgresql.*secret.*see that it runs") as refused:
        Store(tmp_path, f"postgresql://club:secret@/secret?host={tmp_path}")
    assert "club:secret" not in str(refused.value), "a password is never shown"
    for address in ("mysql://x/y", "nonsense"):
        with pytest.raises(StorageError, match="expected one such as postgresql://user:password@host/database"):
            Store(tmp_path, address)


def test_checking_writability_changes_nothing_and_signals_nothing(store: Store) -> None:
    heard = store.change_signal.count
    store.check_writable()
    assert (store.change_signal.count, store.newest_change()) == (heard, 0)


def test_other_machines_are_signalled_of_a_change(tmp_path: Path, postgres: Cluster) -> None:
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
