"""One game: its progress and totals, what the next round asks for, who starts, its end, its names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.rules import load_rules
from webui.context.lookups import find_game
from webui.context.services import services
from webui.games.announcements import latest_announcement
from webui.games.plot import plot_totals
from webui.games.progress import GameProgress, game_progress, seats
from webui.pages.games.new import name_trouble
from webui.storage.db.row_mapping import side_documents
from webui.storage.records import GameRecord, SideRecord
from webui.wording import tidy

page = Blueprint("game", __name__, url_prefix="/game/<int:game_id>")

_STATES = {"end": "ended", "reopen": "open", "remove": "removed", "restore": None}


@page.get("/")
def show(game_id: int) -> str:
    # The number comes first: a change that is made while the page is being put together is then shown once more.
    version, log = services().store.version(game_id), services().store.log(game_id)
    progress = find_progress(game_id)
    game = progress.game
    return render_template(
        "game/game.html",
        game=game,
        rules=progress.rules,
        progress=progress,
        plot=plot_totals(progress),
        seats=seats(game),
        begun={record.number for record in game.rounds},
        version=version,
        news=latest_announcement(log, progress),
    )


def find_progress(game_id: int) -> GameProgress:
    """The progress of an address's game; answers 404 where there is none."""
    game = find_game(game_id)
    return game_progress(game, load_rules(game.rules))


@page.post("/round/<int:number>/begin")
def begin(game_id: int, number: int) -> Response:
    progress = find_progress(game_id)
    if number not in progress.round_numbers:
        count = len(progress.round_numbers)
        abort(404, f"This game has {count} rounds; go back to the game and choose one of them.")
    services().store.rounds.begin(game_id, number)
    return redirect(url_for("round.show", game_id=game_id, number=number), 303)


@page.post("/first")
def choose_first(game_id: int) -> Response:
    """Keeps who plays first in round 1; an empty name forgets it."""
    game = find_game(game_id)
    first = request.form.get("first", "")
    if first and first not in seats(game):
        abort(400, "Nobody of that name sits at this table; go back and choose one of the players.")
    return _change(game_id, {"first": first or None})


@page.post("/state")
def change_state(game_id: int) -> Response:
    """Ends the game before its last round, takes it up again, removes it from the list or brings it back."""
    find_game(game_id)
    asked = request.form.get("state", "")
    if asked not in _STATES:
        abort(400, "That cannot be done with a game; go back to the game.")
    services().store.change_game(game_id, {"state": _STATES[asked]})
    target = url_for("home.show") if asked == "remove" else url_for(".show", game_id=game_id)
    return redirect(target, 303)


@page.get("/names")
def names(game_id: int) -> str:
    return render_template("game/names.html", game=find_game(game_id), sentence=None, chosen={})


@page.post("/names")
def keep_names(game_id: int) -> Response | tuple[str, int]:
    """Keeps other names; who starts is still the same seat."""
    game = find_game(game_id)
    sides = tuple(_renamed(game, side) for side in range(len(game.sides)))
    if sentence := name_trouble(sides):
        return render_template("game/names.html", game=game, sentence=sentence, chosen=request.form), 400
    return _change(game_id, renaming(game, sides))


def renaming(game: GameRecord, sides: Sequence[SideRecord]) -> dict[str, Any]:
    """What changes in a game with other names: those, and the name of who starts."""
    changed: dict[str, Any] = {"sides": side_documents(sides)}
    for before, after in zip(game.sides, sides, strict=True):
        if game.first in before.players:
            changed["first"] = after.players[before.players.index(game.first)]
    return changed


def _renamed(game: GameRecord, side: int) -> SideRecord:
    now = game.sides[side]
    name = tidy(request.form.get(f"side{side}", "")) or now.name
    if len(now.players) == 1:
        return SideRecord(name, (name,))
    players = [tidy(request.form.get(f"player{side}.{seat}", "")) or one for seat, one in enumerate(now.players)]
    return SideRecord(name, tuple(players))


def _change(game_id: int, changed: dict[str, Any]) -> Response:
    services().store.change_game(game_id, changed)
    return redirect(url_for(".show", game_id=game_id), 303)
