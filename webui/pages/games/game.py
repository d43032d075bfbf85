"""One game: its totals, the next round, who starts, its names, ending and removing it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.rules import RulesError, load_rules
from webui.context.guard.idempotency import idempotent
from webui.context.guard.rights import has_access, viewer
from webui.context.lookups import find_game, find_progress, last_seen_change
from webui.context.services import services
from webui.context.watching_sign import may_be_watched
from webui.corrections.answers import set_starter
from webui.decks.in_play import Unread, name_of_deck, unread
from webui.games.agreed_rules import others_since
from webui.games.log.announcements import latest_announcement
from webui.games.names import has_own_name, is_placeholder, name_error, rename_changes, renamed_side
from webui.games.plot import plot_totals
from webui.games.progress import is_drawn_each_round, seats
from webui.games.seating import floater_side
from webui.rounds.agreement import unsettled_rounds
from webui.rounds.round_view import is_being_scored
from webui.storage.records import GameRecord, SideRecord
from webui.translation import _
from webui.watching.fill_round import fill_round
from webui.whole_numbers import whole_number
from webui.wording import tidy

page = Blueprint("game", __name__, url_prefix="/game/<int:game_id>")

_STATES = {"end": "ended", "reopen": "open", "remove": "removed", "restore": None}


@page.get("/")
@viewer
def show(game_id: int) -> str:
    """The game with its totals and the next round."""
    # Read first: a change that is made while the page is built then counts as new, and the page loads again.
    version, log = services().store.version(game_id), services().store.log(game_id)
    progress = find_progress(game_id)
    game = progress.game
    decks = game.decks or (progress.rules.deck,)
    photographed = (game.practice and not game.decks) or any(record.photos for record in game.rounds)
    return render_template(
        "game/game.html",
        game=game,
        rules=progress.rules,
        progress=progress,
        changed=others_since(game, progress.rules),
        unsettled=unsettled_rounds(services().store, [game_id]).get(game_id, ()),
        plot=plot_totals(progress),
        seats=seats(game),
        begun={record.number for record in game.rounds},
        decks=[name_of_deck(id) for id in decks],
        unread=Unread() if photographed else unread(decks, services().decks, services().learning.state()),
        scoring={record.number for record in game.rounds if is_being_scored(record)},
        version=version,
        news=latest_announcement(log, progress),
        may_be_watched=may_be_watched(game),
        films=services().watch.films_of(game) if has_access() else [],
    )


@page.post("/round/<int:number>/begin")
def begin_round(game_id: int, number: int) -> Response:
    """Begins a round and leads to its first step."""
    progress = find_progress(game_id)
    if number not in progress.round_numbers:
        count = len(progress.round_numbers)
        abort(404, _("This game has %(count)s rounds. Go back to the game and choose one of them.", count=count))
    services().store.rounds.begin(game_id, number)
    services().watch.finish(game_id, number)
    fill_round(services().store, services().watch, find_game(game_id), number)
    return redirect(url_for("round.show", game_id=game_id, number=number), 303)


@page.post("/round/<int:number>/starter")
@idempotent
def choose_starter(game_id: int, number: int) -> Response:
    """Saves who plays first in a round, where a card is drawn for it anew each round; the round is then begun."""
    progress = find_progress(game_id)
    if number not in progress.round_numbers or not is_drawn_each_round(progress.rules):
        abort(404, _("You don’t have to say who plays first in that round. Go back to the game."))
    side, seat = map(whole_number, request.form.get("starter", "").partition(".")[::2])
    sides = progress.sides_in(number)
    if side is None or seat is None or side >= len(sides) or seat >= len(sides[side].players):
        abort(400, _("Nobody is in that seat. Go back and choose one of the players."))
    services().store.rounds.begin(game_id, number)
    record = find_game(game_id).round(number)
    if record is not None:
        services().store.rounds.change_facts(
            record.id, lambda facts: set_starter(facts, side, seat), last_seen_change()
        )
    to_round = "round" in request.form
    return redirect(
        url_for("round.out", game_id=game_id, number=number) if to_round else url_for(".show", game_id=game_id), 303
    )


@page.post("/first")
def choose_first(game_id: int) -> Response:
    """Saves who plays first in round 1; an empty name clears it."""
    game = find_game(game_id)
    first = request.form.get("first")
    if first is None or (first and first not in seats(game)):
        abort(400, _("Nobody by that name is playing. Go back and choose one of the players."))
    return _change(game_id, {"first": first or None})


@page.post("/state")
def change_state(game_id: int) -> Response:
    """Ends the game before its last round, reopens it, removes it from the list or restores it."""
    find_game(game_id)
    state = request.form.get("state", "")
    if state not in _STATES:
        abort(400, _("You can’t do that with a game. Go back to the game."))
    services().store.change_game(game_id, {"state": _STATES[state]})
    if state == "remove":
        services().watch.remove(game_id)
    target = url_for("home.show") if state == "remove" else url_for(".show", game_id=game_id)
    return redirect(target, 303)


@page.get("/names")
def names(game_id: int) -> str | Response:
    """The form for the names of sides and players; a club evening has one list of them."""
    game = find_game(game_id)
    if game.event:
        return redirect(url_for("evening.show", event_id=game.event.event_id, _anchor="people"))
    return _names_form(game, None)


@page.post("/names")
def save_names(game_id: int) -> Response | tuple[str, int]:
    """Saves the names that this person changed; the same seat still starts, and a side that is called by its players
    follows them. A name that another device changed since the form was opened stays, or is asked about."""
    game = find_game(game_id)
    if game.event:
        abort(400, _("The names of a club evening are changed in its list of teams or people."))
    shown = _shown_names(game)
    for field, current in shown.items():
        was = tidy(request.form.get(f"was.{field}", ""))
        if current not in (was, _said(field, current)):
            sentence = (
                _(
                    "Someone changed “%(was)s” to “%(now)s” on another device. Check it and save what is right.",
                    was=was,
                    now=current,
                )
                if was and current
                else _(
                    "Someone changed the name “%(name)s” on another device. Check it and save what is right.",
                    name=was or current,
                )
            )
            return _names_form(game, sentence), 409
    sides = tuple(_renamed(game, side, shown) for side in range(len(game.sides)))
    if error := name_error(sides):
        return _names_form(game, error), 400
    return _change(game_id, rename_changes(game, sides))


def _shown_names(game: GameRecord) -> dict[str, str]:
    """What the fields of the form hold, by their names; empty for what nobody has named."""
    shown = {}
    for at, side in enumerate(game.sides):
        alone = len(side.players) == 1
        named = has_own_name(side, at == _floating(game)) or (alone and not is_placeholder(side.name))
        shown[f"side{at}"] = side.name if named else ""
        if not alone:
            shown |= {
                f"player{at}.{seat}": "" if is_placeholder(player) else player
                for seat, player in enumerate(side.players)
            }
    return shown


def _said(field: str, current: str) -> str:
    """What this person wants in a field: what it holds now where they left it as it was shown to them."""
    said, was = tidy(request.form.get(field, current)), request.form.get(f"was.{field}")
    return current if was is not None and said == tidy(was) else said


def _renamed(game: GameRecord, side: int, shown: dict[str, str]) -> SideRecord:
    current = game.sides[side]
    seats_shown = [f"player{side}.{seat}" for seat in range(len(current.players))]
    players = [_said(field, shown.get(field, "")) for field in seats_shown]
    return renamed_side(current, _said(f"side{side}", shown[f"side{side}"]), players, side == _floating(game))


def _floating(game: GameRecord) -> int | None:
    """The index of the side whose last player is a floater; None without one, or if the rules cannot be loaded."""
    try:
        return floater_side(game.sides, load_rules(game.rules))
    except RulesError:
        return None


def _names_form(game: GameRecord, sentence: str | None) -> str:
    return render_template(
        "game/names.html",
        game=game,
        sentence=sentence,
        chosen=request.form,
        shown=_shown_names(game),
        floating=_floating(game),
    )


def _change(game_id: int, changed: dict[str, Any]) -> Response:
    services().store.change_game(game_id, changed)
    return redirect(url_for(".show", game_id=game_id), 303)
