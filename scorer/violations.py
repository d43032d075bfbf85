"""Every way in which a round sheet breaks a rule set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scorer.deck import load_deck
from scorer.faces import Face
from scorer.melds import Judgement, cards_of
from scorer.rules import RuleSet
from scorer.sheets import RoundSheet, SideSheet
from scorer.tally import Violation


def side_violations(
    side: SideSheet, judgements: tuple[Judgement, ...], players: int, rules: RuleSet
) -> Iterator[Violation]:
    """What one side breaks by itself."""
    for i, judgement in enumerate(judgements):
        yield from (Violation(fault.code, f"melds[{i}]", fault.message) for fault in judgement.faults)
    if strangers := ", ".join(str(card) for card in side.laid if not rules.is_laid(card)):
        yield Violation("not-laid-here", "laid", f"These rules do not lay {strangers} on the table outside a meld.")
    if side.buried and not rules.burying:
        yield Violation("not-laid-here", "buried", "These rules know no buried cards.")
    if side.went_out:
        yield from _going_out(side, judgements, players, rules)
    yield from _events(side, players, rules)


def _going_out(side: SideSheet, judgements: tuple[Judgement, ...], players: int, rules: RuleSet) -> Iterator[Violation]:
    books = Counter(judgement.book for judgement in judgements)
    needed = rules.books_to_go_out(players)
    if books["clean"] < needed.clean or books["dirty"] < needed.dirty:
        message = (
            f"Going out needs {needed.clean} clean and {needed.dirty} dirty books, "
            f"this side has {books['clean']} clean and {books['dirty']} dirty."
        )
        yield Violation("out-without-books", "went_out", message)
    if side.left and all(side.left):
        yield Violation("out-with-cards", "left", "This side went out, yet each of its players has cards left.")


def _events(side: SideSheet, players: int, rules: RuleSet) -> Iterator[Violation]:
    most = max((max(sides) for sides in rules.sides_for(players)), default=players)
    if side.exact_deals and rules.exact_deal is None:
        yield Violation("no-such-event", "exact_deals", "These rules give nothing for an exact deal.")
    elif side.exact_deals > most:
        message = f"A side of at most {most} players has at most {most} exact deals, here are {side.exact_deals}."
        yield Violation("too-many-exact-deals", "exact_deals", message)
    if side.improper_melds and rules.improper_meld is None:
        yield Violation("no-such-event", "improper_melds", "These rules know no penalty for an improper first meld.")


def sheet_violations(sheet: RoundSheet, rules: RuleSet) -> list[tuple[Violation, ...]]:
    """What the sides break together, for each side in the sheet's order."""
    out = sum(side.went_out for side in sheet.sides)
    places = [list(_places(side)) for side in sheet.sides]
    copies = _too_many([card for side in places for _, card in side], sheet.players, rules)
    return [
        (
            *(
                [Violation("two-went-out", "went_out", f"Only one side can go out, here {out} did.")]
                if side.went_out and out > 1
                else []
            ),
            *_copies_here(held, copies),
        )
        for side, held in zip(sheet.sides, places, strict=True)
    ]


def _places(side: SideSheet) -> Iterator[tuple[str, Face]]:
    """Every card of a side with the place it stands at."""
    for i, meld in enumerate(side.melds):
        yield from ((f"melds[{i}]", card) for card in cards_of(meld))
    yield from (("laid", card) for card in side.laid)
    yield from (("buried", card) for card in side.buried)
    for i, cards in enumerate(side.left):
        yield from ((f"left[{i}]", card) for card in cards)


def _too_many(cards: list[Face], players: int, rules: RuleSet) -> dict[Face, str]:
    """The cards of which the sheet has more than the packs, each with its sentence.

    A squared pile's cards are known by rank alone; they count only where their whole rank is exceeded.
    """
    deck, packs = load_deck(rules.deck), rules.packs_for(players)
    of_rank = Counter(card.rank for card in cards)
    found = {}
    for card, count in Counter(cards).items():
        held = deck.copies.get(card)
        if held is None:
            count, held = of_rank[card.rank], deck.copies_of_rank(card.rank)
        if count > held * packs:
            found[card] = f"{packs} packs hold {held * packs} of {card}, on the sheet are {count}."
    return found


def _copies_here(held: list[tuple[str, Face]], too_many: dict[Face, str]) -> Iterator[Violation]:
    first: dict[Face, str] = {}
    for where, card in held:
        first.setdefault(card, where)
    for card, where in first.items():
        if card in too_many:
            yield Violation("too-many-copies", where, too_many[card])
