"""The store: restarts, undo, damage, and concurrent writers."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.webui.helpers.played_games import agree_round
from webui.storage.db.connect import FILE_NAME
from webui.storage.errors import StorageError
from webui.storage.files.photo_files import PhotoFiles
from webui.storage.files.secret_key import secret_key
from webui.storage.records import PhotoRecord, SideRecord
from webui.storage.store import Store

SIDES = (SideRecord("North–South", ("Ann", "Bo")), SideRecord("East–West", ("Cy", "Di")))
PHOTO = PhotoRecord(0, 0, None, "a.jpg", 40, 30, "table.jpg", "2026-01-02T03:04:05+00:00", {"cards": []})


def fill(store: Store) -> int:
    game = store.add_game("golden-games", 4, SIDES)
    store.rounds.begin(game, 1)
    return game


def round_id(store: Store, game_id: int) -> int:
    game = store.game(game_id)
    assert game is not None
    return game.rounds[0].id


def test_a_round_begun_twice_is_one_round(tmp_path: Path) -> None:
    store = Store(tmp_path)
    game = fill(store)
    store.rounds.begin(game, 1)
    found = store.game(game)
    assert found is not None and len(found.rounds) == 1
    store.close()


def test_a_stored_reading_never_changes(tmp_path: Path) -> None:
    store = Store(tmp_path)
    held = round_id(store, fill(store))
    photo = store.rounds.add_photo(held, PHOTO)
    store.rounds.set_reading(photo, {"cards": ["another"]})
    found = store.rounds.find_photo(photo)
    assert found is not None and found.reading == {"cards": []}
    store.close()


def test_correction_ids_are_never_reused(tmp_path: Path) -> None:
    """Cards that a person added are named after it: after an undo a new card must not take an old one's name."""
    store = Store(tmp_path)
    held = round_id(store, fill(store))
    first = store.rounds.correct(held, 0, {})
    take_back_last(store, held)
    assert store.rounds.correct(held, 0, {}) > first
    store.close()


def test_sheet_ids_are_never_reused(tmp_path: Path) -> None:
    """A form says by it which sheet it was shown: after an undo a new sheet must not take an old one's place."""
    store = Store(tmp_path)
    game = fill(store)
    held = round_id(store, game)
    ids = []
    for _ in range(2):
        agree_round(store, held, {"rules": "golden-games", "n": 1})
        record = store.game(game)
        assert record is not None
        ids.append(record.rounds[0].agreed_sheet_id)
        take_back_last(store, held)
    assert ids[0] is not None and ids[1] is not None and ids[1] > ids[0]
    store.close()


def take_back_last(store: Store, held: int) -> None:
    store.rounds.undo(held, store.rounds.last_undoable_step(held)[-1].id)


def test_undo_reverts_every_kind_of_change_one_by_one(tmp_path: Path) -> None:
    store = Store(tmp_path)
    game = fill(store)
    held = round_id(store, game)
    store.rounds.change_facts(held, lambda _: {"said": ["out"]})
    photo = store.rounds.add_photo(held, PHOTO)
    kept = store.rounds.correct(held, 0, {"n": 1})
    store.rounds.correct(held, 1, {"n": 2})
    store.rounds.change_facts(held, lambda _: {"said": ["out", "unseen"]})

    def now() -> tuple[dict[str, object], list[dict[str, object]]]:
        found = store.game(game)
        assert found is not None
        return found.rounds[0].facts, [made.change for made in found.rounds[0].corrections]

    steps = []
    for _ in range(5):
        take_back_last(store, held)
        steps.append(now())
    dropped = {"op": "drop-photo", "photo": photo}
    assert steps == [
        ({"said": ["out"]}, [{"n": 1}, {"n": 2}]),
        ({"said": ["out"]}, [{"n": 1}]),
        ({"said": ["out"]}, []),
        ({"said": ["out"]}, [dropped]),
        ({}, [dropped]),
    ]
    assert not store.rounds.last_undoable_step(held) and kept > 0
    store.close()


def test_a_damaged_database_is_moved_aside_and_reported_until_cleared(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"this was a database once" * 100)
    store = Store(tmp_path)
    assert store.backups.damage is not None and "were damaged" in store.backups.damage
    assert str(tmp_path) not in store.backups.damage, "it is for everybody on the page"
    assert store.games() == []
    store.close()
    (aside,) = tmp_path.glob("handfoot-damaged-*.db")
    assert aside.read_bytes().startswith(b"this was a database once")
    again = Store(tmp_path)
    assert again.backups.damage is not None, "a restart is no answer"
    again.backups.clear_damage()
    assert again.backups.damage is None
    again.close()


def test_an_unusable_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageError, match="name another folder with --data"):
        Store(tmp_path / "file" / "data")


def test_a_photo_file_is_named_by_its_content_and_stored_once(tmp_path: Path) -> None:
    files = PhotoFiles(tmp_path)
    first = files.add(b"\xff\xd8 a photo", b"view")
    assert files.add(b"\xff\xd8 a photo", b"view") == first
    assert first.endswith(".jpg") and files.path(first).read_bytes() == b"\xff\xd8 a photo"
    assert files.preview_path(first).read_bytes() == b"view"
    assert files.add(b"\x89PNG another", b"view") != first
    assert len(list((tmp_path / "photos").iterdir())) == 4


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_the_secret_key_is_readable_by_the_owner_alone_and_stays(tmp_path: Path) -> None:
    secret = secret_key(tmp_path)
    assert len(secret) == 32 and secret_key(tmp_path) == secret
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600
