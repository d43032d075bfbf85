"""The truth of a film that ends early, and what is held against it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from datasets.films import film
from datasets.films.truth import TrueGroup
from models.evaluate.filmed.rounds import judge, until


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


@pytest.mark.parametrize(
    ("cards", "guessed", "counts"),
    [
        ("8H 8C 8D 2S", [1], (1, 0, 0)),
        ("8H 8S 8D 2S", [1], (0, 1, 0)),
        ("8H 8S 8D 2S", [], (0, 0, 1)),
        ("8H 8S 8D 2H", [1], (0, 0, 1)),
        ("8H 9S 8D 2S", [1], (0, 0, 1)),
    ],
)
def test_a_suit_told_to_be_a_guess_is_not_wrong(cards: str, guessed: list[int], counts: tuple[int, ...]) -> None:
    group = TrueGroup(0, 0, "pile", None, None, ("8H", "8C", "8D", "2S"), (), None, False)
    truth = replace(film(0, changes=2).truth, groups=(group,))
    found = {"side": 0, "kind": "pile", "cards": cards.split(), "guessed": guessed, "doubt": None}
    result = judge(truth, [found])
    assert (result.right, result.guessed, result.wrong) == counts
