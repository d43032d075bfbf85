"""Who should play together next: of all ways to seat people, those whose partners have played least together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from scorer.rules import RulesError, RuleSet, load_rules
from webui.games.names import is_placeholder
from webui.games.seating import floater_side
from webui.storage.records import GameRecord
from webui.wording import local_date, name_key

Sides = tuple[tuple[str, ...], ...]
"""The players of each side; a floater is the last one of the side on which they begin."""


@dataclass(frozen=True, slots=True)
class History:
    """Who has played with whom.

    Pairs are pairs of names' keys. ``together`` counts their games on one side, ``latest`` numbers the last of these,
    from the oldest game on; ``floated`` counts each person's games as a floater. ``on_last_day`` counts the games that
    each person played on the day of the newest game.
    """

    together: Mapping[frozenset[str], int]
    latest: Mapping[frozenset[str], int]
    floated: Mapping[str, int]
    on_last_day: Mapping[str, int]

    def games(self, one: str, other: str) -> int:
        """How many games two people have played as partners."""
        return self.together.get(_pair(one, other), 0)


@dataclass(frozen=True, slots=True)
class Proposal:
    """People on sides, and those who sit out."""

    sides: Sides
    out: tuple[str, ...] = ()


def history(games: Iterable[GameRecord]) -> History:
    """Who has played with whom in games with an agreed round; removed ones do not count. The points do not matter.

    Args:
        games: games in any order.
    """
    load = cache(load_rules)
    together: Counter[frozenset[str]] = Counter()
    latest: dict[frozenset[str], int] = {}
    floated: Counter[str] = Counter()
    days: dict[str, Counter[str]] = {}
    last_day = ""
    for at, game in enumerate(sorted(games, key=lambda game: game.id)):
        if game.state == "removed" or all(record.agreed_text is None for record in game.rounds):
            continue
        begins = _floating(game, load)
        floater = None if begins is None else game.sides[begins].players[-1]
        sides = [[name for name in side.players if name != floater] for side in game.sides]
        pairs = [pair for side in sides for pair in combinations(_named(side), 2)]
        everybody = _named(name for side in game.sides for name in side.players)
        if floater is not None and not is_placeholder(floater):
            floated[name_key(floater)] += 1
            pairs += [(floater, name) for name in everybody if name != floater]
        for pair in (_pair(*names) for names in pairs):
            together[pair] += 1
            latest[pair] = at
        last_day = local_date(game.created_at)
        days.setdefault(last_day, Counter()).update(map(name_key, everybody))
    return History(together, latest, floated, days.get(last_day, Counter()))


def proposals(
    people: Sequence[str], seating: Sequence[int], past: History, floating: int | None = None
) -> list[Proposal]:
    """Every way to seat people, best first: the fewest games together of all partners, then the longest ago.

    Where there are more people than seats, those sit out who played most on the last day. Who changes sides is whoever
    has done so least. Of equal ways, the people's order decides.

    Args:
        people: those who are there, each once, as many as there are seats or more.
        seating: the number of players of each side.
        past: who has played with whom.
        floating: the index of the side whose last player is a floater; None without one.
    """
    by_games = sorted(people, key=lambda name: past.on_last_day.get(name_key(name), 0))
    playing = set(by_games[: sum(seating)])
    seated = tuple(name for name in people if name in playing)
    out = tuple(name for name in people if name not in playing)
    if floating is None:
        ways: Iterable[tuple[Sides, int]] = ((sides, 0) for sides in _splits(seated, tuple(seating)))
    else:
        ways = _with_floater(seated, tuple(seating), floating, past)

    @cache
    def cost(one: str, other: str) -> tuple[int, int]:
        pair = _pair(one, other)
        return past.together.get(pair, 0), past.latest.get(pair, -1)

    ranked = sorted(ways, key=lambda way: (way[1], *_cost(way[0], cost, floating)))
    return [Proposal(sides, out) for sides, _ in ranked]


def _with_floater(
    people: tuple[str, ...], seating: tuple[int, ...], floating: int, past: History
) -> Iterator[tuple[Sides, int]]:
    """The ways to seat people with one of them as the floater, and how often that one was it."""
    sizes = tuple(size - (side == floating) for side, size in enumerate(seating))
    for floater in people:
        for sides in _splits(tuple(name for name in people if name != floater), sizes):
            full = tuple((*names, floater) if side == floating else names for side, names in enumerate(sides))
            yield full, past.floated.get(name_key(floater), 0)


def _splits(people: tuple[str, ...], sizes: tuple[int, ...], mirrors: tuple[str, ...] = ()) -> Iterator[Sides]:
    """Every way to put people on sides; sides of one size that change places are no other way.

    ``mirrors`` are those who may not come first: with them this side would belong before the one before it.
    """
    if not sizes:
        yield ()
        return
    size, *others = sizes
    if not any(other != size for other in others):  # all sides are alike: somebody has to sit on the first one
        choices: Iterable[tuple[str, ...]] = ((people[0], *more) for more in combinations(people[1:], size - 1))
    else:
        choices = combinations(people, size)
    for side in choices:
        if side[0] in mirrors:
            continue
        rest = tuple(name for name in people if name not in side)
        earlier = people[: people.index(side[0])] if others and others[0] == size else ()
        for sides in _splits(rest, tuple(others), earlier):
            yield (side, *sides)


def _cost(
    sides: Sides, cost: Callable[[str, str], tuple[int, int]], floating: int | None
) -> tuple[int, int, list[int]]:
    """What is small for good partners: their games in all, the most of one pair, and when the last ones were."""
    partners = (names[:-1] if at == floating else names for at, names in enumerate(sides))
    pairs = [cost(*pair) for names in partners for pair in combinations(names, 2)]
    games = [count for count, _ in pairs]
    return sum(games), max(games, default=0), sorted((latest for _, latest in pairs), reverse=True)


def _floating(game: GameRecord, load: Callable[[str], RuleSet]) -> int | None:
    try:
        return floater_side(game.sides, load(game.rules))
    except RulesError:
        return None


def _named(names: Iterable[str]) -> list[str]:
    return [name for name in names if not is_placeholder(name)]


def _pair(one: str, other: str) -> frozenset[str]:
    return frozenset((name_key(one), name_key(other)))
