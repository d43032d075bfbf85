"""Playing again with other partners: who is there, a proposal of sides, and names that change places."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from scorer.rules import load_rules
from webui.context.lookups import find_game
from webui.context.services import services
from webui.context.visitor import known_names
from webui.games.names import is_placeholder
from webui.games.new_game import player_counts, seating_text
from webui.games.season.next_game import history
from webui.games.season.seats import NewSeats, each_once, new_game_fields, people_of, read_order, seated_now
from webui.wording import name_key, tidy

page = Blueprint("again", __name__)


@page.get("/game/<int:game_id>/again")
def show(game_id: int) -> str:
    """The sides of the next game: as proposed, or as they were changed by the query.

    The query holds who is ``here`` and how they sit (``order``); ``tap`` is a place that was tapped, and ``pick`` the
    one that was tapped before it: both then change places.
    """
    game = find_game(game_id)
    rules = load_rules(game.rules)
    games = services().store.counted_games()
    past = history(games)
    asked = request.args
    added = tidy(asked.get("add", ""))
    was_here = map(tidy, asked.getlist("here")) if "here" in asked or "asked" in asked else people_of(game)
    here = each_once([*was_here, added])
    counts = player_counts(rules)
    seats = None
    if len(here) >= min(counts):
        proposed = seated_now(here, rules, past, asked.get("seats", ""), game, max(asked.get("turn", 0, type=int), 0))
        seats = _as_asked(proposed)
    pick, tap = asked.get("pick", type=int), asked.get("tap", type=int)
    if seats is not None and pick is not None and tap is not None:
        seats, tap = seats.swapped(pick, tap), None
    names = {name_key(name) for name in here}
    return render_template(
        "again/again.html",
        game=game,
        rules=rules,
        here=here,
        others=[name for name in known_names() if name_key(name) not in names],
        seats=seats,
        picked=tap if seats and tap is not None and 0 <= tap < len(seats.order) else None,
        past=past,
        counts=counts,
        turn=max(asked.get("turn", 0, type=int), 0),
        ways=rules.sides_for(sum(seats.seating)) if seats else (),
        seating_text=seating_text,
        fields=new_game_fields(seats, game, rules) if seats else {},
        no_name=added if is_placeholder(added) else None,
    )


def _as_asked(proposed: NewSeats) -> NewSeats:
    """The seats in the order of the query, the proposed ones where it has none for these people."""
    order = read_order(request.args.get("order", ""), len(proposed.people))
    return proposed if order is None else NewSeats(proposed.people, order, proposed.seating, proposed.floating)
