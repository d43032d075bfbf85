"""Databases of other versions: older ones are copied and migrated, newer ones refused."""

from __future__ import annotations

import shutil
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, inspect, text

from scorer.rules import load_rules
from tests.webui.helpers.stored_round import play, whole
from tests.webui.pages.games.test_change_log import PHOTO, begun
from tests.webui.storage.test_events import found
from webui.games.progress import game_progress
from webui.rounds.round_view import view_round
from webui.storage.backup.checks.clean_copy import clean_copy
from webui.storage.db import connect
from webui.storage.db.connect import FILE_NAME, STEPS
from webui.storage.db.engines import file_engine, for_writing, server_engine
from webui.storage.errors import StorageError
from webui.storage.store import Store

HELD = Path(__file__).parent / "version_0016.zip"
"""A backup of version 0016, the first of all: an agreed round, one that is not, and an event with a game."""


def engine_of(folder: Path, address: str | None) -> Engine:
    return file_engine(folder / FILE_NAME) if address is None else server_engine(address)


def set_version(folder: Path, address: str | None, version: str) -> None:
    """Says of a database that it is of another version."""
    engine = engine_of(folder, address)
    with for_writing(engine).begin() as connection:
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{version}'"))
    engine.dispose()


def scores_as_held(store: Store) -> None:
    game, _, unfinished = (whole(store, id) for id in (1, 2, 3))
    assert game_progress(game, load_rules(game.rules)).points == {1: (455, 0)}
    assert [
        view.tally.sides[0].total
        for view in map(view_round, (game, unfinished), (*game.rounds, *unfinished.rounds))
        if view.tally
    ] == [555, 455]
    assert len(store.log(1)) == 16 and store.log(1)[-1].what == "confirmed"
    (event,) = store.events.all()
    assert [one.id for one in store.event_games(event.id)] == [2] and len(found(store, event.id).facts) == 5
    assert [one.name for one in store.people.other_names()] == ["Ann"]
    play(store)
    assert whole(store, 4).rounds[0].agreed_sheet is not None, "and it goes on as any other list"


def held_database(folder: Path) -> Path:
    with zipfile.ZipFile(HELD) as archive:
        return Path(archive.extract(FILE_NAME, folder))


def schema(store: Store) -> Any:
    """All tables as the database has them, in whatever order their parts were made."""
    look = inspect(store.engine)
    return {
        name: (
            sorted((column["name"], str(column["type"]), column["nullable"]) for column in look.get_columns(name)),
            sorted((one["column_names"], one["unique"]) for one in look.get_indexes(name)),
            sorted(one["column_names"] for one in look.get_unique_constraints(name)),
            sorted((one["constrained_columns"], one["referred_table"]) for one in look.get_foreign_keys(name)),
        )
        for name in look.get_table_names()
    }


def test_a_database_of_the_first_version_opens_and_scores_the_same(tmp_path: Path) -> None:
    held_database(tmp_path)
    store, new = Store(tmp_path), Store(tmp_path / "new")
    assert schema(store) == schema(new), "the steps lead to the tables of a new database"
    scores_as_held(store)
    store.close()
    new.close()


def test_a_backup_of_the_first_version_is_restored_and_imported_and_scores_the_same(store: Store) -> None:
    assert store.backups.restore(HELD).checked.left_out == ()
    scores_as_held(store)
    again = store.backups.import_games(HELD)
    assert (again.new, again.known) == (0, 3), "and it is known by its mark"


def add_mottos(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE games ADD COLUMN motto VARCHAR"))
    connection.execute(text("UPDATE games SET motto = 'one more'"))


def columns(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {name for _, name, *_ in connection.execute("PRAGMA table_info(games)")}


def test_an_older_database_is_copied_before_its_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str | None
) -> None:
    data = tmp_path / "data"
    store = Store(data, address)
    game, round_id = begun(store)
    store.rounds.add_photo(round_id, PHOTO)
    before = store.game(game), store.log(game)
    store.close()
    with monkeypatch.context() as later_version:
        later_version.setitem(STEPS, "9000", add_mottos)
        later = Store(data, address)
        assert (later.game(game), later.log(game)) == before, "the games are still there"
        with later.engine.begin() as connection:
            assert connection.scalar(text("SELECT motto FROM games")) == "one more"
        later.close()
        Store(data, address).close()
    (copy,) = data.glob("handfoot-before-9000-*.db")  # one that is up to date is not copied again
    assert "rules" in columns(copy) and "motto" not in columns(copy)
    with pytest.raises(StorageError, match="written by a newer handfoot; update this one"):
        Store(data, address)
    (tmp_path / "other").mkdir()
    shutil.copy(copy, tmp_path / "other" / FILE_NAME)
    of_copy = Store(tmp_path / "other")
    assert (of_copy.game(game), of_copy.log(game)) == before, "the copy is a database like any other"
    of_copy.close()


def test_a_migration_that_fails_changes_nothing(
    tmp_path: Path, address: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path, address)
    game, _ = begun(store)
    before = store.kind()
    store.close()

    def fail(connection: Connection) -> None:
        add_mottos(connection)
        connection.execute(text("nonsense"))

    with monkeypatch.context() as later_version:
        later_version.setitem(STEPS, "9000", fail)
        with pytest.raises(StorageError, match="games cannot be kept in"):
            Store(tmp_path, address)
    again = Store(tmp_path, address)
    assert again.game(game) is not None and again.kind() == before
    assert "motto" not in {column["name"] for column in inspect(again.engine).get_columns("games")}
    again.close()


def test_the_database_of_an_older_archive_takes_the_same_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rows are copied into tables of its own version first, made as they are kept for that."""
    held = held_database(tmp_path)
    with closing(sqlite3.connect(held)) as old:
        made = [sql for (sql,) in old.execute("SELECT sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'") if sql]
    (tmp_path / "0016.sql").write_text(";".join([*made, "INSERT INTO alembic_version VALUES ('0016')"]))
    monkeypatch.setattr(connect, "_SCHEMAS", tmp_path)
    monkeypatch.setitem(STEPS, "9000", add_mottos)
    monkeypatch.setattr("webui.storage.backup.checks.clean_copy._remove_invalid", lambda target: ([], 0, 0))
    clean_copy(held, tmp_path / "clean.db")
    with closing(sqlite3.connect(tmp_path / "clean.db")) as new:
        assert new.execute("SELECT count(*), min(motto) FROM games").fetchone() == (3, "one more")
        assert new.execute("SELECT version_num FROM alembic_version").fetchall() == [("9000",)]


@pytest.mark.parametrize(
    ("version", "sentence"),
    [
        ("9999", "were written by a newer handfoot; update this one and try again"),
        ("0015", "were written by an early handfoot; open them once with the handfoot of 28 November 2026, then"),
    ],
)
def test_a_database_of_an_unknown_version_is_refused_and_unchanged(
    tmp_path: Path, address: str | None, version: str, sentence: str
) -> None:
    store = Store(tmp_path, address)
    begun(store)
    store.close()
    set_version(tmp_path, address, version)
    with pytest.raises(StorageError, match=sentence) as raised:
        Store(tmp_path, address)
    assert len(str(raised.value).splitlines()) == 1 and not list(tmp_path.glob("handfoot-before-*"))
    engine = engine_of(tmp_path, address)
    with engine.begin() as connection:
        assert connection.scalar(text("SELECT count(*) FROM games")) == 1
    engine.dispose()
