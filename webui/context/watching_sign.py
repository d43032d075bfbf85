"""The sign on every page that the table is watched, for everybody who may see that game."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Flask, g

from webui.context.guard.devices import table_device
from webui.context.guard.rights import has_access, is_viewer
from webui.context.services import services
from webui.storage.errors import StorageError
from webui.storage.records import GameRecord
from webui.translation import _


@dataclass(frozen=True, slots=True)
class WatchingSign:
    """What is watched: the round of a game, who switched it on, and why nothing can be seen, if so.

    ``may_stop`` is whether this visitor may switch it off.
    """

    game: int
    number: int
    sides: tuple[str, ...]
    by: str
    trouble: str | None
    may_stop: bool


def install_watching_sign(app: Flask) -> None:
    """Lets templates call ``watching()``: the sign that this visitor is to see, or None."""
    app.jinja_env.globals["watching"] = watching


def watching() -> WatchingSign | None:
    """The sign for the visitor of this request; None where nothing is watched that they may see."""
    film = services().watch.now
    if film is None:
        return None
    joined = has_access()
    if not (joined or is_viewer() or _plays_at(film.game)):
        return None
    try:
        game = next((one for one in services().store.games() if one.id == film.game), None)
    except StorageError:  # the page itself says so; that somebody watches is to be seen all the same
        game = None
    sides = tuple(side.name for side in game.sides) if game else ()
    return WatchingSign(film.game, film.number, sides, film.by, _trouble(), joined)


def _trouble() -> str | None:
    """Why nothing is seen now, as a sentence; None while all is well."""
    if services().camera.is_there:
        return services().watch.trouble
    return _("No camera sees the table now. On the phone over it, press “Use this device as the table camera” again.")


def may_be_watched(game: GameRecord) -> bool:
    """Whether this visitor may have the table of a game watched: there is a camera, and the game counts."""
    return has_access() and services().camera.is_there and not game.practice


def _plays_at(game_id: int) -> bool:
    """Whether this visitor's device was let in for the table at which that game is played."""
    if not g.get("at_table"):
        return False
    device = table_device()
    try:
        return bool(device and device.table and services().store.events.game_at(*device.table) == game_id)
    except StorageError:
        return False
