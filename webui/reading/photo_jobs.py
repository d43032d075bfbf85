"""Photos of a side of a round: where they go, and reading them once it is their turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from flask import url_for

from scorer.rules import RuleSet, load_rules
from vision.errors import PhotoError, VisionError, WeightsError
from vision.images.decode import decode_photo
from vision.images.jpeg import to_jpeg
from vision.values import Frame, Reading
from webui.context.lookups import find_round, find_view
from webui.context.services import services
from webui.reading import camera_jpegs
from webui.reading.photo_queue import Outcome, does
from webui.reading.reader_service import house_rules, read_together
from webui.reading.split_by_zone import share_out
from webui.reading.zones import Zones
from webui.storage.job_files import StoredJob
from webui.storage.photo_files import PREVIEW_SIDE
from webui.storage.records import GameRecord, PhotoRecord, RoundRecord
from webui.wording import counted


@dataclass(frozen=True, slots=True)
class Place:
    """Where photos go: a side of a round, and whose left-over cards they show (None: the table)."""

    game: GameRecord
    record: RoundRecord
    rules: RuleSet
    side: int
    player: int | None
    again: bool = False
    """Whether this was begun before, so that some of it may be done."""

    @classmethod
    def of(cls, waiting: StoredJob) -> Place:
        """Where photos go that waited; answers 404 where that is no more."""
        about = waiting.job.about
        game, record = find_round(about["game"], about["number"])
        rules = load_rules(game.rules)
        return cls(game, record, rules, about["side"], about["player"], again=waiting.tries > 1)

    @property
    def about(self) -> dict[str, Any]:
        """What ``of`` needs to know, for photos that wait."""
        return {"game": self.game.id, "number": self.record.number, "side": self.side, "player": self.player}

    @property
    def target(self) -> str:
        """The page of its cards; the first player's are seen without scrolling, and the steps above them too."""
        step = "side.show" if self.player is None else "side.left"
        anchor = f"player{self.player}" if self.player else None
        return url_for(step, game_id=self.game.id, number=self.record.number, side=self.side, _anchor=anchor)

    def outcome(self, parts: Iterable[Callable[[], str | None]]) -> Outcome:
        """Does each part; one that fails gets its sentence and the others are done all the same."""
        sentences = []
        for part in parts:
            try:
                said = part()
            except VisionError as error:
                said = sentence_of(error)
            if said:
                sentences.append(said)
        return Outcome(self.target, sentences)


@does("sent")
def _read_sent(waiting: StoredJob) -> Outcome:
    place = Place.of(waiting)

    def add(data: bytes, name: str) -> str | None:
        frame, kept = services().photo_queue.decode(data, name)
        return _add(place, [frame], kept)

    return place.outcome(partial(add, *one) for one in waiting.photos())


@does("shot")
def _read_shot(waiting: StoredJob) -> Outcome:
    place = Place.of(waiting)
    return place.outcome([lambda: _add(place, *camera_jpegs.from_files(waiting.photos()))])


@does("shot-whole")
def _read_whole(waiting: StoredJob) -> Outcome:
    """A part without a card is not kept, as nobody has said that nothing lies there."""
    place, zones = Place.of(waiting), Zones(**waiting.job.about["zones"])
    sides, rules, players = place.game.sides, place.rules, place.game.players
    whose: list[tuple[int, int | None]] = [(side, None) for side in range(len(sides))]
    boxes = [zones.box(side, left=False) for side, _ in whose]
    fields = zones.fields([len(side.players) for side in sides]) if zones.strip else []
    boxes += [zones.field(field, len(fields)) for field in range(len(fields))]
    try:
        frames, _ = camera_jpegs.from_files(waiting.photos())
        shared = share_out(frames[0], _read(frames, rules, players), boxes, house_rules(rules, players))
    except VisionError as error:
        return Outcome(place.target, [sentence_of(error)])
    seen, parts = [], []
    for (side, player), (frame, reading) in zip([*whose, *fields], shared, strict=True):
        where = replace(place, side=side, player=player)
        name = sides[side].name if player is None else f"what {sides[side].players[player]} has left"
        seen.append(f"{name}: {counted(len(reading.cards), 'card') if reading.cards else 'no cards'}")
        if reading.cards:
            parts.append(partial(_add, where, [frame], to_jpeg(frame.pixels, quality=camera_jpegs.QUALITY), reading))
    return replace(place.outcome(parts), good=f"Read from one picture. {'; '.join(seen)}.")


@does("again")
def _read_again(waiting: StoredJob) -> Outcome:
    place, store = Place.of(waiting), services().store
    photo = store.rounds.find_photo(waiting.job.about["photo"])
    assert photo is not None, "photos are never removed"

    def read() -> None:
        try:
            frame = decode_photo(store.files.path(photo.file).read_bytes(), photo.source)
        except OSError as error:
            raise PhotoError("The file of this photo is not there any more; remove it and take it again") from error
        store.rounds.set_reading(photo.id, _read([frame], place.rules, place.game.players).as_json())

    return place.outcome([read])


def _add(place: Place, frames: Sequence[Frame], data: bytes, known: Reading | None = None) -> str | None:
    """Keeps the first of these pictures with their reading, or without where the reader cannot be had.

    With ``known`` they have been read already.

    Returns:
        A sentence where it could not be read.

    Raises:
        PhotoError: the same photo is already there.
    """
    store, frame = services().store, frames[0]
    file = store.files.add(data, to_jpeg(frame.pixels, PREVIEW_SIDE))
    shown = find_view(place.game.id, place.record.number).sides[place.side]
    if any(photo.file == file for photo in shown.photos):
        if place.again:
            return None
        raise PhotoError(f"{frame.source} is already here and was not added again, or its cards would count twice.")
    reading, said = None, None
    try:
        reading = (known or _read(frames, place.rules, place.game.players)).as_json()
    except WeightsError as error:
        said = f"The photo is kept, but it could not be read: {sentence_of(error)}"
    photo = PhotoRecord(
        id=0,
        side=place.side,
        player=place.player,
        file=file,
        width=frame.width,
        height=frame.height,
        source=frame.source,
        taken_at=frame.taken_at.isoformat(timespec="seconds"),
        reading=reading,
    )
    store.rounds.add_photo(place.record.id, photo)
    return said


def _read(frames: Sequence[Frame], rules: RuleSet, players: int) -> Reading:
    return read_together(services().reader.get(), frames, house_rules(rules, players))


def sentence_of(error: VisionError) -> str:
    """The error's message as a sentence on the page."""
    return str(error).rstrip(".") + "."
