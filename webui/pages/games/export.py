"""Games to take along: tables and data to save, and a score pad to print."""

from __future__ import annotations

from flask import Blueprint, Response, json, render_template

from webui.context.services import services
from webui.games.progress import GameProgress
from webui.games.score_pad import PARTS, as_csv, as_document, pad_rows
from webui.pages.games.game import find_progress
from webui.pages.games.home import listed_game

page = Blueprint("export", __name__)


@page.get("/game/<int:game_id>/pad")
def score_pad(game_id: int) -> str:
    progress = find_progress(game_id)
    names = {"books": "Books", "cards": "Cards on the table", "laid": "Laid threes", "extras": "Bonus and penalty"}
    parts = [part for part in PARTS if part != "laid" or progress.rules.laid]
    rows = {(row.round, row.side): row for row in pad_rows(progress)}
    return render_template(
        "export/pad.html",
        game=progress.game,
        progress=progress,
        rows=rows,
        parts=[(part, names.get(part, "Left in hand and foot")) for part in parts],
    )


@page.get("/game/<int:game_id>/game.csv")
def as_csv_file(game_id: int) -> Response:
    return _file(as_csv([find_progress(game_id)]), f"game-{game_id}.csv", "text/csv")


@page.get("/game/<int:game_id>/game.json")
def as_json_file(game_id: int) -> Response:
    document = json.dumps(as_document(find_progress(game_id)), ensure_ascii=False) + "\n"
    return _file(document, f"game-{game_id}.json", "application/json")


@page.get("/games.csv")
def all_as_csv() -> Response:
    return _file(as_csv(_all()), "games.csv", "text/csv")


@page.get("/games.json")
def all_as_json() -> Response:
    lines = [json.dumps(as_document(progress), ensure_ascii=False) + "\n" for progress in _all()]
    return _file("".join(lines), "games.jsonl", "application/x-ndjson")


def _all() -> list[GameProgress]:
    """Every game that can be scored, the oldest first."""
    games = reversed(services().store.games())
    listed = [listed_game(game) for game in games if game.state != "removed"]
    return [one.progress for one in listed if one.progress is not None]


def _file(text: str, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    # Spreadsheets take a table for UTF-8 only where it begins with this mark.
    data = text.encode("utf-8-sig" if kind == "text/csv" else "utf-8")
    return Response(data, content_type=f"{kind}; charset=utf-8", headers=headers)
