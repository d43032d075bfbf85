"""Checks whether a side's first meld of a round reaches the minimum, and which cards count.

Cards count their points. Not counted: book bonuses (Hand 'n Foot, INITIAL MELD REQUIREMENTS 2), laid red threes
(Golden Games, Meld Requirements), melds that break a rule, caps, and melds of wilds alone unless the rules say so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scorer.faces import Face
from scorer.rules.book_parts import Book
from scorer.rules.rule_set import RuleSet
from scorer.rules.table_parts import Must
from scorer.scoring.best_melds import best_melds
from scorer.scoring.melds import check_meld, foreign_faces
from scorer.scoring.points import card_lines
from scorer.scoring.tally import Line
from scorer.sheets import Meld


@dataclass(frozen=True, slots=True)
class FirstMeldCheck:
    """The result of checking a first meld.

    Attributes:
        needed: the minimum points.
        must: what it must be or hold besides, by the rules.
        has_must: whether it is or holds that.
        counts: a line for all cards that count.
        left_out: a line of 0 points for all cards that do not count, with the reason.
    """

    needed: int
    counts: tuple[Line, ...]
    left_out: tuple[Line, ...]
    must: Must = "nothing"
    has_must: bool = True

    @property
    def points(self) -> int:
        """The points of the cards that count."""
        return sum(line.points for line in self.counts)

    @property
    def enough(self) -> bool:
        """Whether the minimum is reached, and the first meld is what it must be."""
        return self.points >= self.needed and self.has_must


def check_first_meld(
    cards: Iterable[Face] | Iterable[Meld], rules: RuleSet, round: int, total: int = 0
) -> FirstMeldCheck:
    """Checks whether cards are enough for a side's first meld of a round.

    Args:
        cards: melds as they would be laid, or loose cards, which are formed into the melds worth most.
        rules: the rule set.
        round: the round, from 1.
        total: the side's points before the round; used only by rules whose minimum depends on it.

    Raises:
        ValueError: the round is below 1.
    """
    needed = rules.minimum_first_meld(round, total)
    items = tuple(cards)
    loose = tuple(item for item in items if isinstance(item, Face))
    melds = [item for item in items if not isinstance(item, Face)]
    must = rules.first_meld_must(round)
    formed = best_melds(loose, rules, must)
    unused = list(loose)
    for card in (card for meld in formed for card in meld):
        unused.remove(card)
    books: set[Book | None] = set()
    with_wilds: list[bool] = []
    counts: list[Line] = []
    left_out: list[Line] = []
    for i, meld in enumerate((*melds, *formed)):
        check, where = check_meld(meld, rules), f"melds[{i}]"
        wilds_alone = all(rules.is_wild(card) or rules.is_cap(card) for card in check.cards)
        names = tuple(map(str, check.cards))
        if check.broken:
            reasons = " ".join(violation.message for violation in check.violations)
            left_out.append(Line(f"{check.name}: {reasons}", 0, names, where))
        elif wilds_alone and not rules.first_meld.wilds_alone:
            reason = f"{check.name}: under these rules, wilds alone do not count for a first meld"
            left_out.append(Line(reason, 0, names, where))
        else:
            books.add(check.book)
            with_wilds.append(any(map(rules.is_wild, check.cards)))
            counts += card_lines(check.cards, rules.played, f"in {check.name}", where, rules)
    foreign = foreign_faces(unused, rules)
    for card in unused:
        label = rules.foreign_label(card) if card in foreign else rules.label(card)
        left_out.append(Line(f"{label}: {_reason_unused(card, rules)}", 0, (str(card),)))
    has: dict[Must, bool] = {
        "nothing": True,
        "no wilds": not any(with_wilds),
        "a natural meld": not all(with_wilds),
        "a book": bool(books - {None}),
        "a clean book": "clean" in books,
    }
    return FirstMeldCheck(needed, tuple(counts), tuple(left_out), must, has[must])


def _reason_unused(card: Face, rules: RuleSet) -> str:
    if card not in rules.cards.copies:
        return "not in the deck for these rules"
    if rules.is_wild(card):
        return "no meld has room for this wild"
    if rules.is_laid(card):
        return "laid on the table, not part of a first meld"
    if rules.is_never_melded(card):
        return "can’t be melded"
    if rules.is_melded_going_out(card):
        return "can be melded only by the side that goes out"
    return "too few for a meld"
