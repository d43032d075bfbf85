"""Rule violations of a round sheet. Violations of single melds come from ``melds.check_meld``."""

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
    """Yields the violations of one side, regardless of the other sides."""
    ranks: set[str] = set()
    for i, check in enumerate(checks):
        yield from (Violation(violation.code, f"melds[{i}]", violation.message) for violation in check.violations)
        if check.rank is not None:
            if rules.melds.one_a_rank and check.rank in ranks:
                name = load_deck(rules.deck).plural(check.rank)
                yield Violation("same-rank-twice", f"melds[{i}]", f"A side has one meld of {name}, here is another.")
            ranks.add(check.rank)
    if not_laid := ", ".join(str(card) for card in side.laid if not rules.is_laid(card)):
        yield Violation("not-laid-here", "laid", f"These rules do not lay {not_laid} on the table outside a meld.")
    yield from _buried(side, rules)
    if side.went_out:
        yield from _going_out(side, checks, sheet, rules)
    yield from _counts(side, sheet, rules)


def _buried(side: SideSheet, rules: RuleSet) -> Iterator[Violation]:
    if side.buried and not rules.burying:
        yield Violation("not-laid-here", "buried", "These rules know no buried cards.")
    elif never_melded := ", ".join(str(card) for card in side.buried if card.rank in rules.never_melded):
        yield Violation(
            "not-laid-here", "buried", f"Only cards that could be melded are buried, here are {never_melded}."
        )


def _going_out(
    side: SideSheet, checks: tuple[MeldCheck, ...], sheet: RoundSheet, rules: RuleSet
) -> Iterator[Violation]:
    books = Counter(check.book for check in checks if check.book)
    needed = rules.books_to_go_out(sheet.players, sheet.round)
    if needed.missing(books):
        kinds: tuple[Book, ...] = ("clean", "dirty", "wild") if rules.books.wild is not None else ("clean", "dirty")
        have = ", ".join(f"{books[kind]} {kind}" for kind in kinds)
        yield Violation("out-without-books", "went_out", f"Going out needs {needed.needs}, this side has {have}.")
    holding = _players_holding_cards(side)
    # Empty lists beyond the side's number of players belong to nobody.
    everybody = bool(rules.seatings) and holding >= _largest_side(sheet, rules)
    if side.left and (holding == len(side.left) or everybody):
        yield Violation("out-with-cards", "left", "This side went out, yet each of its players has cards left.")


def _counts(side: SideSheet, sheet: RoundSheet, rules: RuleSet) -> Iterator[Violation]:
    most = _largest_side(sheet, rules)
    if side.exact_deals and rules.exact_deal is None:
        yield Violation("no-such-event", "exact_deals", "These rules give nothing for an exact deal.")
    elif side.exact_deals > most:
        message = f"A side of at most {most} players has at most {most} exact deals, here are {side.exact_deals}."
        yield Violation("too-many-exact-deals", "exact_deals", message)
    if side.improper_melds and rules.improper_meld is None:
        yield Violation("no-such-event", "improper_melds", "These rules know no penalty for an improper first meld.")
    if (holding := _players_holding_cards(side)) > most:
        message = f"A side of at most {most} players has at most {most} lists of cards left, here are {holding}."
        yield Violation("too-many-hands", "left", message)


def _players_holding_cards(side: SideSheet) -> int:
    """The number of a side's players with cards left."""
    return sum(bool(cards) for cards in side.left)


def _largest_side(sheet: RoundSheet, rules: RuleSet) -> int:
    """The largest possible number of players on one side; all players if the rules cannot seat that many.

    Rules without seatings allow any split that leaves at least one player for every other side.
    """
    if not rules.seatings and sheet.players >= rules.least_players:
        return max(sheet.players - max(len(sheet.sides), 2) + 1, 1)
    return max((max(sides) for sides in rules.sides_for(sheet.players)), default=sheet.players)


def sheet_violations(sheet: RoundSheet, rules: RuleSet) -> list[tuple[Violation, ...]]:
    """Returns the violations that concern several sides or the whole sheet, per side in the order of the sheet."""
    sides_out = sum(side.went_out for side in sheet.sides)
    cards_by_side = [list(_located_cards(side)) for side in sheet.sides]
    wrong_cards = _wrong_cards([card for side in cards_by_side for card in side], sheet.players, rules)
    player_violations = tuple(_player_violations(sheet, rules))
    violations: list[tuple[Violation, ...]] = []
    for side, cards in zip(sheet.sides, cards_by_side, strict=True):
        two_out = Violation("two-went-out", "went_out", f"Only one side can go out, here {sides_out} did.")
        first = (two_out,) if side.went_out and sides_out > 1 else ()
        violations.append((*first, *_card_violations(cards, wrong_cards), *player_violations))
    return violations


def _player_violations(sheet: RoundSheet, rules: RuleSet) -> Iterator[Violation]:
    """Yields violations about numbers of players and sides. A sheet may hold fewer sides than play."""
    seatings = rules.sides_for(sheet.players)
    most_sides = max((len(sides) for sides in seatings), default=sheet.players)
    if not seatings:
        counts = sorted({seating.players for seating in rules.seatings})
        known = ", ".join(map(str, counts)) or f"{rules.least_players} or more"
        yield Violation("wrong-players", "players", f"These rules are for {known} players, here are {sheet.players}.")
    exact_deals = sum(side.exact_deals for side in sheet.sides)
    if rules.exact_deal and exact_deals > sheet.players:
        message = f"{sheet.players} players have at most {sheet.players} exact deals together, here are {exact_deals}."
        yield Violation("too-many-exact-deals", "sides", message)
    if len(sheet.sides) > most_sides:
        message = f"{sheet.players} players are at most {most_sides} sides, here are {len(sheet.sides)}."
        yield Violation("too-many-sides", "sides", message)


def _located_cards(side: SideSheet) -> Iterator[tuple[str, Face]]:
    """Yields every card of a side with its location on the sheet."""
    for i, meld in enumerate(side.melds):
        yield from ((f"melds[{i}]", card) for card in cards_of(meld))
    yield from (("laid", card) for card in side.laid)
    yield from (("buried", card) for card in side.buried)
    for i, cards in enumerate(side.left):
        yield from ((f"left[{i}]", card) for card in cards)


def _wrong_cards(located: list[tuple[str, Face]], players: int, rules: RuleSet) -> dict[Face, tuple[Code, str]]:
    """Returns the faces that are not in the deck or more frequent than in the packs, each with code and sentence.

    Cards of a squared pile are known by rank alone; they are reported only if the whole rank is too frequent.
    """
    deck, packs = load_deck(rules.deck), rules.packs_for(players)
    cards = [card for _, card in located]
    # Cards of a meld that are not in the deck are reported as violations of the meld.
    outside_melds = {card for where, card in located if not where.startswith("melds")}
    rank_counts = Counter(card.rank for card in cards)
    wrong: dict[Face, tuple[Code, str]] = {}
    for card, count in Counter(cards).items():
        if card not in deck.copies and card in outside_melds:
            wrong[card] = ("not-in-deck", f"The deck of these rules has no {card}.")
            continue
        copies = deck.copies.get(card)
        if copies is None:
            if card.rank not in deck.ranks:
                continue
            count, copies = rank_counts[card.rank], deck.copies_of_rank(card.rank)
        if count > copies * packs:
            subject = "The pack holds" if packs == 1 else f"{packs} packs hold"
            wrong[card] = ("too-many-copies", f"{subject} {copies * packs} of {card}, on the sheet are {count}.")
    return wrong


def _card_violations(located: list[tuple[str, Face]], wrong: dict[Face, tuple[Code, str]]) -> Iterator[Violation]:
    """Yields one violation for each wrong face of a side, at its first location."""
    first_location: dict[Face, str] = {}
    for where, card in located:
        reported_as_meld_fault = where.startswith("melds") and card in wrong and wrong[card][0] == "not-in-deck"
        if not reported_as_meld_fault:
            first_location.setdefault(card, where)
    for card, where in first_location.items():
        if card in wrong:
            code, message = wrong[card]
            yield Violation(code, where, message)
