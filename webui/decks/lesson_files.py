"""Lessons on disk, in the folder ``teaching`` of a deck: photos, what was found in them, and what people answered.

``lesson.json`` is a ``Lesson``; ``photo-N.jpg`` a photo and ``photo-N-view.jpg`` its preview; ``photo-N.json`` what was
found in it; ``card-N-M.webp`` the picture of card M of photo N, both as ``LessonCard`` has them.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from scorer.errors import DeckError
from vision.images.decode import decode_photo, load_photo
from vision.images.jpeg import to_jpeg, to_webp
from vision.teach.photos import LookedAt, cards_of, upside_down
from vision.teach.taught import TaughtCard
from vision.values import Frame
from webui.decks.lesson import MOST_PHOTOS, Lesson, LessonCard, LessonPhoto, stored_card, stored_note
from webui.decks.taught import TaughtDecks
from webui.storage.errors import disk_errors
from webui.storage.files.atomic_files import read_file, replace_file
from webui.storage.files.deck_files import remove_tree
from webui.storage.files.photo_files import PREVIEW_SIDE

TEACHING, LESSON = "teaching", "lesson.json"
_QUALITY = 80
_MAX_LESSON = 4 * 1024**2
Found = Callable[[Path, Frame], LookedAt]
"""What was found in a photo: read from the file of that path, or found anew and written there."""
_changing = threading.RLock()
_log = logging.getLogger(__name__)


class LessonChanged(Exception):
    """Someone else answered meanwhile."""


class Lessons:
    """The lessons of a data folder, one a deck at a time. Thread-safe.

    Every method raises StorageError where the disk does not take or give what it should.

    Args:
        decks: the household's decks.
    """

    def __init__(self, decks: TaughtDecks) -> None:
        self._decks = decks

    def of(self, id: str) -> Lesson:
        """The lesson of a deck; an empty one where nothing was shown yet, or its file is damaged.

        Raises:
            DeckError: there is no such deck.
        """
        path = self._folder(id) / LESSON
        try:
            return Lesson.model_validate_json(read_file(path, _MAX_LESSON))
        except FileNotFoundError:
            return Lesson()
        except (OSError, ValidationError, ValueError) as error:
            _log.warning("the lesson of a deck cannot be read: %s", error)
            return Lesson()

    def begin(self, id: str, just_jokers: bool) -> None:
        """Begins a new lesson, in place of one that there may be."""
        with self._changes(id):
            remove_tree(self._folder(id))
            self._write(id, Lesson(just_jokers=just_jokers))

    def end(self, id: str) -> None:
        """Removes a lesson with its photos."""
        with self._changes(id):
            remove_tree(self._folder(id))

    def change(self, id: str, change: Callable[[Lesson], Lesson], version: int | None = None) -> Lesson:
        """Changes the answers.

        Args:
            id: the deck.
            change: gives the changed lesson.
            version: that of the lesson that was shown, None for any.

        Raises:
            DeckError: there is no such deck, or ``change`` raises it.
            LessonChanged: the lesson is not the one that was shown.
        """
        with self._changes(id):
            lesson = self.of(id)
            if version is not None and version != lesson.version:
                raise LessonChanged
            changed = change(lesson)
            if changed != lesson:
                self._write(id, changed)
            return changed

    def look_at(
        self, id: str, frame: Frame, file: bytes, find: Found, after: Sequence[LessonPhoto]
    ) -> LessonPhoto | None:
        """Keeps a photo and finds the cards in it; ``add`` makes it a part of the lesson.

        Args:
            id: the deck.
            frame: the photo.
            file: its file.
            find: finds cards.
            after: photos that are to be added before it.

        Returns:
            None where the photo is there already.

        Raises:
            DeckError: there is no such deck, or there are ``MOST_PHOTOS`` photos.
        """
        digest = hashlib.sha256(file).hexdigest()
        lesson, folder = self.of(id), self._folder(id)
        photos = (*lesson.photos, *after)
        if any(photo.sha256 == digest for photo in photos):
            return None
        if len(photos) >= MOST_PHOTOS:
            raise DeckError(f"expected {MOST_PHOTOS} photos or fewer")
        number = lesson.next_photo + len(after)
        with disk_errors("the photo cannot be kept"):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"photo-{number}.json").unlink(missing_ok=True)
            replace_file(folder / f"photo-{number}.jpg", file)
            replace_file(folder / f"photo-{number}-view.jpg", to_jpeg(frame.pixels, PREVIEW_SIDE))
            find(folder / f"photo-{number}.json", frame)
        return LessonPhoto(id=number, width=frame.width, height=frame.height, source=frame.source[:200], sha256=digest)

    def add(self, id: str, photos: Sequence[LessonPhoto], find: Found) -> None:
        """Adds photos that were looked at; answers so far stay.

        Raises:
            DeckError: there is no such deck.
            PhotoError: the lesson was begun anew meanwhile.
        """
        with self._changes(id):
            lesson = self.of(id)
            added = (*lesson.photos, *photos)
            next_photo = max([lesson.next_photo, *(photo.id + 1 for photo in photos)])
            self._lay_out(id, lesson.model_copy(update={"photos": added, "next_photo": next_photo}), find)

    def remove_photo(self, id: str, photo: int, find: Found) -> None:
        """Removes a photo; what was said of its cards is forgotten, what was said of the others is not."""
        with self._changes(id):
            lesson = self.of(id)
            photos = tuple(one for one in lesson.photos if one.id != photo)
            if photos == lesson.photos:
                return
            self._lay_out(id, lesson.model_copy(update={"photos": photos}), find)
            for path in self._folder(id).glob(f"photo-{photo}*"):
                path.unlink(missing_ok=True)
            for path in self._folder(id).glob(f"card-{photo}-*"):
                path.unlink(missing_ok=True)

    def turn(self, id: str, card: int) -> None:
        """Turns the picture of a card upside down.

        Raises:
            DeckError: there is no such card.
        """

        def turned(lesson: Lesson) -> Lesson:
            own = lesson.checked(card)
            path = self.picture(id, own)
            pixels = decode_photo(path.read_bytes(), path.name).pixels
            replace_file(path, to_webp(np.ascontiguousarray(pixels[::-1, ::-1]), _QUALITY))
            a, b, c, d = own.quad
            changed = own.model_copy(update={"quad": (c, d, a, b), "turn_unsure": False})
            cards = (*lesson.cards[:card], changed, *lesson.cards[card + 1 :])
            numbers = lesson.answers.turned
            marked = tuple(n for n in numbers if n != card) if card in numbers else (*numbers, card)
            answers = lesson.answers.model_copy(update={"turned": marked})
            return lesson.model_copy(update={"cards": cards, "answers": answers, "version": lesson.version + 1})

        self.change(id, turned)

    def picture(self, id: str, card: LessonCard) -> Path:
        """The picture of a card, a WebP file."""
        return self._folder(id) / f"card-{card.photo}-{card.place}.webp"

    def picture_bytes(self, id: str, card: LessonCard) -> bytes:
        """The file of the picture of a card.

        Raises:
            DeckError: there is no such deck.
        """
        with disk_errors("the picture of a card cannot be read"):
            return self.picture(id, card).read_bytes()

    def view(self, id: str, photo: int) -> Path:
        """The preview of a photo, a JPEG file."""
        return self._folder(id) / f"photo-{photo}-view.jpg"

    def _lay_out(self, id: str, lesson: Lesson, find: Found) -> None:
        """Makes the pictures of all cards anew, as they depend on all photos, and writes the lesson."""
        folder, before = self._folder(id), self.of(id)
        frames = [load_photo(folder / f"photo-{photo.id}.jpg", photo.source) for photo in lesson.photos]
        found = [
            find(folder / f"photo-{photo.id}.json", frame) for photo, frame in zip(lesson.photos, frames, strict=True)
        ]
        shown = cards_of(frames, found, lesson.faces(self._decks.get(id).profile))
        places = [0] * len(frames)
        cards: list[LessonCard] = []
        for card in shown.cards:
            cards.append(stored_card(card, lesson.photos[card.photo].id, places[card.photo]))
            places[card.photo] += 1
        now = {(card.photo, card.place): n for n, card in enumerate(cards)}
        moved = {n: now[key] for n, card in enumerate(before.cards) if (key := (card.photo, card.place)) in now}
        answers = before.renumbered(moved)
        for n, (stored, taught) in enumerate(zip(cards, shown.cards, strict=True)):
            if n in answers.turned:
                cards[n] = stored_card(upside_down(taught), stored.photo, stored.place)
            self._write_picture(id, cards[n], upside_down(taught) if n in answers.turned else taught)
        gone = len(lesson.photos) < len(before.photos)
        self._write(
            id,
            lesson.model_copy(
                update={
                    "cards": tuple(cards),
                    "notes": tuple(stored_note(note, lesson.photos) for note in shown.notes),
                    "same": shown.same,
                    "answers": answers,
                    "before": () if gone else before.before,
                    "version": before.version + 1,
                }
            ),
        )

    def _write_picture(self, id: str, card: LessonCard, taught: TaughtCard) -> None:
        replace_file(self.picture(id, card), to_webp(taught.picture, _QUALITY))

    def _write(self, id: str, lesson: Lesson) -> None:
        self._folder(id).mkdir(parents=True, exist_ok=True)
        replace_file(self._folder(id) / LESSON, lesson.model_dump_json().encode())

    def _folder(self, id: str) -> Path:
        return self._decks.get(id).folder / TEACHING

    @contextmanager
    def _changes(self, id: str) -> Iterator[None]:
        with _changing, disk_errors("what you showed cannot be kept"):
            self._decks.get(id)
            yield
