"""What a device may ask for that was let in by the card of one table: the game that is played there now."""

from __future__ import annotations

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response

from webui.storage.store import Store
from webui.translation import _

_OWN_PAGES = frozenset({"tables.show", "tables.version", "tables.say_names", "tables.call"})
"""Endpoints of a table itself."""
_GAME_PAGES = frozenset(
    {
        *("game.show", "game.begin_round", "game.choose_starter", "game.choose_first"),
        *("round.show", "round.out", "round.unseen", "round.check", "round.anyway", "round.save_answers"),
        *("round.tally", "round.sheet"),
        *("side.show", "side.left", "side.look", "side.save_nothing", "side.send_photos", "side.read_again"),
        *("corrections.card", "corrections.add", "corrections.group", "corrections.reset", "corrections.save_change"),
        *("corrections.take_back", "corrections.sort_loose", "corrections.save_count", "corrections.save_looked"),
        *("one_by_one.show", "one_by_one.save_order"),
        *("typed.points", "typed.save_points", "typed.take_back", "typed.cards", "typed.save_cards"),
        *("undo.set_name", "undo.undo_change", "change_log.show"),
        *("first_meld.show", "first_meld.submit", "first_meld.answer", "first_meld.card", "first_meld.correct_card"),
        *("first_meld.crop", "first_meld.view"),
        *("follow.live", "follow.version", "table_now.show", "table_now.live", "table_now.version"),
        *("share.show", "share.picture"),
    }
)
"""Endpoints about a game, which the address names."""
_PHOTO_PAGES = frozenset({"pictures.view", "pictures.card", "pictures.marked", "pictures.around"})
"""Endpoints about a photo, which the address names."""
_PLAIN_PAGES = frozenset({"appearance.show", "appearance.save", "queue.show", "sign.show"})
"""Endpoints about nothing of an event: how pages look, the receipt for photos, whose number
cannot be guessed, and the sign that the own table is watched."""


def serves_table(store: Store, table: tuple[int, int]) -> bool:
    """Whether this request is about nothing but one table, given as event and number, and its game now."""
    asked, endpoint = request.view_args or {}, request.endpoint
    if endpoint in _PLAIN_PAGES:
        return True
    if endpoint in _OWN_PAGES:
        return (asked.get("event_id"), asked.get("table")) == table
    game_id = asked.get("game_id")
    if endpoint in _PHOTO_PAGES:
        game_id = store.rounds.game_of_photo(asked.get("photo_id", 0))
    elif endpoint not in _GAME_PAGES:
        return False
    return game_id is not None and plays_there(store, table, game_id)


def plays_there(store: Store, table: tuple[int, int], game_id: int) -> bool:
    """Whether a game is the one that is played now at a table, given as event and number, of an event that goes on."""
    return store.events.game_at(*table) == game_id and not store.events.is_over(table[0])


def at_another_place(store: Store, table: tuple[int, int]) -> Response:
    """Where a device of a table, given as event and number, is led that asks for anything but its table.

    Pages of a game that is over at this table lead to the table; they are still open when the next game begins. So do
    those of an event that is over: its scores stay as they are.
    """
    asked = request.view_args or {}
    looks = request.method == "GET" and request.endpoint in _GAME_PAGES and "game_id" in asked
    was_here = looks and store.events.was_game_at(*table, asked["game_id"])
    if was_here and request.endpoint == "follow.live":
        return Response("event: full\ndata: 0\n\n", mimetype="text/event-stream")  # no stream: the page asks by itself
    if was_here or request.endpoint == "home.show":
        return redirect(url_for("tables.show", event_id=table[0], table=table[1]), 303)
    if request.method == "POST" and store.events.is_over(table[0]):
        abort(403, _("This evening is over, so its scores stay as they are. Ask whoever runs it to correct one."))
    abort(403, _("This device scores table %(number)s only. Go back to the table’s page.", number=table[1]))
