"""The job of the photo queue that reads the photo of a first meld and stores it."""

from __future__ import annotations

from scorer.rules import load_rules
from vision.errors import VisionError
from vision.images.jpeg import to_jpeg
from webui.decks.picture_cards import PictureCards
from webui.reading import camera_jpegs
from webui.reading.known_looks import KnownLooks
from webui.reading.photo_jobs import Decode, sentence_of
from webui.reading.photo_queue import JobTargetGone, Outcome
from webui.reading.reader_service import ReaderService, house_rules_of, read_together
from webui.rounds.stored_reading import reading_document
from webui.storage.files.job_files import StoredJob
from webui.storage.files.photo_files import PREVIEW_SIDE
from webui.storage.records import FirstMeldRecord
from webui.storage.store import Store


class FirstMeldJob:
    """The handler of photos of a first meld. Its arguments are those of ``PhotoJobs``."""

    def __init__(
        self, store: Store, reader: ReaderService, decode: Decode, pictures: PictureCards, looks: KnownLooks
    ) -> None:
        self._store, self._reader, self._decode, self._pictures = store, reader, decode, pictures
        self._looks = looks

    def read(self, stored: StoredJob) -> Outcome:
        """Reads the photo of a first meld, sent or taken by the camera.

        Raises:
            JobTargetGone: the game is not stored any more.
            RulesError: its rule set cannot be loaded.
        """
        about = stored.job.about
        game = self._store.game(about["game"])
        if game is None:
            raise JobTargetGone(f"game {about['game']} is not stored any more")
        rules = load_rules(game.rules)
        try:
            if about["shot"]:
                frames, data = camera_jpegs.decode_frames(stored.photos())
            else:
                frame, data = self._decode(*next(stored.photos()))
                frames = [frame]
            house = house_rules_of(game, rules)
            taught, looks = self._pictures.of(game.decks), self._looks.of(game)
            reading, _ = read_together(self._reader.get(), frames, house, taught, looks)
        except VisionError as error:
            return Outcome(stored.job.target, [sentence_of(error)])
        meld = FirstMeldRecord(
            id=0,
            game_id=game.id,
            round=about["number"],
            side=about["side"],
            file=self._store.files.add(data, to_jpeg(frames[0].pixels, PREVIEW_SIDE)),
            width=frames[0].width,
            height=frames[0].height,
            reading=reading_document(reading),
            faces=tuple({"face": str(card.face), "index": index} for index, card in enumerate(reading.cards)),
        )
        return Outcome(stored.job.target, first_meld=self._store.first_melds.add(meld))
