"""Following a game on other devices: how they get in, the large view for a television, and events of changes."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, url_for

from webui.access.network import is_loopback
from webui.context.guard.devices import current_device
from webui.context.guard.rights import viewer
from webui.context.invitation import invitation
from webui.context.lookups import find_game, find_progress
from webui.context.responses.game_events import game_events
from webui.context.services import services
from webui.games.log.announcements import latest_announcement
from webui.games.score_pad import brief_lines
from webui.rounds.agreement import unsettled_rounds
from webui.rounds.round_view import agreed_tally

page = Blueprint("follow", __name__)


@page.get("/join")
@page.get("/game/<int:game_id>/join")
def join(game_id: int | None = None) -> str:
    """How other devices get in, which devices have access, and what to do if none can reach this machine."""
    game = find_game(game_id) if game_id is not None else None
    access_code, network = services().access_code, services().network
    return render_template(
        "follow/join.html",
        game=game,
        invitation=invitation(url_for("game.show", game_id=game.id) if game else url_for("home.show")),
        loopback_only=is_loopback(network.host),
        network=network,
        devices=services().store.devices.all(),
        current_device=current_device(),
        wrong_codes=access_code.wrong_codes,
        open_to_viewers=access_code.secrets.open_to_viewers,
    )


@page.get("/game/<int:game_id>/television")
@viewer
def television(game_id: int) -> str:
    """The score of a game in large type."""
    version, log = services().store.version(game_id), services().store.log(game_id)
    progress = find_progress(game_id)
    last = max(progress.points, default=None)
    record = progress.game.round(last) if last else None
    tally = agreed_tally(record, progress.rules) if record else None
    return render_template(
        "follow/television.html",
        game=progress.game,
        rules=progress.rules,
        progress=progress,
        last=last,
        unsettled=unsettled_rounds(services().store, [game_id]).get(game_id, ()),
        lines=[brief_lines(side) for side in tally.sides] if tally else [],
        version=version,
        news=latest_announcement(log, progress),
    )


@page.get("/game/<int:game_id>/version")
@viewer
def version(game_id: int) -> Response:
    """The number of the game's last change, for clients that cannot open a stream."""
    find_game(game_id)
    return jsonify(version=services().store.version(game_id))


@page.get("/game/<int:game_id>/live")
@viewer
def live(game_id: int) -> Response:
    """Server-sent events: ``change`` with the game's version after each change; ``full`` if no stream is free."""
    find_game(game_id)
    store = services().store
    return game_events(lambda: store.version(game_id))
