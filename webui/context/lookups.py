"""What an address or a form asks for."""

from __future__ import annotations

import math

from flask import abort, request

from webui.context.services import services
from webui.rounds.round_view import RoundView, view_round
from webui.storage.records import GameRecord, RoundRecord

LARGEST = 2**31 - 1
"""The largest number that every database holds."""


def asked_point() -> tuple[float, float]:
    """The point of a photo that an address speaks of, in photo pixels; answers 400 where it is none."""
    try:
        x, y = float(request.args.get("x", 0)), float(request.args.get("y", 0))
    except ValueError:
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        abort(400, "That is no place in the photo; go back and tap the card again.")
    return x, y


def find_game(game_id: int) -> GameRecord:
    """The game of an address; answers 404 where there is none."""
    game = services().store.game(game_id)
    if game is None:
        abort(404, "There is no such game; go back to the list of games.")
    return game


def find_round(game_id: int, number: int) -> tuple[GameRecord, RoundRecord]:
    """The round of an address; answers 404 where it has not begun."""
    game = find_game(game_id)
    record = game.round(number)
    if record is None:
        abort(404, "That round has not begun; go back to the game and begin it.")
    return game, record


def find_view(game_id: int, number: int) -> RoundView:
    """The round of an address, laid out and scored as it stands."""
    version = services().store.version(game_id)  # asked first: what changes in between then counts as not seen
    return view_round(*find_round(game_id, number), version)


def seen() -> int | None:
    """The last change that the person had seen who sent this form; None where the form does not say."""
    found = request.form.get("seen", type=int)
    return None if found is None else min(max(found, 0), LARGEST)
