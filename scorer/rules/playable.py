"""What no table can play though no field contradicts another; such rules are not kept. Problems read as contradictions.

Rules that were kept earlier go on being read, so these checks are no part of a rule set's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.faces import Face
from scorer.rules.rule_set import RuleSet
from scorer.rules.table_parts import MOST as MOST_PLAYERS


def unplayable(rules: RuleSet) -> Iterator[str]:
    """Yields why nobody can play by these rules: ``key: expected ..., got ...``."""
    players = [seating.players for seating in rules.seatings] or [rules.least_players]
    yield from next(filter(None, (list(_deal(rules, count)) for count in players)), [])
    naturals = [rank for rank in rules.meldable_ranks if rank not in rules.wilds]
    if not naturals:
        yield "never_melded: expected a rank that can be melded, got none"
    elif rules.runs is None:
        most = max(_largest(rules, rank, max(players)) for rank in (*naturals, *rules.wilds))
        if rules.book_size > most:
            yield f"book_size: expected {most} or less, as no rank has more cards in these packs, got {rules.book_size}"
    if far := [count for count in rules.hand_by_players if count > MOST_PLAYERS]:
        yield f"hand_by_players: expected numbers of {MOST_PLAYERS} or less, got {far[0]}"
    names: list[tuple[str, Iterable[str]]] = [("bonuses", [bonus.name for bonus in rules.bonuses])]
    if rules.event:
        names += [("event.prizes", rules.event.prizes), ("event.groups", rules.event.groups)]
    for key, given in names:
        if twice := _repeated(given):
            yield f"{key}: expected each name once, got {twice} more often"


def _deal(rules: RuleSet, players: int) -> Iterator[str]:
    """Whether there are more cards than so many players are dealt."""
    packs = rules.packs.for_players(players)
    there = packs * sum(rules.all_decks[0].copies.values())
    hand = max(rules.hand_size(round, players) for round in range(1, len(rules.hand_cards) + 1))
    dealt = players * (hand + rules.knee_cards + rules.foot_cards)
    if dealt >= there:
        yield (
            f"hand_cards: expected a deal of fewer cards than the {there} in the packs for {players} players, "
            f"got {dealt}"
        )


def _largest(rules: RuleSet, rank: str, players: int) -> int:
    """The most cards that all packs have for a meld of a rank, or of wilds alone."""
    packs = rules.packs.for_players(players)
    if rank in rules.wilds:
        wilds = frozenset(face for face in rules.cards.faces if rules.is_wild(face))
        return packs * rules.most_of(wilds) if rules.books.wild is not None else 0
    naturals = packs * rules.most_of(rules.alike(Face(rank)))
    return naturals + rules.melds.wilds_allowed(naturals, rank)


def _repeated(names: Iterable[str]) -> str | None:
    """A name that is there twice; capitals make no other name."""
    seen = set[str]()
    for name in names:
        if name.casefold() in seen:
            return name
        seen.add(name.casefold())
    return None
