"""What lies on a watched table now, for everybody to see while they play: points, books, and what is still needed.

Nothing about cards in hands: the memory knows what lies open on the table alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer.faces import Face
from scorer.scoring import score
from scorer.scoring.first_meld import check_first_meld
from scorer.scoring.melds import MeldCheck, check_meld
from scorer.sheets import SheetError, read_sheet
from webui.games.progress import GameProgress
from webui.reading.reader_service import house_rules_of
from webui.translation import _
from webui.watching.film import Film


@dataclass(frozen=True, slots=True)
class SideNow:
    """One side's table.

    Attributes:
        name: the side's.
        points: of its cards on the table, with the bonuses of books.
        first_meld: the points that its first meld needs.
        reached: whether it has laid as much.
        books: its books by name, with how many there are of each.
        needs: which books going out still needs; None where it has them.
        hints: rules that its melds break.
    """

    name: str
    points: int
    first_meld: int
    reached: bool
    books: tuple[tuple[str, int], ...]
    needs: str | None
    hints: tuple[str, ...]


def table_now(film: Film, progress: GameProgress) -> list[SideNow]:
    """Each side's table as it was seen last; nothing while nobody has said where each side lays its cards."""
    game, number = progress.game, film.number
    rules = progress.rules_in(number)
    memory = film.remembered(house_rules_of(game, rules))
    if film.areas is None:
        return []
    groups = memory.groups()
    sides = progress.sides_in(number)
    own = [[group for group in groups if group["side"] == side] for side in range(len(sides))]
    points = _points(own, [side.name for side in sides], progress, number)
    return [_side(one.name, own[side], points[side], progress, number, side) for side, one in enumerate(sides)]


def _side(
    name: str, groups: Sequence[dict[str, Any]], points: int, progress: GameProgress, number: int, side: int
) -> SideNow:
    rules = progress.rules_in(number)
    melds = [tuple(map(Face.parse, group["cards"])) for group in groups if group["kind"] != "threes"]
    checks = [check_meld(meld, rules) for meld in melds]
    first = check_first_meld(melds, rules, number, progress.total_before(side, number))
    hints = [f"{check.name}: {broken.message}" for check in checks for broken in check.violations]
    if melds and not first.enough:
        have = _("The first meld has %(points)s of %(needed)s points.", points=first.points, needed=first.needed)
        hints.insert(0, have)
    books = tuple(Counter(check.name for check in checks if check.book).items())
    reached = bool(melds) and first.enough
    return SideNow(name, points, first.needed, reached, books, _needs(checks, progress, number), tuple(hints))


def _points(
    own: Sequence[Sequence[dict[str, Any]]], names: Sequence[str], progress: GameProgress, number: int
) -> list[int]:
    rules = progress.rules_in(number)
    sides = []
    for name, groups in zip(names, own, strict=True):
        melds = [group["cards"] for group in groups if group["kind"] != "threes"]
        laid = [face for group in groups if group["kind"] == "threes" for face in group["cards"]]
        sides.append({"name": name, "melds": melds, "laid": laid})
    sheet = {"rules": rules.id, "round": number, "players": progress.game.players, "sides": sides}
    try:
        return [side.total for side in score(read_sheet(sheet), rules).sides]
    except SheetError:  # a card that was misread may be none of these; the next look may know better
        return [0 for _ in names]


def _needs(checks: Sequence[MeldCheck], progress: GameProgress, number: int) -> str | None:
    """The books that are missing for going out, in words; None where there are enough."""
    needed = progress.rules_in(number).going_out.books_for(progress.game.players, number)
    made = [check.made for check in checks if check.made]
    if not needed.missing(made):
        return None
    if needed.of_ranks:
        return needed.needs
    have = Counter(one.book for one in made)
    left = {kind: max(getattr(needed, kind) - have[kind], 0) for kind in ("clean", "dirty", "wild")}
    left |= {"runs": max(needed.runs - sum(one.is_run for one in made), 0), "all": max(needed.all - len(made), 0)}
    return needed.model_copy(update=left).needs
