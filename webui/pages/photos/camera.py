"""The camera over the table: its live picture, and taking a picture from it for a side of a round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from vision.errors import VisionError
from webui.camera.marker_sheet import mark_sheet
from webui.camera.mjpeg import BOUNDARY
from webui.context.request_guard import this_guest
from webui.context.services import services
from webui.reading.zones import HALVES, Zones, keep_zones, load_zones, shared_out
from webui.storage.records import GameRecord

page = Blueprint("camera", __name__, url_prefix="/camera")

_GAMES = 3
"""Of so many games, the newest first, the latest round is offered."""


@dataclass(frozen=True, slots=True)
class Place:
    """Whose cards the next picture shows: a side's table, or what one of its players has left."""

    game: int
    number: int
    side: int
    player: int | None
    whose: str
    what: str
    whole: bool = False
    """Both sides' cards at once, shared out by the parts of the marked table."""

    @property
    def asked(self) -> dict[str, int | None]:
        """What stands in the address of the page with this choice."""
        about = {"game": self.game, "round": self.number, "side": self.side, "player": self.player}
        return about | {"whole": 1 if self.whole else None}


@page.get("/")
def show() -> str:
    games = services().store.games()
    zones = load_zones(services().settings.data_dir)
    wanted = {name: request.args.get(name, type=int) for name in ("game", "round", "side", "player", "whole")}
    chosen = next((place for game in games for place in _places(game, zones) if place.asked == wanted), None)
    offered = [(game, _places(game, zones)) for game in games[:_GAMES] if game.rounds]
    return render_template("camera/camera.html", chosen=chosen, offered=offered)


@page.get("/live.mjpg")
def live() -> Response:
    viewer = services().camera.live.viewer(this_guest())
    if viewer is None:
        abort(
            503,
            "No more live pictures can be served; close the camera's page in another tab or on another device.",
        )
    return _fresh(Response(viewer, mimetype=f"multipart/x-mixed-replace; boundary={BOUNDARY}"))


@page.get("/picture.jpg")
def picture() -> Response:
    """One picture, for browsers that show no stream and for viewers beyond the last seat."""
    return _fresh(Response(services().camera.live.picture(wait=0.5)[1], mimetype="image/jpeg"))


@page.get("/state.json")
def state() -> dict[str, Any]:
    """How the camera is just now, for the words beside the picture."""
    return services().camera.state(calm="calm" in request.args)


@page.get("/reading")
def reading() -> dict[str, Any]:
    """What is read in the live picture, for drawing over it; read only while somebody asks."""
    reader = services().reader
    return services().camera.reading.state(lambda frame: reader.get().read(frame))


@page.get("/setup")
def setup() -> str:
    """Hanging the camera up: the printed marks, what a look over it said, focus and exposure."""
    focus, exposure = services().camera.watcher.settings
    return render_template(
        "camera/setup.html",
        checked=services().camera.checked,
        focus=focus,
        exposure=exposure,
        zones=load_zones(services().settings.data_dir),
        halves=HALVES,
        fields=_fields(),
    )


@page.post("/setup/check")
def check() -> AnyResponse:
    """Takes a picture and says whether the camera is high, sharp and bright enough."""
    try:
        services().camera.look_over(services().reader.get(), load_zones(services().settings.data_dir), len(_fields()))
    except VisionError as error:
        flash(f"{error}.")
    return redirect(url_for(".setup"), 303)


@page.get("/setup/checked.jpg")
def checked() -> Response:
    found = services().camera.checked
    if found is None:
        abort(404, "The camera has not been looked over yet.")
    return _fresh(Response(found.picture, mimetype="image/jpeg"))


@page.get("/setup/marks.pdf")
def marks() -> Response:
    """The sheet of marks, to be printed."""
    response = Response(mark_sheet(), mimetype="application/pdf")
    response.headers["Content-Disposition"] = 'inline; filename="hand-and-foot-marks.pdf"'
    return response


@page.post("/setup/zones")
def share_out() -> AnyResponse:
    """Keeps which part of the table belongs to whom."""
    first = request.form.get("first")
    zones = Zones(first if first in HALVES else None, "strip" in request.form)
    try:
        keep_zones(services().settings.data_dir, zones)
        flash("Kept. Look the camera over to see where the parts lie.", "good")
    except OSError as error:
        flash(f"This could not be kept ({error.strerror}); check the data folder.")
    return redirect(url_for(".setup"), 303)


@page.post("/setup/adjust")
def adjust() -> AnyResponse:
    """Fixes focus (per cent) and exposure (milliseconds); what is left empty is left to the camera."""
    focus, exposure = request.form.get("focus", type=float), request.form.get("exposure", type=float)
    try:
        services().camera.watcher.adjust(None if focus is None else focus / 100, exposure)
    except VisionError as error:
        flash(f"{error}.")
    return redirect(url_for(".setup"), 303)


def _fields() -> list[str]:
    """The players of the newest game as their left-over cards lie beside each other where both sides' lie at once; one
    nameless field where there is no such game."""
    game, zones = next(iter(services().store.games()), None), load_zones(services().settings.data_dir)
    if game is None or not (zones.strip and shared_out(zones, game)):
        return [""]
    sides = [side.players for side in game.sides]
    return [sides[side][player] for side, player in zones.fields([len(players) for players in sides])]


def _fresh(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


def _places(game: GameRecord, zones: Zones) -> list[Place]:
    """Whose cards of the game's latest round can be photographed."""
    if not game.rounds:
        return []
    number = game.rounds[-1].number
    places = []
    if shared_out(zones, game):
        what = "the table and what is left" if zones.strip else "the cards on the table"
        places.append(Place(game.id, number, 0, None, "Both sides at once", what, whole=True))
    for place, side in enumerate(game.sides):
        places.append(Place(game.id, number, place, None, side.name, "the cards on the table"))
        for seat, player in enumerate(side.players):
            places.append(Place(game.id, number, place, seat, side.name, f"what {player} has left"))
    return places
