"""What the address or the form of a request refers to; unknown games, rounds and sides are answered with 404."""

from __future__ import annotations

import math

from flask import abort, g, request
from werkzeug.datastructures import MultiDict

from scorer.errors import DeckError
from scorer.rules import RulesError, list_rules, load_rules
from webui.context.services import services
from webui.decks.taught import TaughtDeck
from webui.events.evening import Evening
from webui.games.names import sides_in
from webui.games.new_game import NewGame, can_seat, player_counts
from webui.games.progress import GameProgress, game_progress
from webui.games.rule_choice import offered_rules
from webui.rounds.round_view import RoundView, SideView, view_round
from webui.storage.records import GameRecord, RoundRecord
from webui.translation import _
from webui.whole_numbers import whole_number

LARGEST_ID = 2**31 - 1
"""The largest integer that a column of every supported database holds."""


def requested_point() -> tuple[float, float]:
    """The point (x, y) that the query names, in photo pixels; answers 400 if it is no point."""
    try:
        x, y = float(request.args.get("x", 0)), float(request.args.get("y", 0))
    except ValueError:
        x = y = math.nan
    if not (math.isfinite(x) and math.isfinite(y)):
        abort(400, _("That spot is not in the photo. Go back and tap the card again."))
    return x, y


def find_game(game_id: int) -> GameRecord:
    """The game of an address; answers 404 if there is none."""
    game = services().store.game(game_id)
    if game is None:
        abort(404, _("That game does not exist. Go back to the list of games."))
    g.practice = game.practice and game.id  # which every page that is shown of it says
    g.seat = game.event  # likewise, with the way back to its table
    return game


def find_evening(event_id: int) -> Evening:
    """The club evening of an address as it stands; answers 404 if there is none.

    Raises:
        RulesError: its rule set cannot be loaded.
    """
    evening = services().evenings.find(event_id)
    if evening is None:
        abort(404, _("That club evening does not exist. Go back to the list of evenings."))
    return evening


def find_deck(deck_id: str) -> TaughtDeck:
    """The household's deck of an address; answers 404 if there is none or it was removed."""
    try:
        deck = services().decks.get(deck_id)
    except DeckError:
        abort(404, _("That deck is gone. Go back to the decks."))
    if deck.file.removed:
        abort(404, _("That deck was removed. Bring it back first, on the page of the decks."))
    return deck


def find_progress(game_id: int) -> GameProgress:
    """The game of an address with its points so far; answers 404 if there is none.

    Raises:
        RulesError: its rule set cannot be loaded.
        SheetError: a stored sheet is not valid.
    """
    game = find_game(game_id)
    return game_progress(game, load_rules(game.rules))


def find_round(game_id: int, number: int) -> tuple[GameRecord, RoundRecord]:
    """The round of an address; answers 404 if it has not begun."""
    game = find_game(game_id)
    record = game.round(number)
    if record is None:
        abort(404, _("That round has not started. Go back to the game and start it."))
    return game, record


def find_view(game_id: int, number: int) -> RoundView:
    """The round of an address with corrections applied, scored as it stands; answers 404 if it has not begun."""
    version = services().store.version(game_id)  # read first: a change made in between then counts as not seen
    return view_round(*find_round(game_id, number), version)


def find_side(game_id: int, number: int, side: int) -> tuple[RoundView, SideView]:
    """The round of an address as ``find_view`` has it, and one of its sides; answers 404 if it has no such side."""
    view = find_view(game_id, number)
    if side >= len(view.sides):
        abort(404, _("This game has no such side. Go back to the round."))
    return view, view.sides[side]


def last_seen_change() -> int:
    """The number of the last change that the sender of this form had seen; 0, that is none, where it does not say."""
    return min(whole_number(request.form.get("seen", "")) or 0, LARGEST_ID)


def requested_new_game() -> NewGame:
    """The new game that the query or form describes; what the rules do not allow is replaced by what they do.

    Where neither names rules, it is what was played last at this table, or else the rules the program was started with.
    As many play as there are ``names``, on the sides that these say; where the rules do not allow that, it is the first
    offered rules that do.
    """
    values = MultiDict(request.values)
    if not values.get("rules") and (last := _played_last()) is not None:
        values["rules"] = last.rules
        values.setdefault("players", str(last.players))
        values.setdefault("seats", ",".join(str(len(side.players)) for side in last.sides))
    try:
        rules = load_rules(values.get("rules") or services().settings.rules)
    except RulesError:
        rules = offered_rules()[0]
    sizes = tuple(map(len, sides_in(values.get("names", ""))))
    if sizes and not can_seat(rules, sizes):
        rules = next((other for other in offered_rules() if can_seat(other, sizes)), rules)
    counts = player_counts(rules)
    asked = values.get("players", 0, type=int)
    players = sum(sizes) or asked
    if players not in counts:
        players = 4 if 4 in counts else counts[0]
    seatings = rules.sides_for(players)
    index = values.get("seating", 0, type=int) if asked in (0, players) else 0
    seating = seatings[index] if 0 <= index < len(seatings) else seatings[0]
    said = ",".join(map(str, sizes)) if len(sizes) > 1 else values.get("seats")
    as_said = (seating for seating in seatings if ",".join(map(str, seating)) == said)
    return NewGame(rules, players, next(as_said, seating))


def _played_last() -> GameRecord | None:
    """The newest game of this table that counts and belongs to no event, if its rules are still there."""
    table, known = services().settings.table, list_rules()
    games = (game for game in services().store.counted_games() if game.event is None and game.at_table == table)
    last = next(games, None)
    return last if last is not None and last.rules in known else None
