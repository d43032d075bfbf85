"""The melds worth most that loose cards can form, found exactly.

A wild is worth the same in any meld, so what has to be found is how many go into each; the dearest are then taken. For
each rank there is a table of the best ways to meld its cards with so many wilds, and the tables are added up; so again
for each way to lay some of the cards in runs, where the rules have such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from scorer.faces import Face
from scorer.rules.rule_set import RuleSet
from scorer.rules.table_parts import Must
from scorer.scoring.best_runs import LaidRuns, laid_runs

_Shape = tuple[int, int]
"""A meld of one rank: its numbers of naturals and wilds."""
_Key = tuple[int, bool]
"""How many wilds are melded, and whether what a first meld must have is among the melds."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to meld cards: the points of the naturals in it, and the melds, each its naturals and number of wilds."""

    points: int = 0
    melds: tuple[tuple[tuple[Face, ...], int], ...] = ()

    @property
    def merit(self) -> tuple[int, int, int]:
        """More points are better, then fewer melds, then fewer with wilds in them."""
        return self.points, -len(self.melds), -sum(bool(wilds) for _, wilds in self.melds)

    def __add__(self, other: _Way) -> _Way:
        return _Way(self.points + other.points, (*self.melds, *other.melds))


_Table = dict[_Key, _Way]
"""The best way for each key."""


def best_melds(cards: Sequence[Face], rules: RuleSet, must: Must) -> list[tuple[Face, ...]]:
    """Forms the melds worth most from loose cards; melds that hold what ``must`` says come before all others."""
    usable = [
        card
        for card in cards
        if card in rules.cards.copies
        and (rules.is_wild(card) or not (rules.is_never_melded(card) or rules.is_melded_going_out(card)))
    ]
    known: dict[tuple[str, int, tuple[Face, ...]], _Table] = {}
    best: tuple[_Merit, list[tuple[Face, ...]]] = ((False, -1, (0, 0, 0)), [])
    most = {laid: _at_most(laid, rules) for laid in laid_runs(usable, rules)}
    for laid in sorted(most, key=lambda laid: (-most[laid], len(laid.runs))):
        (has, points, _), _ = best
        if has and most[laid] <= points:
            break
        best = max(best, _best_beside(laid, rules, must, known), key=lambda made: made[0])
    return best[1]


def _at_most(laid: LaidRuns, rules: RuleSet) -> int:
    """Points that the best melds beside some runs do not exceed: without ranks of which there are too few."""
    naturals = Counter(rules.called(card).rank for card in laid.rest if not rules.is_wild(card))
    least = min(rules.melds.least_naturals, rules.melds.least_cards)
    counted = [card for card in laid.rest if rules.is_wild(card) or naturals[rules.called(card).rank] >= least]
    counted += [card for own, _ in laid.runs for card in own]
    return sum(max(rules.played(card), 0) for card in counted)


_Merit = tuple[bool, int, tuple[int, int, int]]


def _best_beside(
    laid: LaidRuns, rules: RuleSet, must: Must, known: dict[tuple[str, int, tuple[Face, ...]], _Table]
) -> tuple[_Merit, list[tuple[Face, ...]]]:
    """The best melds that go with some runs, and how good they are; ``known`` tables of ranks are not made again."""
    naturals: dict[str, list[Face]] = {}
    wilds: list[Face] = []
    for card in laid.rest:
        if rules.is_wild(card):
            wilds.append(card)
        else:
            naturals.setdefault(rules.called(card).rank, []).append(card)
    wilds.sort(key=rules.played, reverse=True)
    search = _Search(rules, must, 0 if must == "no wilds" else len(wilds))
    runs = _Way(sum(rules.played(card) for own, _ in laid.runs for card in own), laid.runs)
    used = sum(count for _, count in laid.runs)
    has = search.asks_nothing or any(search.has(len(own), count) for own, count in laid.runs)
    table: _Table = {(used, has): runs} if used <= search.most else {}
    for rank, same in sorted(naturals.items(), key=lambda item: (-len(item[1]), -sum(map(rules.played, item[1])))):
        key = rank, search.most, tuple(same)
        if key not in known:
            known[key] = search.of_rank(rank, same)
        table = search.both(table, known[key])
    table = search.both(table, search.of_wilds())
    worth = [0, *accumulate(map(rules.played, wilds))]

    def merit(key: _Key) -> _Merit:
        used, has = key
        return has, table[key].points + worth[used], table[key].merit

    if not table:
        return (False, -1, (0, 0, 0)), []
    best, taken = max(table, key=merit), iter(wilds)
    return merit(best), [(*own, *(next(taken) for _ in range(count))) for own, count in table[best].melds]


class _Search:
    """Tables of ways to meld under a rule set, with ``most`` wilds at hand."""

    def __init__(self, rules: RuleSet, must: Must, most: int) -> None:
        self.rules, self.must, self.most = rules, must, most
        self.asks_nothing = must in ("nothing", "no wilds")

    def both(self, one: Mapping[_Key, _Way], other: Mapping[_Key, _Way]) -> _Table:
        """The best ways to do something of each table."""
        found: _Table = {}
        for (first, has_first), way in one.items():
            for (second, has_second), more in other.items():
                if first + second <= self.most:
                    _keep(found, (first + second, has_first or has_second), way + more)
        return found

    def of_rank(self, rank: str, cards: Iterable[Face]) -> _Table:
        """The best ways to meld cards of one rank, dearest cards first."""
        dearest = sorted(cards, key=self.rules.played, reverse=True)
        worth = [0, *accumulate(map(self.rules.played, dearest))]
        shapes = [shape for naturals in range(1, len(dearest) + 1) for shape in self._shapes(rank, naturals)]
        needs = self.rules.melds
        limits = needs.most_of_kind("clean"), needs.most_of_kind("dirty")
        # For each number of naturals in melds, the fewest shapes by wilds, what it has, and kinds that are limited.
        ways: list[dict[tuple[int, bool, int, int], tuple[_Shape, ...]]] = [{} for _ in range(len(dearest) + 1)]
        ways[0][0, self.asks_nothing, 0, 0] = ()
        for used, states in enumerate(ways):
            for (wilds, has, clean, dirty), before in states.items():
                for own, more in shapes:
                    counts = clean + (more == 0 and limits[0] is not None), dirty + (more > 0 and limits[1] is not None)
                    if used + own > len(dearest) or wilds + more > self.most or not self._allows(counts):
                        continue
                    state = wilds + more, has or self.has(own, more), *counts
                    after = (*before, (own, more))
                    if _fewer(after, ways[used + own].get(state)):
                        ways[used + own][state] = after
        table: _Table = {}
        for used, states in enumerate(ways):
            for (wilds, has, _, _), made in states.items():
                _keep(table, (wilds, has), _Way(worth[used], tuple(_dealt(made, dearest))))
        return table

    def of_wilds(self) -> _Table:
        """The ways to meld wilds alone."""
        table: _Table = {(0, self.asks_nothing): _Way()}
        if not self.rules.first_meld.wilds_alone:
            return table
        least, most = self.rules.melds.least_cards, self.rules.melds.most_with(1)
        for wilds in range(least, self.most + 1):
            number = 1 if most is None else -(-wilds // most)
            large = wilds - least * (number - 1)
            if large >= least:
                sizes = [min(large, most or large)]
                while sum(sizes) < wilds:
                    rest = wilds - sum(sizes)
                    sizes.append(min(most or rest, rest - least * (number - len(sizes) - 1)))
                table[wilds, any(self.has(0, size) for size in sizes)] = _Way(0, tuple(((), size) for size in sizes))
        return table

    def _shapes(self, rank: str, naturals: int) -> Iterator[_Shape]:
        """The melds that a number of naturals of a rank can be in."""
        needs = self.rules.melds
        allowed = needs.wilds_allowed(naturals, rank) if naturals >= needs.least_naturals else 0
        for wilds in range(min(allowed, self.most) + 1):
            most = needs.most_with(wilds)
            if naturals + wilds >= needs.least_cards and (most is None or naturals + wilds <= most):
                yield naturals, wilds

    def _allows(self, counts: tuple[int, int]) -> bool:
        """Whether a side may have so many clean and dirty melds of a rank."""
        needs = self.rules.melds
        if needs.one_a_rank and sum(counts) > 1:
            return False
        limits = needs.most_of_kind("clean"), needs.most_of_kind("dirty")
        return all(limit is None or count <= limit for count, limit in zip(counts, limits, strict=True))

    def has(self, naturals: int, wilds: int) -> bool:
        """Whether a meld has what a first meld must have."""
        is_book = naturals + wilds >= self.rules.book_size
        has: dict[Must, bool] = {
            "nothing": True,
            "no wilds": True,
            "a natural meld": not wilds,
            "a book": is_book,
            "a clean book": is_book and not wilds,
        }
        return has[self.must]


def _keep(table: _Table, key: _Key, way: _Way) -> None:
    if key not in table or way.merit > table[key].merit:
        table[key] = way


def _fewer(shapes: tuple[_Shape, ...], than: tuple[_Shape, ...] | None) -> bool:
    """Whether some melds are fewer than others, or as many with fewer that have wilds."""
    return than is None or _numbers(shapes) < _numbers(than)


def _numbers(shapes: tuple[_Shape, ...]) -> tuple[int, int]:
    return len(shapes), sum(wilds > 0 for _, wilds in shapes)


def _dealt(shapes: Iterable[_Shape], cards: Sequence[Face]) -> Iterator[tuple[tuple[Face, ...], int]]:
    """Each meld's naturals, taken from cards in their order, and its number of wilds."""
    start = 0
    for own, wilds in shapes:
        yield tuple(cards[start : start + own]), wilds
        start += own
