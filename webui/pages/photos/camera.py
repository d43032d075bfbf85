"""The camera over the table: its live picture, taking pictures with it, and setting it up."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.rules import RulesError, load_rules
from vision.errors import VisionError
from webui.camera.marker_sheet import marker_sheet_pdf
from webui.camera.mjpeg import BOUNDARY
from webui.context.choices import chosen
from webui.context.guard.devices import client_id
from webui.context.lookups import LARGEST_ID
from webui.context.responses.streams import stream_response
from webui.context.services import services
from webui.games.progress import game_progress
from webui.games.seating import sides_now
from webui.reading.photo_jobs import sentence_of
from webui.reading.zones import HALVES, Zones, has_two_zones, load_zones, save_zones
from webui.storage.errors import write_error
from webui.storage.records import GameRecord
from webui.translation import _

page = Blueprint("camera", __name__, url_prefix="/camera")

_OFFERED_GAMES = 3
"""The rounds that are played now in the newest games are offered as targets."""


@dataclass(frozen=True, slots=True)
class CameraTarget:
    """Whose cards the next picture shows: those on a side's table, or what one of its players has left.

    Attributes:
        side_name: the name of the side, for people.
        cards: which of its cards, in words.
        whole: whether the picture shows both sides' cards, which are split by zone.
    """

    game: int
    number: int
    side: int
    player: int | None
    side_name: str
    cards: str
    whole: bool = False

    @property
    def query(self) -> dict[str, int | None]:
        """The query of the camera page with this target."""
        query = {"game": self.game, "round": self.number, "side": self.side, "player": self.player}
        return query | {"whole": 1 if self.whole else None}


@page.get("/")
def show() -> str:
    """The live picture, and the button that takes a picture for the chosen target."""
    games = [game for game in services().store.games() if not game.practice]
    zones = load_zones(services().settings.data_dir)
    query = {name: request.args.get(name, type=int) for name in ("game", "round", "side", "player", "whole")}
    asked = (target for game in games if game.id == query["game"] for target in _targets(game, zones, query["round"]))
    chosen = next((target for target in asked if target.query == query), None)
    # a club evening has many tables, and this camera hangs over one at most: that whose page led here
    near = [game for game in games if game.event is None or game.id == query["game"]]
    played = islice(((game, number) for game in near if (number := _played(game)) is not None), _OFFERED_GAMES)
    offered = [(game, number, _targets(game, zones, number)) for game, number in played]
    in_use = services().camera.in_use()
    return render_template("camera/camera.html", chosen=chosen, offered=offered, **in_use)


@page.get("/live.mjpg")
def live() -> Response:
    """The live picture as motion JPEG."""
    stream = services().camera.live.open_stream(client_id())
    if stream is None:
        abort(
            503,
            _(
                "The live picture is open in too many places. Close the camera page in another tab or on "
                "another device."
            ),
        )
    return stream_response(stream, f"multipart/x-mixed-replace; boundary={BOUNDARY}")


@page.get("/picture.jpg")
def picture() -> Response:
    """One picture, for browsers that show no stream and for viewers beyond the quota."""
    return _uncached(Response(services().camera.live.picture(wait=0.5)[1], mimetype="image/jpeg"))


@page.get("/state.json")
def state() -> dict[str, Any]:
    """The state of the camera, for the words beside the picture."""
    return services().camera.state(stillness="calm" in request.args)


@page.get("/reading")
def reading() -> dict[str, Any]:
    """The cards read in the live picture, to be drawn over it; pictures are read only while somebody asks.

    With ``game``, by its rules and with its cards.
    """
    reader, game_id = services().reader, request.args.get("game", type=int)
    game = None if game_id is None or game_id > LARGEST_ID else services().store.game(game_id)
    if game is None:
        return services().camera.reading.state(lambda frame: reader.get().read(frame))
    return services().camera.reading.state(services().reader_of(game, load_rules(game.rules)))


@page.get("/setup")
def setup() -> str:
    """Setting the camera up: the printed markers, the last check, focus and exposure, zones."""
    focus, exposure = services().camera.watcher.settings
    return render_template(
        "camera/setup.html",
        last_check=services().camera.last_check,
        focus=focus,
        exposure=exposure,
        zones=load_zones(services().settings.data_dir),
        halves=HALVES,
        fields=_field_names(),
        **services().camera.in_use(),
    )


@page.post("/setup/check")
def check_camera() -> AnyResponse:
    """Takes a picture and checks whether the camera is high, sharp and bright enough."""
    zones = load_zones(services().settings.data_dir)
    try:
        services().camera.check(services().reader.get(), zones, len(_field_names()))
    except VisionError as error:
        flash(sentence_of(error))
    return redirect(url_for(".setup"), 303)


@page.get("/setup/checked.jpg")
def checked_picture() -> Response:
    """The picture of the last check."""
    check = services().camera.last_check
    if check is None:
        abort(404, _("The picture has not been tested yet. Go back and press “Test the picture”."))
    return _uncached(Response(check.picture, mimetype="image/jpeg"))


@page.get("/setup/marks.pdf")
def marker_sheet() -> Response:
    """The sheet of table markers, to be printed."""
    response = Response(marker_sheet_pdf(), mimetype="application/pdf")
    response.headers["Content-Disposition"] = 'inline; filename="hand-and-foot-marks.pdf"'
    return response


@page.post("/setup/zones")
def set_zones() -> AnyResponse:
    """Saves which part of the table belongs to whom."""
    zones = Zones(chosen("first", ("", *HALVES), unsaid="") or None, "strip" in request.form)
    try:
        save_zones(services().settings.data_dir, zones)
        flash(_("Saved. Test the picture to see how the table is split."), "good")
    except OSError as error:
        flash(write_error(error))
    return redirect(url_for(".setup"), 303)


@page.post("/setup/adjust")
def adjust() -> AnyResponse:
    """Fixes focus (per cent) and exposure (milliseconds); an empty field leaves it to the camera."""
    focus, exposure = request.form.get("focus", type=float), request.form.get("exposure", type=float)
    try:
        services().camera.watcher.adjust(None if focus is None else focus / 100, exposure)
    except VisionError as error:
        flash(f"{error}.")
    return redirect(url_for(".setup"), 303)


def _field_names() -> list[str]:
    """The players of the newest game in the order of their fields in the strip for left-over cards.

    One nameless field if there is no game, or its sides do not share the strip.
    """
    played = (game for game in services().store.games() if not game.practice)
    game, zones = next(played, None), load_zones(services().settings.data_dir)
    if game is None or not (zones.strip and has_two_zones(zones, game)):
        return [""]
    sides = [side.players for side in (sides_now(game, game.rounds[-1]) if game.rounds else game.sides)]
    return [sides[side][player] for side, player in zones.fields([len(players) for players in sides])]


def _uncached(response: Response) -> Response:
    response.headers["Cache-Control"] = "no-store"
    return response


def _played(game: GameRecord) -> int | None:
    """The round that is played now, begun or not; None where the game is over, or its rules cannot be loaded."""
    try:
        return None if game.state == "removed" else game_progress(game, load_rules(game.rules)).next_round
    except RulesError:
        return None


def _targets(game: GameRecord, zones: Zones, number: int | None) -> list[CameraTarget]:
    """The targets for pictures of a round of the game; none where it has not begun."""
    record = None if number is None else game.round(number)
    if record is None:
        return []
    number, targets = record.number, []
    if has_two_zones(zones, game):
        cards = _("the table and the cards left") if zones.strip else _("the cards on the table")
        targets.append(CameraTarget(game.id, number, 0, None, _("Both sides at once"), cards, whole=True))
    for index, side in enumerate(sides_now(game, record)):
        targets.append(CameraTarget(game.id, number, index, None, side.name, _("the cards on the table")))
        for seat, player in enumerate(side.players):
            targets.append(
                CameraTarget(game.id, number, index, seat, side.name, _("cards %(player)s has left", player=player))
            )
    return targets
