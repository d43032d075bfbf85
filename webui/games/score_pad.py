"""A game as a paper score pad has it: each side's rounds, parted into what the points came from."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from scorer.scoring import score
from scorer.scoring.tally import Line, SideTally
from scorer.sheets import read_sheet
from webui.games.progress import BOOKS, GameProgress, SideResult

PARTS = ("books", "cards", "laid", "extras", "left")
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class PadRow:
    """One side's round: points by ``PARTS``, the round's own and the running total; ``result`` has its books."""

    round: int
    side: int
    parts: dict[str, int]
    result: SideResult
    total: int


def pad_rows(progress: GameProgress) -> list[PadRow]:
    """Every confirmed round of every side, round by round."""
    rows = []
    for record in progress.game.rounds:
        if record.agreed_sheet is None:
            continue
        tally = score(read_sheet(record.agreed_sheet), progress.rules)
        for side, scored in enumerate(tally.sides):
            result, total = progress.results[record.number][side], progress.running[record.number][side]
            rows.append(PadRow(record.number, side, _parts(scored), result, total))
    return rows


def _parts(tally: SideTally) -> dict[str, int]:
    parts = dict.fromkeys(PARTS, 0)
    for line in tally.lines:
        parts[_part(line)] += line.points
    return parts


def _part(line: Line) -> str:
    where = line.where or ""
    if where.startswith("melds["):
        return "cards" if ": " in line.reason else "books"  # a line of cards says how many and what each is worth
    return {"laid": "laid", "buried": "cards"}.get(where, "left" if where.startswith("left[") else "extras")


def brief_lines(tally: SideTally) -> list[tuple[str, int]]:
    """A side's round in few lines: each meld with its cards and bonus together, and all that is left as one."""
    found: dict[str, tuple[str, int]] = {}
    for line in tally.lines:
        place = "left" if _part(line) == "left" else line.where or line.reason
        name, points = found.get(place, (_brief(line), 0))
        found[place] = (name, points + line.points)
    return list(found.values())


def _brief(line: Line) -> str:
    """What a line belongs to: ``8s in clean book of 8s: 7 × 10`` to the clean book of 8s."""
    match _part(line):
        case "left":
            return "left in hand and foot"
        case "laid":
            return "laid threes"
        case "cards" if " in " in line.reason:
            return line.reason.partition(" in ")[2].partition(": ")[0]
    return line.reason


def as_csv(games: Iterable[GameProgress]) -> str:
    """Games as one table, a line a side and round, for a spreadsheet."""
    written = io.StringIO()
    table = csv.writer(written)
    books = [f"{book} books" for book in BOOKS]
    table.writerow(
        ["game", "begun", "rules", "round", "side", "players", "went out", *books, *PARTS, "points", "total"]
    )
    for progress in games:
        for row in pad_rows(progress):
            side = progress.game.sides[row.side]
            table.writerow(
                [
                    progress.game.id,
                    progress.game.created_at,
                    progress.game.rules,
                    row.round,
                    _plain(side.name),
                    _plain(", ".join(side.players)),
                    "yes" if row.result.went_out else "no",
                    *row.result.books,
                    *row.parts.values(),
                    row.result.points,
                    row.total,
                ]
            )
    return written.getvalue()


def as_document(progress: GameProgress) -> dict[str, Any]:
    """A game as one JSON document; ``sheets`` are its confirmed round sheets, as ``handfoot score`` takes them."""
    game = progress.game
    return {
        "game": game.id,
        "begun": game.created_at,
        "rules": game.rules,
        "players": game.players,
        "sides": [{"name": side.name, "players": list(side.players)} for side in game.sides],
        "first": game.first,
        "sheets": [record.agreed_sheet for record in game.rounds if record.agreed_sheet is not None],
    }


def _plain(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULAS) else text
