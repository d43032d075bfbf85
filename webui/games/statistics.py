"""Statistics over all games: of each person or side, and the house records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from webui.games.progress import GameProgress
from webui.games.results.round_results import SideResult
from webui.games.season.person_total import BestResult, PersonTotal, best_round
from webui.games.season.played_games import Seats, people_in, sides_of
from webui.wording import name_key

_FEWEST_BOOKS, _FEWEST_ROUNDS = 10, 4
"""From which a share or an average is a record, and no luck."""


@dataclass(frozen=True, slots=True)
class HouseRecords:
    """The best results of all games; None where there is none yet."""

    best_round: BestResult | None
    best_game: BestResult | None
    most_clean: BestResult | None
    closest: BestResult | None
    comeback: BestResult | None
    streak: BestResult | None
    cleanest: BestResult | None
    least_left: BestResult | None


def player_statistics(
    games: Iterable[GameProgress], by_sides: bool = False, counted: Mapping[int, Seats] | None = None
) -> list[PersonTotal]:
    """The statistics of each person, or of each side by its name; most games won first.

    Args:
        games: the games, oldest first, as streaks follow their order.
        by_sides: whether to count sides instead of people.
        counted: as ``people_in`` takes it.
    """
    found: dict[str, PersonTotal] = {}
    for progress in games:
        for one in sides_of(progress) if by_sides else people_in(progress, counted or {}):
            found.setdefault(name_key(one.name), PersonTotal(one.name)).add(one, progress)
    return sorted(found.values(), key=lambda one: (-one.won, -one.round_average, name_key(one.name)))


def records(games: Iterable[GameProgress], players: Iterable[PersonTotal]) -> HouseRecords:
    """The best results of all games; of equal ones the first counts."""
    best, best_game, clean, comeback, streak, cleanest, left = (_Most() for _ in range(7))
    margins: list[BestResult] = []
    for progress in games:
        for side in progress.sides:
            name = progress.game.sides[side].name
            for number, result in _rounds(progress, side):
                best.offer(result.points, name, progress, number)
                clean.offer(result.count_books("clean"), name, progress, number)
        if progress.over and progress.points:
            first = progress.leaders[0]
            name = progress.game.sides[first].name
            best_game.offer(progress.totals[first], name, progress)
            if progress.winner is not None:
                if others := [total for side, total in enumerate(progress.totals) if side != first]:
                    margins.append(BestResult(progress.totals[first] - max(others), name, progress.game.id))
                behind = max(max(after) - after[first] for after in progress.running.values())
                comeback.offer(behind, name, progress)
    for player in players:
        streak.offer(player.streak, player.name, None)
        if player.clean_share and sum(player.books.values()) >= _FEWEST_BOOKS:
            cleanest.offer(player.clean_share, player.name, None)
        if player.average_left is not None and player.left_rounds >= _FEWEST_ROUNDS:
            left.offer(player.average_left, player.name, None)
    return HouseRecords(
        best_round=best.result(),
        best_game=best_game.result(),
        most_clean=clean.result(least=1),
        closest=min(margins, key=lambda result: result.value, default=None),
        comeback=comeback.result(least=1),
        streak=streak.result(least=2),
        cleanest=cleanest.result(),
        least_left=left.result(),
    )


def _best(value: int, name: str, progress: GameProgress | None, number: int | None) -> BestResult:
    if progress is None or number is None:
        return BestResult(value, name, progress.game.id if progress else 0)
    return best_round(value, name, progress, number)


class _Most:
    """The highest of many values, the first of equal ones."""

    def __init__(self) -> None:
        self._best: BestResult | None = None

    def offer(self, value: int, name: str, progress: GameProgress | None, number: int | None = None) -> None:
        """Compares one more value; an object for each of them would take most of the time."""
        if self._best is None or value > self._best.value:
            self._best = _best(value, name, progress, number)

    def result(self, least: int | None = None) -> BestResult | None:
        """The highest value, None where there is none or it is below ``least``."""
        return None if self._best is None or (least is not None and self._best.value < least) else self._best


def _rounds(progress: GameProgress, side: int) -> Iterator[tuple[int, SideResult]]:
    return ((number, results[side]) for number, results in progress.results.items())
