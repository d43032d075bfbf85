"""Copies the games of an archive's database into a new one of our own making, game by game as far as they are valid.

The archive's file may come from anybody. It is opened for reading only; only plain tables of the known schema are read
from it, into a new database of the same version, and nothing else of it goes any further. ``main`` is the main
function of a process of its own, which ``checks.process`` begins and ends.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Text, cast, create_engine, delete, func, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.orm import Session

from scorer.deck import DECK_FILE, parse_deck_file, use_deck_folder
from scorer.errors import RulesError
from scorer.rules import read_rules
from vision.process_limits import limit_process
from webui.storage.backup.checks.game import check_events, check_games, check_other_names
from webui.storage.backup.checks.values import ZonesDocument
from webui.storage.db.connect import OtherVersionError, create_of_version, migrate
from webui.storage.db.engines import file_engine
from webui.storage.db.tables import GAME_TABLES, EventRow, GameRow, KeptRulesRow, OtherNameRow, SheetRow, VersionRow
from webui.storage.files.deck_files import DECKS
from webui.storage.kept_rules import OWN_RULES

MAX_ROWS, MAX_BYTES, MAX_VALUE = 5_000_000, 1024**3, 4 * 1024**2
"""The most rows and bytes of a whole archive, and bytes of one value; a table of eight plays in a century has fewer."""
_MAX_GAME = 32 * 1024**2
"""Bytes of the documents of one game, which is held in memory."""
MAX_GAMES = 20_000
"""The most games, one a day for fifty years; lists and statistics of more take longer than anybody waits."""
_MOST_NAMED = 100
"""The most games that are named to people or in the log when they are left out."""
_VERSION, _NUMBER = VersionRow.__tablename__, re.compile(r"\d{4}")
_TABLES = tuple(table.name for table in GAME_TABLES)


_AT_ONCE = 32
Check = Callable[[Session, Sequence[int]], None]
"""Checks rows by their ids. Raises ValueError, TypeError or RecursionError where one is not valid."""


class TooLargeError(Exception):
    """The file holds more than any games take."""


def clean_copy(source: Path, target: Path) -> dict[str, Any]:
    """Makes the copy.

    Args:
        source: the archive's database.
        target: where to write the new database, of the newest schema.

    Returns:
        ``left_out``, the games that are not valid, by name, ``more`` those besides ``_MOST_NAMED``; ``games``, how
        many are valid.

    Raises:
        ValueError: it is no database of handfoot.
        OtherVersionError: its version is unknown here.
        sqlite3.Error: it is damaged.
        TooLargeError: it holds more than any games take.
    """
    with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as old:
        old.execute("PRAGMA trusted_schema=OFF")
        old.execute("PRAGMA cell_size_check=ON")
        old.execute("PRAGMA ignore_check_constraints=ON")  # which may be anything
        old.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
        old.text_factory = lambda data: data.decode("utf-8", "replace")
        if old.execute("SELECT 1 FROM pragma_table_list WHERE type IN ('virtual', 'shadow')").fetchone():
            raise ValueError("expected tables, got a virtual one")  # a check would run its code
        answer = old.execute("PRAGMA quick_check(1)").fetchone()[0]
        if answer != "ok":
            raise sqlite3.DatabaseError(str(answer))
        _check_plain(old, _VERSION)
        versions = old.execute(f"SELECT version_num FROM {_VERSION} LIMIT 2").fetchall()
        if len(versions) != 1 or not _NUMBER.fullmatch(str(versions[0][0])):
            raise ValueError("expected one version of the schema")
        create_of_version(target, versions[0][0])
        with closing(sqlite3.connect(target)) as new:  # which checks no references
            new.execute("PRAGMA synchronous=OFF")  # it is thrown away on a crash
            _copy_tables(old, new)
        engine = file_engine(target)
        try:
            migrate(engine, None)
        finally:
            engine.dispose()
    left_out, more, games = _remove_invalid(target)
    return {"left_out": left_out, "more": more, "games": games}


def _check_plain(old: sqlite3.Connection, table: str) -> list[str]:
    """Checks that a name is that of a plain table. Returns its columns.

    Raises:
        ValueError: it is a view, a virtual table, or none.
    """
    # What a name stands for here; the texts of the schema may say otherwise.
    query = "SELECT type FROM pragma_table_list WHERE schema = 'main' AND name = ? COLLATE NOCASE"
    kinds = [kind for (kind,) in old.execute(query, (table,))]
    if kinds != ["table"]:
        raise ValueError(f"expected one plain table {table}")
    columns = old.execute(f'PRAGMA table_xinfo("{table}")').fetchall()
    if any(hidden for *_, hidden in columns):
        raise ValueError(f"expected no computed columns in {table}")
    return [str(column[1]) for column in columns]


def _copy_tables(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    rows = size = 0
    present = {name for (name,) in new.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table in (name for name in _TABLES if name in present):
        columns = [str(column[1]) for column in new.execute(f'PRAGMA table_info("{table}")')]
        if table == KeptRulesRow.__tablename__:
            columns.remove("id")  # which nothing refers to, and no model checks
        if missing := set(columns) - set(_check_plain(old, table)):
            raise ValueError(f"expected columns {missing} in {table}")
        names = ", ".join(f'"{column}"' for column in columns)
        insert = f'INSERT INTO "{table}" ({names}) VALUES ({", ".join("?" * len(columns))})'
        for row in old.execute(f'SELECT {names} FROM "{table}" NOT INDEXED'):
            rows, size = rows + 1, size + sum(len(value) for value in row if isinstance(value, str | bytes))
            if rows > MAX_ROWS or size > MAX_BYTES:
                raise TooLargeError
            new.execute(insert, row)
    if new.execute("SELECT count(*) FROM games").fetchone()[0] > MAX_GAMES:
        raise TooLargeError
    new.commit()


class _Documents:
    """Reads JSON documents of the copy, so many bytes of one game or event.

    Reading one raises ValueError where it is no JSON, which NaN and infinite numbers are not, or they are too many, and
    RecursionError where it is nested too deeply.
    """

    def __init__(self) -> None:
        self.room = _MAX_GAME

    def __call__(self, text: object) -> Any:
        if not isinstance(text, str):
            raise ValueError(f"expected a JSON document, got {type(text).__name__}")
        self.room -= len(text)
        if self.room < 0:
            raise ValueError("expected a game of fewer bytes")
        return json.loads(text, parse_constant=_refuse_constant)


def _refuse_constant(constant: str) -> Any:
    raise ValueError(f"expected a number, got {constant}")


def _remove_invalid(target: Path) -> tuple[list[str], int, int]:
    """Removes the games, events and other names that are not valid, and what belongs to none.

    Returns:
        The names of the games, ``_MOST_NAMED`` at most; how many more there are; how many are left.
    """
    documents = _Documents()
    engine = create_engine(f"sqlite:///{target}", json_deserializer=documents)  # which checks no references
    checks: dict[Any, Check]
    checks = {GameRow: check_games, EventRow: check_events, OtherNameRow: check_other_names}
    try:
        with engine.begin() as connection:
            bad = {table: _invalid(connection, documents, table, check) for table, check in checks.items()}
            named = [_name(connection, id) for id in bad[GameRow][:_MOST_NAMED]]
            for table, ids in bad.items():
                for id in ids:
                    connection.execute(delete(table).where(table.id == id))
            for column in (column for table in GAME_TABLES for column in table.columns if column.foreign_keys):
                (key,) = column.foreign_keys
                # games of other events stay as ordinary ones
                gone = update(column.table).values({column.name: None}) if column.nullable else delete(column.table)
                connection.execute(gone.where(column.not_in(select(key.column))))
            used = select(SheetRow.rules_hash).where(SheetRow.rules_hash.is_not(None))
            connection.execute(delete(KeptRulesRow).where(KeptRulesRow.hash.not_in(used)))
            left = connection.scalar(select(func.count()).select_from(GameRow)) or 0
    finally:
        engine.dispose()
    return named, len(bad[GameRow]) - len(named), left


def _invalid(connection: Connection, documents: _Documents, table: Any, check: Check) -> list[int]:
    """The ids of the rows of a table that are not valid; why is printed of so many as are named."""
    bad: list[int] = []

    def look(ids: Sequence[int]) -> None:
        """Checks rows together, which takes a fraction of the time, and by halves where one of them is not valid."""
        documents.room = _MAX_GAME
        try:
            with Session(connection) as session:
                check(session, ids)
        except (ValueError, TypeError, RecursionError) as error:
            if len(ids) > 1:
                look(ids[: len(ids) // 2])
                look(ids[len(ids) // 2 :])
                return
            bad.extend(ids)
            if len(bad) <= _MOST_NAMED:
                print(f"{table.__tablename__} {ids[0]}: {' '.join(str(error).split())[:500]}", file=sys.stderr)

    ids = connection.scalars(select(table.id).order_by(table.id)).all()
    for start in range(0, len(ids), _AT_ONCE):
        look(ids[start : start + _AT_ONCE])
    return bad


def _name(connection: Connection, game_id: int) -> str:
    """How a game that is left out is called: by its sides where they can be read, and the day it was begun."""
    query = select(cast(GameRow.sides, Text), GameRow.created_at).where(GameRow.id == game_id)
    sides, begun = connection.execute(query).one()
    try:
        names = " against ".join(str(side["name"])[:40] for side in json.loads(sides))[:120]
    except (ValueError, TypeError, KeyError, RecursionError):
        names = ""
    name = f"{names or f'game {game_id}'}, begun {str(begun)[:10]}"
    return "".join(sign if sign.isprintable() else "?" for sign in name)


def check_user_files(folder: Path) -> dict[str, str]:
    """Checks own decks, rule sets and zones.

    Returns:
        Why each that is not valid is left out, by its path in the folder.
    """
    refused = {}
    for path in sorted((folder / DECKS).glob(f"*/{DECK_FILE}")):
        try:
            parse_deck_file(path.read_text(encoding="utf-8"), path.parent.name)
        except (RulesError, ValueError, RecursionError) as error:
            refused[f"{DECKS}/{path.parent.name}/{DECK_FILE}"] = str(error)[:300]
    use_deck_folder(folder / DECKS)  # which own rule sets and cards are of
    for path in sorted((folder / OWN_RULES).glob("*.toml")):
        name = f"{OWN_RULES}/{path.name}"
        try:
            read_rules(path)
        except (RulesError, RecursionError) as error:
            refused[name] = str(error)[:3000]
    zones = folder / "zones.json"
    if zones.exists():
        try:
            ZonesDocument.model_validate(_Documents()(zones.read_text(encoding="utf-8")))
        except (ValueError, RecursionError):
            refused[zones.name] = "it is no division of a table"
    return refused


def work(folder: Path, source: Path, target: Path) -> None:
    """Main function of the process: prints its result as one line of JSON."""
    try:
        refused = check_user_files(folder)
        for name in refused:
            (folder / name).unlink()
        result = {"refused": refused, **clean_copy(source, target)}
    except OtherVersionError as error:
        result = {"error": "version", "text": error.advice}
    except (sqlite3.IntegrityError, IntegrityError) as error:
        result = {"error": "foreign", "text": str(error)}
    except sqlite3.Error as error:
        full = "full" in str(error) or "disk I/O" in str(error)  # the copy has reached its limit
        result = {"error": "large" if full else "damaged", "text": str(error)}
    except (TooLargeError, MemoryError, SQLAlchemyError):
        result = {"error": "large", "text": ""}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        result = {"error": "foreign", "text": str(error)}
    print(json.dumps(result))


def main() -> None:
    """Confines this process before it touches the file, and works; its arguments are those of ``checks.process``."""
    memory, disk, seconds, folder, source, target = sys.argv[1:]
    limit_process(int(memory), int(disk), int(seconds))
    work(Path(folder), Path(source), Path(target))
