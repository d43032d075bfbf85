"""Statistics over all games: of each person or side, and the house records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from webui.games.names import is_placeholder
from webui.games.progress import BOOKS, GameProgress, SideResult
from webui.wording import name_key


@dataclass(frozen=True, slots=True)
class BestResult:
    """The best value of something, with who reached it, in which game, and in which round where it is of one round."""

    value: int
    name: str
    game_id: int
    round: int | None = None


@dataclass(slots=True)
class PlayerStatistics:
    """The games of one person or side.

    ``average`` is of a round; ``streak`` is the longest run of games won, ``current_streak`` the one at the end.
    """

    name: str
    games: int = 0
    finished: int = 0
    won: int = 0
    rounds: int = 0
    points: int = 0
    went_out: int = 0
    books: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BOOKS, 0))
    best_round: BestResult | None = None
    streak: int = 0
    current_streak: int = 0

    @property
    def average(self) -> int:
        return round(self.points / self.rounds) if self.rounds else 0

    def add_game(self, finished: bool, won: bool) -> None:
        """Counts one game; only finished games count for streaks."""
        self.games += 1
        if finished:
            self.finished += 1
            self.won += won
            self.current_streak = self.current_streak + 1 if won else 0
            self.streak = max(self.streak, self.current_streak)

    def add_round(self, result: SideResult, game_id: int, number: int) -> None:
        """Counts one round."""
        self.rounds += 1
        self.points += result.points
        self.went_out += result.went_out
        for book in BOOKS:
            self.books[book] += result.count_books(book)
        if self.best_round is None or result.points > self.best_round.value:
            self.best_round = BestResult(result.points, self.name, game_id, number)


@dataclass(frozen=True, slots=True)
class HouseRecords:
    """The best results of all games; None where there is none yet."""

    best_round: BestResult | None
    best_game: BestResult | None
    most_clean: BestResult | None
    closest: BestResult | None
    comeback: BestResult | None
    streak: BestResult | None


def player_statistics(games: Iterable[GameProgress], by_sides: bool = False) -> list[PlayerStatistics]:
    """The statistics of each person, or of each side by its name; most games won first.

    A seat that nobody was named for is no person.

    Args:
        games: the games, oldest first, as streaks follow their order.
        by_sides: whether to count sides instead of people.
    """
    statistics: dict[str, PlayerStatistics] = {}
    for progress in games:
        for index, side in enumerate(progress.game.sides):
            won = progress.over and index in progress.winners
            people = (name for name in side.players if not is_placeholder(name))
            for name in (side.name,) if by_sides else people:
                player = statistics.setdefault(name_key(name), PlayerStatistics(name))
                player.add_game(progress.over and bool(progress.points), won)
                for number, result in _rounds(progress, index):
                    player.add_round(result, progress.game.id, number)
    return sorted(statistics.values(), key=lambda player: (-player.won, -player.average, name_key(player.name)))


def records(games: Iterable[GameProgress], players: Iterable[PlayerStatistics]) -> HouseRecords:
    """The best results of all games; of equal ones the first counts."""
    rounds: list[BestResult] = []
    clean: list[BestResult] = []
    totals: list[BestResult] = []
    margins: list[BestResult] = []
    comebacks: list[BestResult] = []
    for progress in games:
        for side in progress.sides:
            name = progress.game.sides[side].name
            for number, result in _rounds(progress, side):
                rounds.append(BestResult(result.points, name, progress.game.id, number))
                clean.append(BestResult(result.count_books("clean"), name, progress.game.id, number))
        if progress.over and progress.points:
            winner = progress.winners[0]
            name = progress.game.sides[winner].name
            totals.append(BestResult(progress.totals[winner], name, progress.game.id))
            if len(progress.totals) > 1:
                *_, second, first = sorted(progress.totals)
                margins.append(BestResult(first - second, name, progress.game.id))
            behind = max(max(after) - after[winner] for after in progress.running.values())
            comebacks.append(BestResult(behind, name, progress.game.id))
    streaks = [BestResult(player.streak, player.name, 0) for player in players]
    return HouseRecords(
        best_round=_most(rounds),
        best_game=_most(totals),
        most_clean=_most([result for result in clean if result.value]),
        closest=min(margins, key=lambda result: result.value, default=None),
        comeback=_most([result for result in comebacks if result.value]),
        streak=_most([result for result in streaks if result.value > 1]),
    )


def _most(results: list[BestResult]) -> BestResult | None:
    return max(results, key=lambda result: result.value, default=None)


def _rounds(progress: GameProgress, side: int) -> Iterator[tuple[int, SideResult]]:
    return ((number, results[side]) for number, results in progress.results.items())
