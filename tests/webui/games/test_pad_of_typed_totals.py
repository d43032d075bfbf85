"""What the score pad says of a side whose total was typed."""

from __future__ import annotations

from webui.games.results.round_results import PARTS, SideResult
from webui.games.score_pad import PadRow


def row(**parts: int) -> PadRow:
    books, cards, laid, extras, left, typed = (parts.get(part, 0) for part in PARTS)
    points = (books, cards, laid, extras, left, typed)
    return PadRow(1, 0, SideResult(points, (0, 0, 0), went_out=False, violations=0, is_typed=True), sum(points))


def test_a_total_that_was_typed_alone_says_nothing_of_books_and_cards() -> None:
    assert row(typed=1200).told == {"typed": 1200}


def test_counts_say_nothing_of_a_total() -> None:
    assert row(books=1000, cards=300).told == {"books": 1000, "cards": 300, "laid": 0, "extras": 0, "left": 0}
