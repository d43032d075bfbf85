"""Geometric relations of cards on the table: which touch, which lie in a row or column, which lie across each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scorer.faces import Face, wilds_in_run
from vision.arrays import Flags, Floats, floats
from vision.geometry import card_widths, distances, expanded, overlap_share
from vision.values import Group, HouseRules

SMALLEST_MELD = 3
TOUCH = 0.06
"""Outlines are grown by this share of a card's width on each side; cards touch where the grown outlines overlap."""
MAX_STEP = (0.75, 0.55)
"""Greatest step between neighbours of a row, in card widths, and of a column, in card heights."""
MAX_OFFSET = 0.2
"""Greatest sideways offset of neighbours in a row or column, in card widths or heights."""
MAX_TURN = 0.35
"""Greatest angle between neighbours in a row or column, in radians."""
ON_TOP = 0.2
"""Cards lie on each other where they share more than this of the smaller one's area, and else beside each other."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedCard:
    """A card as grouping needs it: its face and its outline (4, 2) in pixels."""

    face: Face
    quad: Floats


_ANY_CARD = Face("any card")
THREES = "threes"
"""Stands for the rank of all cards that form no melds, whatever a deck calls them; no card has it."""


class TableLayout:
    """The relations of all cards of a picture; at least one card.

    ``shares`` (n, n) is the overlap of each two cards as a share of the smaller one. All other relations are flags
    (n, n): ``touch``; ``beside`` and ``below`` for cards that touch and lie straight beside or below each other;
    ``in_row`` and ``in_column`` for those of them no further apart than neighbours; ``in_line`` for either of the two;
    ``crosswise`` for cards that touch at right angles with their centres in one line.
    """

    def __init__(self, cards: Sequence[PlacedCard], rules: HouseRules) -> None:
        self.cards, self.rules = cards, rules
        self.shares = _overlaps(cards)
        self.touch: Flags = self.shares > 0
        quads = np.stack([card.quad for card in cards])
        self.centres = quads.mean(1)
        across, down, turned = _offsets(quads)
        row_step, column_step = MAX_STEP
        aligned = self.touch & (turned < MAX_TURN)
        self.beside, self.below = _mutual(aligned & (down < MAX_OFFSET)), _mutual(aligned & (across < MAX_OFFSET))
        self.in_row = _mutual(aligned & (down < MAX_OFFSET) & (across < row_step))
        self.in_column = _mutual(aligned & (across < MAX_OFFSET) & (down < column_step))
        self.in_line = self.in_row | self.in_column
        centred = (across < MAX_OFFSET) | (down < MAX_OFFSET)
        self.crosswise = _mutual(self.touch & (turned > np.pi / 2 - MAX_TURN) & centred)

    def rank(self, i: int) -> str:
        """Rank of card ``i``; one for all that form no melds, whatever a deck calls its threes."""
        rank = self.cards[i].face.rank
        return THREES if rank in self.rules.threes else rank

    def wild(self, i: int) -> bool:
        """Whether card ``i`` is wild."""
        return self.rank(i) in self.rules.wild_ranks

    def book(self, members: Sequence[int]) -> str | None:
        """The kind of book that the cards make: ``clean``, ``dirty``, ``wild``, or None where they are too few."""
        if len(members) < self.rules.book_size:
            return None
        wilds = self._wilds_in_run(members)
        if wilds is None:
            wilds = sum(self.wild(i) for i in members)
        return "wild" if wilds == len(members) else "dirty" if wilds else "clean"

    def run(self, members: Sequence[int], misread: int | None = None) -> bool:
        """Whether the cards are a run: three or more of one suit in a row, where the rules have such melds.

        ``misread``: one of them that may be any other card.
        """
        wilds = self._wilds_in_run(members, misread)
        most = self.rules.run_wilds + (misread is not None)
        return len(members) - (misread is not None) >= SMALLEST_MELD and wilds is not None and wilds <= most

    def _wilds_in_run(self, members: Sequence[int], misread: int | None = None) -> int | None:
        faces = [_ANY_CARD if i == misread else self.cards[i].face for i in members]
        wild = {*self.rules.wild_ranks, _ANY_CARD.rank}
        if not self.rules.runs or len({face.rank for face in faces if face.rank not in wild}) < 2:
            return None
        return wilds_in_run(faces, self.rules.runs, lambda face: face.rank in wild)

    def continues(self, line: Sequence[int], other: Sequence[int]) -> bool:
        """Whether ``other`` continues ``line``: cards of the same rank that touch it and lie in its direction.

        A line of several cards does not continue another where either is a book by itself.
        """
        ranks = [{self.rank(i) for i in part if not self.wild(i)} for part in (line, other)]
        complete = len(other) > 1 and (self.book(line) or self.book(other))
        if ranks[0] != ranks[1] or len(ranks[0]) != 1 or complete:
            return False

        def in_direction(adjacent: Flags, along: Flags, across: Flags) -> bool:
            """Whether both run along this direction; cards squared on each other have none."""
            parts = [np.ix_(part, part) for part in (line, other) if len(part) > 1]
            same_direction = all(along[part].sum() > across[part].sum() for part in parts)
            return same_direction and bool(adjacent[np.ix_(line, other)].any())

        is_row = in_direction(self.beside, self.in_row, self.in_column)
        return is_row or in_direction(self.below, self.in_column, self.in_row)

    def lies_on(self, i: int, line: Sequence[int]) -> bool:
        """Whether card ``i`` lies on, under or across the end of a line of cards, and not merely beside it."""
        return bool(self.shares[i, line].max() > ON_TOP or self.crosswise[i, line].any())

    def meld(self, members: list[int], rank: str | None, reason: str) -> Group:
        """A group of kind ``meld``, with its book."""
        return Group(tuple(members), "meld", rank, self.book(members), None, reason)


def _overlaps(cards: Sequence[PlacedCard]) -> Floats:
    """Overlap of each two slightly grown outlines as a share of the smaller one's area, (n, n)."""
    shares = np.zeros((len(cards), len(cards)), np.float32)
    wider = [expanded(card.quad, TOUCH) for card in cards]
    quads = np.stack([card.quad for card in cards])
    reach = 1.7 * card_widths(quads)
    close = distances(quads.mean(1)) < reach[:, None] + reach[None]
    for i, j in zip(*np.nonzero(np.tril(close, -1)), strict=True):
        shares[i, j] = shares[j, i] = overlap_share(wider[i], wider[j])
    return shares


def _mutual(relation: Flags) -> Flags:
    """A relation (n, n) where it holds both ways, so that the order of the cards does not matter."""
    return np.asarray(relation & relation.T, bool)


def _offsets(quads: Floats) -> tuple[Floats, Floats, Floats]:
    """Offsets between the cards outlined by ``quads`` (n, 4, 2), as each first card sees each second, (n, n) each.

    Returns:
        Distance of the centres across, in widths, and down, in heights of the first card; and the angle between them in
        radians, half a turn counting as none.
    """
    axes = np.stack([quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]], 2).astype(np.float64)
    flat = np.abs(np.linalg.det(axes)) < 1
    to_card = np.linalg.inv(np.where(flat[:, None, None], np.eye(2), axes))[:, None]
    centres, tops = quads.mean(1), quads[:, 1] - quads[:, 0]
    across, down = np.abs(to_card @ (centres[None] - centres[:, None])[..., None])[..., 0].transpose(2, 0, 1)
    along, aslant = (to_card @ tops[None, :, :, None])[..., 0].transpose(2, 0, 1)
    widths, heights = np.hypot(*axes.transpose(1, 2, 0))
    turned = np.abs(np.arctan2(aslant * (heights / np.maximum(widths, 1))[:, None], along))
    across[flat], down[flat] = np.inf, np.inf
    return floats(across), floats(down), floats(np.minimum(turned, np.pi - turned))
