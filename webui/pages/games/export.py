"""Exporting games: CSV and JSON files, and a score pad to print."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable, Iterator
from http import HTTPStatus

from flask import Blueprint, Response, render_template
from flask.typing import ResponseReturnValue

from webui.context.guard.rights import keeper
from webui.context.lookups import find_progress
from webui.context.responses.streams import stream_response
from webui.context.services import services
from webui.context.warmup import counting_page
from webui.games.progress import GameProgress, listed_game
from webui.games.results.round_results import PARTS
from webui.games.score_pad import as_csv, as_document, file_name, pad_rows, pad_size, pad_tables
from webui.rounds.agreement import unsettled_rounds
from webui.translation import _
from webui.wording import listed

page = Blueprint("export", __name__)

_LINES_OF_A_ROUND = 3
"""Beside those of its parts: its name, its total, and the running one."""


@page.get("/game/<int:game_id>/pad")
def score_pad(game_id: int) -> str:
    progress = find_progress(game_id)
    names = {
        "books": _("Books"),
        "cards": _("Cards on the table"),
        "laid": _("Laid threes"),
        "extras": _("Bonus and penalty"),
    }
    results = [side for sides in progress.results.values() for side in sides]
    to_come = () if progress.over else (progress.rules,)
    rule_sets = {rules.id: rules for rules in (*progress.rule_sets, *to_come)}.values() or (progress.rules,)
    told = {
        "laid": any(rules.laid for rules in rule_sets),
        "typed": any(side.parts[PARTS.index("typed")] for side in results),
    }
    parts = [part for part in PARTS if told.get(part, True)]
    names["typed"] = _("Total, typed")
    if any(rules.burying for rules in rule_sets):
        names["cards"] = _("Cards on the table and buried")
    rows = {(row.round, row.side): row for row in pad_rows(progress)}
    tables = pad_tables(len(progress.game.sides))
    sets, people = progress.rules.in_sets, len(progress.own_totals) if progress.rules.own_totals else 0
    lines = len(parts) + _LINES_OF_A_ROUND + 2 * sets + bool(progress.starts and not sets)
    return render_template(
        "export/pad.html",
        game=progress.game,
        progress=progress,
        unsettled=unsettled_rounds(services().store, [game_id]).get(game_id, ()),
        rows=rows,
        rules=listed(rules.name for rules in rule_sets),
        tables=tables,
        size=pad_size(len(tables) * len(progress.round_numbers), lines, people and people + 3, len(tables[0])),
        parts=[(part, names.get(part, _("Left in hand and foot"))) for part in parts],
    )


@page.get("/game/<int:game_id>/game.csv")
def game_csv(game_id: int) -> Response:
    progress = find_progress(game_id)
    return _file(as_csv([progress]), file_name(progress.game, "csv"), "text/csv")


@page.get("/game/<int:game_id>/game.json")
def game_json(game_id: int) -> Response:
    progress = find_progress(game_id)
    return _file(_as_json([progress]), file_name(progress.game, "json"), "application/json")


@page.get("/games.csv")
@keeper
def all_csv() -> ResponseReturnValue:
    return _being_counted() or _file(as_csv(_all()), "games.csv", "text/csv")


@page.get("/games.json")
@keeper
def all_json() -> ResponseReturnValue:
    return _being_counted() or _file(_as_json(_all()), "games.jsonl", "application/x-ndjson")


def _being_counted() -> ResponseReturnValue | None:
    """The page that tells how far the count is, and then asks for the file; a program is told to come again."""
    counting = counting_page()
    return (counting, HTTPStatus.SERVICE_UNAVAILABLE, {"Retry-After": "5"}) if counting else None


def _all() -> list[GameProgress]:
    """The games that can be scored, oldest first."""
    listed = [listed_game(game) for game in reversed(services().store.counted_games())]
    return [entry.progress for entry in listed if entry.progress is not None]


def _as_json(games: Iterable[GameProgress]) -> Iterator[str]:
    """One line for each game."""
    return (json.dumps(as_document(progress), ensure_ascii=False, sort_keys=True) + "\n" for progress in games)


def _file(parts: Iterable[str], name: str, kind: str) -> Response:
    """A file to save, written part by part while it is sent."""
    # Spreadsheets recognise UTF-8 only by a byte order mark.
    data = codecs.iterencode(parts, "utf-8-sig" if kind == "text/csv" else "utf-8")
    response = stream_response(data, f"{kind}; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
