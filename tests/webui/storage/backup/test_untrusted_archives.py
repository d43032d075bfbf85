"""An archive from anybody: only valid games of plain tables come in, one bad game is left out by name."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from scorer.rules import load_rules, use_folder
from tests.process_memory import memory
from tests.webui.helpers.drawn import NORTH_TABLE, reading
from tests.webui.helpers.played_games import fill, write_rules
from tests.webui.helpers.stored_round import play, shown, whole
from tests.webui.storage.backup.test_import_files import rewrite, rewrite_tables
from webui.games.progress import game_progress
from webui.storage.backup.checks import process
from webui.storage.backup.checks.clean_copy import check_user_files
from webui.storage.backup.checks.process import NOTHING_LEFT_OUT
from webui.storage.db.stale_edits import last_undoable
from webui.storage.errors import StorageError
from webui.storage.kept_rules import kept
from webui.storage.store import Store

HUGE = 2**63 - 1
DEEP = "[" * 100_000


@pytest.fixture
def archive(elsewhere: Store, tmp_path: Path) -> Path:
    """An export of two games."""
    play(elsewhere)
    play(elsewhere)
    elsewhere.backups.export(tmp_path / "all.zip")
    return tmp_path / "all.zip"


def quoted(text: str) -> str:
    """A text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def setting(table: str, column: str, text: str) -> str:
    """The beginning of an SQL statement that sets a column."""
    return f"UPDATE {table} SET {column} = {quoted(text)}"


READING = reading(NORTH_TABLE).as_json()
SIDE = {"name": "The others", "players": ["Cy", "Di"]}


def with_card(**changes: Any) -> str:
    """A reading of one card, some of whose members are others, in SQL."""
    return quoted(json.dumps({**READING, "cards": [{**READING["cards"][0], **changes}], "groups": []}))


GAME, OF_GAME = "WHERE id = {game}", "WHERE game_id = {game}"
OF_ROUND = "WHERE round_id = (SELECT id FROM rounds WHERE game_id = {game})"
SPOILED: dict[str, tuple[str, ...]] = {
    "a round beyond any game": (f"UPDATE rounds SET number = {10**12}", OF_GAME),
    "a round below the first": ("UPDATE rounds SET number = 0", OF_GAME),
    "a log without room": (f"UPDATE log SET id = {HUGE} WHERE id = (SELECT max(id) FROM log {OF_GAME})",),
    "a photo without room": (f"UPDATE photos SET id = {HUGE - 1} WHERE id = (SELECT max(id) FROM photos {OF_ROUND})",),
    "a game without room": (
        f"UPDATE log SET game_id = {HUGE} {OF_GAME}; UPDATE rounds SET game_id = {HUGE} {OF_GAME};"
        f"UPDATE games SET id = {HUGE} {GAME}",
    ),
    "players by the thousand": (f"UPDATE games SET players = {10**9}", GAME),
    "rules that are a path": ("UPDATE games SET rules = '../../secret'", GAME),
    "a day of no calendar": ("UPDATE games SET created_at = '0001-01-01T00:00:00+14:00'", GAME),
    "a 45th of a 13th month": ("UPDATE games SET created_at = '99999-13-45'", GAME),
    "a day that no month has": ("UPDATE games SET created_at = '2026-02-30T03:04:05.000+00:00'", GAME),
    "changes at no time": ("UPDATE log SET made_at = 'x'", OF_GAME),
    "sheets of no time zone": ("UPDATE sheets SET confirmed_at = '2026-01-02T03:04:05.000'", OF_ROUND),
    "a photo of an hour alone": ("UPDATE photos SET taken_at = '2026-01-02T03'", OF_ROUND),
    "a round that none leads to": ("UPDATE rounds SET number = 998", OF_GAME),
    "a change in a round that none leads to": ("UPDATE log SET round = 998", OF_GAME),
    "a correction to a card that no deck has": (
        setting("corrections", "change", '{"op": "name", "card": "p1c1", "face": "99X"}'),
        OF_ROUND,
    ),
    "typed cards that no deck has": (
        setting("corrections", "change", '{"op": "add-cards", "group": "buried", "faces": ["8H", "99X"]}'),
        OF_ROUND,
    ),
    "a wild book of cards that no deck has": (
        setting("rounds", "facts", '{"0": {"typed": {"books": [{"book": "wild", "count": 1, "wilds": ["99X"]}]}}}'),
        OF_GAME,
    ),
    "counted laid cards that no deck has": (setting("rounds", "facts", '{"0": {"typed": {"laid": ["99X"]}}}'), OF_GAME),
    "a total beside counts": (setting("rounds", "facts", '{"0": {"typed": {"total": 5, "cards": 5}}}'), OF_GAME),
    "a first player of a third side": (setting("rounds", "facts", '{"starter": [2, 0]}'), OF_GAME),
    "facts of an unknown player": (setting("rounds", "facts", '{"0": {"out_player": 7}}'), OF_GAME),
    "facts of a fifth side": (setting("rounds", "facts", '{"4": {}}'), OF_GAME),
    "facts that are a list": ("UPDATE rounds SET facts = '[]'", OF_GAME),
    "nothing left by a tenth player": (setting("rounds", "facts", '{"0": {"nothing": ["left9"]}}'), OF_GAME),
    "a reading of another make": (setting("photos", "reading", '{"cards": 7}'), OF_ROUND),
    "a reading nested deeply": (f"UPDATE photos SET reading = {quoted(DEEP)}", OF_ROUND),
    "a card that no deck has": (f"UPDATE photos SET reading = {with_card(face='99X')}", OF_ROUND),
    "an infinite number": (f"UPDATE photos SET reading = {with_card(confidence=math.inf)}", OF_ROUND),
    "a number that overflows": (f"UPDATE photos SET reading = replace({with_card()}, '[[', '[[1e999,0],[')", OF_ROUND),
    "a group of missing cards": (
        f"UPDATE photos SET reading = {quoted(json.dumps({**READING, 'cards': []}))}",
        OF_ROUND,
    ),
    "a photo of a third side": ("UPDATE photos SET side = 2", OF_ROUND),
    "a correction of another make": (setting("corrections", "change", '{"op": "fly"}'), OF_ROUND),
    "a sheet of another make": (setting("sheets", "sheet", '{"n": 1}'), OF_ROUND),
    "a sheet that lacks its sides": (
        setting("sheets", "sheet", '{"rules": "golden-games", "round": 1, "players": 4}'),
        OF_ROUND,
    ),
    "a first meld of another make": ("UPDATE first_melds SET faces = '[{}]'", OF_GAME),
    "a beginning of another make": (setting("log", "after", '{"rules": 1}'), OF_GAME, "AND what = 'begun'"),
    "unknown changes": ("UPDATE log SET what = 'flown'", OF_GAME),
    "unknown changes of nothing": ("UPDATE log SET what = 'flown', before = NULL, after = NULL", OF_GAME),
    "corrections by the thousand": (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5001) INSERT INTO corrections"
        "(round_id, side, change, made_at) SELECT round_id, side, change, made_at FROM n, (SELECT * FROM corrections",
        OF_ROUND,
        "LIMIT 1)",
    ),
    "a name of bytes": ("UPDATE games SET first = x'ff00'", GAME),
    "facts of bytes": ("UPDATE rounds SET facts = x'7b7d'", OF_GAME),
    "other kept rules": ("UPDATE sheets SET rules_hash = 'abc'", OF_ROUND),
}


def test_bad_games_are_left_out_by_name(elsewhere: Store, here: Store, tmp_path: Path) -> None:
    """One archive with a game of each kind, and one whose sides are nested too deeply to be named."""
    play(elsewhere)
    script = f"UPDATE games SET sides = {quoted(DEEP)} WHERE id = {play(elsewhere).id};"
    for kind, statement in SPOILED.items():
        game = play(elsewhere)
        elsewhere.change_game(game.id, {"sides": [{"name": kind, "players": ["Eve", "Mal"]}, SIDE]})
        script += " ".join(statement).replace("{game}", str(game.id)) + ";"
    elsewhere.backups.export(tmp_path / "all.zip")
    rewrite_tables(tmp_path / "all.zip", script)
    came = here.backups.import_games(tmp_path / "all.zip")
    assert sorted(name.partition(" against ")[0] for name in came.checked.left_out if " against " in name) == sorted(
        SPOILED
    )
    assert came.new == 1 and len(came.checked.left_out) == len(SPOILED) + 1
    (game,) = here.games()
    assert game.sides[0].name == "Us" and shown(whole(here, game.id))
    assert play(here).id == game.id + 1, "and games go on to be added"


def test_a_game_whose_changes_were_all_undone_is_valid(elsewhere: Store, here: Store, tmp_path: Path) -> None:
    """An agreement that is undone leaves a log entry without a sheet after it."""
    game = play(elsewhere)
    round_id = game.rounds[0].id
    while step := last_undoable([entry for entry in elsewhere.log(game.id) if entry.round]):
        elsewhere.rounds.undo(round_id, step[-1].id)
    elsewhere.backups.export(tmp_path / "all.zip")
    came = here.backups.import_games(tmp_path / "all.zip")
    assert "confirmed-undone" in {entry.what for entry in here.log(1)} and came.checked == NOTHING_LEFT_OUT


_NOTHING = "1 AS game_id, NULL AS round, NULL AS side, NULL AS before, NULL AS after, '' AS made_at, NULL AS who"
_COLUMNS = "id, game_id, round, side, what, before, after, made_at"
_GROWS = "hex(zeroblob(900000000))"
VIEWS = {
    "a view that never ends": "DROP TABLE log; CREATE VIEW log AS "
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    f"SELECT i AS id, 'x' AS what, {_NOTHING} FROM n",
    "a view that grows": f"DROP TABLE log; CREATE VIEW log AS SELECT 1 AS id, {_GROWS} AS what, {_NOTHING}",
    "a virtual table": f"DROP TABLE log; CREATE VIRTUAL TABLE log USING fts5({_COLUMNS}, who)",
    "a computed column": f"DROP TABLE log; CREATE TABLE log ({_COLUMNS}, who TEXT GENERATED ALWAYS AS ({_GROWS}))",
    "a view under a table's name": "ALTER TABLE log RENAME TO log2; CREATE VIEW log AS SELECT * FROM log2; "
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET name = 'log', tbl_name = 'log' WHERE name = 'log2'; "
    "UPDATE sqlite_master SET name = 'zzz' WHERE type = 'view'",
    "a view called a table": "ALTER TABLE log RENAME TO log2; CREATE VIEW log AS SELECT * FROM log2; "
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET type = 'table', rootpage = 3 WHERE name = 'log'",
    "another virtual table": "CREATE VIRTUAL TABLE notes USING fts5(text)",
}


@pytest.mark.parametrize("kind", VIEWS)
def test_only_plain_tables_are_read(archive: Path, here: Store, kind: str) -> None:
    rewrite_tables(archive, VIEWS[kind])
    before = memory("self")
    with pytest.raises(StorageError, match=r"is not a handfoot backup or export|cannot be read"):
        here.backups.import_games(archive)
    assert memory("self") - before < 30 and here.games() == []


def test_triggers_and_other_tables_of_an_archive_go_no_further(archive: Path, here: Store) -> None:
    rewrite_tables(
        archive,
        "CREATE TABLE more (a); CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END; "
        "CREATE VIEW v AS SELECT * FROM games;",
    )
    assert here.backups.import_games(archive).new == 2 and len(here.games()) == 2


def test_the_check_begins_by_itself_and_has_an_end(
    archive: Path, here: Store, elsewhere: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as limited:
        limited.setattr(process, "SECONDS", process.SECONDS + 1)  # in the program's own process
        assert elsewhere.backups.import_games(archive).known == 2
    rewrite_tables(archive, "UPDATE log SET who = printf('%.*c', 3000000, 'x')")
    for name, value in (("SECONDS", 0.01), ("MEMORY", 16 * 1024**2), ("_DISK", 1024**2)):
        with monkeypatch.context() as limited:
            limited.setattr(process, name, value)
            with pytest.raises(StorageError, match="takes more time or memory than any games do"):
                here.backups.import_games(archive)
    assert here.games() == [] and not list(here.folder.glob(".from-*"))


def test_a_value_larger_than_any_is_refused(archive: Path, here: Store) -> None:
    rewrite_tables(archive, "UPDATE log SET who = printf('%.*c', 5000000, 'x')")
    with pytest.raises(StorageError, match="cannot be read"):
        here.backups.import_games(archive)


def test_user_files_that_are_not_valid_are_left_out_by_name(archive: Path, here: Store) -> None:
    bad = {
        "rulesets/deep.toml": ("x = " + DEEP[:50_000], "nested too deeply"),
        "rulesets/odd.toml": ("id = 7", "expected a valid string"),
        "rulesets/long.toml": ("# " + "x" * 100_000, "more than 100000 characters"),
        "rulesets/a b.toml": ('id = "a b"', "letters, digits and hyphens"),
        "zones.json": (DEEP, "no division of a table"),
    }
    rewrite(archive, lambda held: held.update({name: content.encode() for name, (content, _) in bad.items()}))
    came = here.backups.import_games(archive)
    assert came.new == 2 and came.checked.refused.keys() == bad.keys()
    assert all(why in came.checked.refused[name] for name, (_, why) in bad.items())
    assert not any((here.folder / name).exists() for name in bad)


@pytest.mark.parametrize("zones", ['{"first": "middle", "strip": true}', '{"first": null, "strip": 7}', "7", ""])
def test_zones_of_another_make_are_refused(tmp_path: Path, zones: str) -> None:
    (tmp_path / "zones.json").write_text(zones)
    assert list(check_user_files(tmp_path)) == ["zones.json"]


def test_an_imported_file_named_like_a_shipped_one_changes_no_score(archive: Path, here: Store, tmp_path: Path) -> None:
    write_rules(tmp_path / "golden-games.toml", 7)
    rewrite(
        archive, lambda held: held.update({"rulesets/golden-games.toml": (tmp_path / "golden-games.toml").read_bytes()})
    )
    fill(here, 2)
    before = [game_progress(game, load_rules(game.rules)).points for game in here.games()]
    came = here.backups.import_games(archive)
    assert list(came.checked.refused) == ["rulesets/golden-games.toml"]
    use_folder(here.folder / "rulesets")
    assert [game_progress(game, load_rules(game.rules)).points for game in here.games()[2:]] == before
    use_folder(None)


@pytest.mark.parametrize("known", [True, False])
def test_imported_rounds_keep_the_rules_they_were_agreed_under(
    elsewhere: Store, here: Store, tmp_path: Path, known: bool
) -> None:
    """With games here or without, which takes different ways."""
    game = play(elsewhere)
    elsewhere.backups.export(tmp_path / "all.zip")
    if known:
        fill(here, 1)
    here.backups.import_games(tmp_path / "all.zip")
    came = whole(here, max(found.id for found in here.games()))
    assert came.rounds[0].agreed_rules == game.rounds[0].agreed_rules == kept(load_rules("golden-games"))


def test_kept_rules_that_do_not_match_their_hash_are_refused(elsewhere: Store, here: Store, tmp_path: Path) -> None:
    play(elsewhere)
    elsewhere.backups.export(tmp_path / "all.zip")
    rewrite_tables(tmp_path / "all.zip", "UPDATE kept_rules SET text = replace(text, '700', '7')")
    with pytest.raises(StorageError, match="is not a handfoot backup or export"):
        here.backups.import_games(tmp_path / "all.zip")
