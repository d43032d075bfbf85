"""The list of games: the one to go on with, the others by date, those removed, and what all of them come to."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template, request

from scorer.rules import RulesError, list_rules, load_rules
from scorer.sheets import SheetError
from webui.context.invitation import invitation
from webui.context.request_guard import is_in
from webui.context.services import services
from webui.games.progress import GameProgress, game_progress
from webui.pages.games.new import asked_game, is_usual, seating_text
from webui.storage.records import GameRecord

page = Blueprint("home", __name__)

_ON_A_PAGE = 20
_LINE_UPS = 3


@dataclass(frozen=True, slots=True)
class Listed:
    """A game in the list; ``trouble`` is the sentence why its points cannot be computed, else None."""

    game: GameRecord
    progress: GameProgress | None
    trouble: str | None = None


@page.get("/")
def show() -> str:
    kept = services()
    backups, table = kept.store.backups, kept.settings.table
    if notice := backups.damage:
        return render_template("home/damaged.html", notice=notice, offered=backups.newest_with_games())
    games = kept.store.games()
    here = [game for game in games if game.at_table == table]
    all_tables = table is None or request.args.get("tables") == "all"
    shown = games if all_tables else here
    present = [game for game in shown if game.state != "removed"]
    at = max(1, request.args.get("page", 1, type=int))
    pages = max(1, -(-len(present) // _ON_A_PAGE))
    at = min(at, pages)
    listed = [listed_game(game) for game in present[(at - 1) * _ON_A_PAGE : at * _ON_A_PAGE]]
    going = next((one for one in listed if one.game.at_table == table and one.progress and not one.progress.over), None)
    return render_template(
        "home/games.html",
        listed=listed,
        going=going if at == 1 else None,
        page=at,
        pages=pages,
        line_ups=_line_ups(present),
        removed=[game for game in shown if game.state == "removed"],
        lost=None if games else backups.newest_with_games(),
        table=table,
        elsewhere=len(here) < len(games) and table is not None,
        all_tables=all_tables,
        tables=request.args.get("tables"),
        new=asked_game(),
        way_in=invitation() if is_in() else None,
        seating_text=seating_text,
    )


def listed_game(game: GameRecord) -> Listed:
    """One game that cannot be scored any more must not take the others from the list."""
    try:
        return Listed(game, game_progress(game, load_rules(game.rules)))
    except (RulesError, SheetError) as error:
        return Listed(game, None, str(error))


def _line_ups(games: list[GameRecord]) -> list[GameRecord]:
    """The last games of each different set of people and rules, to be played again with one tap."""
    found: dict[object, GameRecord] = {}
    known = list_rules()
    for game in games:
        if game.rules not in known or all(is_usual(player) for side in game.sides for player in side.players):
            continue
        found.setdefault((game.rules, game.sides), game)
        if len(found) == _LINE_UPS:
            break
    return list(found.values())
