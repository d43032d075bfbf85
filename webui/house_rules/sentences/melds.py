"""Sentences about the first meld of a round and about melds."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.rules import RuleSet
from scorer.rules.card_parts import MeldNeeds, Runs
from webui.house_rules.sentences.words import by_round, capital, cards, from_round, points, told, wild_cards
from webui.translation import N_, _, ngettext
from webui.wording import cards_text, listed, one_of, points_text

_MUST = {
    "nothing": N_("The first meld can be any melds."),
    "no wilds": N_("The first meld must have no wild cards."),
    "a natural meld": N_("The first meld must have at least one meld without wild cards."),
    "a book": N_("The first meld must have a book."),
    "a clean book": N_("The first meld must have a clean book."),
}
_UNLIMITED = 50
"""So many wilds in a meld are as good as no limit."""


def first_meld(rules: RuleSet) -> Iterator[str]:
    """The points that a first meld needs, what it must have, and what one below the minimum costs."""
    needed = rules.first_meld
    if needed.by_score:
        bounds = [entry.least for entry in needed.by_score]
        parts = [points(needed.by_score[0].points)]
        if len(bounds) > 1:
            below = points_text(bounds[1] or 0)
            parts = [_("%(points)s as long as your total is below %(below)s", points=parts[0], below=below)]
        parts += [
            _("%(points)s from %(least)s on", points=points_text(entry.points), least=points_text(entry.least or 0))
            for entry in needed.by_score[1:]
        ]
        yield _("Your side's first meld of a round needs %(parts)s.", parts=listed(parts))
    else:
        asked = by_round(needed.by_round, rules, points)
        if len(needed.by_round) > 1:
            yield _("Your side's first meld needs %(asked)s.", asked=asked)
        elif needed.step:
            yield _("Your side's first meld needs %(asked)s in round 1.", asked=asked)
        else:
            yield _("Your side's first meld needs %(asked)s in every round.", asked=asked)
    if needed.step:
        yield _("It goes up by %(step)s each round after that.", step=needed.step)
    yield _("Only the cards count for it, not the bonus for a book.")
    if needed.wilds_alone:
        yield _("A meld of only wild cards counts for it.")
    elif rules.books.wild is not None:
        yield _("A meld of only wild cards does not count for it.")
    for entry in needed.must:
        when = from_round(entry.from_round, rules)
        yield ": ".join(filter(None, (capital(when), _(_MUST[entry.what]))))
    if rules.improper_meld:
        yield told(rules.improper_meld)


def melds(rules: RuleSet) -> Iterator[str]:
    """What makes a meld, and how many wilds it can hold."""
    needs = rules.melds
    yield _("A meld is %(least_cards)s or more cards of one rank.", least_cards=needs.least_cards)
    if needs.most_cards is not None:
        yield _("A meld can't have more than %(cards)s.", cards=cards_text(needs.most_cards))
    if needs.most_cards_with_wilds is not None:
        yield _(
            "With a wild card in it, a meld can't have more than %(cards)s.",
            cards=cards_text(needs.most_cards_with_wilds),
        )
    if rules.wild_ranks:
        yield _("%(cards)s are wild.", cards=capital(cards(rules.wild_ranks, rules)))
    else:
        yield _("No cards are wild.")
    yield from _wilds(needs, rules.books.wild is not None)
    for entry in needs.of_ranks:
        of_ranks = cards(entry.ranks, rules, one_of)
        if entry.most_wilds:
            yield _(
                "A meld of %(of_ranks)s can have at most %(wild_cards)s.",
                of_ranks=of_ranks,
                wild_cards=wild_cards(entry.most_wilds),
            )
        else:
            yield _("A meld of %(of_ranks)s can have no wild cards.", of_ranks=of_ranks)
    if needs.one_a_rank:
        yield _("Your side can have only one meld of a rank.")
    else:
        yield from _of_one_rank(needs)
    if rules.runs:
        yield from _runs(rules.runs, rules)
    if rules.never_melded:
        yield _("You can't meld %(cards)s.", cards=cards(rules.never_melded, rules, one_of))
    if rules.melded_going_out:
        which = cards(rules.melded_going_out, rules, one_of)
        yield _("Only the side that goes out can meld %(which)s, without wild cards.", which=which)
    if rules.burying:
        yield _("You can bury spare cards face down on the table; they count what they are worth.")
    else:
        yield _("You can't bury spare cards.")


def _runs(runs: Runs, rules: RuleSet) -> Iterator[str]:
    yield _("You can also meld runs: %(least_cards)s or more cards of one suit in a row.", least_cards=runs.least_cards)
    yield _("In a run the cards go in this order: %(ranks)s.", ranks=", ".join(runs.ranks))
    if runs.most_cards is not None:
        yield _("A run can't have more than %(cards)s.", cards=cards_text(runs.most_cards))
    if runs.most_wilds:
        yield _("A run can have at most %(wild_cards)s.", wild_cards=wild_cards(runs.most_wilds))
    else:
        yield _("A run can have no wild cards.")


def _of_one_rank(needs: MeldNeeds) -> Iterator[str]:
    if needs.clean_a_rank is None and needs.dirty_a_rank is None:
        yield _("Your side can have more than one meld of a rank.")
    if needs.clean_a_rank is not None:
        clean = ngettext("%(num)s clean meld", "%(num)s clean melds", needs.clean_a_rank)
        yield _("Your side can have at most %(melds)s of a rank.", melds=clean)
    if needs.dirty_a_rank is not None:
        dirty = ngettext("%(num)s dirty meld", "%(num)s dirty melds", needs.dirty_a_rank)
        yield _("Your side can have at most %(melds)s of a rank.", melds=dirty)


def _wilds(needs: MeldNeeds, alone: bool) -> Iterator[str]:
    naturals = ngettext("%(num)s natural card", "%(num)s natural cards", needs.least_naturals)
    if alone:
        yield _("A meld needs at least %(naturals)s, unless it is all wild cards.", naturals=naturals)
    else:
        yield _("A meld needs at least %(naturals)s.", naturals=naturals)
    each, more = needs.naturals_per_wild, needs.naturals_more
    if each > 1 and more:
        yield _(
            "Each wild card in a meld needs %(each)s natural cards, and %(more)s more for the meld.",
            each=each,
            more=more,
        )
    elif each > 1:
        yield _("Each wild card in a meld needs %(each)s natural cards.", each=each)
    elif needs.naturals_per_wild and needs.naturals_more:
        yield _(
            "A meld with wild cards needs at least %(naturals_more)s more natural than wild cards.",
            naturals_more=needs.naturals_more,
        )
    elif needs.naturals_per_wild:
        yield _("A meld can't have more wild cards than natural cards.")
    else:
        yield _("A meld can have more wild cards than natural cards.")
    if not needs.most_wilds:
        yield _("You can't use wild cards in a meld of natural cards.")
    elif needs.most_wilds >= _UNLIMITED:
        yield _(
            "There is no other limit on wild cards in a meld (you can have %(most_wilds)s).",
            most_wilds=needs.most_wilds,
        )
    else:
        yield _("A meld or a dirty book can have at most %(wild_cards)s.", wild_cards=wild_cards(needs.most_wilds))
