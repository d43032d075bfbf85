"""The job of the photo queue that finds the cards in photos that teach a deck."""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from pathlib import Path
from typing import Any

from scorer.errors import DeckError
from vision.arrays import floats
from vision.errors import PhotoError, VisionError
from vision.teach.outlines import Outlines
from vision.teach.photos import LookedAt, look_at
from vision.values import Frame
from webui.decks.lesson import MOST_PHOTOS, LessonPhoto
from webui.decks.lesson_files import Lessons
from webui.reading import camera_jpegs
from webui.reading.photo_jobs import Decode, sentence_of
from webui.reading.photo_queue import JobTargetGone, Outcome
from webui.reading.reader_service import ReaderService
from webui.rounds.stored_reading import parse_reading, reading_document
from webui.storage.errors import StorageError
from webui.storage.files.atomic_files import read_json, replace_file
from webui.storage.files.job_files import StoredJob
from webui.translation import _
from webui.wording import photo_name

_OUTLINES = ("quads", "cut_off", "overlapping")
_log = logging.getLogger(__name__)


class TeachJob:
    """The handler of photos that teach a deck.

    Args:
        lessons: where they belong.
        reader: reads what it knows of the cards.
        decode: decodes photos that were sent.
    """

    def __init__(self, lessons: Lessons, reader: ReaderService, decode: Decode) -> None:
        self._lessons, self._reader, self._decode = lessons, reader, decode

    def read(self, stored: StoredJob) -> Outcome:
        """Adds photos that were sent, or one that the camera took, to the lesson of a deck.

        Raises:
            JobTargetGone: the deck is not there any more.
        """
        deck, sentences = stored.job.about["deck"], list[str]()
        photos = stored.photos()
        if stored.job.about["shot"]:
            frames, data = camera_jpegs.decode_frames(photos)
            photos = iter([(data, frames[0].source)])
        added: list[LessonPhoto] = []
        for data, name in photos:
            try:
                frame, file = self._decode(data, name)
                found = self._lessons.look_at(deck, frame, file, self.find, added)
                if found is not None:
                    added.append(found)
                elif stored.tries == 1:
                    sentences.append(_("%(photo)s is already here, so it was not added again.", photo=photo_name(name)))
            except VisionError as error:
                sentences.append(sentence_of(error))
            except DeckError:
                self._require(deck)
                full = _(
                    "Up to %(most)s photos fit. %(photo)s was not added: remove another first.",
                    most=MOST_PHOTOS,
                    photo=photo_name(name),
                )
                sentences.append(full)
            except StorageError:
                raise
            except Exception:
                _log.exception("a photo of cards could not be looked at")
                sentences.append(_("Something went wrong with a photo. Send it again."))
        if added:
            try:
                self._lessons.add(deck, added, self.find)
            except PhotoError:  # begun anew, or removed, meanwhile
                sentences.append(_("You started over meanwhile. Send the photos again."))
        return Outcome(stored.job.target, sentences)

    def find(self, path: Path, frame: Frame) -> LookedAt:
        """What was found in a photo: as the file ``path`` says, or found now and written there.

        Raises:
            WeightsError: the reader cannot be loaded.
            OSError: the disk does not take it.
        """
        with suppress(ValueError, KeyError, TypeError, AttributeError):
            return _parsed(read_json(path))
        document = _document(look_at(frame, self._reader.get().read))
        replace_file(path, json.dumps(document).encode())
        return _parsed(document)  # as it will be read

    def _require(self, deck: str) -> None:
        try:
            self._lessons.of(deck)
        except DeckError as error:
            raise JobTargetGone(f"the deck {deck} is not there any more") from error


def _document(found: LookedAt) -> dict[str, Any]:
    outlines = {name: getattr(found.outlines, name).tolist() for name in _OUTLINES}
    return {"outlines": outlines, "reading": reading_document(found.reading)}


def _parsed(document: dict[str, Any]) -> LookedAt:
    quads = (floats(document["outlines"][name]).reshape(-1, 4, 2) for name in _OUTLINES)
    return LookedAt(Outlines(*quads), parse_reading(document["reading"]))
