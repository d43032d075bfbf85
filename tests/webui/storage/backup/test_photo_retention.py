"""Photo retention, and the removal of what a crash left behind."""

from __future__ import annotations

import os
import time

from tests.webui.helpers.stored_round import play, shown, whole
from webui.storage.backup.photo_retention import PhotoLimit
from webui.storage.photo_files import PhotoFiles
from webui.storage.store import Store

DAY = 24 * 3600.0


def age(files: PhotoFiles, name: str, days: float) -> None:
    for path in (files.path(name), files.preview_path(name)):
        os.utime(path, (time.time() - days * DAY,) * 2)


def test_the_limit_removes_the_oldest_photos_and_never_a_score(store: Store) -> None:
    done, going = play(store), play(store, agreed=False)
    assert {held.file for held in done.rounds[0].photos} == {held.file for held in going.rounds[0].photos}
    store.change_game(going.id, {"state": "removed"})
    files = [held.file for held in done.rounds[0].photos]
    age(store.files, files[0], 100)
    age(store.files, files[1], 10)
    before = shown(done), store.log(done.id)
    assert store.backups.remove_old_photos(PhotoLimit(days=200, bytes=None)) == 0
    assert store.backups.remove_old_photos(PhotoLimit(days=50, bytes=None)) == 1
    assert [store.files.path(file).exists() for file in files] == [False, True]
    store.files.add(store.files.path(files[1]).read_bytes(), b"its view")
    assert store.backups.remove_old_photos(PhotoLimit(days=5, bytes=1)) == 0, "one that is sent again is new again"
    age(store.files, files[1], 10)
    assert store.backups.remove_old_photos(PhotoLimit(days=None, bytes=1)) == 1
    assert store.files.all_files() == []
    assert (shown(whole(store, done.id)), store.log(done.id)) == before


def test_photos_of_today_and_of_rounds_not_agreed_stay(store: Store) -> None:
    files = [held.file for held in play(store, agreed=False).rounds[0].photos]
    other = store.files.add(b"\xff\xd8 of today", b"\xff\xd8 view")
    for file in files:
        age(store.files, file, 1000)
    assert store.backups.remove_old_photos(PhotoLimit(days=1, bytes=1)) == 0
    assert all(store.files.path(file).exists() for file in (*files, other))


def test_old_leftovers_of_a_crash_are_removed(elsewhere: Store) -> None:
    names = (".handfoot.db.part", "photos/.abc.jpg.0a1b2c3d", "backups/.copy-x_1")
    for name in names:
        path = elsewhere.folder / name
        path.parent.mkdir(exist_ok=True)
        path.mkdir() if name.endswith("_1") else path.write_bytes(b"half")
    elsewhere.backups.remove_leftovers()
    assert all((elsewhere.folder / name).exists() for name in names), "somebody may be writing it just now"
    for name in names:
        os.utime(elsewhere.folder / name, (time.time() - 7200,) * 2)
    elsewhere.backups.remove_leftovers()
    assert not any((elsewhere.folder / name).exists() for name in names)
