"""The truth of a film that ends early."""

from __future__ import annotations

from collections import Counter

from datasets.films import film
from models.evaluate.filmed.rounds import until


def test_the_truth_until_the_end_is_that_of_the_whole_film() -> None:
    truth = film(0, changes=12).truth
    whole = until(truth, truth.seconds)
    found = {group.group: Counter(group.cards) for group in whole.groups}
    assert found == {group.group: Counter(group.cards) for group in truth.groups}
    assert {g.group: g.kind for g in whole.groups} == {g.group: g.kind for g in truth.groups}
    assert whole.table_scores == truth.table_scores


def test_cards_that_are_laid_later_are_not_in_it() -> None:
    truth = film(0, changes=12).truth
    first = truth.history[0]
    early = until(truth, first.second)
    assert [Counter(group.cards) for group in early.groups] == [Counter(first.cards)]
    assert early.seconds == first.second
