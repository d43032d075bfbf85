"""Statistics over all games: of each person or side, and the house records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from webui.games.progress import GameProgress
from webui.games.results.round_results import SideResult
from webui.games.season.person_total import BestResult, PersonTotal, best_round
from webui.games.season.played_games import Seats, people_in, sides_of
from webui.wording import name_key

Found = TypeVar("Found")
OutPlayers = Mapping[tuple[int, int, int], int]
"""Which player of a side went out, by game, number of the round, and side."""
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
    games: Iterable[GameProgress],
    by_sides: bool = False,
    counted: Mapping[int, Seats] | None = None,
    out_players: OutPlayers | None = None,
) -> list[PersonTotal]:
    """The statistics of each person, or of each side by its name; most games won first.

    Args:
        games: the games, oldest first, as streaks follow their order.
        by_sides: whether to count sides instead of people.
        counted: as ``people_in`` takes it.
        out_players: who went out, as far as it was said; where only the side is known, none of its people did.
    """
    found: dict[str, PersonTotal] = {}
    for progress in games:
        for one in sides_of(progress) if by_sides else people_in(progress, counted or {}):
            found.setdefault(name_key(one.name), PersonTotal(one.name)).add(one, progress)
        seats = (counted or {}).get(progress.game.id)
        for name in _sides_out(progress) if by_sides else _people_out(progress, seats, out_players or {}):
            if name_key(name) in found:  # else a seat that nobody was named for
                found[name_key(name)].went_out += 1
    return sorted(found.values(), key=lambda one: (-one.won, -one.round_average, name_key(one.name)))


def _sides_out(progress: GameProgress) -> Iterator[str]:
    """The side that went out in each round in which one did."""
    for result in progress.results.values():
        yield from (side.name for side, of in zip(progress.game.sides, result, strict=True) if of.went_out)


def _people_out(progress: GameProgress, seats: Seats | None, out_players: OutPlayers) -> Iterator[str]:
    """The person who went out in each round of which it is known."""
    for number, result in progress.results.items():
        sides = seats[number] if seats else [side.players for side in progress.sides_in(number)]
        for at, names in enumerate(sides):
            player = 0 if len(names) == 1 else out_players.get((progress.game.id, number, at))
            if result[at].went_out and player is not None:
                yield from names[player : player + 1]


def records(games: Iterable[GameProgress], players: Iterable[PersonTotal]) -> HouseRecords:
    """The best results of all games; of equal ones the first counts."""
    games, players = list(games), list(players)
    rounds = [(of, number, side) for of in games for number in of.results for side in of.sides]
    ended = [of for of in games if of.over and of.points]
    won = [of for of in ended if of.winner is not None and len(of.totals) > 1]
    with_books = [one for one in players if sum(one.books.values()) >= _FEWEST_BOOKS]
    with_left = [one for one in players if one.left_rounds >= _FEWEST_ROUNDS]
    return HouseRecords(
        best_round=_most(rounds, lambda one: _result(*one).points, _of_round),
        best_game=_most(ended, lambda of: max(of.totals), _of_game),
        most_clean=_most(rounds, lambda one: _result(*one).count_books("clean"), _of_round, least=1),
        closest=_most(won, lambda of: sorted(of.totals)[-2] - max(of.totals), lambda margin, of: _of_game(-margin, of)),
        comeback=_most(won, _behind, _of_game, least=1),
        streak=_most(players, lambda one: one.streak, _of_player, least=2),
        cleanest=_most(with_books, lambda one: one.clean_share or 0, _of_player, least=1),
        least_left=_most(with_left, lambda one: one.average_left or 0, _of_player),
    )


def _most(
    found: list[Found],
    value: Callable[[Found], int],
    told: Callable[[int, Found], BestResult],
    least: int | None = None,
) -> BestResult | None:
    """What has the highest value, the first of equal ones; None where there is none or it is below ``least``."""
    best = max(found, key=value, default=None)
    return None if best is None or (least is not None and value(best) < least) else told(value(best), best)


def _result(of: GameProgress, number: int, side: int) -> SideResult:
    return of.results[number][side]


def _behind(of: GameProgress) -> int:
    """By how many points at most the side that won was behind."""
    return max(max(after) - after[of.leaders[0]] for after in of.running.values())


def _of_round(value: int, one: tuple[GameProgress, int, int]) -> BestResult:
    of, number, side = one
    return best_round(value, of.game.sides[side].name, of, number)


def _of_game(value: int, of: GameProgress) -> BestResult:
    return BestResult(value, of.game.sides[of.leaders[0]].name, of.game.id)


def _of_player(value: int, one: PersonTotal) -> BestResult:
    return BestResult(value, one.name, 0)
