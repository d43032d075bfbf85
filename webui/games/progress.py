"""The progress of a game: what each confirmed round gave, the running totals, who leads and whether it is over."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from scorer.game import is_over, personal_totals, who_starts
from scorer.rules import RuleSet
from scorer.rules.card_parts import Book
from scorer.scoring import score
from scorer.scoring.melds import check_meld
from scorer.sheets import Meld, read_sheet
from webui.storage.records import GameRecord, RoundRecord

BOOKS: tuple[Book, ...] = ("clean", "dirty", "wild")


@dataclass(frozen=True, slots=True)
class SideResult:
    """One side's confirmed round: its points, its books of each kind, and whether it went out."""

    points: int
    books: tuple[int, int, int]
    went_out: bool
    violations: int

    def of(self, book: Book) -> int:
        """How many books of a kind."""
        return self.books[BOOKS.index(book)]


@dataclass(frozen=True)
class GameProgress:
    """A game as far as it was confirmed; ``results`` are its rounds by number, each side by side."""

    game: GameRecord
    rules: RuleSet
    results: dict[int, tuple[SideResult, ...]]

    @cached_property
    def points(self) -> dict[int, tuple[int, ...]]:
        """The points of every confirmed round, by its number, one for each side."""
        return {number: tuple(side.points for side in sides) for number, sides in self.results.items()}

    @cached_property
    def running(self) -> dict[int, tuple[int, ...]]:
        """Each side's total after every confirmed round, by its number."""
        columns = [tuple(accumulate(points[side] for points in self.points.values())) for side in self.sides]
        return {number: tuple(column[at] for column in columns) for at, number in enumerate(self.points)}

    @property
    def sides(self) -> range:
        return range(len(self.game.sides))

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """Each side's total."""
        return tuple(sum(points[side] for points in self.points.values()) for side in self.sides)

    @property
    def planned(self) -> int:
        """How many rounds a game by these rules has for so many players."""
        return self.rules.rounds_for(self.game.players)

    @cached_property
    def round_numbers(self) -> range:
        """Every round to show: those planned, those that were played beyond, and the next of a game that goes on."""
        last = max((record.number for record in self.game.rounds), default=0)
        shown = max(self.planned, last)
        more = not self.over and all(number in self.points for number in range(1, shown + 1))
        return range(1, shown + 1 + more)

    @cached_property
    def next_round(self) -> int | None:
        """The first round that is not confirmed; None where the game is over."""
        return None if self.over else next((number for number in self.round_numbers if number not in self.points), None)

    @cached_property
    def over(self) -> bool:
        if self.game.state == "open":
            return False
        if self.game.state == "ended":
            return True
        totals = {side.name: total for side, total in zip(self.game.sides, self.totals, strict=True)}
        return is_over(self.rules, self.game.players, len(self.points), totals)

    @cached_property
    def winners(self) -> tuple[int, ...]:
        """The sides with the most points, as places; none before a round is confirmed."""
        return tuple(side for side in self.sides if self.totals[side] == max(self.totals)) if self.points else ()

    @property
    def own_totals(self) -> dict[str, int]:
        """What each person writes down, under rules by which each keeps their own score; else nothing."""
        if not self.rules.own_totals:
            return {}
        players = [side.players for side in self.game.sides]
        return personal_totals(zip(players, points, strict=True) for points in self.points.values())

    @property
    def starter(self) -> str | None:
        """Who plays first in the next round; None where nobody knows."""
        sitting = seats(self.game)
        if self.game.first not in sitting or self.next_round is None:
            return None
        return who_starts(self.rules, sitting, self.game.first, self.next_round)

    def first_meld_minimum(self, side: int, number: int) -> int:
        """Points that a side's first meld of a round needs."""
        before = sum(points[side] for held, points in self.points.items() if held < number)
        return self.rules.minimum_first_meld(number, before)


def game_progress(game: GameRecord, rules: RuleSet) -> GameProgress:
    """The progress of a game under a rule set, its own or another.

    Raises:
        SheetError: a stored sheet is none any more.
    """
    return GameProgress(
        game, rules, {held.number: _result(held, rules) for held in game.rounds if held.agreed_sheet is not None}
    )


def seats(game: GameRecord) -> tuple[str, ...]:
    """The players as they sit, clockwise: partners opposite each other, as sides take turns."""
    most = max(len(side.players) for side in game.sides)
    return tuple(side.players[seat] for seat in range(most) for side in game.sides if seat < len(side.players))


def _books(melds: Sequence[Meld], rules: RuleSet) -> tuple[int, int, int]:
    kinds = [check_meld(meld, rules).book for meld in melds]
    return kinds.count("clean"), kinds.count("dirty"), kinds.count("wild")


_known: dict[int, tuple[RuleSet, object, tuple[SideResult, ...]]] = {}
_MOST_KNOWN = 20_000
_lock = threading.Lock()


def _result(record: RoundRecord, rules: RuleSet) -> tuple[SideResult, ...]:
    """What a confirmed round gave; remembered by its sheet's number, which never stands for another sheet."""
    found = _known.get(record.agreed_sheet_id or 0)
    if found is not None and found[0] is rules and found[1] == record.agreed_sheet:
        return found[2]
    sheet = read_sheet(record.agreed_sheet)
    tally = score(sheet, rules)
    result = tuple(
        SideResult(scored.total, _books(side.melds, rules), side.went_out, len(scored.violations))
        for side, scored in zip(sheet.sides, tally.sides, strict=True)
    )
    if record.agreed_sheet_id is not None:
        with _lock:
            if len(_known) >= _MOST_KNOWN:
                _known.clear()
            _known[record.agreed_sheet_id] = (rules, record.agreed_sheet, result)
    return result
