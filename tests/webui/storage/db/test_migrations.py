"""Databases of other versions: older ones are copied and migrated, newer ones refused."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text

from scorer.rules import load_rules
from tests.webui.commands.test_score import SHEET
from tests.webui.helpers.drawn import NORTH_TABLE, reading
from tests.webui.pages.games.test_change_log import PHOTO, begun
from webui.games.progress import game_progress
from webui.rounds.round_view import view_round
from webui.storage.db import connect
from webui.storage.db.connect import FILE_NAME, empty_database, open_database
from webui.storage.db.engines import file_engine, for_writing, server_engine
from webui.storage.db.tables import Base
from webui.storage.errors import StorageError
from webui.storage.records import PhotoRecord
from webui.storage.store import Store

ROOT = Path(__file__).parents[4]
NEXT_VERSION = """
revision, down_revision, branch_labels, depends_on = "9000", "{newest}", None, None

def upgrade():
    from alembic import op
    op.execute("CREATE TABLE seasons (id INTEGER PRIMARY KEY)")
"""
FIRST: dict[str, dict[str, Any]] = {
    "games": {"id": 1, "created_at": "2026-01-02", "rules": "golden-games", "players": 4},
    "rounds": {"id": 1, "game_id": 1, "number": 1},
    "sheets": {"id": 1, "round_id": 1, "confirmed_at": "2026-01-02"},
    "photos": {"id": 7, "round_id": 2, "side": 0, "file": "a.jpg", "width": 1600, "height": 1000, "source": "t.jpg"},
    "corrections": {"id": 3, "round_id": 2, "side": 0, "made_at": "2026-01-02"},
}
SIDES = [
    {"name": "North–South", "players": ["North", "South"]},
    {"name": "East–West", "players": ["East", "West"]},
]


def engine_of(folder: Path, address: str | None) -> Engine:
    return file_engine(folder / FILE_NAME) if address is None else server_engine(address)


def of_first_version(folder: Path, address: str | None) -> None:
    """A database of version 0001: a round agreed, and one with a photo and a correction that is not yet."""
    engine = engine_of(folder, address)
    config = Config()
    config.set_main_option("script_location", str(connect._MIGRATIONS))
    add: dict[str, dict[str, Any]] = {
        "games": {"sides": SIDES},
        "rounds": {"facts": {}},
        "sheets": {"sheet": SHEET},
        "photos": {"reading": reading(NORTH_TABLE).as_json(), "taken_at": "2026-01-02T03:04:05+00:00"},
        "corrections": {"change": {"op": "name", "card": "p7c17", "face": "9S"}},
    }
    with for_writing(engine).begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")

        def insert(table: str, **more: Any) -> None:
            row = {**FIRST[table], **add[table], **more}
            row = {key: held if isinstance(held, str | int) else json.dumps(held) for key, held in row.items()}
            columns, values = ", ".join(row), ", ".join(f":{key}" for key in row)
            connection.execute(text(f"INSERT INTO {table} ({columns}) VALUES ({values})"), row)

        insert("games")
        insert("rounds")
        insert("rounds", id=2, number=2)
        for table in ("sheets", "photos", "corrections"):
            insert(table)
        if address is not None:  # its numbers go on by themselves only where it gave them itself
            for table in FIRST:
                connection.execute(text(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), 100)"))
    engine.dispose()


def test_a_database_of_version_1_opens_and_scores_the_same(tmp_path: Path, address: str | None) -> None:
    of_first_version(tmp_path, address)
    store = Store(tmp_path, address)
    (copy,) = tmp_path.glob("handfoot-before-*.db")
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0001",)
        assert json.loads(connection.execute("SELECT sheet FROM sheets").fetchone()[0]) == SHEET
    game = store.game(1)
    assert game is not None and (game.state, game.first, game.at_table) == (None, None, None)
    # the rule sheet's own example: a clean book of seven 4s is 735; 100 for going out
    assert game_progress(game, load_rules(game.rules)).points == {1: (835, -100)}
    before = view_round(game, game.rounds[1])
    new = store.add_game("golden-games", 4, game.sides)
    store.rounds.begin(new, 2)
    fresh = store.game(new)
    assert fresh is not None
    held = fresh.rounds[0]
    photo = store.rounds.add_photo(
        held.id, PhotoRecord(0, 0, None, "a.jpg", 1600, 1000, "t", "2026", reading(NORTH_TABLE).as_json())
    )
    store.rounds.correct(held.id, 0, {"op": "name", "card": f"p{photo}c17", "face": "9S"})
    found = store.game(new)
    assert found is not None
    after = view_round(found, found.rounds[0])
    assert before.tally is not None and before.tally == after.tally and before.tally.sides[0].total > 1000
    assert store.log(1) == [], "nobody wrote a log then"
    assert store.game(1) == game, "and it goes on as any other game"
    store.change_game(1, {"state": "ended"})
    store.close()


def test_the_mark_of_an_older_game_is_the_same_in_every_copy(tmp_path: Path) -> None:
    """A backup from before the migration must not import the same games twice."""
    for name in ("here", "copy"):
        (tmp_path / name).mkdir()
        of_first_version(tmp_path / name, None)
    here, copy = Store(tmp_path / "here"), Store(tmp_path / "copy")
    copy.backups.export(tmp_path / "all.zip")
    came = here.backups.import_games(tmp_path / "all.zip")
    assert (came.new, came.known) == (0, 1)
    here.close()
    copy.close()


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
        with pytest.raises(StorageError, match="written by a newer handfoot; update it"):
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


def test_a_newer_database_is_refused_and_unchanged(tmp_path: Path, address: str | None) -> None:
    store = Store(tmp_path, address)
    begun(store)
    store.close()
    engine = engine_of(tmp_path, address)
    with for_writing(engine).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageError, match="written by a newer handfoot") as raised:
        Store(tmp_path, address)
    assert len(str(raised.value).splitlines()) == 1 and not list(tmp_path.glob("handfoot-before-*"))
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


def test_a_database_of_an_archive_begins_as_a_migrated_one(tmp_path: Path) -> None:
    Store(tmp_path).close()
    copy = tmp_path / "copy.db"
    copy.write_bytes(empty_database())

    def schema(path: Path) -> list[tuple[str]]:
        with closing(sqlite3.connect(path)) as connection:
            version = connection.execute("SELECT version_num FROM alembic_version").fetchall()
            return version + connection.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()

    assert schema(copy) == schema(tmp_path / FILE_NAME)
