"""Decks as a file of their own: a ZIP file as an export of everything is, with decks and what was learnt alone."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scorer.deck import own_decks
from scorer.errors import DeckError
from webui.storage.backup.archive import open_zip, read_errors, read_member, wanted_files
from webui.storage.backup.deck_import import Installed, NewDeck, deck_paths, stage_decks
from webui.storage.errors import ArchiveError, disk_errors
from webui.storage.files.deck_files import (
    DECKS,
    LEARNT,
    LOOKS,
    MAX_DECK,
    MAX_PICTURES,
    Decode,
    read_pictures,
)
from webui.storage.files.folder_lock import only_import
from webui.translation import _


@dataclass(frozen=True, slots=True)
class DeckImport:
    """What became of the decks of a file: those added, why others were left out, by id, and the ids that the decks of
    the file have here, by their ids there."""

    new: tuple[NewDeck, ...]
    left_out: dict[str, str]
    ids: dict[str, str] = field(default_factory=dict, compare=False)


def export_decks(data_dir: Path, ids: Iterable[str], looks: Mapping[str, bytes] | None = None) -> bytes:
    """Packs own decks, and what was learnt of the household's, into a ZIP file.

    Args:
        data_dir: the data folder.
        ids: the decks.
        looks: what rounds taught of their cards, as files, by the ids of the decks.

    Raises:
        DeckError: one of them is not there, or has more pictures than a file may hold.
        StorageError: a file cannot be read.
    """
    wanted = set(ids)
    if missing := sorted(wanted - own_decks().keys()):
        raise DeckError(f"expected your own decks, got {missing[0][:60]!r}")
    packed = io.BytesIO()
    with disk_errors("the decks cannot be read"), zipfile.ZipFile(packed, "w", strict_timestamps=False) as archive:
        for id in wanted:
            _require_fitting(id, read_pictures(data_dir / DECKS / id))
        for path in deck_paths(data_dir, learnt=True):
            name = path.relative_to(data_dir).as_posix()
            if name.split("/")[1] in {LEARNT, *wanted}:
                archive.write(path, name)
        for id, data in (looks or {}).items():
            archive.writestr(f"{DECKS}/{id}/{LOOKS}", data)
    return packed.getvalue()


def _require_fitting(id: str, pictures: Mapping[str, bytes]) -> None:
    """Checks that a deck is none that another computer refuses."""
    size = sum(map(len, pictures.values()))
    if len(pictures) > MAX_PICTURES or size > MAX_DECK:
        raise DeckError(
            f"{own_decks()[id].name} has {len(pictures)} pictures of {-(-size // 1024**2)} MB together, and a file "
            f"holds {MAX_PICTURES} of {MAX_DECK // 1024**2} MB: remove some, then save it again"
        )


def import_decks(path: Path, data_dir: Path, decode: Decode) -> DeckImport:
    """Adds the decks of a ZIP file, one of decks alone or an export of everything, that are not here.

    Args:
        path: the file, which may come from anybody.
        data_dir: the data folder.
        decode: decodes pictures that come from anybody.

    Raises:
        ArchiveError: it is no such file, is damaged, or was built to fill memory or disk.
        StorageError: it cannot be read, another file is brought in just now, or the disk does not take the decks; then
            nothing has changed.
    """
    with only_import(data_dir), read_errors(path), open_zip(path) as archive:
        names = wanted_files(archive, path, data_dir, only_decks=True)
        if not names:
            raise ArchiveError(f"{path.name} holds no decks; choose one that was saved on the page of a deck")
        with (
            disk_errors("the decks cannot be kept"),
            tempfile.TemporaryDirectory(dir=data_dir, prefix=".from-") as work,
        ):
            staged = stage_decks(names, lambda name: read_member(archive, name), Path(work), data_dir, decode)
            with Installed() as installed:
                staged.install(installed)
    return DeckImport(tuple(staged.new), staged.left_out, staged.ids)


def came_under_another_name(came_as: str, name: str) -> str:
    """The sentence about a deck that was brought in and whose name another deck has here."""
    return _(
        "“%(deck)s” came in as “%(name)s”: you have other cards called “%(deck)s”, and they stay as they are",
        deck=came_as,
        name=name,
    )
