"""What is kept of a table that is watched: a folder for each round, with its history and a picture for each change.

In no backup, export or report; pictures are kept within the limits of the photos.
"""

from __future__ import annotations

import json
import re
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from webui.storage.clock import Judgement
from webui.storage.errors import disk_errors
from webui.storage.files.atomic_files import read_json, replace_file
from webui.storage.files.photo_limit import PhotoLimit

_HISTORY = "table.json"
_NAME = re.compile(r"(\d{1,10})-(\d{1,4})")


class WatchedFiles:
    """The folder ``watched`` of the data folder. A round is named by its game's id and its number."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / "watched"

    def rounds(self) -> list[tuple[int, int]]:
        """The rounds of which anything is kept: game and number, sorted."""
        try:
            found = list(self.folder.iterdir())
        except OSError:  # nothing is kept yet, or the folder is damaged
            found = []
        names = (_NAME.fullmatch(path.name) for path in found)
        return sorted((int(name[1]), int(name[2])) for name in names if name)

    def load(self, game: int, number: int) -> Any:
        """The stored document of a round; None where there is none or it is damaged."""
        return read_json(self._of(game, number) / _HISTORY)

    def save(self, game: int, number: int, document: dict[str, Any]) -> None:
        """Stores the document of a round.

        Raises:
            StorageError: the disk does not take it.
        """
        self._write(game, number, _HISTORY, json.dumps(document, separators=(",", ":")).encode())

    def add_picture(self, game: int, number: int, picture: int, jpeg: bytes) -> None:
        """Stores the picture with that number.

        Raises:
            StorageError: the disk does not take it.
        """
        self._write(game, number, f"{picture:04}.jpg", jpeg)

    def picture(self, game: int, number: int, picture: int) -> Path:
        """Where a picture is, or would be."""
        return self._of(game, number) / f"{picture:04}.jpg"

    def remove(self, game: int, number: int | None = None) -> None:
        """Removes all that is kept of a round, or of all rounds of a game.

        Raises:
            StorageError: it cannot be removed.
        """
        for one in self.rounds():
            if one[0] == game and number in (None, one[1]):
                with disk_errors("The pictures were not removed"):
                    shutil.rmtree(self._of(*one))

    def keep_within(self, limit: PhotoLimit, photo_bytes: int, clock: Judgement) -> int:
        """Removes all that is kept of the oldest rounds beyond the limit of photos; rounds of the last day stay.

        Args:
            limit: of photos and these pictures together.
            photo_bytes: what the photos take.
            clock: what the clock is worth.

        Returns:
            Of how many rounds.
        """
        dated, removed = [], 0
        for one in self.rounds():
            with suppress(OSError):  # somebody removes it at this moment, or it is damaged
                files = [*self._of(*one).iterdir()] or [self._of(*one)]
                dated.append((clock.date_of(files), one, sum(path.stat().st_size for path in files)))
        total = photo_bytes + sum(size for _, _, size in dated)
        for date, one, size in sorted(dated):
            if limit.allows((clock.believed or date) - date, total):
                break
            self.remove(*one)
            total -= size
            removed += 1
        return removed

    def _of(self, game: int, number: int) -> Path:
        return self.folder / f"{game}-{number}"

    def _write(self, game: int, number: int, name: str, data: bytes) -> None:
        folder = self._of(game, number)
        with disk_errors("What was seen is not saved"):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(folder / name, data)
