"""How a pad is printed so that it takes one page."""

from __future__ import annotations

import pytest

from webui.games.results.round_results import PARTS, SideResult
from webui.games.score_pad import PadRow, pad_size


@pytest.mark.parametrize(
    ("rounds", "lines", "others", "sides", "size"),
    [
        (4, 8, 2, 2, ""),
        (4, 8, 3, 2, "halves"),
        (4, 9, 0, 3, "halves small-1"),
        (4, 9, 0, 4, "halves small-2"),
        (4, 9, 0, 5, "small-1"),
        (1, 40, 0, 2, "small-1"),
        (4, 16, 0, 2, "halves small-1"),
        (5, 14, 0, 2, "halves small-2"),
        (4, 99, 0, 2, "halves small-6"),
    ],
)
def test_more_than_a_page_takes_two_columns_or_smaller_letters(
    rounds: int, lines: int, others: int, sides: int, size: str
) -> None:
    assert pad_size(rounds, lines, others, sides) == size


def row(**parts: int) -> PadRow:
    books, cards, laid, extras, left, typed = (parts.get(part, 0) for part in PARTS)
    points = (books, cards, laid, extras, left, typed)
    return PadRow(1, 0, SideResult(points, (0, 0, 0), went_out=False, violations=0, is_typed=True), sum(points))


def test_a_total_that_was_typed_alone_says_nothing_of_books_and_cards() -> None:
    assert row(typed=1200).told == {"typed": 1200}


def test_counts_say_nothing_of_a_total() -> None:
    assert row(books=1000, cards=300).told == {"books": 1000, "cards": 300, "laid": 0, "extras": 0, "left": 0}
