"""Statistics of all games: records, and a table of players or sides.

Points can be compared only between games with the same rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, render_template, request

from webui.context.guard.rights import viewer
from webui.context.services import services
from webui.context.warmup import counting_page
from webui.events.stored import counted_seats
from webui.games.progress import GameProgress, listed_game
from webui.games.rule_choice import names_apart
from webui.games.season.person_total import PersonTotal
from webui.games.season.season_line import season_line
from webui.games.season.totals import MIXED
from webui.games.statistics import player_statistics, records
from webui.wording import listed

page = Blueprint("statistics", __name__)


@page.get("/statistics")
@viewer
def show() -> str:
    """The statistics of all games, or of those with the rules in the query."""
    if counting := counting_page():
        return counting
    entries = [listed_game(game) for game in reversed(services().store.counted_games())]
    games = [entry.progress for entry in entries if entry.progress is not None and entry.progress.points]
    rule_sets = {_rules_id(progress): listed(rules.name for rules in progress.rule_sets) for progress in games}
    chosen = request.args.get("rules", "")
    if chosen not in rule_sets:
        chosen = next(iter(rule_sets)) if len(rule_sets) == 1 else ""
    by_sides = request.args.get("by") == "sides"
    included = [progress for progress in games if not chosen or _rules_id(progress) == chosen]
    people = player_statistics(included, by_sides=True) if by_sides else _people(included)
    return render_template(
        "statistics/statistics.html",
        games=len(included),
        rule_sets=sorted(names_apart(rule_sets).items(), key=lambda rules: rules[1]),
        chosen=chosen,
        by_sides=by_sides,
        in_hands=bool(included) and all(rules.in_sets for one in included for rules in one.rule_sets),
        people=people,
        records=records(included, people),
        line=season_line(people) if chosen else None,
        most_won=max((one.won for one in people), default=0),
        any_wild=any(one.books["wild"] for one in people),
    )


def _people(games: Sequence[GameProgress]) -> list[PersonTotal]:
    store, sides = services().store, max((len(of.game.sides) for of in games), default=0)
    return player_statistics(games, False, counted_seats(store), store.rounds.out_players(sides))


def _rules_id(progress: GameProgress) -> str:
    """The rule set of a game, or several that it changed on the way, as in a season."""
    return MIXED.join(rules.id for rules in progress.rule_sets)
