"""Scores a round sheet under a rule set, itemised so that players see where every point comes from.

A side scores the bonuses of its books and caps, the points of every card on the table, and the bonuses for going out
and other bonuses, minus the points of cards left in hands and feet and the penalties. A meld that breaks the rules
scores its cards without a bonus. Cards of another deck are worth nothing.

Of a side that people counted, the sheet has points or counts in place of cards (``scorer.scoring.typed``).

The sheet is scored as written: a side that went out against the rules keeps the
points for going out and gets a violation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from scorer.faces import Face
from scorer.rules.card_parts import LaidNeeds
from scorer.rules.rule_set import RuleSet
from scorer.scoring.melds import MeldCheck, check_meld, foreign_faces
from scorer.scoring.tally import Line, SideTally, Tally
from scorer.scoring.typed import typed_checks, typed_lines, typed_violations
from scorer.scoring.violations import sheet_violations, side_violations
from scorer.sheets import RoundSheet, SideSheet


def score(sheet: RoundSheet, rules: RuleSet) -> Tally:
    """Scores a round. Broken rules become violations; nothing is raised.

    >>> from scorer.rules import load_rules
    >>> from scorer.sheets import read_sheet
    >>> book = {"melds": [["4H"] * 5 + ["4S"] * 2], "left": [["QH"]]}
    >>> sheet = read_sheet({"rules": "golden-games", "round": 1, "players": 4, "sides": [book]})
    >>> (side,) = score(sheet, load_rules(sheet.rules)).sides
    >>> [(line.points, line.reason) for line in side.lines]
    [(700, 'clean book of 4s'), (35, '4s in clean book of 4s: 7 × 5'), (-10, 'queens left: 1 × -10')]
    >>> side.total
    725
    """
    if any(side.typed for side in sheet.sides):
        sheet = sheet.model_copy(update={"sides": tuple(map(_with_typed_laid, sheet.sides))})
    checks_by_side = [_checks(side, rules) for side in sheet.sides]
    joint_violations = sheet_violations(sheet, checks_by_side, rules)
    sides = []
    for place, (side, checks, joint) in enumerate(zip(sheet.sides, checks_by_side, joint_violations, strict=True)):
        own = typed_violations(side, rules) if side.typed else ()
        if side.typed is None or side.typed.total is None:
            own = (*own, *side_violations(place, checks, sheet, rules))
        violations = (*own, *joint)
        books = tuple(check.book for check in checks if check.book)
        sides.append(SideTally(side.name, tuple(_lines(side, checks, sheet.round, rules)), violations, books))
    return Tally(rules.id, sheet.round, tuple(sides))


def _with_typed_laid(side: SideSheet) -> SideSheet:
    """A side that people counted, with the laid cards that they counted where those of others are."""
    return side.model_copy(update={"laid": side.typed.laid}) if side.typed else side


def _checks(side: SideSheet, rules: RuleSet) -> tuple[MeldCheck, ...]:
    if side.typed is not None:
        return typed_checks(side.typed, rules)
    return tuple(check_meld(meld, rules, side.went_out) for meld in side.melds)


def _lines(side: SideSheet, checks: tuple[MeldCheck, ...], round: int, rules: RuleSet) -> Iterator[Line]:
    if side.typed is not None:
        yield from typed_lines(side.typed, rules, side.went_out)
        if side.typed.total is not None:
            return
    has_book = any(check.book for check in checks)
    for i, check in enumerate(checks if side.typed is None else ()):
        yield from meld_lines(check, f"melds[{i}]", rules, has_book)
    yield from _laid_lines(side, checks, rules)
    yield from card_lines(side.buried, rules.played, "buried", "buried", rules, foreign_faces(side.buried, rules))
    if side.went_out:
        yield Line("going out", rules.points_for_going_out(round), where="went_out")
    told = {"exact_deals": side.exact_deals, "improper_melds": side.improper_melds}
    for bonus in rules.asked:
        times = told[bonus.key] if bonus.key else side.bonuses.get(bonus.name, 0)
        if times:
            reason = f"{bonus.name}: {times} × {bonus.points}"
            yield Line(reason, times * bonus.points, where=bonus.key or "bonuses")
    is_free = side.went_out and rules.going_out.partners_free
    place = "left with a partner" if is_free else "left"
    for i, cards in enumerate(side.left):
        value = (lambda card: 0) if is_free else rules.left
        yield from card_lines(cards, value, place, f"left[{i}]", rules, foreign_faces(cards, rules))


def meld_lines(check: MeldCheck, where: str, rules: RuleSet, has_book: bool) -> Iterator[Line]:
    """Yields the lines of a meld: book bonus, caps, the penalty for one that is no book, cards.

    ``has_book``: whether the side has a book, which some rules require for some cards to count.
    """
    if check.book:
        book_cards = tuple(card for card in check.cards if card not in check.caps) if check.caps else check.cards
        if check.is_run and rules.runs:
            bonus = rules.runs.bonus(check.book)
        else:
            bonus = rules.books.bonus(check.book, check.rank, tuple(map(rules.called, book_cards)))
        yield Line(check.name, bonus, tuple(map(str, check.cards)), where)
        if rules.cap and check.caps:
            points = len(check.caps) * rules.cap.points
            yield Line(f"cap on {check.name}", points, tuple(map(str, check.caps)), where)
    for penalty in rules.books.unfinished:
        if not check.book and penalty.fits(check.kind, check.rank):
            yield Line(f"{check.name} without a book", penalty.points, tuple(map(str, check.cards)), where)
    yield from card_lines(
        check.cards, _value_in(check, rules, has_book), f"in {check.name}", where, rules, check.foreign
    )


def _value_in(check: MeldCheck, rules: RuleSet, has_book: bool) -> Callable[[Face], int]:
    """The points of a card in a meld, where some cards count only with a book."""
    count = rules.cards_count
    if count is None or (has_book if count.needs == "a book of the side" else check.book):
        return rules.played
    sign = -1 if count.otherwise == "against" else 0
    return lambda card: rules.played(card) * (sign if not count.cards or rules.is_named(card, count.cards) else 1)


def _laid_lines(side: SideSheet, checks: tuple[MeldCheck, ...], rules: RuleSet) -> Iterator[Line]:
    """Yields the lines of cards and sets laid outside melds, negative if a required meld or book is missing."""
    satisfied = {
        None: True,
        "meld": any(not check.broken for check in checks),
        "book": any(check.book for check in checks),
    }
    sign, reason = (1, "laid") if satisfied[rules.laid_needs] else (-1, f"laid without a {rules.laid_needs}")
    needed, bound = rules.laid_if, (sign, reason)
    if sign > 0 and needed and not _has_for_laid(side, checks, needed, rules):
        bound = (-1 if needed.otherwise == "against" else 0), f"laid without {needed.needs}"

    def counted(card: Face) -> tuple[int, str]:
        return bound if needed and _is_among(card, needed.cards, rules) else (sign, reason)

    foreign = foreign_faces(side.laid, rules)
    for kind in dict.fromkeys(map(counted, side.laid)):
        cards = [card for card in side.laid if counted(card) == kind]
        yield from card_lines(
            cards, lambda card: counted(card)[0] * rules.played(card), kind[1], "laid", rules, foreign
        )
    for extra in rules.laid_sets:
        held = [card for card in side.laid if rules.is_named(card, extra.cards)]
        if len(held) >= extra.count:
            times, why = min(map(counted, held))
            points = times * extra.points
            yield Line(f"{extra.count} of {', '.join(extra.cards)} {why}", points, tuple(map(str, held)), "laid")


def _is_among(card: Face, names: Sequence[str], rules: RuleSet) -> bool:
    """Whether names of cards, of which none means all, include a card."""
    return not names or rules.is_named(card, names)


def _has_for_laid(side: SideSheet, checks: tuple[MeldCheck, ...], needed: LaidNeeds, rules: RuleSet) -> bool:
    """Whether a side has what its laid cards need to count for it."""
    enough_books = not needed.missing([check.made for check in checks if check.made])
    laid = sum(_is_among(card, needed.cards, rules) for card in side.laid)
    return enough_books and laid >= needed.laid and (side.went_out or not needed.went_out)


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
