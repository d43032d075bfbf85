"""Scoring a round sheet under a rule set: pure, and itemised so that a person sees where each point comes from.

A side's round is the bonuses of its books, the value of every card on the table, the bonuses for going out and for
exact deals, less the value of every card left in a hand or foot and the penalties. A meld that breaks its rules
scores its cards and no bonus. Nothing on the sheet is mended: a side that went out against the rules keeps the
points for going out and gets a violation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from scorer.faces import Face
from scorer.melds import Judgement, judge
from scorer.rules import RuleSet
from scorer.sheets import RoundSheet, SideSheet
from scorer.tally import Line, SideTally, Tally
from scorer.violations import sheet_violations, side_violations


def score(sheet: RoundSheet, rules: RuleSet) -> Tally:
    """The tally of a round. Whatever a person can mend is a violation; nothing is raised."""
    shared = sheet_violations(sheet, rules)
    sides = []
    for side, found in zip(sheet.sides, shared, strict=True):
        judgements = tuple(judge(meld, rules) for meld in side.melds)
        violations = (*side_violations(side, judgements, sheet.players, rules), *found)
        sides.append(SideTally(side.name, tuple(_lines(side, judgements, rules)), violations))
    return Tally(rules.id, sheet.round, tuple(sides))


def _lines(side: SideSheet, judgements: tuple[Judgement, ...], rules: RuleSet) -> Iterator[Line]:
    for i, judgement in enumerate(judgements):
        where = f"melds[{i}]"
        if judgement.book:
            yield Line(judgement.name, rules.books.bonus(judgement.book), tuple(map(str, judgement.cards)), where)
        yield from _card_lines(judgement.cards, rules.played, f"in {judgement.name}", where, rules)
    yield from _card_lines(side.laid, rules.played, "laid", "laid", rules)
    yield from _card_lines(side.buried, rules.played, "buried", "buried", rules)
    if side.went_out:
        yield Line("going out", rules.going_out.points, where="went_out")
    for event, times, where in (
        (rules.exact_deal, side.exact_deals, "exact_deals"),
        (rules.improper_meld, side.improper_melds, "improper_melds"),
    ):
        if event and times:
            yield Line(f"{event.name}: {times} × {event.points}", times * event.points, where=where)
    for i, cards in enumerate(side.left):
        yield from _card_lines(cards, rules.left, "left", f"left[{i}]", rules)


def _card_lines(
    cards: Iterable[Face], value: Callable[[Face], int], place: str, where: str, rules: RuleSet
) -> Iterator[Line]:
    """A line for each kind of card that the rules tell apart, such as ``8s in clean book of 8s: 7 × 10``."""
    kinds: dict[tuple[str, int], list[str]] = {}
    for card in cards:
        kinds.setdefault((rules.label(card), value(card)), []).append(str(card))
    for (label, points), names in kinds.items():
        yield Line(f"{label} {place}: {len(names)} × {points}", len(names) * points, tuple(names), where)
