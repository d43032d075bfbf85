"""One round: its sides, what no camera sees, the check before confirming, and the tally after it."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, json, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Redirect

from scorer.rules import load_rules
from webui.house import find_game, find_round, find_view, house
from webui.play import confirmed_tally, totals, view_round

page = Blueprint("round", __name__, url_prefix="/game/<int:game_id>/round/<int:number>")


@page.get("/")
def show(game_id: int, number: int) -> str:
    return render_template("round/round.html", view=find_view(game_id, number))


@page.post("/facts")
def keep_facts(game_id: int, number: int) -> Redirect:
    """Keeps who went out and the rest, and, where asked to, confirms the round as it then stands."""
    game, record = find_round(game_id, number)
    store = house().store
    store.keep_facts(record.id, _facts(len(game.sides)))
    if "confirm" not in request.form:
        return redirect(url_for(".show", game_id=game_id, number=number), 303)
    view = find_view(game_id, number)
    if view.trouble is not None:
        abort(409, f"This round cannot be confirmed yet: {view.trouble}")
    store.confirm(record.id, view.sheet)
    return redirect(url_for(".tally", game_id=game_id, number=number), 303)


@page.get("/tally")
def tally(game_id: int, number: int) -> str:
    """The confirmed round, line by line, and the running totals."""
    game, record = find_round(game_id, number)
    rules = load_rules(game.rules)
    scored = confirmed_tally(record, rules)
    if scored is None:
        abort(404, "This round is not confirmed yet; go back to the round and confirm it.")
    points = totals(game, rules)
    until_now = [sum(points[n][side] for n in points if n <= number) for side in range(len(game.sides))]
    following = number + 1 if number < rules.rounds_for(game.players) else None
    view = view_round(game, record)
    return render_template(
        "round/tally.html", view=view, scored=scored, until_now=until_now, following=following, done=points
    )


@page.get("/sheet.json")
def export(game_id: int, number: int) -> Response:
    """The confirmed round sheet, as ``handfoot score`` takes it."""
    record = find_game(game_id).round(number)
    if record is None or record.sheet is None:
        abort(404, "This round is not confirmed yet; go back to the round and confirm it.")
    name = f"game-{game_id}-round-{number}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(json.dumps(record.sheet) + "\n", mimetype="application/json", headers=headers)


def _facts(sides: int) -> dict[str, Any]:
    out = request.form.get("went_out", "")
    return {
        str(side): {
            "went_out": out == str(side),
            "exact_deals": _count(f"exact_deals{side}"),
            "improper_melds": _count(f"improper_melds{side}"),
        }
        for side in range(sides)
    }


def _count(name: str) -> int:
    return min(99, max(0, request.form.get(name, 0, type=int)))
