"""One side's cards: its photos with every card outlined, the groups beside them, and taking or sending photos."""

from __future__ import annotations

from dataclasses import asdict, replace

from flask import Blueprint, abort, flash, redirect, request
from werkzeug.wrappers import Response

from scorer.rules import load_rules
from vision.errors import VisionError
from webui.context.lookups import find_round, find_view, seen
from webui.context.services import services
from webui.corrections.answers import TABLE, set_nothing
from webui.corrections.side_table import left_id
from webui.pages.photos.queue import go_on, submit_photos
from webui.pages.rounds.step_page import render_step, step_address
from webui.reading import camera_jpegs
from webui.reading.photo_jobs import Place, sentence_of
from webui.reading.zones import Zones, load_zones, shared_out
from webui.rounds.photo_outlines import labels, outlines
from webui.rounds.round_view import SideView
from webui.rounds.steps import next_step, step_at, steps_of
from webui.storage.records import PhotoRecord

page = Blueprint("side", __name__, url_prefix="/game/<int:game_id>/round/<int:number>/side/<int:side>")

_LONGEST_NAME = 60


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
        here=view.url_values(side),
        drawn={photo.id: outlines(shown.table, photo) for photo in shown.photos},
        labels=labels,
        lit=(),
        advice={photo.id: _advice(photo) for photo in shown.photos},
        said=_said(shown),
        whole=shared_out(load_zones(services().settings.data_dir), view.game),
    )


@page.post("/nothing")
def nothing(game_id: int, number: int, side: int) -> Response:
    """Keeps that a side has nothing on the table, or a player nothing left; goes on to the next step."""
    place = _place(game_id, number, side)
    where = TABLE if place.player is None else left_id(place.player)
    services().store.rounds.change_facts(place.record.id, lambda held: set_nothing(held, side, where), seen())
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
        return go_on(place.target)

    sent = ((file.read(), _file_name(file.filename or "")) for file in files)
    return submit_photos(request.content_length or 0, place.target, "sent", place.about, sent)


@page.post("/shoot")
def shoot(game_id: int, number: int, side: int) -> Response:
    """Takes a picture with the attached camera."""
    place, zones = _place(game_id, number, side), load_zones(services().settings.data_dir)
    shared = shared_out(zones, place.game)
    if "whole" in request.form and shared:
        return _shoot_whole(place, zones)
    try:
        left = place.player is not None
        if not shared:
            zones = replace(zones, first=None)
        frames = services().camera.shoot(lambda table: zones.part(table, side, left))
    except VisionError as error:
        flash(sentence_of(error))
        return go_on(place.target)

    return submit_photos(camera_jpegs.size(frames), place.target, "shot", place.about, camera_jpegs.as_files(frames))


def _shoot_whole(place: Place, zones: Zones) -> Response:
    """One picture for both sides: each card goes to where it belongs by the part of the marked table it lies in."""
    try:
        frames = services().camera.shoot_table()
    except VisionError as error:
        flash(sentence_of(error))
        return go_on(place.target)
    about = {**place.about, "zones": asdict(zones)}
    return submit_photos(camera_jpegs.size(frames), place.target, "shot-whole", about, camera_jpegs.as_files(frames))


@page.post("/photo/<int:photo_id>/read")
def read_again(game_id: int, number: int, side: int, photo_id: int) -> Response:
    """Reads a photo that was kept when the reader was not to be had."""
    place = _place(game_id, number, side)
    if not any(held.id == photo_id and held.side == side for held in place.record.photos):
        abort(404, "There is no such photo on this side; go back to its cards.")
    return submit_photos(0, place.target, "again", {**place.about, "photo": photo_id})


def _place(game_id: int, number: int, side: int) -> Place:
    game, record = find_round(game_id, number)
    if side >= len(game.sides):
        abort(404, "There is no such side in this game; go back to the round.")
    player = request.form.get("player", type=int)
    if player is not None and not 0 <= player < len(game.sides[side].players):
        abort(404, "There is no such player on this side; go back to its cards.")
    return Place(game, record, load_rules(game.rules), side, player)


def _file_name(given: str) -> str:
    """What to call a photo that was sent: its name without folders, on one line."""
    return " ".join(given.replace("\\", "/").rsplit("/", 1)[-1].split())[:_LONGEST_NAME] or "the photo"


def _advice(photo: PhotoRecord) -> list[str]:
    """What would have made a photo on which cards were seen easier to read, in sentences."""
    reading = photo.reading
    return [notice["message"] for notice in reading["warnings"]] if reading and reading["cards"] else []


def _said(side: SideView) -> dict[int, list[str]]:
    """What else there is to say of each photo, in sentences."""
    found: dict[int, list[str]] = {}
    for photo in side.photos:
        if photo.reading is None:
            found[photo.id] = ["This photo has not been read yet."]
            continue
        sentences = []
        if not photo.reading["cards"]:
            sentences = [notice["message"] for notice in photo.reading["warnings"]] or [
                "No cards were seen in this photo. Take it again closer and in better light, or add the cards by hand."
            ]
        if again := side.table.duplicates.get(photo.id):
            cards = "One of these cards is" if again == 1 else f"{again} of these cards are"
            sentences.append(f"{cards} in an earlier photo too and counted there.")
        found[photo.id] = sentences
    return found
