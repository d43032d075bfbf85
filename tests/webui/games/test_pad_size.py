"""How a pad is printed so that it takes one page."""

from __future__ import annotations

import pytest

from webui.games.score_pad import pad_size


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
