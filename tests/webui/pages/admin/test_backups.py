"""Backups, damage, export and import on the pages and by commands, several tables in one database."""

from __future__ import annotations

import io
import os
import re
import threading
import time
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from tests.webui.helpers.drawn import NORTH_TABLE, DrawnReader, photo
from tests.webui.helpers.played_games import fill
from tests.webui.helpers.playing import Person, without_tokens
from webui.app import create_app
from webui.cli import main
from webui.context.services import Services, services_of
from webui.reading.reader_service import ReaderService
from webui.settings import Settings
from webui.storage.backup.backup_thread import BackupThread
from webui.storage.backup.backups import Backups
from webui.storage.db.connect import FILE_NAME
from webui.storage.files.photo_limit import PhotoLimit
from webui.storage.store import Store


def kept(person: Person) -> Services:
    return services_of(person.client.application)


def damaged(folder: Path) -> None:
    """What a failing card does: some pages of the file are gone."""
    with (folder / FILE_NAME).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 40_000)


def test_after_damage_the_newest_backup_is_offered_and_restored(make_app: Callable[[], Flask], tmp_path: Path) -> None:
    first = Person(make_app())
    fill(kept(first).store, 3)
    games = kept(first).store.games()
    first.open("/safe/")
    first.send("/safe/backup")
    assert "A backup of 3 games was saved" in first.text and "3 games, 10 rounds" in first.text
    kept(first).store.close()
    damaged(tmp_path / "data")
    second = Person(make_app())
    second.open("/")
    assert "The list of games was damaged" in second.text and "3 games with 10 rounds" in second.text
    assert list((tmp_path / "data").glob("handfoot-damaged-*.db"))
    second = Person(make_app())
    second.open("/")
    assert "The list of games was damaged" in second.text, "a restart is no answer"
    backup = re.search(r'name="backup" value="([^"]+)"', second.page)
    assert backup
    second.send("/safe/bring-back", backup=backup[1], token=second_token(second))
    assert "3 games imported" in second.text and kept(second).store.games() == games
    assert "damaged" not in second.open("/")


def second_token(person: Person) -> str:
    found = re.search(r'name="token" value="([^"]+)"', person.page)
    assert found
    return found[1]


def test_after_damage_one_may_go_on_without_the_games(make_app: Callable[[], Flask], tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / FILE_NAME).write_bytes(b"this was a database once" * 1000)
    person = Person(make_app())
    person.open("/")
    assert "There is no backup here" in person.text
    person.send("/safe/go-on", token=second_token(person))
    assert "New game" in person.text and "damaged" not in person.text


def test_a_missing_database_is_offered_a_backup(make_app: Callable[[], Flask], tmp_path: Path) -> None:
    first = Person(make_app())
    fill(kept(first).store, 2)
    first.send("/safe/backup")
    kept(first).store.close()
    for part in (tmp_path / "data").glob(f"{FILE_NAME}*"):
        part.unlink()
    second = Person(make_app())
    assert "There are no games here, but a backup" in (second.open("/") and second.text)


def test_everything_is_exported_and_imported(make_app: Callable[[], Flask], tmp_path: Path) -> None:
    here = Person(make_app())
    round_ = here.begin()
    here.photo(f"{round_}/side/0", photo(NORTH_TABLE))
    answer = here.client.post("/safe/everything.zip", data={"token": here.token()})
    assert answer.status_code == 200 and answer.mimetype == "application/zip"
    app = create_app(Settings(tmp_path / "other"), ReaderService(DrawnReader))
    there = Person(app)
    there.send("/safe/import", file=(io.BytesIO(answer.data), "handfoot.zip"))
    assert "1 game imported" in there.text
    assert "8s" in (there.open(f"{round_}/side/0/") and there.text)
    assert there.client.get("/photo/1/view.jpg").mimetype == "image/jpeg"
    there.send("/safe/import", file=(io.BytesIO(answer.data), "handfoot.zip"))
    assert "0 games imported; 1 was already here" in there.text
    there.send("/safe/import", file=(io.BytesIO(b"nonsense"), "x.zip"))
    assert there.status == 400 and "cannot be read" in there.text
    there.send("/safe/import")
    assert "No file was chosen" in there.text
    there.send("/safe/bring-back", backup="../../secret-key")
    assert there.status == 404
    assert not list((tmp_path / "other").glob(".*"))
    services_of(app).store.close()


def test_names_that_count_as_one_person_s_from_now_on_are_told(make_app: Callable[[], Flask], tmp_path: Path) -> None:
    here, app = Person(make_app()), create_app(Settings(tmp_path / "other"), ReaderService(DrawnReader))
    here.begin()
    services_of(here.client.application).store.people.join("Robert", "Bob")
    exported = here.client.post("/safe/everything.zip", data={"token": here.token()}).data
    there = Person(app)
    there.begin()
    there.send("/safe/import", file=(io.BytesIO(exported), "handfoot.zip"))
    assert "Robert now counts as Bob in all totals, as the file says; the page of Bob can undo it." in there.text
    there.send("/safe/import", file=(io.BytesIO(exported), "handfoot.zip"))
    assert "now counts as" not in there.text
    services_of(app).store.close()


def test_everything_is_sent_to_one_at_a_time_and_without_a_copy_of_the_photos(person: Person, tmp_path: Path) -> None:
    round_ = person.begin()
    person.photo(f"{round_}/side/0", photo(NORTH_TABLE))
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    token = person.token()
    first = person.client.post("/safe/everything.zip", data={"token": token}, buffered=False)
    parts = first.iter_encoded()
    begun = next(parts)
    made = [path.name for path in tmp_path.rglob("*") if path.is_file() and path not in before]
    assert [name for name in made if not name.startswith(FILE_NAME)] == [], "the database alone is copied"
    for _ in range(4):
        person.send("/safe/everything.zip", token=token)
        assert person.status == 503 and "wait until that is done" in person.notices()[0]
    whole = zipfile.ZipFile(io.BytesIO(begun + b"".join(parts)))
    assert whole.testzip() is None and len([name for name in whole.namelist() if name.startswith("photos/")]) == 2
    first.close()
    broken_off = person.client.post("/safe/everything.zip", data={"token": token}, buffered=False)
    broken_off.close()
    answer = person.client.post("/safe/everything.zip", data={"token": token})
    assert answer.status_code == 200, "a download that was broken off leaves the next one free"
    answer.close()
    assert not list((tmp_path / "data").glob(".*"))


def test_files_of_a_machine_without_a_set_clock_are_in_it_too(person: Person, tmp_path: Path) -> None:
    round_ = person.begin()
    person.photo(f"{round_}/side/0", photo(NORTH_TABLE))
    pictures = list((tmp_path / "data" / "photos").iterdir())
    for picture in pictures:
        os.utime(picture, (0, 0))
    whole = person.client.post("/safe/everything.zip", data={"token": person.token()}).data
    kept(person).store.backups.export(tmp_path / "export.zip")
    for archive in (zipfile.ZipFile(io.BytesIO(whole)), zipfile.ZipFile(tmp_path / "export.zip")):
        assert {f"photos/{picture.name}" for picture in pictures} <= set(archive.namelist())


def test_everything_is_not_sent_without_a_token_nor_into_a_frame(person: Person) -> None:
    assert person.client.get("/safe/everything.zip").status_code == 405
    assert person.client.post("/safe/everything.zip").status_code == 403
    frame = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    for path in ("/games.csv", "/games.json", "/statistics", "/safe/", "/"):
        for site in ("cross-site", "same-site"):
            assert person.client.get(path, headers={**frame, "Sec-Fetch-Site": site}).status_code == 403, path


def test_no_room_for_the_copy_is_said(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.storage.backup.write_archive.SPARE_DISK", 2**60)
    token = person.token()
    person.send("/safe/everything.zip", token=token)
    assert person.status == 503 and "free up some space and try again" in person.notices()[0]
    assert not list(kept(person).store.folder.glob(".copy-*"))
    monkeypatch.undo()
    assert person.client.post("/safe/everything.zip", data={"token": token}).status_code == 200


def test_a_photo_removed_for_space_is_reported_and_its_cards_stay(person: Person) -> None:
    round_ = person.begin()
    person.photo(f"{round_}/side/0", photo(NORTH_TABLE))
    before = without_tokens(person.open(f"{round_}/side/0/"))
    for path in kept(person).store.files.all_files():
        path.unlink()
    assert without_tokens(person.open(f"{round_}/side/0/")) == before
    for picture in ("view.jpg", "card/0.jpg", "around.jpg?x=5&y=5"):
        answer = person.client.get(f"/photo/1/{picture}")
        assert answer.status_code == 200 and "This photo is gone" in answer.text
        assert "no-store" in answer.headers["Cache-Control"]


def test_tables_of_a_club_see_their_own_games_first(tmp_path: Path, postgres: object) -> None:
    address = getattr(postgres, "emptied")()  # noqa: B009
    apps = [
        create_app(Settings(tmp_path / name, database=address, table=name), ReaderService(DrawnReader))
        for name in ("Window", "Door")
    ]
    window, door = map(Person, apps)
    window.begin(side0="Ann & Bo", side1="Cy & Di")
    assert "Continue" in (window.open("/") and window.text)
    assert "Continue" not in (door.open("/") and door.text) and "Games of Door" in door.text
    assert "Ann & Bo" not in re.sub(r'<div class="again">.*?</div>', "", door.page, flags=re.DOTALL)
    door.open("/?tables=all")
    assert "Window ·" in door.text and "Ann & Bo against Cy & Di" in door.text and "Continue" not in door.text
    assert door.status == 200 and "Ann & Bo" in (door.open("/game/1/") and door.text), "each may look at all"
    for app in apps:
        services_of(app).store.close()


def test_the_backup_thread_makes_backups_while_people_play(tmp_path: Path) -> None:
    store = Store(tmp_path)
    backup_thread = BackupThread(store.backups, PhotoLimit(), interval=0.05)
    backup_thread.start()
    fill(store, 1)
    for _ in range(1200):
        if store.backups.all():
            break
        time.sleep(0.05)
    assert store.backups.all(), "it was made by itself"
    store.change_game(1, {"state": "ended"})
    backup_thread.close()
    newest = store.backups.all()[0]
    assert newest.info.newest == store.newest_change(), "and once more at the end"
    (tmp_path / "backups").rename(tmp_path / "was")
    (tmp_path / "backups").write_text("in the way")
    store.change_game(1, {"state": "open"})
    backup_thread.back_up()
    assert backup_thread.last_error is not None and "cannot be written" in backup_thread.last_error
    store.close()


def test_backups_are_made_whatever_goes_wrong_beside_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    failing = threading.Event()

    def fail(*_: object) -> None:
        failing.set()
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr(Backups, "remove_old_photos", fail)
    backup_thread = BackupThread(store.backups, PhotoLimit(), interval=0.05)
    backup_thread.start()
    assert failing.wait(60)
    fill(store, 1)
    end = time.monotonic() + 60
    while not store.backups.all() and time.monotonic() < end:
        time.sleep(0.05)
    assert store.backups.all() and backup_thread.last_error is None
    monkeypatch.setattr(Backups, "back_up_if_changed", fail)
    backup_thread.close()
    assert backup_thread.last_error == "RuntimeError", "which the health page tells"
    store.close()


def test_commands_back_up_and_restore(tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str | None) -> None:
    data = ["--data", str(tmp_path / "data"), *(["--database", address] if address else [])]
    store = Store(tmp_path / "data", address)
    fill(store, 2)
    games = store.games()
    assert main(["backup", *data]) == 0 and "2 games with 6 rounds written to" in capsys.readouterr().out
    assert main(["backup", "--to", str(tmp_path / "b.zip"), *data]) == 0
    assert main(["export", str(tmp_path / "e.zip"), *data]) == 0
    assert "2 games with 6 rounds and 0 photos written to" in capsys.readouterr().out
    store.change_game(1, {"state": "removed"})
    assert main(["restore", *data]) == 0 and "2 games with 6 rounds restored from" in capsys.readouterr().out
    assert replace(store.games()[1]) == games[1]
    assert main(["import", str(tmp_path / "e.zip"), *data]) == 0
    assert capsys.readouterr().out == "0 games imported, 2 already here\n"
    assert main(["report", str(tmp_path / "r.zip"), *data]) == 0
    with zipfile.ZipFile(tmp_path / "r.zip") as report:
        assert "about.json" in report.namelist() and b"Ann" not in report.read("steps.jsonl")
    store.close()
    other = ["--data", str(tmp_path / "other")]
    assert main(["restore", str(tmp_path / "b.zip"), *other]) == 0, "a server's backup goes into a file, too"
    capsys.readouterr()
    for wrong in (["restore", *["--data", str(tmp_path / "empty")]], ["import", str(tmp_path / "none.zip"), *other]):
        assert main(wrong) == 1
        assert len(capsys.readouterr().err.splitlines()) == 1
