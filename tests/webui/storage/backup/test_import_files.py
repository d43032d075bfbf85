"""Imports: a bad file is refused in one sentence and changes nothing."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sqlite3
import zipfile
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest

from scorer.rules import read_rules
from tests.webui.helpers.bombs import BOMBS
from tests.webui.helpers.drawn import NO_CARDS, photo
from tests.webui.helpers.played_games import write_rules
from tests.webui.helpers.stored_round import play
from vision.images.decode import load_photo
from webui.storage.backup.deck_import import Installed
from webui.storage.db.connect import FILE_NAME
from webui.storage.errors import ArchiveError, StorageError
from webui.storage.files.folder_lock import only_import
from webui.storage.store import Store


def foreign(*files: tuple[str, bytes]) -> Callable[[Path], None]:
    """Another ZIP file in the place of the archive."""

    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in files:
                archive.writestr(name, data)

    return write


def changed(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    """The archive with other bytes."""
    return lambda path: path.write_bytes(change(path.read_bytes()))


def rewrite(path: Path, change: Callable[[dict[str, bytes]], object]) -> None:
    """Rewrites an archive: its files by name."""
    with zipfile.ZipFile(path) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    change(held)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in held.items():
            archive.writestr(name, data)


def rewrite_tables(path: Path, script: str) -> None:
    """Runs SQL statements in an archive's database."""

    def change(held: dict[str, bytes]) -> None:
        database = path.with_suffix(".db")
        database.write_bytes(held[FILE_NAME])
        with closing(sqlite3.connect(database)) as connection:
            connection.executescript(script)
        held[FILE_NAME] = database.read_bytes()

    rewrite(path, change)


def rewritten(script: str) -> Callable[[Path], None]:
    """The archive with its database changed."""
    return lambda path: rewrite_tables(path, script)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (changed(lambda data: data[:1000] + os.urandom(200) + data[1200:]), "cannot be read and may be damaged"),
        (changed(lambda data: data[:600] + bytes(400) + data[1000:]), "cannot be read and may be damaged"),
        (changed(lambda data: data[:-300]), "cannot be read and may be damaged"),
        (changed(lambda _: b"a photo, perhaps"), "cannot be read and may be damaged"),
        (foreign((FILE_NAME, b"x" * 5000)), "cannot be read and may be damaged"),
        (foreign(("holiday.txt", b"sun")), "is not a handfoot backup or export"),
        (rewritten("UPDATE games SET players = 'many'"), "is not a handfoot backup"),
        (rewritten('UPDATE games SET sides = \'[{"name": 7, "players": []}]\''), "is not a handfoot backup"),
        (rewritten("UPDATE games SET sides = '[]'"), "is not a handfoot backup"),
        (rewritten("UPDATE photos SET file = '../secret-key'"), "is not a handfoot backup"),
        (rewritten("UPDATE first_melds SET file = '/etc/passwd'"), "is not a handfoot backup"),
        (rewritten("UPDATE alembic_version SET version_num = '9999'"), "written by a newer handfoot"),
        (
            rewritten("UPDATE alembic_version SET version_num = '0015'"),
            "written by an early handfoot; open them once with",
        ),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence_and_changes_nothing(
    elsewhere: Store, tmp_path: Path, spoil: Callable[[Path], object], sentence: str
) -> None:
    game = play(elsewhere)
    elsewhere.backups.export(tmp_path / "all.zip")
    spoil(tmp_path / "all.zip")
    before = elsewhere.game(game.id), elsewhere.log(game.id)
    for take in (elsewhere.backups.restore, elsewhere.backups.import_games):
        with pytest.raises(ArchiveError, match=sentence) as raised:
            take(tmp_path / "all.zip")
        assert len(str(raised.value).splitlines()) == 1
    assert (elsewhere.game(game.id), elsewhere.log(game.id)) == before
    assert not list(elsewhere.folder.glob(".*")), "nothing is left lying about"
    with pytest.raises(StorageError, match="there is no file"):
        elsewhere.backups.restore(tmp_path / "gone.zip")


def test_an_archive_without_a_description_restores_nothing(elsewhere: Store, tmp_path: Path) -> None:
    play(elsewhere)
    elsewhere.backups.export(tmp_path / "all.zip")
    rewrite(tmp_path / "all.zip", lambda held: held.pop("about.json"))
    play(elsewhere)
    with pytest.raises(StorageError, match="is not a handfoot backup"):
        elsewhere.backups.restore(tmp_path / "all.zip")
    assert len(elsewhere.games()) == 2


EVIL = ("../evil.toml", "rulesets/../../evil.toml", "photos/../evil", "/tmp/evil", "secret-key", "x/zones.json")


def test_names_in_an_archive_are_never_paths(elsewhere: Store, tmp_path: Path) -> None:
    elsewhere.backups.export(tmp_path / "all.zip")
    with zipfile.ZipFile(tmp_path / "all.zip", "a") as archive:
        for name in EVIL:
            archive.writestr(name, "evil")
        archive.writestr("photos/" + "0" * 32 + ".jpg", b"\xff\xd8 not what its name says")
    assert elsewhere.backups.import_games(tmp_path / "all.zip").left_out == 1
    found = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert found - {f"{FILE_NAME}-wal", f"{FILE_NAME}-shm", "import.lock"} == {"all.zip", FILE_NAME}


def test_invalid_photos_are_left_out_of_an_import(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    """Names must match the content's hash; previews are made again from the photos."""
    game = play(store)
    files = [held.file for held in game.rounds[0].photos]
    made, _ = BOMBS["png-400-megapixels"]
    bomb = made()
    evil = {hashlib.sha256(data).hexdigest()[:32] + ".jpg": data for data in (b"\xff\xd8 no photo", bomb)}

    def spoil(held: dict[str, bytes]) -> None:
        held[f"photos/{files[0]}"] = photo(NO_CARDS)
        held["photos/unreadable.jpg"] = b"the end"
        held[f"photos/{Path(files[1]).stem}-view.jpg"] = b"\xff\xd8 another view"
        held.update({f"photos/{name}": data for name, data in evil.items()})

    store.backups.export(tmp_path / "all.zip")
    rewrite(tmp_path / "all.zip", spoil)
    whole_file = (tmp_path / "all.zip").read_bytes()
    (tmp_path / "all.zip").write_bytes(whole_file.replace(b"the end", b"cut off"))
    came = elsewhere.backups.import_games(tmp_path / "all.zip")
    assert (came.new, came.left_out) == (1, 4)
    kept = {path.name: path for path in elsewhere.files.all_files()}
    assert set(kept) == {files[1], f"{Path(files[1]).stem}-view.jpg"}
    assert load_photo(kept[f"{Path(files[1]).stem}-view.jpg"]).width == 1600
    assert elsewhere.backups.restore(tmp_path / "all.zip").left_out == 4


def test_a_failed_import_leaves_no_files(
    store: Store, elsewhere: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, bonus in ((store, 600), (elsewhere, 500)):
        (place.folder / "rulesets").mkdir()
        write_rules(place.folder / "rulesets" / "our-house.toml", bonus)
    write_rules(store.folder / "rulesets" / "new.toml", 700)
    play(store)
    store.backups.export(tmp_path / "all.zip")
    own = play(elsewhere, agreed=False)
    for file in elsewhere.files.all_files():
        file.unlink()
    with only_import(elsewhere.folder):
        before = {path for path in elsewhere.folder.rglob("*") if path.parent.name != "backups"}
    placed: list[Path] = []

    moved: list[object] = []

    def fail_at_last(self: Installed, moves: Iterable[tuple[Path, Path]]) -> None:
        install(self, moves)
        moved.append(moves)
        if len(moved) in (3, 3 + 2):  # decks, new and differing files in a restore; decks and new files in an import
            placed.extend(path for path in elsewhere.folder.rglob("*.jpg") if not path.parent.name.startswith("."))
            raise OSError(errno.ENOSPC, "No space left on device")

    install = Installed.install
    monkeypatch.setattr(Installed, "install", fail_at_last)
    for take in (elsewhere.backups.restore, elsewhere.backups.import_games):
        with pytest.raises(StorageError, match="cannot be written"):
            take(tmp_path / "all.zip")
    assert len(placed) == 8, "they were there for a moment"
    assert {path for path in elsewhere.folder.rglob("*") if path.parent.name != "backups"} - {
        elsewhere.backups.folder
    } == before
    assert read_rules(elsewhere.folder / "rulesets" / "our-house.toml").books.clean == 500
    assert [game.id for game in elsewhere.games()] == [own.id]


def test_only_one_import_runs_at_a_time(elsewhere: Store, tmp_path: Path) -> None:
    elsewhere.backups.export(tmp_path / "all.zip")
    with only_import(elsewhere.folder), pytest.raises(StorageError, match="another file is being imported"):
        elsewhere.backups.import_games(tmp_path / "all.zip")
    assert elsewhere.backups.import_games(tmp_path / "all.zip").new == 0


def test_a_backup_has_no_devices_and_no_secret(elsewhere: Store, tmp_path: Path) -> None:
    play(elsewhere)
    with closing(sqlite3.connect(elsewhere.folder / FILE_NAME)) as connection:
        connection.execute("CREATE TABLE let_in (secret TEXT)")
        connection.execute("INSERT INTO let_in VALUES ('a-secret-of-a-phone')")
        connection.commit()
    elsewhere.backups.export(tmp_path / "b.zip", photos=False)
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        assert b"a-secret-of-a-phone" not in archive.read(FILE_NAME) and "secret-key" not in archive.namelist()
        assert json.loads(archive.read("about.json"))["games"] == 1
