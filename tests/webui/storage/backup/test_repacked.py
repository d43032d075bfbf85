"""An export that a Mac unpacked and packed again is taken: its folder inside, and notes of the Mac beside it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from scorer.deck import use_deck_folder
from scorer.faces import JOKER
from tests.webui.decks.pictures import pictures
from tests.webui.helpers.stored_round import play, shown, whole
from vision.images.sandbox import shared_decoder
from webui.decks.deck_archive import export_decks, import_decks
from webui.decks.taught import TaughtDecks
from webui.storage.errors import ArchiveError
from webui.storage.store import Store

NOTE = b"\0\5\26\7" + bytes(60)
"""How a Mac's notes begin."""


def repack(path: Path, *folders: str) -> None:
    """Packs an archive again as a Mac does, once into each folder; into none with an empty name."""
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for folder in folders:
            if folder:
                archive.writestr(folder, b"")
            archive.writestr(f"{folder}.DS_Store", b"\0\0\0\1Bud1")
            for name, data in files.items():
                archive.writestr(folder + name, data)
                before, slash, last = (folder + name).rpartition("/")
                archive.writestr(f"__MACOSX/{before}{slash}._{last}", NOTE)


@pytest.mark.parametrize("folder", ["handfoot-20261128/", ""])
def test_games_with_their_photos_come_from_it(tmp_path: Path, store: Store, elsewhere: Store, folder: str) -> None:
    there = play(elsewhere)
    path = tmp_path / "handfoot-20261128.zip"
    elsewhere.backups.export(path)
    repack(path, folder)
    assert (store.backups.import_games(path).new, store.backups.import_games(path).known) == (1, 1)
    (here,) = store.games()
    assert shown(whole(store, here.id)) == shown(there)
    for round_ in there.rounds:
        for photo in round_.photos:
            assert store.files.path(photo.file).read_bytes() == elsewhere.files.path(photo.file).read_bytes()


def test_decks_come_from_it(tmp_path: Path) -> None:
    (one, two) = (tmp_path / "one", tmp_path / "two")
    for folder in (one, two):
        folder.mkdir()
    decode, path = shared_decoder().decode, tmp_path / "ours.zip"
    use_deck_folder(one / "decks")
    TaughtDecks(one, decode).add("Ours", "standard", pictures([JOKER]))
    path.write_bytes(export_decks(one, ["ours"]))
    repack(path, "ours/")
    use_deck_folder(two / "decks")
    assert [deck.id for deck in import_decks(path, two, decode).new] == ["ours"]
    use_deck_folder(None)


def test_of_two_exports_in_one_file_none_is_guessed(tmp_path: Path, elsewhere: Store) -> None:
    play(elsewhere)
    path = tmp_path / "both.zip"
    elsewhere.backups.export(path)
    repack(path, "one/", "two/")
    with pytest.raises(ArchiveError, match="is not a handfoot backup or export; choose another file"):
        elsewhere.backups.import_games(path)
