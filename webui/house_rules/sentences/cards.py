"""Sentences about the points of cards, on the table, left over and laid out."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import RuleSet
from scorer.rules.card_parts import CardPoints, LaidNeeds
from webui.house_rules.sentences.words import books_needed, capital, cards, earns, piles, points
from webui.wording import count_text, listed


def values(rules: RuleSet) -> Iterator[str]:
    """The points of each card on the table, and left over."""
    where = piles(rules)
    usual = [entry for entry in rules.points if _is_usual(entry)]
    for entry in usual:
        yield f"{capital(cards(entry.cards, rules))} are worth {points(entry.played)} each."
    if usual:
        yield f"Left in your {where}, all of these cost what they are worth."
    for entry in rules.points:
        if not _is_usual(entry):
            yield f"{_odd(entry, capital(cards(entry.cards, rules)), where)}."


def _is_usual(entry: CardPoints) -> bool:
    """Whether a card costs as much left over as it is worth on the table."""
    return entry.played > 0 and entry.left == -entry.played


def _odd(entry: CardPoints, which: str, where: str) -> str:
    left, played = points(-entry.left), points(abs(entry.played))
    if not entry.played and not entry.left:
        return f"{which} count nothing"
    if entry.played == entry.left:
        return f"{which} cost {left} each, on the table or left in your {where}"
    if not entry.left:
        return f"{which} on the table {'are worth' if entry.played > 0 else 'cost'} {played} each; left over, nothing"
    on_table = f"{'are worth' if entry.played > 0 else 'cost'} {played} each" if entry.played else "count nothing"
    return f"{which} left in your {where} cost {left} each; on the table, they {on_table}"


def laid(rules: RuleSet) -> Iterator[str]:
    """The cards laid on the table beside the melds, and what they need to count."""
    if not rules.laid:
        yield "No cards are laid out on the table beside the melds."
        return
    yield f"Lay {cards(rules.laid, rules)} on the table, beside your melds."
    for extra in rules.laid_sets:
        which = cards(extra.cards, rules)
        yield f"Laying out {extra.count} or more {which} {earns(extra.points)}, on top of the cards."
    if rules.laid_needs:
        yield f"If your side has no {rules.laid_needs}, the cards laid out count against you."
    if rules.laid_if:
        needed = rules.laid_if
        otherwise = "count against you" if needed.otherwise == "against" else "count nothing"
        asked = _laid_needs(needed, rules)
        yield f"For the cards laid out to count, your side needs {asked}; if not, they {otherwise}."


def _laid_needs(needed: LaidNeeds, rules: RuleSet) -> str:
    parts = [books_needed(needed, rules)] if needed.has_needs else []
    parts += [f"{count_text(needed.laid, 'card')} laid out, or more"] if needed.laid else []
    return listed([*parts, *(["to go out"] if needed.went_out else [])])
