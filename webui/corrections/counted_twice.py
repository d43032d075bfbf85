"""Finds a card in doubt that may be one whose face was read twice, so that people are asked which it is."""

from __future__ import annotations

import numpy as np

from vision.doubts import Doubt
from vision.geometry import overlap_share
from webui.corrections.side_table import SideTable, TableCard

_OVERLAP = 0.25
"""Outlines that share so much may be two guesses at one card. Two cards in a cascade share as much: people decide."""
_ASKED_OTHERWISE = (Doubt.PERHAPS_ANOTHER, Doubt.UNKNOWN_FACE)


def may_be_counted_twice(table: SideTable, card: TableCard) -> bool:
    """Whether a card in doubt may be another that its photo shows, already settled or asked about before it."""
    if card.doubt is None or card.doubt in _ASKED_OTHERWISE or card.quad is None or card.photo is None:
        return False
    own, before = np.asarray(card.quad, np.float32), True
    for other in table.cards_in(card.photo):
        if other.id == card.id:
            before = False
        elif (
            other.face == card.face
            and other.quad is not None
            and (before or other.doubt is None)
            and overlap_share(own, np.asarray(other.quad, np.float32)) >= _OVERLAP
        ):
            return True
    return False
