"""A game as on a paper score pad: each side's rounds with the points by source; also its exports as CSV and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from scorer.scoring.tally import Line, SideTally
from webui.games.csv_lines import plain
from webui.games.progress import GameProgress
from webui.games.results.round_results import BOOKS, PARTS, SideResult, part_of
from webui.storage.db.row_mapping import side_documents
from webui.storage.records import GameRecord
from webui.translation import _
from webui.wording import local_date

_MAX_COLUMNS = 6
"""Sides in one table of the pad, so that numbers of six digits stand beside each other on upright paper."""
_LINES_BY_SIZE = (34, 42, 47, 52, 57, 62)
"""The most lines on a page of the pad in letters of full size, and in each smaller one."""
_SIDES_IN_HALVES = 4
_MORE_LINES_OF_NAMES = 3
"""What names take more over narrow columns."""


@dataclass(frozen=True, slots=True)
class PadRow:
    """One side's round: its result, and the running total after it."""

    round: int
    side: int
    result: SideResult
    total: int

    @property
    def parts(self) -> dict[str, int]:
        """The points by where they come from."""
        return dict(zip(PARTS, self.result.parts, strict=True))

    @property
    def told(self) -> dict[str, int]:
        """As ``parts``, without what nobody told: of a total that was typed alone, where its points come from."""
        parts = self.parts
        if not parts["typed"]:
            del parts["typed"]
        elif not any(points for part, points in parts.items() if part != "typed"):
            return {"typed": parts["typed"]}
        return parts


def pad_rows(progress: GameProgress) -> list[PadRow]:
    """The agreed rounds of every side, round by round."""
    return [
        PadRow(number, side, result, progress.running[number][side])
        for number, results in progress.results.items()
        for side, result in enumerate(results)
    ]


def pad_tables(sides: int) -> list[range]:
    """The indices of the sides in each table of the pad: as few tables as possible, of about equal width."""
    tables = -(-sides // _MAX_COLUMNS)
    edges = [round(sides * table / tables) for table in range(tables + 1)]
    return [range(first, end) for first, end in pairwise(edges)]


def pad_size(rounds: int, lines: int, others: int, sides: int) -> str:
    """How a pad is printed, so that it takes one page: the classes of the style sheet.

    Up to four sides have room for two columns of rounds, which leaves the letters larger than one column would; with
    more lines, and with more sides in half the width, the letters get smaller.

    Args:
        rounds: the rounds on it, which stay whole.
        lines: the lines of a round.
        others: the lines below all rounds.
        sides: the sides in its widest table.
    """
    halves = rounds * lines + others > _LINES_BY_SIZE[0] and rounds > 1 and sides <= _SIDES_IN_HALVES
    in_column = (-(-rounds // 2) if halves else rounds) * lines + others + halves * _MORE_LINES_OF_NAMES
    step = max(sum(in_column > most for most in _LINES_BY_SIZE), sides - 2 if halves else 0)
    return " ".join([*(["halves"] if halves else []), *([f"small-{step}"] if step else [])])


def brief_lines(tally: SideTally) -> list[tuple[str, int]]:
    """A side's round in a few lines: one for each meld with its cards and bonus, and one for all left-over cards.

    Returns:
        Names and points.
    """
    lines: dict[str, tuple[str, int]] = {}
    for line in tally.lines:
        where = "left" if part_of(line) == "left" else line.where or line.reason
        name, points = lines.get(where, (_brief_name(line), 0))
        lines[where] = (name, points + line.points)
    return list(lines.values())


def _brief_name(line: Line) -> str:
    """What a line belongs to: ``clean book of 8s`` for ``8s in clean book of 8s: 7 × 10``."""
    match part_of(line):
        case "left":
            return _("left in hand and foot")
        case "laid":
            return _("laid threes")
        case "cards" if line.where == "buried":
            return _("buried cards")
        case "cards" if " in " in line.reason:
            return line.reason.partition(" in ")[2].partition(": ")[0]
    return line.reason


def file_name(game: GameRecord, suffix: str) -> str:
    """The name of a file of a game: ``game-7.csv``, ``practice-game-7.csv``."""
    return f"{'practice-' if game.practice else ''}game-{game.id}.{suffix}"


def as_csv(games: Sequence[GameProgress]) -> Iterator[str]:
    """Games as one CSV table with a line per round and side, and a column for each of a side's players.

    A game of practice, which no table holds beside others, says so in a last column.

    Yields the head of the table, then the lines of each game.
    """
    most = max((len(side.players) for progress in games for side in progress.game.sides), default=1)
    practice = any(progress.game.practice for progress in games)
    text = io.StringIO()
    table = csv.writer(text)
    books = [f"{book} books" for book in BOOKS]
    table.writerow(
        [
            *("game", "day", "begun", "rules", "round", "side"),
            *(f"player {seat + 1}" for seat in range(most)),
            *("went out", *books, *PARTS, "points", "total", *(["practice"] if practice else [])),
        ]
    )
    for progress in games:
        yield text.getvalue()
        text.seek(0)
        text.truncate()
        day = local_date(progress.game.created_at)
        for number, results in progress.results.items():
            begin = (progress.game.id, day, progress.game.created_at, progress.rules_in(number).id, number)
            for side, result, total in zip(progress.sides_in(number), results, progress.running[number], strict=True):
                table.writerow(
                    [
                        *begin,
                        plain(side.name),
                        *map(plain, side.players),
                        *[""] * (most - len(side.players)),
                        "yes" if result.went_out else "no",
                        *result.books,
                        *result.parts,
                        result.points,
                        total,
                        *(["yes"] if practice else []),
                    ]
                )
    yield text.getvalue()


def as_document(progress: GameProgress) -> dict[str, Any]:
    """A game as a JSON document; ``sheets`` are its agreed round sheets, as ``handfoot score`` takes them."""
    game = progress.game
    document = {
        "game": game.id,
        "begun": game.created_at,
        "rules": game.rules,
        "players": game.players,
        "sides": side_documents(game.sides),
        "first": game.first,
        **({"decks": list(game.decks)} if game.decks else {}),
        "sheets": [record.agreed_sheet for record in game.rounds if record.agreed_text is not None],
    }
    return document | ({"practice": True} if game.practice else {})
