"""The results of a round as lists, statistics and the score pad need them; each sheet is scored once.

A result is found again by the hash of the sheet's text and of its rules: where either changes, it is another result.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass

from scorer.rules import RuleSet
from scorer.rules.book_parts import Book
from scorer.scoring import score
from scorer.scoring.tally import Line, SideTally
from scorer.sheets import read_sheet

BOOKS: tuple[Book, ...] = ("clean", "dirty", "wild")
PARTS = ("books", "cards", "laid", "extras", "left", "typed")
"""Where points come from: book bonuses, cards in melds, laid threes, everything else, left-over cards, and a total that
people typed in place of all these."""
_TYPED_PARTS = {"typed.total": "typed", "typed.cards": "cards", "typed.left": "left"}
MAX_RESULTS = 100_000
"""The most rounds whose results are held in memory, about 1 kB each."""


@dataclass(frozen=True, slots=True)
class SideResult:
    """One side's round: points by ``PARTS``, numbers of books by ``BOOKS``, and the number of broken rules.

    ``is_typed``: people counted it, and not the cards; of a total alone no books are known.
    """

    parts: tuple[int, int, int, int, int, int]
    books: tuple[int, int, int]
    went_out: bool
    violations: int
    is_typed: bool = False

    @property
    def points(self) -> int:
        """All points of the round."""
        return sum(self.parts)

    def count_books(self, book: Book) -> int:
        """The number of books of a kind."""
        return self.books[BOOKS.index(book)]


RoundResult = tuple[SideResult, ...]
"""One result for each side, in the order of the sheet."""
_results: dict[str, RoundResult] = {}
_lock = threading.Lock()


def round_result(sheet: str, rules: RuleSet) -> RoundResult:
    """The result of a round.

    Args:
        sheet: the round sheet as JSON text.
        rules: the rules by which it counts.

    Raises:
        SheetError: the sheet is invalid.
    """
    content = f"{rules.content_hash} {sheet}"
    key = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    found = _results.get(key)
    if found is None:
        found = _score(sheet, rules)
        remember({key: found})
    return found


def remember(results: Mapping[str, RoundResult]) -> None:
    """Adds results to those that are found again, by their hash."""
    with _lock:
        if len(_results) + len(results) > MAX_RESULTS:
            _results.clear()
        _results.update(results)


def remembered() -> dict[str, RoundResult]:
    """All results that are found again, by their hash."""
    with _lock:
        return dict(_results)


def forget() -> None:
    """Forgets all results, as a new process does."""
    with _lock:
        _results.clear()


def _score(text: str, rules: RuleSet) -> RoundResult:
    sheet = read_sheet(json.loads(text))
    return tuple(
        SideResult(_parts(scored), _books(scored), side.went_out, len(scored.violations), side.typed is not None)
        for side, scored in zip(sheet.sides, score(sheet, rules).sides, strict=True)
    )


def _books(tally: SideTally) -> tuple[int, int, int]:
    return tally.books.count("clean"), tally.books.count("dirty"), tally.books.count("wild")


def _parts(tally: SideTally) -> tuple[int, int, int, int, int, int]:
    parts = dict.fromkeys(PARTS, 0)
    for line in tally.lines:
        parts[part_of(line)] += line.points
    return parts["books"], parts["cards"], parts["laid"], parts["extras"], parts["left"], parts["typed"]


def part_of(line: Line) -> str:
    """Which of ``PARTS`` a line of a tally counts for."""
    where = line.where or ""
    if where.startswith("typed."):
        return _TYPED_PARTS.get(where, "books")
    if where.startswith("melds["):
        return "cards" if ": " in line.reason else "books"  # lines of cards give a number and a value
    return {"laid": "laid", "buried": "cards"}.get(where, "left" if where.startswith("left[") else "extras")
