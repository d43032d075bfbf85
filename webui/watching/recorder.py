"""Records one round: frames in, and on the disk the history of the table with a picture for each change."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

import cv2
import numpy as np

from vision.arrays import floats
from vision.errors import VisionError
from vision.images.decode import load_photo
from vision.images.jpeg import to_jpeg
from vision.memory.state import SHOWN, TableChange
from vision.memory.watching import Watching
from vision.memory.zones import zone_of
from vision.values import Frame, HouseRules, Pixels, Reading
from webui.storage import clock
from webui.storage.errors import StorageError
from webui.storage.files.watched_files import WatchedFiles
from webui.translation import _
from webui.watching.areas import Areas, Corners, marks_in
from webui.watching.film import Film, Outline, Shot
from webui.watching.outside import outside_groups
from webui.watching.turned_phone import View

PICTURE_SIDE, _QUALITY = 960, 70
"""The longer side of a picture in pixels."""
_MOST_HIDDEN = 0.03
"""Share of where cards are laid that may be out of the picture before anybody is told."""
_SAVE_AGAIN = 5.0
"""Seconds after which it is tried again to store what could not be."""
_GAP = 1.0
"""Seconds that are said to lie between the end of the program and its next start; nobody knows, and nothing asks."""


class Recorder:
    """Records into a film, which pages read meanwhile.

    Args:
        film: begun anew, or to go on with.
        files: where it is kept.
        read: reads a picture.
        house: the rules and cards in play.
        news: called after each change.
    """

    def __init__(
        self,
        film: Film,
        files: WatchedFiles,
        read: Callable[[Frame], Reading],
        house: HouseRules,
        news: Callable[[], None],
    ) -> None:
        self._film, self._files, self._news, self._read, self._house = film, files, news, read, house
        self._lock = threading.RLock()
        self._watching = Watching(read, film.remembered(house), self._take)
        self._begun: float | None = None
        self._pixels: Pixels | None = None
        self._view: View | None = None
        self._taken: Pixels | None = None
        self._readings = 0
        self._unseen: str | None = None
        self._unsaved: str | None = None
        self._save_again = 0.0

    @property
    def settled(self) -> bool:
        """Whether the last frame shows nothing that is still to be read."""
        return self._watching.settled

    @property
    def trouble(self) -> str | None:
        """Why what was seen is not stored, or the table or a part of it is not seen now, as a sentence."""
        return self._unsaved or self._unseen

    @property
    def picture(self) -> Pixels | None:
        """The last frame, (height, width, 3) BGR, in which boxes are drawn; None before the first."""
        return self._pixels

    def see(self, pixels: Pixels, at: float) -> None:
        """Takes the next frame, (height, width, 3) BGR, of ``at`` seconds by a clock that never goes back.

        Stores what changed.

        Raises:
            StorageError: it cannot be stored.
            VisionError: the frame cannot be read.
        """
        memory = self._watching.memory
        with self._lock:  # nobody may divide the table meanwhile
            is_shaped_anew = self._pixels is not None and self._pixels.shape != pixels.shape
            found = self._as_before(pixels)
            if found is None:
                self._unseen = _(
                    "The camera’s picture does not fit what it showed before. Turn the phone back as it was; what was "
                    "laid so far is kept."
                )
                return
            pixels = self._pixels = found
            self._unseen = self._why_unseen()
            if self._film.areas and (not memory.zones or (is_shaped_anew and not self._film.shots)):
                self._divide()
            if self._begun is None:
                self._begun = at - (memory.state.second + _GAP if self._film.memory else 0.0)
            changes = self._watching.see(pixels, at - self._begun)
            if self._watching.readings != self._readings:
                self._readings, self._film.size = self._watching.readings, [pixels.shape[1], pixels.shape[0]]
                self._film.memory = memory.to_json()
                if self._view is not None:
                    self._view.keep(pixels)
        if changes:
            self._news()
        if changes or (self._unsaved and at >= self._save_again):
            self._save_again = at + _SAVE_AGAIN
            self.save()

    def set_areas(self, boxes: list[Corners]) -> None:
        """Says where each side lays its cards, also for what lies there already.

        Raises:
            StorageError: it cannot be stored.
        """
        with self._lock:
            self._film.areas = Areas(boxes, None if self._pixels is None else marks_in(self._pixels))
            self._divide()
            self._film.memory = self._watching.memory.to_json()
            self.save()

    def look_around(self) -> None:
        """Reads all of the last picture when watching ends: what lies outside all boxes, and how the table lies.

        Raises:
            VisionError: the picture cannot be read.
        """
        with self._lock:
            film, pixels, memory = self._film, self._pixels, self._watching.memory
            if pixels is None or film.memory is None:
                return
            reading = self._read(Frame(pixels, clock.now(), "table"))
            zones = memory.zones
            cards = [card for card in reading.cards if zones and zone_of(floats(card.quad), zones) is None]
            film.forget_end()
            # its number is never that of another picture, which a browser may have kept
            film.last = self._shot(pixels, int(clock.now().timestamp()), [])
            first = memory.state.next_track
            memory.state.next_track += len(cards)
            for number, card in enumerate(cards, first):
                film.cards[str(number)] = (len(film.shots), _scaled(card.quad, pixels))
            film.outside = [group.model_dump(mode="json") for group in outside_groups(cards, first, self._house)]
            film.memory = memory.to_json()

    def save(self) -> None:
        """Stores the film.

        Raises:
            StorageError: it cannot be stored.
        """
        with self._lock:
            try:
                self._files.save(self._film.game, self._film.number, self._film.as_json())
            except StorageError as error:
                self._unsaved = str(error)
                raise
            self._unsaved = None

    def _as_before(self, pixels: Pixels) -> Pixels | None:
        """A picture as those in which cards were laid; None where it does not fit those."""
        film = self._film
        if not film.shots or not film.size:
            return pixels
        if self._view is None:
            before = self._pixels
            if before is None:
                with suppress(VisionError):  # without it nobody can say how the picture was
                    last = load_photo(self._files.picture(film.game, film.number, film.shots[-1].picture)).pixels
                    before = np.asarray(cv2.resize(last, (film.size[0], film.size[1])), np.uint8)
            self._view = View(pixels if before is None else before)
        return self._view.see(pixels)

    def _why_unseen(self) -> str | None:
        """Why a part of the table is not seen, as a sentence; None where all of it is."""
        shows, film = self._view.shows if self._view else None, self._film
        if shows is None:
            return None
        wanted = np.ones(shows.shape, np.uint8)
        if film.areas and self._watching.memory.zones:
            wanted = np.zeros(shows.shape, np.uint8)
            for zone in self._watching.memory.zones:
                cv2.fillPoly(wanted, [np.round(floats(zone)).astype(np.int32)], (1,))
        hidden = 1 - shows[wanted > 0].mean() if wanted.any() else 0.0
        if hidden <= _MOST_HIDDEN:
            return None
        return _(
            "Part of the table is out of the picture. Turn the phone back as it was; until then what is laid there is "
            "not seen."
        )

    def _divide(self) -> None:
        areas, pixels = self._film.areas, self._pixels  # before the first picture it waits for that
        self._watching.memory.set_zones(areas.zones(pixels) if areas and pixels is not None else ())

    def _take(self, change: TableChange, pixels: Pixels) -> None:
        """Keeps the picture of a change."""
        film, state = self._film, self._watching.memory.state
        picture = film.shots[-1].picture if film.shots else -1
        is_new = self._taken is not pixels or not film.shots
        self._taken = pixels
        stack, outlines = state.stacks[change.group], list[Outline]()
        for track in state.cards_of(stack):
            outline = _scaled(track.quad, pixels)
            if str(track.number) not in film.cards:
                film.cards[str(track.number)] = (len(film.shots), outline)
                outlines.append(outline)
            elif change.what in ("squared", "moved") and track.place == SHOWN:
                outlines.append(outline)
        film.shots.append(self._shot(pixels, picture + is_new, outlines, is_new))

    def _shot(self, pixels: Pixels, picture: int, outlines: list[Outline], is_new: bool = True) -> Shot:
        """A picture of the film, which is stored if it ``is_new``."""
        if is_new:
            with suppress(StorageError):  # the history goes on; that it cannot be stored either is said then
                jpeg = to_jpeg(pixels, PICTURE_SIDE, _QUALITY)
                self._files.add_picture(self._film.game, self._film.number, picture, jpeg)
        size = [round(side * _scale(pixels)) for side in (pixels.shape[1], pixels.shape[0])]
        return Shot(picture, clock.now().isoformat(timespec="seconds"), outlines, size)


def _scale(pixels: Pixels) -> float:
    return float(min(1.0, PICTURE_SIDE / max(pixels.shape[:2])))


def _scaled(outline: Sequence[Sequence[float]], pixels: Pixels) -> Outline:
    """An outline in pixels of the stored picture."""
    return [[round(value * _scale(pixels), 1) for value in point] for point in outline]
