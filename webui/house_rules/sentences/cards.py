"""Sentences about the points of cards, on the table, left over and laid out."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import RuleSet
from scorer.rules.card_parts import CardPoints, LaidNeeds
from webui.house_rules.sentences.words import books_needed, capital, cards, earns, piles, points
from webui.translation import _
from webui.wording import cards_text, listed


def values(rules: RuleSet) -> Iterator[str]:
    """The points of each card on the table, and left over."""
    where = piles(rules)
    usual = [entry for entry in rules.points if _is_usual(entry)]
    for entry in usual:
        yield _(
            "%(cards)s are worth %(points)s each.",
            cards=capital(cards(entry.cards, rules)),
            points=points(entry.played),
        )
    if usual:
        yield _("Left in your %(where)s, all of these cost what they are worth.", where=where)
    for entry in rules.points:
        which = capital(cards(entry.cards, rules))
        if not entry.played and not entry.left:
            yield _("%(cards)s count nothing.", cards=which)
        elif not _is_usual(entry):
            yield _(
                "%(cards)s: %(played)s each on the table, %(left)s each left in your %(where)s.",
                cards=which,
                played=points(entry.played),
                where=where,
                left=points(entry.left),
            )


def _is_usual(entry: CardPoints) -> bool:
    """Whether a card costs as much left over as it is worth on the table."""
    return entry.played > 0 and entry.left == -entry.played


def laid(rules: RuleSet) -> Iterator[str]:
    """The cards laid on the table beside the melds, and what they need to count."""
    if not rules.laid:
        yield _("No cards are laid out on the table beside the melds.")
        return
    yield _("Lay %(cards)s on the table, beside your melds.", cards=cards(rules.laid, rules))
    for extra in rules.laid_sets:
        which = cards(extra.cards, rules)
        yield _(
            "Laying out %(count)s or more %(which)s %(earns)s, on top of the cards.",
            count=extra.count,
            which=which,
            earns=earns(extra.points),
        )
    if rules.laid_needs:
        yield _(
            "If your side has no %(laid_needs)s, the cards laid out count against you.", laid_needs=rules.laid_needs
        )
    if rules.laid_if:
        needed = rules.laid_if
        which = cards(needed.cards or rules.laid, rules)
        asked = _laid_needs(needed, rules)
        if needed.otherwise == "against":
            yield _(
                "For %(cards)s laid out to count, your side needs %(asked)s; if not, they count against you.",
                cards=which,
                asked=asked,
            )
        else:
            yield _(
                "For %(cards)s laid out to count, your side needs %(asked)s; if not, they count nothing.",
                cards=which,
                asked=asked,
            )


def _laid_needs(needed: LaidNeeds, rules: RuleSet) -> str:
    parts = [books_needed(needed, rules)] if needed.has_needs else []
    parts += [_("at least %(cards)s laid out", cards=cards_text(needed.laid))] if needed.laid else []
    return listed([*parts, *([_("to go out")] if needed.went_out else [])])
