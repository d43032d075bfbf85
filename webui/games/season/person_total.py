"""What the games of one person, or of one side, come to together."""

from __future__ import annotations

from dataclasses import dataclass, field

from scorer.rules import RuleSet
from webui.games.progress import GameProgress
from webui.games.results.round_results import BOOKS, PARTS
from webui.games.season.played_games import PersonGame
from webui.storage.records import GameRecord
from webui.wording import name_key

_LEFT, _TYPED = PARTS.index("left"), PARTS.index("typed")


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


def best_round(value: int, name: str, progress: GameProgress, number: int) -> BestResult:
    """A result of one round."""
    hand = hand_name(progress.rules_in(number), progress.game, number)
    return BestResult(value, name, progress.game.id, number, hand)


@dataclass(slots=True)
class Together:
    """What a person did on one side with a partner. ``won`` counts games in which both won."""

    name: str
    games: int = 0
    won: int = 0
    rounds: int = 0
    points: int = 0

    @property
    def average(self) -> int:
        """Points of a round."""
        return round(self.points / self.rounds)

    def add(self, games: int, won: int, rounds: int, points: int) -> None:
        """Counts some games."""
        self.games += games
        self.won += won
        self.rounds += rounds
        self.points += points


@dataclass(slots=True)
class PersonTotal:
    """The games of one person or side.

    ``games`` have an agreed round at least, and nobody else played other rounds for them; ``finished`` are those of
    them that are over. ``points`` are of all agreed rounds, ``finished_points`` of the finished games. ``streak`` is
    the longest run of games won, ``current_streak`` the one at the end. ``days`` has the points and the number of the
    rounds of each day on which a game was begun. ``partners`` and ``against`` (games against each) are by the name's
    key.
    """

    name: str
    games: int = 0
    finished: int = 0
    won: int = 0
    rounds: int = 0
    points: int = 0
    finished_points: int = 0
    went_out: int = 0
    books: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BOOKS, 0))
    best_round: BestResult | None = None
    streak: int = 0
    current_streak: int = 0
    left: int = 0
    left_rounds: int = 0
    days: dict[str, tuple[int, int]] = field(default_factory=dict)
    partners: dict[str, Together] = field(default_factory=dict)
    against: dict[str, tuple[str, int]] = field(default_factory=dict)

    @property
    def open(self) -> int:
        """The number of unfinished games."""
        return self.games - self.finished

    @property
    def round_average(self) -> int:
        """The points of a round on average."""
        return round(self.points / self.rounds) if self.rounds else 0

    @property
    def game_average(self) -> int | None:
        """The points of a finished game on average; None before the first one."""
        return round(self.finished_points / self.finished) if self.finished else None

    @property
    def average_left(self) -> int | None:
        """The points of the cards that the side had left in a round; None where no round tells."""
        return round(self.left / self.left_rounds) if self.left_rounds else None

    @property
    def clean_share(self) -> int | None:
        """How many of a hundred books were clean; None before the first book."""
        return round(100 * self.books["clean"] / sum(self.books.values())) if any(self.books.values()) else None

    @property
    def most_together(self) -> list[Together]:
        """The partners, most games together first."""
        return sorted(self.partners.values(), key=lambda one: (-one.games, -one.rounds, name_key(one.name)))

    @property
    def most_against(self) -> list[tuple[str, int]]:
        """Names of opponents and the number of games against them, most games first."""
        return sorted(self.against.values(), key=lambda one: (-one[1], name_key(one[0])))

    def add(self, played: PersonGame, progress: GameProgress, winners: frozenset[str] = frozenset()) -> None:
        """Counts one game; newer games come later. ``winners`` are the people who won it, where partners matter."""
        self.name, won, points = played.name, played.outcome == "won", played.points
        self.games += played.outcome != "part"
        self.points += points
        for number, result in played.results.items():
            self.rounds += 1
            if not result.parts[_TYPED]:  # of a total that was typed alone it is not known what was left
                self.left += result.parts[_LEFT]
                self.left_rounds += 1
            for book, count in zip(BOOKS, result.books, strict=True):
                self.books[book] += count
            if self.best_round is None or result.points > self.best_round.value:
                self.best_round = best_round(result.points, played.name, progress, number)
        before, count = self.days.get(progress.day, (0, 0))
        self.days[progress.day] = before + points, count + len(played.results)
        if played.outcome in ("won", "tied", "lost"):  # only finished games count for streaks
            self.finished += 1
            self.won += won
            self.finished_points += points
            self.current_streak = self.current_streak + 1 if won else 0
            self.streak = max(self.streak, self.current_streak)
        for name, (rounds, of_both) in played.partners.items():
            together = self.partners.setdefault(name_key(name), Together(name))
            together.name = name
            together.add(1, won and name in winners, rounds, of_both)
        for name in played.against:
            self.against[name_key(name)] = (name, self.against.get(name_key(name), (name, 0))[1] + 1)
