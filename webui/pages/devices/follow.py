"""Several screens: the address to join by, the big view for a television, and what tells a page that a game changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from flask import Blueprint, Response, jsonify, render_template, request, url_for

from webui.access.network import is_here_alone, network_address
from webui.access.quotas import Quota
from webui.context.invitation import asked_port, invitation
from webui.context.lookups import find_game
from webui.context.request_guard import this_device, this_guest
from webui.context.services import services
from webui.games.announcements import latest_announcement
from webui.games.score_pad import brief_lines
from webui.pages.games.game import find_progress
from webui.rounds.round_view import agreed_tally
from webui.storage.store import Store

page = Blueprint("screens", __name__)

MOST_STREAMS = 6
"""Streams open at a time: each holds one of the page's threads, of which the others need theirs."""
_LONGEST_STREAM = 120.0  # seconds; a phone that left without a word gives its thread back after this
_BEAT = 15.0  # seconds between signs of life
_LOOK = 1.0  # seconds after which a stream looks whether its page is still there
STREAMS_OF_ONE = 2
"""Of one device, so that none takes those of all others."""
_streams = Quota(MOST_STREAMS, STREAMS_OF_ONE)


@page.get("/join")
@page.get("/game/<int:game_id>/join")
def join(game_id: int | None = None) -> str:
    """The way in for other phones, who is in, and what to type where none can come in."""
    game = find_game(game_id) if game_id is not None else None
    kept = services()
    return render_template(
        "screens/join.html",
        game=game,
        way_in=invitation(url_for("game.show", game_id=game.id) if game else url_for("home.show")),
        port=asked_port(),
        alone=is_here_alone(kept.settings.host),
        own=network_address(),
        devices=kept.store.devices.all(),
        mine=this_device(),
        wrong=kept.access_code.wrong,
        viewers=kept.access_code.secrets.open_to_viewers,
    )


@page.get("/game/<int:game_id>/television")
def television(game_id: int) -> str:
    version, log = services().store.version(game_id), services().store.log(game_id)
    progress = find_progress(game_id)
    last = max(progress.points, default=None)
    record = progress.game.round(last) if last else None
    tally = agreed_tally(record, progress.rules) if record else None
    return render_template(
        "screens/television.html",
        game=progress.game,
        rules=progress.rules,
        progress=progress,
        last=last,
        lines=[brief_lines(side) for side in tally.sides] if tally else [],
        version=version,
        news=latest_announcement(log, progress),
    )


@page.get("/game/<int:game_id>/version")
def version(game_id: int) -> Response:
    """The number of the game's last change, for pages that cannot hold a stream."""
    find_game(game_id)
    return jsonify(version=services().store.version(game_id))


@page.get("/game/<int:game_id>/live")
def live(game_id: int) -> Response:
    """Server-sent events: ``change`` with the game's version whenever it changes; ``full`` where none is free."""
    find_game(game_id)
    since = request.headers.get("Last-Event-ID", type=int) or request.args.get("since", 0, type=int)
    guest = this_guest()
    is_gone = request.environ.get("waitress.client_disconnected", lambda: False)
    events = _events(services().store, game_id, since, is_gone)
    told = _Stream(events, guest) if _streams.take(guest) else iter(["event: full\ndata: 0\n\n"])
    response = Response(told, mimetype="text/event-stream")
    response.headers["Cache-Control"] = "no-store"
    return response


class _Stream:
    """The events of one page. However it ends, its place is given back once."""

    def __init__(self, events: Iterator[str], guest: str | None) -> None:
        self._events, self._guest, self._held = events, guest, True

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        try:
            return next(self._events)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._held:
            self._held = False
            _streams.give_back(self._guest)


def _events(store: Store, game_id: int, since: int, is_gone: Callable[[], bool]) -> Iterator[str]:
    ends = time.monotonic() + _LONGEST_STREAM
    yield "retry: 2000\n\n"
    said = time.monotonic()
    while time.monotonic() < ends and not is_gone():
        heard = store.change_signal.count
        now = store.version(game_id)
        if now > since:
            since = now
            said = time.monotonic()
            yield f"id: {now}\nevent: change\ndata: {now}\n\n"
        elif time.monotonic() - said > _BEAT:
            said = time.monotonic()
            yield ": still here\n\n"
        else:
            while (
                store.change_signal.wait(heard, _LOOK) == heard and not is_gone() and time.monotonic() - said <= _BEAT
            ):
                pass
