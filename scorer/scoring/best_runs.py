"""The runs that loose cards can be laid in, for the search of the best first meld."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from scorer.faces import SUITS, Face
from scorer.rules.card_parts import Runs
from scorer.rules.rule_set import RuleSet

_MOST_WAYS = 3000
"""Ways that are tried at most, of a suit and in all: a hand of twenty cards has some hundred, a whole pack no end."""
Laid = tuple[tuple[Face, ...], int]
"""A meld: its naturals, and how many wilds stand for others in it."""


@dataclass(frozen=True, slots=True)
class LaidRuns:
    """Some runs, and the cards that are in none of them."""

    runs: tuple[Laid, ...]
    rest: tuple[Face, ...]


def laid_runs(cards: Sequence[Face], rules: RuleSet) -> list[LaidRuns]:
    """Every way to lay some of the cards in runs, or in none; wilds that stand for others stay in the rest."""
    found = [LaidRuns((), tuple(cards))]
    needs = rules.runs
    if needs is None:
        return found
    wilds = sum(map(rules.is_wild, cards))
    allowed = min(needs.most_wilds, wilds)
    for suit in SUITS:
        own = Counter(card for card in cards if card.suit == suit and card.rank in needs.ranks)
        runs = list(_runs_of(own, suit, needs, allowed))
        ways = _fewest(islice(_ways(own, runs), _MOST_WAYS), rules.book_size)
        both = (_with(more, laid) for laid in found for more in ways if _stand_ins(laid.runs, more) <= wilds)
        found = list(islice(both, _MOST_WAYS))
    return found


def _fewest(ways: Iterable[tuple[Laid, ...]], book_size: int) -> list[tuple[Laid, ...]]:
    """Of ways that lay the same cards with as many wilds, and have the same kinds of books, the one of fewest runs."""
    best: dict[object, tuple[Laid, ...]] = {}
    for way in ways:
        laid = tuple(sorted(card for naturals, _ in way for card in naturals))
        kinds = frozenset((len(naturals) + wilds >= book_size, wilds > 0) for naturals, wilds in way)
        key = laid, sum(wilds for _, wilds in way), kinds
        if key not in best or len(way) < len(best[key]):
            best[key] = way
    return list(best.values())


def _runs_of(own: Counter[Face], suit: str, needs: Runs, allowed: int) -> Iterator[Laid]:
    """Every run of a suit that its cards can be in, with so many wilds at most, once by cards and wilds."""
    most = min(needs.most_cards or len(needs.ranks), len(needs.ranks))
    seen = set()
    for length in range(needs.least_cards, most + 1):
        for start in range(len(needs.ranks) - length + 1):
            places = [Face(rank, suit) for rank in needs.ranks[start : start + length]]
            for wilds in range(min(allowed, length - 1) + 1):
                for naturals in combinations(places, length - wilds):
                    if (naturals, wilds) not in seen and Counter(naturals) <= own:
                        seen.add((naturals, wilds))
                        yield naturals, wilds


def _ways(own: Counter[Face], runs: Sequence[Laid]) -> Iterator[tuple[Laid, ...]]:
    """Every choice among runs for which there are cards; the same run may be laid twice."""
    yield ()
    for at, run in enumerate(runs):
        used = Counter(run[0])
        if used <= own:
            yield from ((run, *others) for others in _ways(own - used, runs[at:]))


def _stand_ins(*ways: Sequence[Laid]) -> int:
    return sum(wilds for way in ways for _, wilds in way)


def _with(runs: Sequence[Laid], laid: LaidRuns) -> LaidRuns:
    rest = list(laid.rest)
    for naturals, _ in runs:
        for card in naturals:
            rest.remove(card)
    return LaidRuns((*laid.runs, *runs), tuple(rest))
