"""Jobs of the photo queue that read photos of a side of a round and store them with their readings.

They run outside of any request; a handler gets a stored job and returns its outcome.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from scorer.rules import RulesError, RuleSet, load_rules
from scorer.sheets import SheetError
from vision.errors import CameraError, PhotoError, VisionError, WeightsError
from vision.images.decode import decode_photo
from vision.images.jpeg import to_jpeg
from vision.looks.looks import SeenIndices
from vision.values import Frame, HouseRules
from webui.decks.picture_cards import PictureCards
from webui.games.seating import sides_now
from webui.reading import camera_jpegs
from webui.reading.known_looks import KnownLooks
from webui.reading.photo_queue import JobTargetGone, Outcome
from webui.reading.reader_service import Read, ReaderService, house_rules_of, read_together
from webui.reading.split_by_zone import split_by_zone
from webui.reading.zones import Zones
from webui.rounds.stored_reading import reading_document
from webui.storage.errors import StorageError, reason
from webui.storage.files.job_files import Job, StoredJob
from webui.storage.files.photo_files import PREVIEW_SIDE
from webui.storage.records import GameRecord, PhotoRecord, RoundRecord
from webui.storage.store import Store
from webui.translation import _
from webui.wording import cards_text, photo_name

_log = logging.getLogger(__name__)
Decode = Callable[[bytes, str], tuple[Frame, bytes]]
"""Decodes the file of a photo by its name: its pixels, and the file to store. Raises PhotoError."""


@dataclass(frozen=True, slots=True)
class PhotoTarget:
    """The side of a round that photos belong to, and the player whose left-over cards they show (None: the table)."""

    game: GameRecord
    record: RoundRecord
    rules: RuleSet
    side: int
    player: int | None

    @property
    def house_rules(self) -> HouseRules:
        """The rules of the game and the cards in play, as the reader needs them."""
        return house_rules_of(self.game, self.rules)

    @property
    def about(self) -> dict[str, Any]:
        """This target as a job stores it; ``PhotoJobs`` reads it back."""
        return {"game": self.game.id, "number": self.record.number, "side": self.side, "player": self.player}


def photos_waiting(jobs: Iterable[Job], game_id: int, number: int) -> int:
    """How many of these jobs are to read photos of a round; a first meld's photo is none of its cards."""
    abouts = [job.about for job in jobs if "player" in job.about]
    return sum((about["game"], about["number"]) == (game_id, number) for about in abouts)


class PhotoJobs:
    """The handlers of photos of a round.

    Args:
        store: where photos and readings are stored.
        reader: reads the cards.
        decode: decodes photos that were sent.
        pictures: the jokers and picture cards that the household taught.
        looks: what agreed rounds taught.
    """

    def __init__(
        self, store: Store, reader: ReaderService, decode: Decode, pictures: PictureCards, looks: KnownLooks
    ) -> None:
        self._store, self._reader, self._decode, self._pictures = store, reader, decode, pictures
        self._looks = looks

    def read_sent(self, stored: StoredJob) -> Outcome:
        """Reads photos that were sent, each by itself."""
        target = self._target(stored)

        def add(data: bytes, name: str) -> str | None:
            frame, file = self._decode(data, name)
            return self._add(target, [frame], file, retry=stored.tries > 1)

        return _outcome(stored, (partial(add, *photo) for photo in stored.photos()))

    def read_shot(self, stored: StoredJob) -> Outcome:
        """Reads pictures that the camera took of the same cards as one photo."""
        target, retry = self._target(stored), stored.tries > 1
        return _outcome(stored, [lambda: self._add(target, *camera_jpegs.decode_frames(stored.photos()), retry=retry)])

    def read_whole_table(self, stored: StoredJob) -> Outcome:
        """Reads one picture of the whole marked table and splits it by zone.

        A part without a card is not stored, as nobody has said that nothing lies there.
        """
        target, zones = self._target(stored), Zones(**stored.job.about["zones"])
        sides = sides_now(target.game, target.record)
        owners: list[tuple[int, int | None]] = [(side, None) for side in range(len(sides))]
        boxes = [zones.box(side, left=False) for side, _ in owners]
        fields = zones.fields([len(side.players) for side in sides]) if zones.strip else []
        boxes += [zones.field(index, len(fields)) for index in range(len(fields))]
        try:
            frames, _sizes = camera_jpegs.decode_frames(stored.photos())
            reading, seen = self._read(frames, target)
            parts = split_by_zone(frames[0], reading, boxes, target.house_rules, seen)
        except VisionError as error:
            return Outcome(stored.job.target, [sentence_of(error)])
        counts, additions = [], []
        for (side, player), (frame, part, seen) in zip([*owners, *fields], parts, strict=True):
            name = (
                sides[side].name
                if player is None
                else _("cards %(player)s has left", player=sides[side].players[player])
            )
            counts.append(f"{name}: {cards_text(len(part.cards)) if part.cards else _('no cards')}")
            if part.cards:
                part_target = replace(target, side=side, player=player)
                file = to_jpeg(frame.pixels, quality=camera_jpegs.QUALITY)
                additions.append(partial(self._add, part_target, [frame], file, (part, seen), retry=stored.tries > 1))
        return replace(
            _outcome(stored, additions),
            success=_("Read both sides from one picture. %(counts)s.", counts="; ".join(counts)),
        )

    def read_again(self, stored: StoredJob) -> Outcome:
        """Reads a photo that was stored when the reader could not be loaded."""
        target = self._target(stored)
        photo = self._store.rounds.find_photo(stored.job.about["photo"])
        if photo is None:
            raise JobTargetGone(f"photo {stored.job.about['photo']} is not stored any more")

        def read() -> None:
            try:
                frame = decode_photo(self._store.files.path(photo.file).read_bytes(), photo_name(photo.source))
            except OSError as error:
                raise PhotoError(_("The file of this photo is gone; remove it and take it again")) from error
            reading, seen = self._read([frame], target)
            self._keep_looks(target, photo.file, seen)
            self._store.rounds.set_reading(photo.id, reading_document(reading))

        return _outcome(stored, [read])

    def _target(self, stored: StoredJob) -> PhotoTarget:
        """Where the photos of a job belong.

        Raises:
            JobTargetGone: that game or round is not stored any more.
            RulesError: the game's rule set cannot be loaded.
        """
        about = stored.job.about
        game, record = self._find_round(about["game"], about["number"])
        return PhotoTarget(game, record, load_rules(game.rules), about["side"], about["player"])

    def _add(
        self, target: PhotoTarget, frames: Sequence[Frame], data: bytes, read: Read | None = None, *, retry: bool
    ) -> str | None:
        """Stores the first of these pictures with their reading, or without if the reader cannot be loaded.

        Args:
            target: where the photo belongs.
            frames: pictures of the same cards.
            data: the file of the first.
            read: what was read in them, if they were read already.
            retry: whether the job was begun before, so that the photo may be stored already.

        Returns:
            A sentence if the photo could not be read, or if it was stored already but not whole.

        Raises:
            PhotoError: the same photo is stored there already, and was read.
        """
        store, frame = self._store, frames[0]
        was_whole = store.files.holds(data)
        file = store.files.add(data, to_jpeg(frame.pixels, PREVIEW_SIDE))
        document, error_sentence = None, None
        held = self._stored(file, target)
        if held is None or held.reading is None:
            try:
                reading, seen = read or self._read(frames, target)
                document = reading_document(reading)
                self._keep_looks(target, file, seen)
            except WeightsError as error:
                error_sentence = _("The photo is saved, but it could not be read: %(why)s", why=sentence_of(error))
        if held is not None:
            if held.reading is None:
                if document is not None:
                    store.rounds.set_reading(held.id, document)
                return error_sentence
            if retry:
                return None
            if not was_whole:
                return _(
                    "%(photo)s was missing and is back. Its cards count once, as before.",
                    photo=photo_name(frame.source),
                )
            raise PhotoError(
                _(
                    "%(photo)s is already here, so it was not added again. Its cards count only once.",
                    photo=photo_name(frame.source),
                )
            )
        _game, record = self._find_round(target.game.id, target.record.number)  # it may have gone while this was read
        store.rounds.add_photo(record.id, _record(target, frame, file, document))
        return error_sentence

    def _stored(self, file: str, target: PhotoTarget) -> PhotoRecord | None:
        """The photo if it counts for that side already; the round may have changed since the job was begun."""
        return self._store.rounds.find_file(target.record.id, target.side, file)

    def _find_round(self, game_id: int, number: int) -> tuple[GameRecord, RoundRecord]:
        game = self._store.game(game_id)
        record = game.round(number) if game else None
        if game is None or record is None:
            raise JobTargetGone(f"round {number} of game {game_id} is not stored any more")
        return game, record

    def _read(self, frames: Sequence[Frame], target: PhotoTarget) -> Read:
        taught = self._pictures.of(target.game.decks)
        looks = self._looks.of(target.game)
        return read_together(self._reader.get(), frames, target.house_rules, taught, looks)

    def _keep_looks(self, target: PhotoTarget, file: str, seen: SeenIndices | None) -> None:
        """Keeps what was detected in a photo until its round is agreed; where that fails, the round teaches nothing."""
        if seen is None or target.game.practice:
            return
        try:
            self._store.looks.keep(target.record.id, file, seen.to_bytes())
        except OSError as error:
            _log.warning("what the cards of a photo look like was not kept: %s", reason(error))


def sentence_of(error: VisionError) -> str:
    """The message of an error as a sentence for the page; one about a photo begins with the photo's name."""
    text = str(error).rstrip(".") + "."
    return text[0].upper() + text[1:] if isinstance(error, CameraError) else text


def _outcome(stored: StoredJob, parts: Iterable[Callable[[], str | None]]) -> Outcome:
    """Runs every part of a job; one that fails adds its sentence, and the others are run all the same."""
    sentences = []
    for part in parts:
        try:
            sentence = part()
        except VisionError as error:
            sentence = sentence_of(error)
        except (StorageError, RulesError, SheetError, JobTargetGone):
            raise
        except Exception:
            _log.exception("a photo could not be read")
            sentence = _("Something went wrong with a photo. Send it again.")
        if sentence:
            sentences.append(sentence)
    return Outcome(stored.job.target, sentences)


def _record(target: PhotoTarget, frame: Frame, file: str, document: dict[str, Any] | None) -> PhotoRecord:
    return PhotoRecord(
        id=0,
        side=target.side,
        player=target.player,
        file=file,
        width=frame.width,
        height=frame.height,
        source=photo_name(frame.source),
        taken_at=frame.taken_at.isoformat(timespec="seconds"),
        reading=document,
    )
