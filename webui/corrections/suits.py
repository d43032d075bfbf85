"""Doubts about suits: asked only where a suit makes a difference."""

from __future__ import annotations

from dataclasses import replace

from scorer.rules import RuleSet
from scorer.rules.alike import counts_alike
from vision.doubts import Doubt
from webui.corrections.side_table import TableCard


def asked_if_it_matters(card: TableCard, rules: RuleSet) -> TableCard:
    """The card, without a doubt about its suit if no suit that it may have changes points, melds or a rule."""
    suits = [other for other, _ in card.others if other.rank == card.face.rank]
    if card.doubt == Doubt.SUIT_UNSURE and all(counts_alike(card.face, suit, rules) for suit in suits):
        return replace(card, doubt=None)
    return card
