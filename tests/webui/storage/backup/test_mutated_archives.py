"""Archives whose bytes were changed at random, and odd ones by design: none fills memory, names a path or changes
other games."""

from __future__ import annotations

import hashlib
import io
import os
import random
import sqlite3
import struct
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.webui.helpers.played_games import fill
from tests.webui.helpers.playing import Person
from tests.webui.storage.backup.test_import_files import rewrite_tables
from tests.webui.storage.backup.test_untrusted_archives import HUGE
from webui.storage.backup.checks import clean_copy
from webui.storage.db.connect import FILE_NAME
from webui.storage.errors import StorageError
from webui.storage.store import Store


@pytest.mark.parametrize("seed", range(12))
def test_bytes_changed_at_random_end_in_a_sentence(flippable: tuple[bytes, Store], tmp_path: Path, seed: int) -> None:
    data, here = flippable
    rng, changed = random.Random(seed), bytearray(data)
    directory = data.index(b"PK\1\2")
    for _ in range(rng.choice((1, 3, 10))):
        changed[rng.randrange(directory if seed % 3 else 0, len(data))] = rng.randrange(256)
    (tmp_path / "all.zip").write_bytes(changed[: rng.choice((len(data), rng.randrange(len(data))))])
    before = here.games()
    try:
        assert here.backups.import_games(tmp_path / "all.zip").new == 0
    except StorageError as error:
        assert "all.zip" in str(error) and str(tmp_path) not in str(error) and len(str(error).splitlines()) == 1
    assert here.games() == before


@pytest.fixture(scope="module")
def flippable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[bytes, Store]]:
    """An export without photos, and the store that it is of."""
    here = Store(tmp_path_factory.mktemp("here"))
    fill(here, 1)
    here.backups.export(here.folder / "all.zip", photos=False)
    yield (here.folder / "all.zip").read_bytes(), here
    here.close()


@pytest.fixture
def archive(elsewhere: Store, tmp_path: Path) -> Path:
    """A backup of one game."""
    fill(elsewhere, 1)
    elsewhere.backups.export(tmp_path / "all.zip", photos=False)
    return tmp_path / "all.zip"


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
@pytest.mark.parametrize("name", ["about.json", FILE_NAME, "photos/a.jpg"])
def test_only_the_packings_of_exports_are_unpacked(archive: Path, here: Store, method: int, name: str) -> None:
    """LZMA may ask for a dictionary of 4 GB."""
    with zipfile.ZipFile(archive) as old:
        held = {name: old.read(name) for name in old.namelist()} | ({name: b"x"} if name.startswith("photos/") else {})
    with zipfile.ZipFile(archive, "w") as new:
        for other, data in held.items():
            new.writestr(other, data, method if other == name else zipfile.ZIP_DEFLATED)
    packed = bytearray(archive.read_bytes())
    start = packed.index(name.encode()) + len(name)
    packed[start + 5 : start + 9] = struct.pack("<I", 2**32 - 1)
    archive.write_bytes(packed)
    for take in (here.backups.import_games, here.backups.restore):
        with pytest.raises(StorageError, match="packed in a way that no export is"):
            take(archive)


def test_a_file_that_is_none_is_not_waited_for(here: Store, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(StorageError, match="is not a handfoot backup or export"):
            here.backups.import_games(path)


def test_odd_names_of_rule_sets_are_left_out_and_shown_plainly(archive: Path, here: Store) -> None:
    odd = ("rulesets/" + "a" * 300 + ".toml", "rulesets/a\x1b[2Jb\n.toml", "rulesets/con .toml")
    with zipfile.ZipFile(archive, "a") as file:
        for name in odd:
            file.writestr(name, "id = 7")
    came = here.backups.import_games(archive)
    assert came.new == 1 and len(came.checked.refused) == 3
    assert all(name.isprintable() and len(name) <= 80 for name in came.checked.refused)


BAD = (
    "INSERT INTO games(created_at, rules, players, sides, mark) "
    "SELECT '2026-01-01', 'golden-games', 4, {0}, 'm' || i FROM n"
)
COUNT = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT {0}) "


def test_a_flood_of_bad_games_is_a_few_sentences(archive: Path, person: Person) -> None:
    """The page's messages lie in a cookie, of which browsers keep 4096 bytes."""
    sides = "'[{\"name\": \"' || hex(randomblob(20)) || '\"}]'"
    rewrite_tables(archive, COUNT.format(150) + BAD.format(sides))
    token = person.token()
    sent = {"token": token, "file": (io.BytesIO(archive.read_bytes()), "all.zip")}
    answer = person.client.post("/safe/import", data=sent, content_type="multipart/form-data")
    assert answer.status_code == 303 and all(len(cookie) < 4000 for cookie in answer.headers.getlist("Set-Cookie"))
    person.open("/")
    assert "1 game imported" in person.text and "more messages about this file are not shown" in person.text


def test_more_bad_games_than_are_named_are_counted(archive: Path, here: Store) -> None:
    rewrite_tables(archive, COUNT.format(150) + BAD.format("'[]'"))
    came = here.backups.import_games(archive)
    assert (came.new, len(came.checked.left_out), came.checked.more) == (1, 100, 50)


def test_more_games_than_there_can_be_are_refused(archive: Path, here: Store) -> None:
    rewrite_tables(archive, COUNT.format(clean_copy.MAX_GAMES) + BAD.format("'[]'"))
    with pytest.raises(StorageError, match="than any games do"):
        here.backups.import_games(archive)


def test_kept_rules_get_numbers_that_there_is_room_after(archive: Path, here: Store) -> None:
    rewrite_tables(archive, f"UPDATE kept_rules SET id = {HUGE} - id")
    assert here.backups.import_games(archive).new == 1
    with closing(sqlite3.connect(here.folder / FILE_NAME)) as connection:
        assert connection.execute("SELECT max(id) FROM kept_rules").fetchone()[0] < 10


def test_conditions_of_tables_in_an_archive_are_not_computed(archive: Path, here: Store) -> None:
    """A hundred thousand rows with a condition that takes a millisecond each."""
    slow = "CHECK (length(replace(hex(zeroblob(1000000)), '0', '11')) >= 0)"
    rewrite_tables(
        archive,
        f"CREATE TABLE slow (a, {slow}); PRAGMA ignore_check_constraints = ON; "
        f"INSERT INTO slow {COUNT.format(100_000)} SELECT i FROM n",
    )
    assert here.backups.import_games(archive).new == 1


def test_photos_come_in_under_the_name_of_their_own_format(archive: Path, here: Store) -> None:
    png = cv2.imencode(".png", np.zeros((40, 50, 3), np.uint8))[1].tobytes()
    stem = hashlib.sha256(png).hexdigest()[:32]
    with zipfile.ZipFile(archive, "a") as file:
        for suffix in (".jpg", ".webp", ".bin", ".png"):
            file.writestr(f"photos/{stem}{suffix}", png)
    assert here.backups.import_games(archive).left_out == 3
    assert {path.name for path in here.files.all_files()} == {f"{stem}.png", f"{stem}-view.jpg"}
