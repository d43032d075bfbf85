"""Old name of ``scorer.rules.card_parts``; removed once nothing imports it."""

from scorer.rules.card_parts import Book

__all__ = ["Book"]
