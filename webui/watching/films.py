"""The films that are kept: found again, and told later whose half of the picture is which."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import numpy as np

from vision.errors import VisionError
from vision.images.decode import load_photo
from vision.memory.table_memory import TableMemory
from webui.reading.zones import load_zones
from webui.storage import clock
from webui.storage.clock import parsed
from webui.storage.files.atomic_files import replace_file
from webui.storage.files.watched_files import WatchedFiles
from webui.storage.records import GameRecord
from webui.watching.film import Film
from webui.watching.halves import sides_parts

EVENING = timedelta(hours=12)
"""So long whose half is which holds for further rounds."""

_SETTING = "watching.json"


class Films:
    """The films in a data folder, but for what is being recorded."""

    def __init__(self, folder: Path) -> None:
        self.files, self._folder = WatchedFiles(folder), folder

    def find(self, game: GameRecord, number: int) -> Film | None:
        """The film of a round; None where it was never watched or that was removed."""
        film = self._load(game.id, number)
        return film if film and film.begun == game.created_at else None  # else of a game that had this id before

    def save(self, film: Film) -> None:
        """Stores a film.

        Raises:
            StorageError: it cannot be stored.
        """
        self.files.save(film.game, film.number, film.as_json())

    @property
    def has_strip(self) -> bool:
        """Whether the lowest fifth of the marked table is for left-over cards."""
        return load_zones(self._folder).strip

    @property
    def has_hints(self) -> bool:
        """Whether the house wants to be told, while they play, of a meld that breaks the rules."""
        try:
            return bool(json.loads((self._folder / _SETTING).read_text(encoding="utf-8"))["hints"])
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def set_hints(self, on: bool) -> None:
        """Says whether the house wants to be told of a meld that breaks the rules.

        Raises:
            OSError: it cannot be stored.
        """
        replace_file(self._folder / _SETTING, json.dumps({"hints": on}).encode())

    def usual_half(self) -> str | None:
        """The half of the first side that was said for another round of this evening, or when setting up the camera."""
        found: list[tuple[str, str]] = []
        for one in self.files.rounds():
            film = self._load(*one)
            since = parsed(film.since) if film else None
            if film and film.half and since and abs(clock.now() - since) < EVENING:
                found.append((film.since, film.half))
        return max(found)[1] if found else load_zones(self._folder).first

    def divide(self, film: Film, half: str) -> None:
        """Says whose half is which in a film that is not being recorded, by its last picture, and stores it.

        Raises:
            StorageError: it cannot be stored.
        """
        film.half = half
        if film.memory is not None and film.size is not None and film.shots:
            memory, (width, height) = TableMemory.from_json(film.memory), film.size
            try:
                pixels = load_photo(self.files.picture(film.game, film.number, film.shots[-1].picture)).pixels
            except VisionError:  # it is gone, and with it the printed marks
                pixels = np.zeros((height, width, 3), np.uint8)
            memory.set_zones(sides_parts(half, pixels, self.has_strip, width / pixels.shape[1]))
            film.memory = memory.to_json()
        self.save(film)

    def _load(self, game_id: int, number: int) -> Film | None:
        try:
            return Film.of_json(self.files.load(game_id, number))
        except ValueError:
            return None
