"""Following a game on other devices: how they get in, the large view for a television, and events of changes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, jsonify, render_template, request, url_for

from webui.access.addresses import requested_port
from webui.access.network import is_loopback, network_address
from webui.access.quotas import Quota
from webui.context.invitation import invitation
from webui.context.lookups import find_game, find_progress
from webui.context.request_guard import access_check, client_id, current_device
from webui.context.responses.streams import stream_response
from webui.context.services import services
from webui.games.announcements import latest_announcement
from webui.games.score_pad import brief_lines
from webui.rounds.round_view import agreed_tally
from webui.rounds.unsettled import unsettled_rounds
from webui.storage.errors import StorageError
from webui.storage.store import Store

page = Blueprint("follow", __name__)

MAX_STREAMS = 6
"""Event streams at a time; each holds a thread of the server."""
STREAMS_PER_CLIENT = 2
"""Fewer, so that one device cannot take them all."""
_MAX_STREAM_SECONDS = 120.0
"""A stream ends after so long, so that a phone that left unnoticed frees its thread."""
_KEEP_ALIVE_SECONDS = 3.0
"""After so long without a change a stream says that it is there; a page that hears nothing for 5 s asks by itself."""
_CHECK_SECONDS = 1.0
"""How often a stream checks whether its client is still connected and has access."""
_quota = Quota(MAX_STREAMS, STREAMS_PER_CLIENT)


@page.get("/join")
@page.get("/game/<int:game_id>/join")
def join(game_id: int | None = None) -> str:
    """How other devices get in, which devices have access, and what to do if none can reach this machine."""
    game = find_game(game_id) if game_id is not None else None
    access_code, settings = services().access_code, services().settings
    return render_template(
        "follow/join.html",
        game=game,
        invitation=invitation(url_for("game.show", game_id=game.id) if game else url_for("home.show")),
        port=requested_port(),
        loopback_only=is_loopback(settings.host),
        own_address=network_address(),
        devices=services().store.devices.all(),
        current_device=current_device(),
        wrong_codes=access_code.wrong_codes,
        open_to_viewers=access_code.secrets.open_to_viewers,
    )


@page.get("/game/<int:game_id>/television")
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
def version(game_id: int) -> Response:
    """The number of the game's last change, for clients that cannot open a stream."""
    find_game(game_id)
    return jsonify(version=services().store.version(game_id))


@page.get("/game/<int:game_id>/live")
def live(game_id: int) -> Response:
    """Server-sent events: ``change`` with the game's version after each change; ``full`` if no stream is free."""
    find_game(game_id)
    since = request.headers.get("Last-Event-ID", type=int) or request.args.get("since", 0, type=int)
    client = client_id()
    is_cut = request.environ.get("waitress.client_disconnected", lambda: False)
    has_access = access_check()
    events = _events(services().store, game_id, since, lambda: is_cut() or not has_access())
    if not _quota.take(client):
        events = iter(["event: full\ndata: 0\n\n"])
        return stream_response(_Stream(events, lambda: None), "text/event-stream")
    return stream_response(_Stream(events, lambda: _quota.release(client)), "text/event-stream")


class _Stream(Iterator[bytes]):
    """The events for one client. However it ends, its share of the quota is released once."""

    def __init__(self, events: Iterator[str], release: Callable[[], None]) -> None:
        self._events, self._release, self._is_open = events, release, True

    def __next__(self) -> bytes:
        try:
            return next(self._events).encode()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._release()


def _events(store: Store, game_id: int, since: int, is_gone: Callable[[], bool]) -> Iterator[str]:
    """Yields the events of a stream until its time is over, its client is gone, or the database cannot be read."""
    end = time.monotonic() + _MAX_STREAM_SECONDS
    yield "retry: 2000\n\n"
    sent_at = time.monotonic()
    while time.monotonic() < end and not is_gone():
        seen = store.change_signal.count
        try:
            now = store.version(game_id)
        except StorageError:  # the browser asks for the stream anew, and the page says what is wrong
            return
        if now > since:
            since = now
            sent_at = time.monotonic()
            yield f"id: {now}\nevent: change\ndata: {now}\n\n"
        elif time.monotonic() - sent_at > _KEEP_ALIVE_SECONDS:
            sent_at = time.monotonic()
            yield "event: here\ndata: 0\n\n"
        else:
            _wait_for_change(store, seen, sent_at + _KEEP_ALIVE_SECONDS, is_gone)


def _wait_for_change(store: Store, seen: int, until: float, is_gone: Callable[[], bool]) -> None:
    while store.change_signal.wait(seen, _CHECK_SECONDS) == seen and not is_gone() and time.monotonic() <= until:
        pass
