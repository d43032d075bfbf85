"""The melds proposed for loose cards are worth most: against a search that tries every way to lay them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorer.faces import Face
from scorer.rules import RuleSet, list_rules, load_rules
from scorer.scoring.first_meld import check_first_meld
from scorer.scoring.melds import MeldCheck, check_meld
from tests.scorer.scoring.test_further_rules import rules_with
from tests.scorer.tables import faces

MUSTS = ("nothing", "no wilds", "a natural meld", "a book", "a clean book")


def ways(cards: tuple[Face, ...]) -> Iterator[list[list[Face]]]:
    """Every way to put cards into heaps; any of them may stay in none, which is not listed."""
    if not cards:
        yield []
        return
    first, *rest = cards
    for others in ways(tuple(rest)):
        yield others
        yield [[first], *others]
        for at, heap in enumerate(others):
            yield [*others[:at], [first, *heap], *others[at + 1 :]]


def by_trying(cards: tuple[Face, ...], rules: RuleSet) -> tuple[bool, int]:
    """Whether some melds have what the rules ask for, and the most points of those that do, or of any."""
    known: dict[tuple[Face, ...], MeldCheck] = {}
    best = (False, 0)
    for heaps in ways(cards):
        checks = []
        for heap in heaps:
            key = tuple(sorted(heap))
            checks.append(known.setdefault(key, known.get(key) or check_meld(key, rules)))
        if any(check.violations for check in checks) or not _within_limits(checks, rules):
            continue
        alone = [all(map(rules.is_wild, check.cards)) for check in checks]
        if any(alone) and not rules.first_meld.wilds_alone:
            continue
        has = {
            "nothing": True,
            "no wilds": not any(rules.is_wild(card) for check in checks for card in check.cards),
            "a natural meld": any(not any(map(rules.is_wild, check.cards)) for check in checks),
            "a book": any(check.book for check in checks),
            "a clean book": any(check.book == "clean" for check in checks),
        }[rules.first_meld_must(1)]
        best = max(best, (has, sum(rules.played(card) for check in checks for card in check.cards)))
    return best


def _within_limits(checks: list[MeldCheck], rules: RuleSet) -> bool:
    """Whether a side may have these melds beside each other."""
    needs = rules.melds
    kinds = Counter((check.rank, check.kind) for check in checks if check.rank)
    ranks = Counter(check.rank for check in checks if check.rank)
    most = {"clean": needs.clean_a_rank or 99, "dirty": needs.dirty_a_rank or 99}
    return all(count <= most[kind] for (_, kind), count in kinds.items()) and (
        not needs.one_a_rank or set(ranks.values()) <= {1}
    )


def agrees(cards: tuple[Face, ...], rules: RuleSet) -> None:
    found = check_first_meld(cards, rules, 1)
    assert (found.has_must, found.points) == by_trying(cards, rules)
    laid = [card for line in (*found.counts, *found.left_out) for card in line.cards]
    assert sorted(laid) == sorted(map(str, cards))
    assert not any(line.points for line in found.left_out)


@given(st.sampled_from(list_rules()), st.data())
@settings(max_examples=80, deadline=None)
def test_no_other_way_to_lay_loose_cards_is_worth_more(id: str, data: st.DataObject) -> None:
    rules = load_rules(id)
    ranks = ("4", "9", "A", "LORD", "3", "7", *rules.wild_ranks)
    few = [face for face in rules.all_decks[0].faces if face.rank in ranks and face.suit in ("", "H", "S")]
    agrees(tuple(data.draw(st.lists(st.sampled_from(few), max_size=7))), rules)


@st.composite
def changed_rules(draw: st.DrawFn) -> RuleSet:
    """Rules in which books are small, so that few cards meet every rule of melds and first melds."""
    one = draw(st.booleans())
    limit = st.none() if one else st.none() | st.integers(1, 2)
    melds = {
        "least_cards": draw(st.integers(2, 3)),
        "least_naturals": draw(st.integers(1, 3)),
        "naturals_per_wild": draw(st.integers(0, 2)),
        "naturals_more": draw(st.integers(0, 1)),
        "most_wilds": draw(st.integers(1, 4)),
        "most_cards": draw(st.none() | st.integers(4, 5)),
        "most_cards_with_wilds": draw(st.none() | st.just(4)),
        "one_a_rank": one,
        "clean_a_rank": draw(limit),
        "dirty_a_rank": draw(limit),
        "of_ranks": draw(st.sampled_from([[], [{"ranks": ["9"], "most_wilds": 1}]])),
    }
    first_meld: dict[str, Any] = {"wilds_alone": draw(st.booleans()), "must": [{"what": draw(st.sampled_from(MUSTS))}]}
    return rules_with(melds=melds, first_meld=first_meld, book_size=4)


@given(changed_rules(), st.lists(st.sampled_from(faces("9H 9S AH AS 4H 2H 2S JK JK")), max_size=7))
@settings(max_examples=200, deadline=None)
def test_nor_under_rules_changed_at_will(rules: RuleSet, cards: list[Face]) -> None:
    agrees(tuple(cards), rules)


@pytest.mark.parametrize("wilds_alone", [True, False])
def test_a_rank_is_parted_where_that_lets_more_wilds_in(wilds_alone: bool) -> None:
    """Four sevens with four jesters are two melds of two each, or sevens and jesters apart."""
    data = load_rules("hand-n-foot").model_dump(mode="json")
    rules = RuleSet.model_validate({**data, "first_meld": {**data["first_meld"], "wilds_alone": wilds_alone}})
    found = check_first_meld(faces("7 7 7 7 JESTER JESTER JESTER JESTER"), rules, 1)
    assert (found.points, found.left_out) == (140, ())
    heaps = {line.where: sum(one.where == line.where for one in found.counts) for line in found.counts}
    assert list(heaps.values()) == ([1, 1] if wilds_alone else [2, 2])


def test_as_few_melds_as_the_points_allow() -> None:
    found = check_first_meld(faces("9H 9S 9D 9C 9H 9S AH AS AD 2S"), rules_with(), 1)
    assert (found.points, {line.where for line in found.counts}) == (60 + 60 + 20, {"melds[0]", "melds[1]"})


@pytest.mark.parametrize("id", ["grandma-sue", "hand-n-foot", "golden-games"])
def test_a_whole_hand_and_foot_and_more_is_laid_out(id: str) -> None:
    rules = load_rules(id)
    cards = [face for face in rules.all_decks[0].faces for _ in range(3)]
    found = check_first_meld(cards, rules, 1)
    assert sum(len(line.cards) for line in (*found.counts, *found.left_out)) == len(cards)
    melded = sum(len(line.cards) for line in found.counts)
    meldable = [card for card in cards if not rules.is_never_melded(card)]
    assert melded == len(meldable)


@pytest.mark.parametrize("id", ["samba", "burraco"])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_nor_where_runs_may_be_laid(id: str, data: st.DataObject) -> None:
    rules = load_rules(id)
    few = faces("4H 5H 6H 7H 7S 6S JK" if id == "samba" else "AH 2H 3H 4H 4S KH 2S JK")
    agrees(tuple(data.draw(st.lists(st.sampled_from(few), max_size=7))), rules)


def test_a_run_may_be_worth_more_than_a_meld_of_a_rank() -> None:
    found = check_first_meld(faces("QH KH AH QS AS 5D"), load_rules("samba"), 1)
    assert (found.points, [line.reason for line in found.left_out][:1]) == (40, ["queens: too few for a meld"])
    both = check_first_meld(faces("QH KH AH AS AD AC"), load_rules("samba"), 1)
    assert both.points == 10 + 10 + 4 * 20
