"""Which doubts people are asked about, and how: none about suits that make no difference, and of cards of which the
camera is nearly sure all at one look, since people confirm nearly all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from scorer.deck import DeckProfile
from scorer.faces import Face
from scorer.rules import RuleSet
from scorer.rules.alike import counts_alike
from vision.doubts import Doubt
from vision.geometry import overlap_share
from webui.corrections.side_table import SideTable, TableCard, TableGroup

GATHERED = "gathered"
"""Name of the line about cards of which the camera is nearly sure, in addresses."""
NEARLY_SURE = 0.95
"""Confidence from which less than 1 in 20 of the cards in doubt is wrong."""
FEWEST = 2
"""Cards of one step that are gathered at least; a single one is asked about as any other."""
_OVERLAP = 0.25
"""Outlines that share so much may be two guesses at one card. Two cards in a cascade share as much: people decide."""
_FOREIGN = {"8": ("J", "Q"), "10": ("Q", "A"), "J": ("Q", "K"), "Q": ("J", "K"), "K": ("Q", "J")}
"""What a card may be whose letter is German or French: a B is read as an 8, a D as a 10, an R as a K."""
_ASKED_OTHERWISE = (Doubt.PERHAPS_ANOTHER, Doubt.UNKNOWN_FACE)


def asked_if_it_matters(card: TableCard, rules: RuleSet) -> TableCard:
    """The card, without a doubt about its suit if no suit that it may have changes points, melds or a rule."""
    suits = [other for other, _ in card.others if other.rank == card.face.rank]
    if card.doubt == Doubt.SUIT_UNSURE and all(counts_alike(card.face, suit, rules) for suit in suits):
        return replace(card, doubt=None)
    return card


def likely_faces(face: Face, others: Iterable[tuple[Face, float]], deck: DeckProfile, most: int = 4) -> list[Face]:
    """What a card may be instead: the reader's next best faces, ``most`` at most, then the deck's jokers, since any
    design may be one. Where it was sure of one face, those whose German or French letters look like that."""
    read = [other for other, _ in others] or [Face(rank, face.suit) for rank in _FOREIGN.get(face.rank, ())]
    next_best = [other for other in read if other != face and other in deck.copies][:most]
    return list(dict.fromkeys([*next_best, *(joker for joker in deck.jokers if joker != face)]))


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


def gathered(table: SideTable) -> SideTable:
    """The table with the cards marked that one look asks about: those on the table, and those that are left."""
    marked: set[str] = set()
    for left in (False, True):
        groups = [group for group in table.groups if (group.kind == "left") == left]
        nearly = [card for group in groups for card in _nearly_sure_of(table, group)]
        marked |= set(nearly) if len(nearly) >= FEWEST else set()
    if not marked:
        return table

    def mark(card: TableCard) -> TableCard:
        return replace(card, is_gathered=True) if card.id in marked else card

    return replace(table, groups=tuple(replace(one, cards=tuple(map(mark, one.cards))) for one in table.groups))


def _nearly_sure_of(table: SideTable, group: TableGroup) -> list[str]:
    """The cards of a group that may be gathered; none if one question asks about others of it and settles them all."""
    nearly = [card for card in group.cards if _is_nearly_sure(card) and not may_be_counted_twice(table, card)]
    others = replace(group, cards=tuple(card for card in group.cards if card not in nearly))
    return [] if others.asked_together else [card.id for card in nearly]


def _is_nearly_sure(card: TableCard) -> bool:
    """Whether a card is doubted for its confidence alone, and another rank is not the next likely."""
    next_likely = card.others[0][0].rank if card.others else card.face.rank
    return card.doubt == Doubt.LOW_CONFIDENCE and card.confidence >= NEARLY_SURE and next_likely == card.face.rank
