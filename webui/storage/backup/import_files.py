"""Photos and user rule sets of an imported archive: validated and staged first, installed together with its games."""

from __future__ import annotations

import logging
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import tomli_w

from vision.errors import PhotoError
from vision.images.jpeg import to_jpeg
from vision.images.sandbox import Decoder
from webui.storage.backup.archive import OpenArchive
from webui.storage.backup.deck_import import StagedDecks
from webui.storage.backup.write_archive import PHOTOS
from webui.storage.errors import disk_errors
from webui.storage.files.atomic_files import rename_durably, replace_file
from webui.storage.files.photo_files import PREVIEW_SIDE, PhotoFiles

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class StagedFiles:
    """Files in a temporary folder, each with its target path.

    ``new`` are files that do not exist here, ``differing`` user files whose content differs from those here;
    ``left_out`` counts photos that are invalid or do not match their names.
    """

    new: list[tuple[Path, Path]] = field(default_factory=list)
    differing: list[tuple[Path, Path]] = field(default_factory=list)
    left_out: int = 0
    decks: StagedDecks | None = None
    _previous: list[tuple[Path, bytes | None]] = field(default_factory=list)

    def install(self, files: Iterable[tuple[Path, Path]]) -> None:
        """Moves files, ``new`` or ``differing``, to their target paths."""
        for staged, target in files:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._previous.append((target, target.read_bytes() if target.exists() else None))
            rename_durably(staged, target)

    def install_decks(self) -> None:
        """Puts the decks of the archive that are not here in place."""
        if self.decks:
            self.decks.install()

    def roll_back(self) -> None:
        """Undoes every ``install``."""
        if self.decks:
            self.decks.roll_back()
        for target, content in reversed(self._previous):
            with suppress(OSError):
                if content is None:
                    target.unlink(missing_ok=True)
                else:
                    replace_file(target, content)


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
        staged = StagedFiles()
        decoder = Decoder()  # not the shared one, so that nobody else's photo waits for these
        try:
            _stage_photos(archive, Path(work), photos, staged, decoder)
            staged.decks = archive.decks(Path(work), folder, decoder.decode)
            archive.rename_decks(staged.decks.renamed())
        finally:
            decoder.close()
        _stage_user_files(archive, Path(work), folder, staged, staged.decks.renamed())
        try:
            yield staged
        except BaseException:
            staged.roll_back()
            raise


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
