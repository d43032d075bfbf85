"""One game: the running totals, what the next round asks for, and beginning it."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response

from scorer.rules import load_rules
from webui.house import find_game, house
from webui.play import totals

page = Blueprint("game", __name__, url_prefix="/game/<int:game_id>")


@page.get("/")
def show(game_id: int) -> str:
    game = find_game(game_id)
    rules = load_rules(game.rules)
    points = totals(game, rules)
    rounds = rules.rounds_for(game.players)
    sums = [sum(scored[side] for scored in points.values()) for side in range(len(game.sides))]
    open_rounds = [number for number in range(1, rounds + 1) if number not in points]
    return render_template(
        "game/game.html",
        game=game,
        rules=rules,
        points=points,
        rounds=rounds,
        sums=sums,
        next_round=open_rounds[0] if open_rounds else None,
        begun={record.number for record in game.rounds},
    )


@page.post("/round/<int:number>/begin")
def begin(game_id: int, number: int) -> Response:
    game = find_game(game_id)
    rounds = load_rules(game.rules).rounds_for(game.players)
    if not 1 <= number <= rounds:
        abort(404, f"This game has {rounds} rounds; go back to the game and choose one of them.")
    house().store.begin_round(game_id, number)
    return redirect(url_for("round.show", game_id=game_id, number=number), 303)
