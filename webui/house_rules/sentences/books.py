"""Sentences about books: what they are worth, by kind, rank, size and wilds, and what is put on them."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import RuleSet
from scorer.rules.book_parts import Unfinished
from webui.house_rules.sentences.words import capital, card, cards, earns, points
from webui.translation import N_, _, gettext, ngettext
from webui.wording import listed, one_of, points_text

_KINDS = {"clean": N_("clean %(points)s"), "dirty": N_("dirty %(points)s"), "wild": N_("wild %(points)s")}
_MELDS = {"any": N_("a meld"), "clean": N_("a clean meld"), "dirty": N_("a dirty meld"), "wild": N_("a wild meld")}
_COUNT_ONLY = {
    (True, True): N_("%(cards)s in a meld count only if that meld is a book; if not, they count against you."),
    (True, False): N_("%(cards)s in a meld count only if that meld is a book; if not, they count nothing."),
    (False, True): N_("%(cards)s in a meld count only if your side has a book; if not, they count against you."),
    (False, False): N_("%(cards)s in a meld count only if your side has a book; if not, they count nothing."),
}
"""By whether it is their own book that they need, and whether they count against the side without it."""


def books(rules: RuleSet) -> Iterator[str]:
    """Their size and points, caps, and melds that are no book in the end."""
    values = rules.books
    yield _("A meld of %(book_size)s or more cards is a book.", book_size=rules.book_size)
    yield _("A clean book has no wild cards; a dirty book has some. A book's points come on top of its cards.")
    yield _(
        "A clean book is worth %(points)s, a dirty book %(number)s.",
        points=points(values.clean),
        number=points_text(values.dirty),
    )
    if values.wild is None:
        yield _("There are no books of wild cards alone.")
    else:
        yield _("A wild book, all wild cards, is worth %(points)s.", points=points(values.wild))
    if rules.runs:
        yield _("A run that is a book is worth %(points)s.", points=points(rules.runs.clean))
        if rules.runs.most_wilds or rules.runs.dirty:
            yield _("With wild cards in it, a run that is a book is worth %(points)s.", points=points(rules.runs.dirty))
    yield from _own_values(rules)
    for penalty in values.unfinished:
        yield _(
            "%(melds)s that is not a book when the round ends %(earns)s.",
            melds=capital(_unfinished(penalty, rules)),
            earns=earns(penalty.points),
        )
    yield from _caps(rules)
    if count := rules.cards_count:
        which = capital(cards(count.cards, rules)) if count.cards else _("Cards")
        yield gettext(_COUNT_ONLY[count.needs == "its own book", count.otherwise == "against"], cards=which)


def _own_values(rules: RuleSet) -> Iterator[str]:
    """Books that are worth something else, by rank, size and wilds."""
    values = rules.books
    for of_ranks in values.of_ranks:
        told = _kinds({"clean": of_ranks.clean, "dirty": of_ranks.dirty})
        yield _(
            "Books of %(cards)s have their own value: %(told)s.", cards=cards(of_ranks.ranks, rules, one_of), told=told
        )
    for size in values.of_sizes:
        told = _kinds({"clean": size.clean, "dirty": size.dirty, "wild": size.wild})
        yield _(
            "Books of %(from_cards)s or more cards have their own value: %(told)s.",
            from_cards=size.from_cards,
            told=told,
        )
    for of_wilds in values.of_wilds:
        wilds = cards(of_wilds.ranks, rules, one_of)
        worth = points(of_wilds.points)
        if of_wilds.least is None:
            yield _("A wild book made only of %(wilds)s is worth %(worth)s instead.", wilds=wilds, worth=worth)
        else:
            yield _(
                "A wild book with %(least)s or more %(wilds)s is worth %(worth)s instead.",
                least=of_wilds.least,
                wilds=wilds,
                worth=worth,
            )


def _kinds(values: dict[str, int | None]) -> str:
    return listed(
        [gettext(_KINDS[kind], points=points_text(value)) for kind, value in values.items() if value is not None]
    )


def _unfinished(penalty: Unfinished, rules: RuleSet) -> str:
    kind = _(_MELDS[penalty.kind])
    return _("%(kind)s of %(cards)s", kind=kind, cards=cards(penalty.ranks, rules, one_of)) if penalty.ranks else kind


def _caps(rules: RuleSet) -> Iterator[str]:
    if not rules.cap:
        return
    which = one_of(card(name, rules) for name in rules.cap.cards)
    kinds = one_of(rules.cap.books)
    yield _(
        "You can put %(which)s on a finished %(kinds)s book; this %(earns)s.",
        which=which,
        kinds=kinds,
        earns=earns(rules.cap.points),
    )
    such_cards = ngettext("%(num)s such card", "%(num)s such cards", rules.cap.most)
    yield _("There can be %(such_cards)s on a book at most.", such_cards=such_cards)
