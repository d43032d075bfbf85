"""One side's cards: its photos with every card outlined, the groups beside them, and taking or sending photos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flask import Blueprint, abort, flash, jsonify, redirect, request, url_for
from werkzeug.wrappers import Response

from scorer.rules import RuleSet, load_rules
from vision.errors import PhotoError, VisionError, WeightsError
from vision.overlay import to_jpeg
from vision.photos import decode_photo
from vision.values import Frame, Reading
from webui.eyes import house_rules, read_together
from webui.facts import TABLE, nothing_there
from webui.house import find_round, find_view, house, seen
from webui.mending.table import left_id
from webui.outline import labels, outlines
from webui.pages.stepping import render_step, step_address
from webui.play import SideView
from webui.steps import next_step, step_at, steps_of
from webui.storage.records import GameRecord, PhotoRecord, RoundRecord
from webui.zones import load_zones

page = Blueprint("side", __name__, url_prefix="/game/<int:game_id>/round/<int:number>/side/<int:side>")

_VIEW_SIDE = 2000
_CAMERA_QUALITY = 95
_LONGEST_NAME = 60
_BY_SCRIPT = "X-Handfoot-Script"


@page.get("/")
def show(game_id: int, number: int, side: int) -> str:
    """The cards on the table."""
    return _show(game_id, number, side, left=False)


@page.get("/left")
def left(game_id: int, number: int, side: int) -> str:
    """What the side's players have left in hand and foot."""
    return _show(game_id, number, side, left=True)


def _show(game_id: int, number: int, side: int, left: bool) -> str:
    view = find_view(game_id, number)
    if side >= len(view.sides):
        abort(404, "There is no such side in this game; go back to the round.")
    shown = view.sides[side]
    return render_step(
        "side/side.html",
        view,
        "left" if left else "table",
        side,
        side=shown,
        left=left,
        here=view.address(side),
        drawn={photo.id: outlines(shown.table, photo) for photo in shown.photos},
        labels=labels,
        lit=(),
        warnings=_warnings(shown),
    )


@page.post("/nothing")
def nothing(game_id: int, number: int, side: int) -> Response:
    """Keeps that a side has nothing on the table, or a player nothing left; goes on to the next step."""
    place = _place(game_id, number, side)
    where = TABLE if place.player is None else left_id(place.player)
    house().store.change_facts(place.record.id, lambda held: nothing_there(held, side, where), seen())
    view = find_view(game_id, number)
    steps = steps_of(view)
    here = step_at(steps, "table" if place.player is None else "left", side)
    return redirect(step_address(view, here if not here.done else next_step(steps, here)), 303)


@page.post("/photos")
def send(game_id: int, number: int, side: int) -> Response:
    """Adds the photos that came; one that cannot be read gets its sentence and the others still count."""
    place = _place(game_id, number, side)
    files = [file for file in request.files.getlist("photos") if file.filename]
    if not files:
        flash("No photo was chosen; choose one or more and send them again.")
    for file in files:
        name = _file_name(file.filename or "")
        data = file.read()
        try:
            _add(place, [decode_photo(data, name)], data)
        except VisionError as error:
            flash(_sentence(error))
    return place.back()


@page.post("/shoot")
def shoot(game_id: int, number: int, side: int) -> Response:
    """Takes a picture with the attached camera."""
    place = _place(game_id, number, side)
    try:
        zones, left = load_zones(house().settings.data_dir), place.player is not None
        if len(place.game.sides) != 2:
            zones = replace(zones, first=None)
        frames = house().camera.shoot(lambda table: zones.part(table, side, left))
        _add(place, frames, to_jpeg(frames[0].pixels, quality=_CAMERA_QUALITY))
    except VisionError as error:
        flash(_sentence(error))
    return place.back()


@page.post("/photo/<int:photo_id>/read")
def read_again(game_id: int, number: int, side: int, photo_id: int) -> Response:
    """Reads a photo that was kept when the reader was not to be had."""
    place = _place(game_id, number, side)
    photo = next((held for held in place.record.photos if held.id == photo_id and held.side == side), None)
    if photo is None:
        abort(404, "There is no such photo on this side; go back to its cards.")
    store = house().store
    try:
        frame = decode_photo(store.files.path(photo.file).read_bytes(), photo.source)
        store.keep_reading(photo.id, _read([frame], place.rules, place.game.players).as_json())
    except OSError:
        flash("The file of this photo is not there any more; remove it and take it again.")
    except VisionError as error:
        flash(_sentence(error))
    return place.back()


@dataclass(frozen=True, slots=True)
class _Place:
    """Where photos go: a side of a round, and whose left-over cards they show (None: the table)."""

    game: GameRecord
    record: RoundRecord
    rules: RuleSet
    side: int
    player: int | None

    def back(self) -> Response:
        # the first player's cards are seen without scrolling, and the steps above them too
        endpoint, anchor = (
            (".show", None) if self.player is None else (".left", f"player{self.player}" if self.player else None)
        )
        target = url_for(endpoint, game_id=self.game.id, number=self.record.number, side=self.side, _anchor=anchor)
        if request.headers.get(_BY_SCRIPT):  # it goes there itself, so that what is flashed is seen
            return jsonify(next=target)
        return redirect(target, 303)


def _place(game_id: int, number: int, side: int) -> _Place:
    game, record = find_round(game_id, number)
    if side >= len(game.sides):
        abort(404, "There is no such side in this game; go back to the round.")
    player = request.form.get("player", type=int)
    if player is not None and not 0 <= player < len(game.sides[side].players):
        abort(404, "There is no such player on this side; go back to its cards.")
    return _Place(game, record, load_rules(game.rules), side, player)


def _add(place: _Place, frames: Sequence[Frame], data: bytes) -> None:
    """Keeps the first of these pictures with their reading, or without where the reader cannot be had, and says so.

    Raises:
        PhotoError: the same photo is already there.
    """
    store, frame = house().store, frames[0]
    file = store.files.keep(data, to_jpeg(frame.pixels, _VIEW_SIDE))
    shown = find_view(place.game.id, place.record.number).sides[place.side]
    if any(photo.file == file for photo in shown.photos):
        raise PhotoError(f"{frame.source} is already here and was not added again, or its cards would count twice.")
    try:
        reading = _read(frames, place.rules, place.game.players).as_json()
    except WeightsError as error:
        reading = None
        flash(f"The photo is kept, but it could not be read: {_sentence(error)}")
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
    store.add_photo(place.record.id, photo)


def _read(frames: Sequence[Frame], rules: RuleSet, players: int) -> Reading:
    return read_together(house().eyes.get(), frames, house_rules(rules, players))


def _file_name(given: str) -> str:
    """What to call a photo that was sent: its name without folders, on one line."""
    return " ".join(given.replace("\\", "/").rsplit("/", 1)[-1].split())[:_LONGEST_NAME] or "the photo"


def _sentence(error: VisionError) -> str:
    """The error's message as a sentence on the page."""
    return str(error).rstrip(".") + "."


def _warnings(side: SideView) -> dict[int, list[str]]:
    """What a person can do about each photo, in sentences; a photo without cards says so first."""
    found: dict[int, list[str]] = {}
    for photo in side.photos:
        if photo.reading is None:
            found[photo.id] = ["This photo has not been read yet."]
            continue
        sentences = [notice["message"] for notice in photo.reading["warnings"]]
        if not photo.reading["cards"] and not sentences:
            sentences = [
                "No cards were seen in this photo. Take it again closer and in better light, or add the cards by hand."
            ]
        if again := side.table.again.get(photo.id):
            cards = "One of these cards is" if again == 1 else f"{again} of these cards are"
            sentences.append(f"{cards} in an earlier photo too and counted there.")
        found[photo.id] = sentences
    return found
