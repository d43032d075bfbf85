"""The films that are kept: found again, and told later where each side lays its cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from vision.errors import VisionError
from vision.images.decode import load_photo
from vision.memory.table_memory import TableMemory
from webui.reading.zones import load_zones
from webui.storage import clock
from webui.storage.clock import parsed
from webui.storage.files.atomic_files import read_json, replace_file
from webui.storage.files.watched_files import WatchedFiles
from webui.storage.records import GameRecord
from webui.watching.areas import Areas, Corners, halves_of_marked, marks_in
from webui.watching.film import Film

EVENING = timedelta(hours=12)
"""So long where each side lays its cards holds for further rounds."""

_SETTING = "watching.json"
_SAID = TypeAdapter(list[tuple[str, Areas]])


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
    def has_hints(self) -> bool:
        """Whether the house wants to be told, while they play, of a meld that breaks the rules."""
        return bool(self._settings().get("hints"))

    def set_hints(self, on: bool) -> None:
        """Says whether the house wants to be told of a meld that breaks the rules.

        Raises:
            OSError: it cannot be stored.
        """
        self._set("hints", on)

    def usual_areas(self, sides: int) -> Areas | None:
        """Where so many sides lay their cards in another round of this evening, or as the camera's setup says."""
        found = [*self._said_in(self.files.rounds()), *self._said_in_removed()]
        found = [(at, areas) for at, areas in found if len(areas.boxes) == sides and _is_this_evening(at)]
        if found:
            return max(found, key=lambda one: one[0])[1]
        set_up = load_zones(self._folder)
        return halves_of_marked(set_up.first, set_up.strip) if sides == 2 and set_up.first else None

    def set_areas(self, film: Film, boxes: list[Corners]) -> None:
        """Says where each side lays its cards in a film that is not being recorded, by its last picture; stores it.

        Raises:
            StorageError: it cannot be stored.
        """
        film.areas = Areas(boxes)
        if film.memory is not None and film.size is not None and film.shots:
            memory, (width, height) = TableMemory.from_json(film.memory), film.size
            try:
                pixels = load_photo(self.files.picture(film.game, film.number, film.shots[-1].picture)).pixels
            except VisionError:  # it is gone, and with it the printed marks
                pixels = np.zeros((height, width, 3), np.uint8)
            film.areas = Areas(boxes, marks_in(pixels))
            memory.set_zones(film.areas.zones(pixels, width / pixels.shape[1]))
            film.memory = memory.to_json()
        self.save(film)

    def remove(self, game_id: int, number: int | None = None) -> None:
        """Removes the pictures and the history of a round, or of all rounds of a game, and keeps where each side lays
        its cards.

        Raises:
            StorageError: they cannot be removed.
        """
        rounds = [one for one in self.files.rounds() if one[0] == game_id and number in (None, one[1])]
        said = [*self._said_in_removed(), *self._said_in(rounds)]
        newest = {len(areas.boxes): [at, asdict(areas)] for at, areas in sorted(said, key=lambda one: one[0])}
        with suppress(OSError):  # where nothing can be written, they are asked for again
            self._set("areas", list(newest.values()))
        self.files.remove(game_id, number)

    def _said_in(self, rounds: Iterable[tuple[int, int]]) -> Iterator[tuple[str, Areas]]:
        """When rounds were watched, as ISO text, and where each side laid its cards, as far as anybody said."""
        for one in rounds:
            film = self._load(*one)
            if film and (areas := film.areas_now):
                yield film.since, areas

    def _said_in_removed(self) -> list[tuple[str, Areas]]:
        try:
            return _SAID.validate_python(self._settings().get("areas", []))
        except ValueError:
            return []

    def _settings(self) -> dict[str, Any]:
        found = read_json(self._folder / _SETTING)
        return found if isinstance(found, dict) else {}

    def _set(self, name: str, value: Any) -> None:
        replace_file(self._folder / _SETTING, json.dumps({**self._settings(), name: value}).encode())

    def _load(self, game_id: int, number: int) -> Film | None:
        try:
            return Film.of_json(self.files.load(game_id, number))
        except ValueError:
            return None


def _is_this_evening(at: str) -> bool:
    since = parsed(at)
    return since is not None and abs(clock.now() - since) < EVENING
