"""Photos and user rule sets of an imported archive: validated and staged first, installed together with its games."""

from __future__ import annotations

import logging
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import tomli_w

from vision.errors import PhotoError
from vision.images.jpeg import to_jpeg
from vision.images.sandbox import Decoder
from webui.storage.backup.archive import OpenArchive
from webui.storage.backup.deck_import import Installed, StagedDecks
from webui.storage.backup.write_archive import PHOTOS
from webui.storage.errors import disk_errors
from webui.storage.files.atomic_files import replace_file
from webui.storage.files.photo_files import PREVIEW_SIDE, PhotoFiles

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class StagedFiles:
    """Files of an archive in a temporary folder, each with its target path, and its decks.

    ``new`` are files that do not exist here, ``differing`` user files whose content differs from those here;
    ``left_out`` counts photos that are invalid or do not match their names.
    """

    decks: StagedDecks
    installed: Installed
    new: list[tuple[Path, Path]] = field(default_factory=list)
    differing: list[tuple[Path, Path]] = field(default_factory=list)
    left_out: int = 0


@contextmanager
def stage_files(archive: OpenArchive, folder: Path, photos: PhotoFiles) -> Iterator[StagedFiles]:
    """Stages the files of an archive that are missing or different here; an exception in the block rolls them back.

    Args:
        archive: the archive.
        folder: the data folder.
        photos: its photos.

    Raises:
        StorageError: the disk does not take them.
    """
    with (
        disk_errors(f"files cannot be written to {folder}"),
        tempfile.TemporaryDirectory(dir=folder, prefix=".from-") as work,
    ):
        decoder = Decoder()  # not the shared one, so that nobody else's photo waits for these
        with Installed() as installed:
            try:
                staged = StagedFiles(archive.decks(Path(work), folder, decoder.decode), installed)
                _stage_photos(archive, Path(work), photos, staged, decoder)
            finally:
                decoder.close()
            renamed = staged.decks.renamed()
            archive.rename_decks(renamed)
            _stage_user_files(archive, Path(work), folder, staged, renamed)
            yield staged


def _stage_photos(archive: OpenArchive, work: Path, photos: PhotoFiles, staged: StagedFiles, decoder: Decoder) -> None:
    """Accepts valid photos that are named by the hash of their content; previews are made again from the photos."""
    for name in archive.photo_names():
        if photos.is_preview(name) or photos.path(name).exists() or (work / name).exists():
            continue
        try:
            data = archive.read(PHOTOS + name)
            if not photos.is_name_of(name, data):
                raise PhotoError(f"{name} is not what its name says")
            frame, _ = decoder.decode(data, name)
        except (PhotoError, zipfile.BadZipFile) as error:
            _log.warning("left out of what was brought in: %s", error)
            staged.left_out += 1
            continue
        preview = to_jpeg(frame.pixels, PREVIEW_SIDE)
        for target, content in ((photos.path(name), data), (photos.preview_path(name), preview)):
            replace_file(work / target.name, content)
            staged.new.append((work / target.name, target))


def _stage_user_files(
    archive: OpenArchive, work: Path, folder: Path, staged: StagedFiles, renamed: Mapping[str, str]
) -> None:
    for number, (name, content) in enumerate(archive.user_files()):
        target, file = folder / name, work / f"own-{number}"
        data = _with_decks(content, renamed) if target.suffix == ".toml" else content
        replace_file(file, data)
        if not target.exists():
            staged.new.append((file, target))
        elif target.read_bytes() != data:
            staged.differing.append((file, target))


def _with_decks(rules: bytes, renamed: Mapping[str, str]) -> bytes:
    """The file of a rule set, with the ids that its decks have here; unchanged where they have those that it names."""
    document = tomllib.loads(rules.decode())
    if not renamed.keys() & {document.get("deck"), *document.get("decks", [])}:
        return rules
    if "deck" in document:
        document["deck"] = renamed.get(document["deck"], document["deck"])
    if "decks" in document:
        document["decks"] = [renamed.get(id, id) for id in document["decks"]]
    return tomli_w.dumps(document).encode()
