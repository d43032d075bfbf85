"""The list of games: the one in progress, the others by date, and removed ones; a new game can be started from it."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from scorer.rules import RulesError, list_rules
from webui.context.guard.rights import has_access, viewer
from webui.context.invitation import invitation
from webui.context.lookups import requested_new_game
from webui.context.services import services
from webui.context.visitor import known_names
from webui.events.evening import Evening
from webui.events.stored import is_running
from webui.games.names import is_placeholder
from webui.games.new_game import seating_text
from webui.games.progress import listed_game
from webui.house_rules.unusable import unusable_rules
from webui.rounds.agreement import unsettled_rounds
from webui.storage.backup.photo_retention import leaving_photos
from webui.storage.records import GameRecord

page = Blueprint("home", __name__)

_GAMES_PER_PAGE = 20
_MAX_LINE_UPS = 3
_MOST_NAMES = 12
_EVENINGS = 3
"""The newest club evenings, of which one that is not over is shown first."""


@page.get("/")
@viewer
def show() -> str:
    """The list of games; after damage to the database, what can be done."""
    store, table = services().store, services().settings.table
    backups = store.backups
    if notice := backups.damage:
        return render_template("home/damaged.html", notice=notice, offered=backups.newest_with_games())
    games = [game for game in store.games() if game.event is None]  # those of an evening are on its page
    here = [game for game in games if game.at_table == table]
    all_tables = table is None or request.args.get("tables") == "all"
    listed_games = games if all_tables else here
    visible = [game for game in listed_games if game.state != "removed"]
    pages = max(1, -(-len(visible) // _GAMES_PER_PAGE))
    number = min(pages, max(1, request.args.get("page", 1, type=int)))
    listed = [listed_game(game) for game in visible[(number - 1) * _GAMES_PER_PAGE : number * _GAMES_PER_PAGE]]
    here_listed = [entry for entry in listed if entry.game.at_table == table and not entry.game.practice]
    in_progress = next((entry for entry in here_listed if entry.progress and not entry.progress.over), None)
    evenings = store.events.all(_EVENINGS)
    running = next((event for event in evenings if is_running(event)), None)
    return render_template(
        "home/games.html",
        listed=listed,
        unusable=unusable_rules([game for game in games if game.state != "removed"], evenings),
        going=in_progress if number == 1 else None,
        unsettled=unsettled_rounds(store, [entry.game.id for entry in listed]),
        page=number,
        pages=pages,
        line_ups=_line_ups([game for game in visible if not game.practice]),
        removed=[game for game in listed_games if game.state == "removed"],
        leaving=leaving_photos(store.files) if has_access() else None,
        lost=None if games else backups.newest_with_games(),
        table=table,
        evening=running,
        tonight=running and _as_it_stands(running.id),
        elsewhere=len(here) < len(games) and table is not None,
        all_tables=all_tables,
        tables=request.args.get("tables"),
        new=requested_new_game(),
        people=known_names()[:_MOST_NAMES],
        network=services().network,
        invitation=invitation() if has_access() else None,
        seating_text=seating_text,
    )


def _as_it_stands(event_id: int) -> Evening | None:
    """A club evening; None where its house rules are missing, which its own page says."""
    try:
        return services().evenings.find(event_id)
    except RulesError:
        return None


def _line_ups(games: list[GameRecord]) -> list[GameRecord]:
    """The latest games with different players and rules, to be started again with one tap."""
    line_ups: dict[object, GameRecord] = {}
    known_rules = list_rules()
    for game in games:
        if game.rules not in known_rules or all(
            is_placeholder(player) for side in game.sides for player in side.players
        ):
            continue
        line_ups.setdefault((game.rules, game.sides), game)
        if len(line_ups) == _MAX_LINE_UPS:
            break
    return list(line_ups.values())
