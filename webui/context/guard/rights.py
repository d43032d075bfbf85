"""What each page needs of its visitor, said beside its route, and what this visitor may do.

A page without a mark is for everybody who joined. ``right_of`` tells what the page of a request needs; the request
guard asks it before any page is reached.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeVar

from flask import Flask, abort, current_app, g, request

from webui.context.guard.devices import current_device, is_local, table_device
from webui.context.guard.table_devices import plays_there
from webui.context.services import services
from webui.storage.errors import StorageError
from webui.translation import _

View = TypeVar("View", bound=Callable[..., Any])


class Right(StrEnum):
    """Who may open a page."""

    PUBLIC = "everybody"
    VIEWER = "viewers without the code, where these are allowed"
    PLAYER = "everybody who joined"
    KEEPER = "this machine itself, and devices that it gave that right"
    LOCAL = "this machine itself"


def _mark(view: View, right: Right) -> View:
    view.right = right  # type: ignore[attr-defined]
    return view


def public(view: View) -> View:
    """Marks a page for everybody: what is needed to join, whether the service works, how the own device shows it."""
    return _mark(view, Right.PUBLIC)


def viewer(view: View) -> View:
    """Marks a page that viewers without the code may read, if viewers are allowed. They may change nothing."""
    return _mark(view, Right.VIEWER)


def keeper(view: View) -> View:
    """Marks a page for this machine itself and devices that it gave that right; others play and mend."""
    return _mark(view, Right.KEEPER)


def local(view: View) -> View:
    """Marks a page for this machine itself alone, so that no device passes on a right or opens the way for others."""
    return _mark(view, Right.LOCAL)


def right_of(endpoint: str | None, app: Flask | None = None) -> Right:
    """Who may open the page of an endpoint; files of the page are for everybody, as the way in has them too."""
    if endpoint == "static":
        return Right.PUBLIC
    view = (app or current_app).view_functions.get(endpoint or "")
    return Right(getattr(view, "right", Right.PLAYER))


def has_access() -> bool:
    """Whether this visitor may do everything: the browser runs on this machine, or its device was admitted."""
    return is_local() or current_device() is not None


def is_keeper() -> bool:
    """Whether this visitor may also look after the games: backups, exports, who is in."""
    return is_local() or ((device := current_device()) is not None and device.keeper)


def require_keeper() -> None:
    """Refuses visitors who only play."""
    if not is_keeper():
        abort(
            403,
            _(
                "You can only do this on the computer itself, or on a device that manages everything (see "
                "Join). Go back to the games."
            ),
        )


def access_check() -> Callable[[], bool]:
    """Tells whether the visitor of this request still has the access that it asked with.

    To be called again and again by answers that go on for long, from any thread: being sent out ends them too.
    """
    kept, for_keepers = services(), right_of(request.endpoint) is Right.KEEPER
    device = current_device() or (table_device() if g.get("at_table") else None)
    game_id = (request.view_args or {}).get("game_id")
    if is_local():
        return lambda: True

    def check() -> bool:
        if device is None:
            return kept.access_code.secrets.open_to_viewers
        try:
            if device.table and game_id and not plays_there(kept.store, device.table, game_id):
                return False
            return kept.store.devices.has(device.id, for_keepers, device.table)
        except StorageError:
            return True  # asked again in a second; a download that ended now would pass for a whole file

    return check


def is_viewer() -> bool:
    """Whether this page is shown to a viewer, who may read and change nothing."""
    for_viewers = right_of(request.endpoint) is Right.VIEWER
    return for_viewers and services().access_code.secrets.open_to_viewers and not may_score()


def may_score() -> bool:
    """Whether this visitor may change the game of this page: as everybody who joined, or as a device of its table."""
    return has_access() or bool(g.get("at_table"))
