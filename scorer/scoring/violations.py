"""Every way in which a round sheet breaks a rule set, apart from what its melds break by themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scorer.deck import load_deck
from scorer.faces import Face
from scorer.rules.card_parts import Book
from scorer.rules.rule_set import RuleSet
from scorer.scoring.melds import MeldCheck, cards_of
from scorer.scoring.tally import Code, Violation
from scorer.sheets import RoundSheet, SideSheet


def side_violations(
    side: SideSheet, checks: tuple[MeldCheck, ...], sheet: RoundSheet, rules: RuleSet
) -> Iterator[Violation]:
    """What one side breaks by itself."""
    ranks: set[str] = set()
    for i, check in enumerate(checks):
        yield from (Violation(fault.code, f"melds[{i}]", fault.message) for fault in check.faults)
        if check.rank is not None:
            if rules.melds.one_a_rank and check.rank in ranks:
                name = load_deck(rules.deck).plural(check.rank)
                yield Violation("same-rank-twice", f"melds[{i}]", f"A side has one meld of {name}, here is another.")
            ranks.add(check.rank)
    if strangers := ", ".join(str(card) for card in side.laid if not rules.is_laid(card)):
        yield Violation("not-laid-here", "laid", f"These rules do not lay {strangers} on the table outside a meld.")
    yield from _buried(side, rules)
    if side.went_out:
        yield from _going_out(side, checks, sheet, rules)
    yield from _counts(side, sheet, rules)


def _buried(side: SideSheet, rules: RuleSet) -> Iterator[Violation]:
    if side.buried and not rules.burying:
        yield Violation("not-laid-here", "buried", "These rules know no buried cards.")
    elif strangers := ", ".join(str(card) for card in side.buried if card.rank in rules.never_melded):
        yield Violation("not-laid-here", "buried", f"Only cards that could be melded are buried, here are {strangers}.")


def _going_out(
    side: SideSheet, checks: tuple[MeldCheck, ...], sheet: RoundSheet, rules: RuleSet
) -> Iterator[Violation]:
    books = Counter(check.book for check in checks if check.book)
    needed = rules.books_to_go_out(sheet.players, sheet.round)
    if needed.missing(books):
        kinds: tuple[Book, ...] = ("clean", "dirty", "wild") if rules.books.wild is not None else ("clean", "dirty")
        have = ", ".join(f"{books[kind]} {kind}" for kind in kinds)
        yield Violation("out-without-books", "went_out", f"Going out needs {needed.needs}, this side has {have}.")
    holding = _holding(side)
    # an empty list beyond the side's players is nobody's
    everybody = bool(rules.seatings) and holding >= _most_on_a_side(sheet, rules)
    if side.left and (holding == len(side.left) or everybody):
        yield Violation("out-with-cards", "left", "This side went out, yet each of its players has cards left.")


def _counts(side: SideSheet, sheet: RoundSheet, rules: RuleSet) -> Iterator[Violation]:
    most = _most_on_a_side(sheet, rules)
    if side.exact_deals and rules.exact_deal is None:
        yield Violation("no-such-event", "exact_deals", "These rules give nothing for an exact deal.")
    elif side.exact_deals > most:
        message = f"A side of at most {most} players has at most {most} exact deals, here are {side.exact_deals}."
        yield Violation("too-many-exact-deals", "exact_deals", message)
    if side.improper_melds and rules.improper_meld is None:
        yield Violation("no-such-event", "improper_melds", "These rules know no penalty for an improper first meld.")
    if (holding := _holding(side)) > most:
        message = f"A side of at most {most} players has at most {most} lists of cards left, here are {holding}."
        yield Violation("too-many-hands", "left", message)


def _holding(side: SideSheet) -> int:
    """How many of a side's players have cards left."""
    return sum(bool(cards) for cards in side.left)


def _most_on_a_side(sheet: RoundSheet, rules: RuleSet) -> int:
    """The most players that one side can have; all who play where the rules cannot seat so many.

    Where the rules name no seatings any split will do that leaves somebody for each other side.
    """
    if not rules.seatings and sheet.players >= rules.least_players:
        return max(sheet.players - max(len(sheet.sides), 2) + 1, 1)
    return max((max(sides) for sides in rules.sides_for(sheet.players)), default=sheet.players)


def sheet_violations(sheet: RoundSheet, rules: RuleSet) -> list[tuple[Violation, ...]]:
    """What the sides break together, for each side in the sheet's order."""
    out = sum(side.went_out for side in sheet.sides)
    places = [list(_places(side)) for side in sheet.sides]
    cards = _wrong_cards([place for side in places for place in side], sheet.players, rules)
    table = tuple(_table(sheet, rules))
    found: list[tuple[Violation, ...]] = []
    for side, held in zip(sheet.sides, places, strict=True):
        both = Violation("two-went-out", "went_out", f"Only one side can go out, here {out} did.")
        first = (both,) if side.went_out and out > 1 else ()
        found.append((*first, *_cards_here(held, cards), *table))
    return found


def _table(sheet: RoundSheet, rules: RuleSet) -> Iterator[Violation]:
    """A sheet may show fewer sides than play; players and sides that these rules cannot seat are told."""
    ways = rules.sides_for(sheet.players)
    most = max((len(sides) for sides in ways), default=sheet.players)
    if not ways:
        counts = sorted({seating.players for seating in rules.seatings})
        known = ", ".join(map(str, counts)) or f"{rules.least_players} or more"
        yield Violation("wrong-players", "players", f"These rules are for {known} players, here are {sheet.players}.")
    tries = sum(side.exact_deals for side in sheet.sides)
    if rules.exact_deal and tries > sheet.players:
        message = f"{sheet.players} players have at most {sheet.players} exact deals together, here are {tries}."
        yield Violation("too-many-exact-deals", "sides", message)
    if len(sheet.sides) > most:
        message = f"{sheet.players} players are at most {most} sides, here are {len(sheet.sides)}."
        yield Violation("too-many-sides", "sides", message)


def _places(side: SideSheet) -> Iterator[tuple[str, Face]]:
    """Every card of a side with the place it stands at."""
    for i, meld in enumerate(side.melds):
        yield from ((f"melds[{i}]", card) for card in cards_of(meld))
    yield from (("laid", card) for card in side.laid)
    yield from (("buried", card) for card in side.buried)
    for i, cards in enumerate(side.left):
        yield from ((f"left[{i}]", card) for card in cards)


def _wrong_cards(held: list[tuple[str, Face]], players: int, rules: RuleSet) -> dict[Face, tuple[Code, str]]:
    """The cards that the deck lacks, or of which the sheet has more than the packs, each with code and sentence.

    A squared pile's cards are known by rank alone; they count only where their whole rank is exceeded.
    """
    deck, packs = load_deck(rules.deck), rules.packs_for(players)
    cards = [card for _, card in held]
    loose = {card for where, card in held if not where.startswith("melds")}  # a meld's strangers are its own faults
    of_rank = Counter(card.rank for card in cards)
    found: dict[Face, tuple[Code, str]] = {}
    for card, count in Counter(cards).items():
        if card not in deck.copies and card in loose:
            found[card] = ("not-in-deck", f"The deck of these rules has no {card}.")
            continue
        copies = deck.copies.get(card)
        if copies is None:
            if card.rank not in deck.ranks:
                continue
            count, copies = of_rank[card.rank], deck.copies_of_rank(card.rank)
        if count > copies * packs:
            words = "The pack holds" if packs == 1 else f"{packs} packs hold"
            found[card] = ("too-many-copies", f"{words} {copies * packs} of {card}, on the sheet are {count}.")
    return found


def _cards_here(held: list[tuple[str, Face]], wrong: dict[Face, tuple[Code, str]]) -> Iterator[Violation]:
    first: dict[Face, str] = {}
    for where, card in held:
        told_of_the_meld = where.startswith("melds") and card in wrong and wrong[card][0] == "not-in-deck"
        if not told_of_the_meld:
            first.setdefault(card, where)
    for card, where in first.items():
        if card in wrong:
            code, message = wrong[card]
            yield Violation(code, where, message)
