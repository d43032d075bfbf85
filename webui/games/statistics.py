"""Statistics over all games: of each person or side, and the house records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from scorer.rules import RuleSet
from webui.games.names import is_placeholder
from webui.games.progress import GameProgress
from webui.games.results.round_results import BOOKS, SideResult
from webui.games.results.side_sums import SideSums, side_sums
from webui.storage.records import GameRecord
from webui.wording import name_key

_FEWEST_BOOKS, _FEWEST_ROUNDS = 10, 4
"""From which a share or an average is a record, and no luck."""


@dataclass(frozen=True, slots=True)
class BestResult:
    """The best value of something, with who reached it, in which game, and in which round where it is of one round.

    ``hand`` is what the round is called where it is a hand of a set.
    """

    value: int
    name: str
    game_id: int
    round: int | None = None
    hand: str | None = None


def hand_name(rules: RuleSet, game: GameRecord, number: int) -> str | None:
    """What a round is called within a sentence where it is a hand of a set; None where its number says it."""
    return rules.round_name(number, small=True, sets_before=game.sets_before) if rules.in_sets else None


@dataclass(slots=True)
class PlayerStatistics:
    """The games of one person or side.

    ``average`` is of a round; ``streak`` is the longest run of games won, ``current_streak`` the one at the end.
    ``days`` has the points and the number of the rounds of each day on which a game was begun.
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
    left: int = 0
    left_rounds: int = 0
    days: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def average_left(self) -> int | None:
        """The points of the cards that the side had left in a round; None where no round tells."""
        return round(self.left / self.left_rounds) if self.left_rounds else None

    @property
    def clean_share(self) -> int | None:
        """How many of a hundred books were clean; None before the first book."""
        return round(100 * self.books["clean"] / sum(self.books.values())) if any(self.books.values()) else None

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

    def add_rounds(self, rounds: SideSums, progress: GameProgress) -> None:
        """Counts rounds of one game."""
        self.rounds += rounds.count
        self.points += rounds.points
        self.went_out += rounds.went_out
        self.left += rounds.left
        self.left_rounds += rounds.left_rounds
        points, count = self.days.get(progress.day, (0, 0))
        self.days[progress.day] = points + rounds.points, count + rounds.count
        for book, count in zip(BOOKS, rounds.books, strict=True):
            self.books[book] += count
        if rounds.count and (self.best_round is None or rounds.best > self.best_round.value):
            self.best_round = _best(rounds.best, self.name, progress, rounds.best_number)


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


def player_statistics(games: Iterable[GameProgress], by_sides: bool = False) -> list[PlayerStatistics]:
    """The statistics of each person, or of each side by its name; most games won first.

    A seat that nobody was named for is no person.

    Args:
        games: the games, oldest first, as streaks follow their order.
        by_sides: whether to count sides instead of people.
    """
    statistics: dict[str, PlayerStatistics] = {}
    for progress in games:
        floater = progress.floater
        for index, side in enumerate(progress.game.sides):
            won = progress.over and index in progress.winners
            people = (name for name in side.players if not is_placeholder(name) and name != floater)
            rounds = progress.sums[index]
            for name in (side.name,) if by_sides else people:
                player = statistics.setdefault(name_key(name), PlayerStatistics(name))
                player.add_game(progress.over and bool(progress.points), won)
                player.add_rounds(rounds, progress)
        if floater is not None and not by_sides and not is_placeholder(floater):
            player = statistics.setdefault(name_key(floater), PlayerStatistics(floater))
            _add_floater(player, progress)
    return sorted(statistics.values(), key=lambda player: (-player.won, -player.average, name_key(player.name)))


def _add_floater(player: PlayerStatistics, progress: GameProgress) -> None:
    """Counts a game for its floater, who scores with the side of each round; as much as the best side wins."""
    player.add_game(progress.over and bool(progress.points), progress.floater_won)
    own = ((number, results, progress.floater_side(number)) for number, results in progress.results.items())
    player.add_rounds(side_sums({number: results[side] for number, results, side in own if side is not None}), progress)


def records(games: Iterable[GameProgress], players: Iterable[PlayerStatistics]) -> HouseRecords:
    """The best results of all games; of equal ones the first counts."""
    best_round, best_game, clean, comeback, streak, cleanest, left = (_Most() for _ in range(7))
    margins: list[BestResult] = []
    for progress in games:
        for side in progress.sides:
            name = progress.game.sides[side].name
            for number, result in _rounds(progress, side):
                best_round.offer(result.points, name, progress, number)
                clean.offer(result.count_books("clean"), name, progress, number)
        if progress.over and progress.points:
            winner = progress.winners[0]
            name = progress.game.sides[winner].name
            best_game.offer(progress.totals[winner], name, progress)
            if len(progress.winners) == 1 < len(progress.totals):  # nobody wins a tie closely
                *_, second, first = sorted(progress.totals)
                margins.append(BestResult(first - second, name, progress.game.id))
            behind = max(max(after) - after[winner] for after in progress.running.values())
            comeback.offer(behind, name, progress)
    for player in players:
        streak.offer(player.streak, player.name, None)
        if player.clean_share and sum(player.books.values()) >= _FEWEST_BOOKS:
            cleanest.offer(player.clean_share, player.name, None)
        if player.average_left is not None and player.left_rounds >= _FEWEST_ROUNDS:
            left.offer(player.average_left, player.name, None)
    return HouseRecords(
        best_round=best_round.result(),
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
    hand = hand_name(progress.rules_in(number), progress.game, number)
    return BestResult(value, name, progress.game.id, number, hand)


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
