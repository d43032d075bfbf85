"""Databases of other versions: older ones are copied and migrated, newer ones refused."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text

from scorer.rules import load_rules
from tests.webui.helpers.stored_round import play, whole
from tests.webui.pages.games.test_change_log import PHOTO, begun
from tests.webui.storage.test_events import found
from webui.games.progress import game_progress
from webui.rounds.round_view import view_round
from webui.storage.db import connect
from webui.storage.db.connect import FILE_NAME, open_database
from webui.storage.db.engines import file_engine, for_writing, server_engine
from webui.storage.db.tables import Base
from webui.storage.errors import StorageError
from webui.storage.store import Store

ROOT = Path(__file__).parents[4]
NEXT_VERSION = """
revision, down_revision, branch_labels, depends_on = "9000", "{newest}", None, None

def upgrade():
    from alembic import op
    op.execute("CREATE TABLE seasons (id INTEGER PRIMARY KEY)")
"""
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


def test_a_database_of_the_first_version_opens_and_scores_the_same(tmp_path: Path) -> None:
    with zipfile.ZipFile(HELD) as archive:
        archive.extract(FILE_NAME, tmp_path)
    store = Store(tmp_path)
    scores_as_held(store)
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    store.close()


def test_a_backup_of_the_first_version_is_restored_and_imported_and_scores_the_same(store: Store) -> None:
    assert store.backups.restore(HELD).checked.left_out == ()
    scores_as_held(store)
    again = store.backups.import_games(HELD)
    assert (again.new, again.known) == (0, 3), "and it is known by its mark"


def test_the_migrations_produce_the_schema_of_tables(tmp_path: Path, address: str | None) -> None:
    engine = open_database(tmp_path, address)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    engine.dispose()


def tables(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Adds one more migration; returns the version before it."""
    migrations = tmp_path / "migrations"
    shutil.copytree(connect._MIGRATIONS, migrations, ignore=shutil.ignore_patterns("__pycache__"))
    newest = ScriptDirectory(str(migrations)).get_current_head()
    (migrations / "versions" / "9000_seasons.py").write_text(NEXT_VERSION.format(newest=newest))
    monkeypatch.setattr(connect, "_MIGRATIONS", migrations)
    return str(newest)


def test_an_older_database_is_copied_before_its_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str | None, request: pytest.FixtureRequest
) -> None:
    data = tmp_path / "data"
    store = Store(data, address)
    game, round_id = begun(store)
    store.rounds.add_photo(round_id, PHOTO)
    before = store.game(game), store.log(game)
    store.close()
    request.getfixturevalue("next_version")

    later = Store(data, address)
    assert (later.game(game), later.log(game)) == before, "the games are still there"
    later.close()
    (copy,) = data.glob("handfoot-before-9000-*.db")
    assert "games" in tables(copy) and "seasons" not in tables(copy)
    Store(data, address).close()
    assert len(list(data.glob("handfoot-before-*"))) == 1, "one that is up to date is not copied again"
    with monkeypatch.context() as back:
        back.setattr(connect, "_MIGRATIONS", Path(connect.__file__).parent / "migrations")
        with pytest.raises(StorageError, match="written by a newer handfoot; update this one"):
            Store(data, address)
    (tmp_path / "other").mkdir()
    shutil.copy(copy, tmp_path / "other" / FILE_NAME)
    of_copy = Store(tmp_path / "other")
    assert (of_copy.game(game), of_copy.log(game)) == before, "the copy is a database like any other"
    of_copy.close()


def test_a_migration_that_fails_changes_nothing(tmp_path: Path, address: str | None, next_version: str) -> None:
    folder = connect._MIGRATIONS / "versions"
    file = folder / "9000_seasons.py"
    held = file.read_text()
    file.unlink()
    store = Store(tmp_path, address)
    game, _ = begun(store)
    store.close()
    file.write_text(held + '    op.execute("INSERT INTO seasons VALUES (1)")\n    op.execute("nonsense")\n')
    with pytest.raises(StorageError, match="games cannot be kept in"):
        Store(tmp_path, address)
    file.unlink()
    again = Store(tmp_path, address)
    assert again.game(game) is not None and again.kind().endswith(next_version)
    with again._session() as session:
        assert "seasons" not in session.connection().dialect.get_table_names(session.connection())
    again.close()


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


def test_a_start_with_nothing_to_migrate_does_without_alembic(tmp_path: Path) -> None:
    """It takes a Raspberry Pi seconds to import."""
    Store(tmp_path).close()
    code = (
        "import sys; from pathlib import Path; from webui.storage.store import Store; Store(Path(sys.argv[1])).close()"
    )
    command = [sys.executable, "-c", f"{code}; print('alembic' in sys.modules)", str(tmp_path)]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout == "False\n"
