"""A side's first meld of a round: whether it is enough, what counts and what does not.

The cards count at face value. A book among them adds no bonus (Hand 'n Foot, INITIAL MELD REQUIREMENTS 2), wilds alone
and laid red threes never count (Golden Games, What are Melds and Meld Requirements), nor does a meld that the rules do
not allow, nor a card that caps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scorer.deck import load_deck
from scorer.faces import Face
from scorer.rules.rule_set import RuleSet
from scorer.scoring.melds import check_meld
from scorer.scoring.points import card_lines
from scorer.scoring.tally import Line
from scorer.sheets import Meld


@dataclass(frozen=True, slots=True)
class FirstMeldCheck:
    """What cards are worth as a first meld: the points needed, a line for all that counts and for all that does not.

    The lines of what does not count have no points and say why.
    """

    needed: int
    counts: tuple[Line, ...]
    left_out: tuple[Line, ...]

    @property
    def points(self) -> int:
        return sum(line.points for line in self.counts)

    @property
    def enough(self) -> bool:
        return self.points >= self.needed


def check_first_meld(
    cards: Iterable[Face] | Iterable[Meld], rules: RuleSet, round: int, total: int = 0
) -> FirstMeldCheck:
    """Whether cards are enough for a side's first meld of a round.

    Args:
        cards: the melds as they would be laid, or loose cards, of which the worthiest melds are made.
        rules: the rule set.
        round: the round, from 1.
        total: the side's points before the round, where the rules go by them.

    Raises:
        ValueError: the round is below 1.
    """
    needed = rules.minimum_first_meld(round, total)
    given = tuple(cards)
    loose = tuple(card for card in given if isinstance(card, Face))
    melds = [meld for meld in given if not isinstance(meld, Face)]
    formed, unused = _form(loose, rules)
    counts: list[Line] = []
    left_out: list[Line] = []
    for i, meld in enumerate((*melds, *formed)):
        check, where = check_meld(meld, rules), f"melds[{i}]"
        wilds_alone = all(rules.is_wild(card) or rules.is_cap(card) for card in check.cards)
        names = tuple(map(str, check.cards))
        if check.faults:
            why = " ".join(fault.message for fault in check.faults)
            left_out.append(Line(f"{check.name}: {why}", 0, names, where))
        elif wilds_alone:
            left_out.append(Line(f"{check.name}: wilds alone never count for a first meld", 0, names, where))
        else:
            counts += card_lines(check.cards, rules.played, f"in {check.name}", where, rules)
    left_out += [Line(f"{rules.label(card)}: {_why_not(card, rules)}", 0, (str(card),)) for card in unused]
    return FirstMeldCheck(needed, tuple(counts), tuple(left_out))


def _form(cards: Sequence[Face], rules: RuleSet) -> tuple[list[tuple[Face, ...]], tuple[Face, ...]]:
    """The melds worth most that loose cards make, and the cards that are in none.

    A wild counts the same wherever it lies, so it goes first to where it turns the dearest naturals into a meld.
    """
    needs = rules.melds
    by_rank: dict[str, list[Face]] = {}
    for card in cards:
        if card in load_deck(rules.deck).copies and not rules.is_wild(card) and card.rank not in rules.never_melded:
            by_rank.setdefault(card.rank, []).append(card)
    wilds = sorted((card for card in cards if rules.is_wild(card)), key=rules.played)
    melds: list[tuple[list[Face], int]] = []  # each with the wilds that still fit
    for found in sorted(by_rank.values(), key=lambda found: (-len(found), -sum(map(rules.played, found)))):
        naturals = found[: needs.most_cards]
        room = needs.wilds_allowed(len(naturals)) if len(naturals) >= needs.least_naturals else 0
        if (most := needs.most_with(room)) is not None:
            room = max(0, min(room, most - len(naturals)))
        short = max(0, needs.least_cards - len(naturals))
        if short <= min(room, len(wilds)):
            melds.append(([*naturals, *(wilds.pop() for _ in range(short))], room - short))
    for meld, room in melds:
        meld += [wilds.pop() for _ in range(min(room, len(wilds)))]
    used = [card for meld, _ in melds for card in meld]
    unused = list(cards)
    for card in used:
        unused.remove(card)
    return [tuple(meld) for meld, _ in melds], tuple(unused)


def _why_not(card: Face, rules: RuleSet) -> str:
    if card not in load_deck(rules.deck).copies:
        return "not in the deck of these rules"
    if rules.is_wild(card):
        return "no meld here has room for this wild"
    if rules.is_laid(card):
        return "laid beside the melds, never part of a first meld"
    if card.rank in rules.never_melded:
        return "never part of a meld"
    return "too few for a meld"
