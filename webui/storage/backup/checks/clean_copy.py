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
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import JSON
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from scorer.deck import DECK_FILE, parse_deck_file, use_deck_folder
from scorer.errors import RulesError
from scorer.rules import read_rules
from vision.process_limits import limit_process
from webui.storage.backup.checks.game import ArchivedEvent, ArchivedGame, ArchivedOtherName
from webui.storage.backup.checks.values import ZonesDocument
from webui.storage.db.connect import OtherVersionError, create_of_version, migrate
from webui.storage.db.engines import file_engine
from webui.storage.db.tables import GAME_TABLES, KeptRulesRow, VersionRow
from webui.storage.files.deck_files import DECKS
from webui.storage.kept_rules import OWN_RULES

MAX_ROWS, MAX_BYTES, MAX_VALUE = 5_000_000, 1024**3, 4 * 1024**2
"""The most rows and bytes of a whole archive, and bytes of one value; a table of eight plays in a century has fewer."""
_MAX_GAME, _MAX_GAME_ROWS = 32 * 1024**2, 50_000
"""Bytes and rows of one game, which is held in memory."""
MAX_GAMES = 20_000
"""The most games, one a day for fifty years; lists and statistics of more take longer than anybody waits."""
_MOST_NAMED = 100
"""The most games that are named to people or in the log when they are left out."""
_MAX_RULES = 64 * 1024
_VERSION, _NUMBER = VersionRow.__tablename__, re.compile(r"\d{4}")
_TABLES = tuple(table.name for table in GAME_TABLES)
_JSON = {
    (table.name, column.name) for table in GAME_TABLES for column in table.columns if isinstance(column.type, JSON)
}


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
        with closing(_own(target)) as new:
            _copy_tables(old, new)
        engine = file_engine(target)
        try:
            migrate(engine, None)
        finally:
            engine.dispose()
        with closing(_own(target)) as new:
            left_out, more, games = _remove_invalid(new)
    return {"left_out": left_out, "more": more, "games": games}


def _own(path: Path) -> sqlite3.Connection:
    """A connection to the copy, which is thrown away on a crash: it waits for no disk and checks no references."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA foreign_keys=OFF")
    return connection


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


def _remove_invalid(new: sqlite3.Connection) -> tuple[list[str], int, int]:
    """Removes the games and events that are not valid, and what belongs to none.

    Returns:
        Their names, ``_MOST_NAMED`` at most; how many more there are; how many games are left.
    """
    new.row_factory = sqlite3.Row
    left_out: list[str] = []
    kept = more = 0
    for (game_id,) in new.execute("SELECT id FROM games ORDER BY id").fetchall():
        try:
            ArchivedGame.model_validate(_game(new, game_id))
            kept += 1
        except (ValueError, RecursionError) as error:
            if len(left_out) < _MOST_NAMED:
                left_out.append(_name(new, game_id))
                print(f"game {game_id}: {' '.join(str(error).split())[:500]}", file=sys.stderr)
            else:
                more += 1
            new.execute("DELETE FROM games WHERE id = ?", (game_id,))
    for table, parent in (
        ("rounds", "game"),
        ("log", "game"),
        ("first_melds", "game"),
        ("photos", "round"),
        ("corrections", "round"),
        ("sheets", "round"),
    ):
        new.execute(f"DELETE FROM {table} WHERE {parent}_id NOT IN (SELECT id FROM {parent}s)")
    for table, model, document in (("events", ArchivedEvent, _event), ("other_names", ArchivedOtherName, _other_name)):
        for (id,) in new.execute(f"SELECT id FROM {table}").fetchall():
            try:
                model.model_validate(document(new, id))
            except (ValueError, TypeError, RecursionError):
                new.execute(f"DELETE FROM {table} WHERE id = ?", (id,))
    new.execute("DELETE FROM event_facts WHERE event_id NOT IN (SELECT id FROM events)")
    new.execute(  # games of other events stay as ordinary ones
        "UPDATE games SET event_id = NULL, event_stage = NULL, event_table = NULL "
        "WHERE event_id NOT IN (SELECT id FROM events)"
    )
    new.execute("DELETE FROM kept_rules WHERE hash NOT IN (SELECT rules_hash FROM sheets WHERE rules_hash IS NOT NULL)")
    new.commit()
    return left_out, more, kept


Rows = Callable[[str, str, Any], Iterator[dict[str, Any]]]


def _bounded_rows(new: sqlite3.Connection) -> Rows:
    """Reads rows of a table with a value in a column, their documents as such; of one game or event, thus bounded.

    Reading them raises:
        ValueError: a document is no JSON, or there are too many rows or bytes in all.
        RecursionError: a document is nested too deeply.
    """
    size = count = 0

    def rows(table: str, column: str, value: Any) -> Iterator[dict[str, Any]]:
        nonlocal size, count
        for row in new.execute(f"SELECT * FROM {table} WHERE {column} = ? ORDER BY id", (value,)):
            size, count = size + sum(len(value) for value in row if isinstance(value, str)), count + 1
            if size > _MAX_GAME or count > _MAX_GAME_ROWS:
                raise ValueError("expected a game of fewer bytes and rows")
            yield {key: _document(row[key]) if (table, key) in _JSON else row[key] for key in row.keys()}  # noqa: SIM118

    return rows


def _event(new: sqlite3.Connection, event_id: int) -> dict[str, Any]:
    """An event with its facts, as ``ArchivedEvent`` takes it. Raises as ``_bounded_rows``."""
    rows = _bounded_rows(new)
    (event,) = rows("events", "id", event_id)
    return {**event, "facts": sorted(rows("event_facts", "event_id", event_id), key=lambda fact: fact["number"])}


def _other_name(new: sqlite3.Connection, id: int) -> dict[str, Any]:
    (name,) = _bounded_rows(new)("other_names", "id", id)
    return name


def _game(new: sqlite3.Connection, game_id: int) -> dict[str, Any]:
    """A game with everything that belongs to it, as ``ArchivedGame`` takes it. Raises as ``_bounded_rows``."""
    rows = _bounded_rows(new)
    (game,) = rows("games", "id", game_id)
    game["rounds"] = list(rows("rounds", "game_id", game_id))
    for record in game["rounds"]:
        for table in ("photos", "corrections", "sheets"):
            record[table] = list(rows(table, "round_id", record["id"]))
    game["first_melds"] = list(rows("first_melds", "game_id", game_id))
    game["log"] = list(rows("log", "game_id", game_id))
    hashes = {sheet["rules_hash"] for record in game["rounds"] for sheet in record["sheets"]} - {None}
    game["kept_rules"] = {
        row["hash"]: row["text"] for rules_hash in hashes for row in rows("kept_rules", "hash", rules_hash)
    }
    for row in game["kept_rules"]:
        if not isinstance(game["kept_rules"][row], str):
            raise ValueError("expected the text of kept rules")
    return game


def _document(value: Any) -> Any:
    """A JSON document; NaN and infinite numbers, which are no JSON, are refused."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise ValueError(f"expected a JSON document, got {type(value).__name__}")

    def refuse(constant: str) -> Any:
        raise ValueError(f"expected a number, got {constant}")

    return json.loads(value, parse_constant=refuse)


def _name(new: sqlite3.Connection, game_id: int) -> str:
    """How a game that is left out is called: by its sides where they can be read, and the day it was begun."""
    sides, begun = new.execute("SELECT sides, created_at FROM games WHERE id = ?", (game_id,)).fetchone()
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
        if path.stat().st_size > _MAX_RULES:
            refused[name] = "it is larger than any rule set"
        else:
            try:
                read_rules(path)
            except (RulesError, RecursionError) as error:
                refused[name] = str(error)[:300]
    zones = folder / "zones.json"
    if zones.exists():
        try:
            ZonesDocument.model_validate(_document(zones.read_text(encoding="utf-8")))
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
