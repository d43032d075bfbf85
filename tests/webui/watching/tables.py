"""Made-up tables that are watched: pictures with cards as white boxes, and readings that tell them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from tests.vision.memory.sequences import column, reading_of_part
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Pixels, Reading, SeenCard
from webui.storage.files.watched_files import WatchedFiles
from webui.watching.areas import Areas, proposals
from webui.watching.film import Film
from webui.watching.recorder import Recorder

WIDTH, HEIGHT = 640, 360
BEGUN = "2026-11-27T20:00:00+00:00"
STEP = 0.25
EIGHTS = column("8H 8S 8D", 60, 60)
KINGS = column("KH KS KD", 460, 60)
LEFT, RIGHT = Areas(proposals(2)[0]), Areas(proposals(2)[2])
"""The first side at the left, at the right."""


def picture(cards: Sequence[SeenCard]) -> Pixels:
    """A table with these cards, (360, 640, 3) BGR."""
    pixels = np.full((HEIGHT, WIDTH, 3), (60, 90, 40), np.uint8)
    for card in cards:
        outline = np.round(card.quad).astype(np.int32)
        cv2.fillConvexPoly(pixels, outline, (250, 250, 250))
        cv2.polylines(pixels, [outline], True, (60, 60, 60), 1)
    return np.asarray(pixels + np.random.default_rng(0).integers(0, 2, pixels.shape), np.uint8)


class Table:
    """A table at which cards are laid while it is recorded, as long as nobody stops the program."""

    def __init__(self, folder: Path, film: Film | None = None, house: HouseRules = DEFAULT_HOUSE_RULES) -> None:
        self.files, self.cards = WatchedFiles(folder), list[SeenCard]()
        self.film = film or Film(1, BEGUN, 1, "Ann", BEGUN, areas=LEFT)
        self.news = self.readings = 0
        self.recorder = Recorder(self.film, self.files, self._read, house, self._told)
        self.at = 1000.0

    def lay(self, *cards: SeenCard, stills: int = 10) -> None:
        """Lays cards, and waits until they were seen."""
        self.cards += cards
        self.wait(stills)

    def wait(self, stills: int = 10) -> None:
        pixels = picture(self.cards)
        for _ in range(stills):
            self.at += STEP
            self.recorder.see(pixels, self.at)

    def stored(self) -> Film:
        """The film as it is on the disk."""
        return Film.of_json(self.files.load(self.film.game, self.film.number))

    def _read(self, frame: Frame) -> Reading:
        self.readings += 1
        return reading_of_part(frame, picture(self.cards), self.cards)

    def _told(self) -> None:
        self.news += 1
