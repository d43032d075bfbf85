"""Scores a round sheet under a rule set, itemised so that players see where every point comes from.

A side scores the bonuses of its books and caps, the points of every card on the table, and the bonuses for going out
and for exact deals, minus the points of cards left in hands and feet and the penalties. A meld that breaks the rules
scores its cards without a bonus. Cards of another deck are worth nothing.

The sheet is scored as written: a side that went out against the rules keeps the
points for going out and gets a violation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from scorer.faces import Face
from scorer.rules.card_parts import is_one_of
from scorer.rules.rule_set import RuleSet
from scorer.scoring.melds import MeldCheck, check_meld, foreign_faces
from scorer.scoring.tally import Line, SideTally, Tally
from scorer.scoring.violations import sheet_violations, side_violations
from scorer.sheets import RoundSheet, SideSheet


def score(sheet: RoundSheet, rules: RuleSet) -> Tally:
    """Scores a round. Broken rules become violations; nothing is raised."""
    checks_by_side = [tuple(check_meld(meld, rules, side.went_out) for meld in side.melds) for side in sheet.sides]
    joint_violations = sheet_violations(sheet, checks_by_side, rules)
    sides = []
    for side, checks, joint in zip(sheet.sides, checks_by_side, joint_violations, strict=True):
        violations = (*side_violations(side, checks, sheet, rules), *joint)
        books = tuple(check.book for check in checks if check.book)
        sides.append(SideTally(side.name, tuple(_lines(side, checks, rules)), violations, books))
    return Tally(rules.id, sheet.round, tuple(sides))


def _lines(side: SideSheet, checks: tuple[MeldCheck, ...], rules: RuleSet) -> Iterator[Line]:
    for i, check in enumerate(checks):
        yield from meld_lines(check, f"melds[{i}]", rules)
    yield from _laid_lines(side, checks, rules)
    yield from card_lines(side.buried, rules.played, "buried", "buried", rules, foreign_faces(side.buried, rules))
    if side.went_out:
        yield Line("going out", rules.going_out.points, where="went_out")
    for event, times, where in (
        (rules.exact_deal, side.exact_deals, "exact_deals"),
        (rules.improper_meld, side.improper_melds, "improper_melds"),
    ):
        if event and times:
            yield Line(f"{event.name}: {times} × {event.points}", times * event.points, where=where)
    for i, cards in enumerate(side.left):
        yield from card_lines(cards, rules.left, "left", f"left[{i}]", rules, foreign_faces(cards, rules))


def meld_lines(check: MeldCheck, where: str, rules: RuleSet) -> Iterator[Line]:
    """Yields the lines of a meld: book bonus, caps, cards."""
    if check.book:
        bonus = rules.books.bonus(check.book, check.rank)
        yield Line(check.name, bonus, tuple(map(str, check.cards)), where)
        if rules.cap and check.caps:
            points = len(check.caps) * rules.cap.points
            yield Line(f"cap on {check.name}", points, tuple(map(str, check.caps)), where)
    yield from card_lines(check.cards, rules.played, f"in {check.name}", where, rules, check.foreign)


def _laid_lines(side: SideSheet, checks: tuple[MeldCheck, ...], rules: RuleSet) -> Iterator[Line]:
    """Yields the lines of cards and sets laid outside melds, negative if a required meld or book is missing."""
    satisfied = {
        None: True,
        "meld": any(not check.broken for check in checks),
        "book": any(check.book for check in checks),
    }
    sign, reason = (1, "laid") if satisfied[rules.laid_needs] else (-1, f"laid without a {rules.laid_needs}")
    foreign = foreign_faces(side.laid, rules)
    yield from card_lines(side.laid, lambda card: sign * rules.played(card), reason, "laid", rules, foreign)
    for extra in rules.laid_sets:
        cards = tuple(str(card) for card in side.laid if is_one_of(card, extra.cards))
        if len(cards) >= extra.count:
            yield Line(f"{extra.count} of {', '.join(extra.cards)} {reason}", sign * extra.points, cards, "laid")


def card_lines(
    cards: Iterable[Face],
    value: Callable[[Face], int],
    place: str,
    where: str,
    rules: RuleSet,
    foreign: frozenset[Face] = frozenset(),
) -> Iterator[Line]:
    """Yields one line per kind of card that the rules value alike, such as ``8s in clean book of 8s: 7 × 10``.

    Args:
        cards: the cards to count.
        value: the points of a card.
        place: how the reason names the place, such as ``left``.
        where: the location on the side's sheet.
        rules: the rule set, which names the kinds.
        foreign: those of them that are of another deck.
    """
    kinds: dict[tuple[str, int], list[str]] = {}
    kind_of: dict[Face, list[str]] = {}  # looks up each face only once
    for card in cards:
        names = kind_of.get(card)
        if names is None:
            kind = (rules.foreign_label(card), 0) if card in foreign else (rules.label(card), value(card))
            names = kind_of[card] = kinds.setdefault(kind, [])
        names.append(str(card))
    for (label, points), names in kinds.items():
        yield Line(f"{label} {place}: {len(names)} × {points}", len(names) * points, tuple(names), where)
