"""How cards lie to one another: which touch, which lie in line, which lie across which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scorer.faces import Face
from vision.arrays import Flags, Floats, floats
from vision.geometry import card_widths, distances, grown, overlap_share
from vision.values import Group

TOUCH = 0.06
"""Cards nearer than about this share of a card's width count as touching."""
IN_LINE = (0.75, 0.55, 0.2)
"""Cards of one column, row or fan lie no further from each other than this, in a card's widths across and heights down,
and no further than the third of these out of line."""
MOST_TURNED = 0.35
"""And they are turned against each other by no more than this, in radians."""
LIES_ON = 0.2
"""A card that shares so much of its area with one of a meld lies on it, or under it; less, and it lies beside it."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedCard:
    """A card as grouping needs it: its face and its outline (4, 2) in pixels."""

    face: Face
    quad: Floats


class TableLayout:
    """Cards, at least one, with their overlaps and the ranks that are wild."""

    def __init__(self, cards: Sequence[PlacedCard], wild_ranks: frozenset[str], book_size: int) -> None:
        self.cards, self.wild_ranks, self.book_size = cards, wild_ranks, book_size
        self.shares = _overlaps(cards)
        self.touch: Flags = self.shares > 0
        quads = np.stack([card.quad for card in cards])
        self.middles = quads.mean(1)
        across, down, turned = _steps(quads)
        far_across, far_down, aside = IN_LINE
        alike = self.touch & (turned < MOST_TURNED)
        # (n, n) each: which cards touch and lie straight beside or below which, however far
        self.beside, self.below = _both(alike & (down < aside)), _both(alike & (across < aside))
        # and which of them no further off than the next of a row, a fan or a column
        self.in_row = _both(alike & (down < aside) & (across < far_across))
        self.in_column = _both(alike & (across < aside) & (down < far_down))
        self.in_line = self.in_row | self.in_column
        # which touch, and lie across each other with their middles in one line
        self.crosswise = _both(self.touch & (turned > np.pi / 2 - MOST_TURNED) & ((across < aside) | (down < aside)))

    def rank(self, i: int) -> str:
        return self.cards[i].face.rank

    def wild(self, i: int) -> bool:
        return self.rank(i) in self.wild_ranks

    def book(self, members: Sequence[int]) -> str | None:
        if len(members) < self.book_size:
            return None
        wilds = sum(self.wild(i) for i in members)
        return "wild" if wilds == len(members) else "dirty" if wilds else "clean"

    def continues(self, line: Sequence[int], other: Sequence[int]) -> bool:
        """Whether an ``other`` card touches a line of its rank and lies in its direction; or an ``other`` line, neither
        of the two being a book by itself."""
        ranks = [{self.rank(i) for i in part if not self.wild(i)} for part in (line, other)]
        whole = len(other) > 1 and (self.book(line) or self.book(other))
        if ranks[0] != ranks[1] or len(ranks[0]) != 1 or whole:
            return False

        def lies(way: Flags, steps: Flags, others: Flags) -> bool:
            """In the direction of both; cards that lie squared have none."""
            several = [np.ix_(part, part) for part in (line, other) if len(part) > 1]
            along = all(steps[part].sum() > others[part].sum() for part in several)
            return along and bool(way[np.ix_(line, other)].any())

        in_row = lies(self.beside, self.in_row, self.in_column)
        return in_row or lies(self.below, self.in_column, self.in_row)

    def lies_on(self, i: int, line: Sequence[int]) -> bool:
        """Whether a card lies on a line of cards or under it, or across its end, and not merely beside it."""
        return bool(self.shares[i, line].max() > LIES_ON or self.crosswise[i, line].any())

    def meld(self, members: list[int], rank: str | None, reason: str) -> Group:
        return Group(tuple(members), "meld", rank, self.book(members), None, reason)


def _overlaps(cards: Sequence[PlacedCard]) -> Floats:
    """The share of the smaller one's area that each two cards have in common, a little grown, (n, n)."""
    shares = np.zeros((len(cards), len(cards)), np.float32)
    wider = [grown(card.quad, TOUCH) for card in cards]
    quads = np.stack([card.quad for card in cards])
    middles = quads.mean(1)
    reach = 1.7 * card_widths(quads)
    close = distances(middles) < reach[:, None] + reach[None]
    for i, j in zip(*np.nonzero(np.tril(close, -1)), strict=True):
        shares[i, j] = shares[j, i] = overlap_share(wider[i], wider[j])
    return shares


def _both(which: Flags) -> Flags:
    """What holds of two cards, (n, n), as both of them see it: which is named first must not count."""
    return np.asarray(which & which.T, bool)


def _steps(quads: Floats) -> tuple[Floats, Floats, Floats]:
    """How far each outline's middle (n, 4, 2) lies from each other's across, in widths, and down, in heights of the
    first of the two, and by how many radians they are turned against each other, half a turn being none; (n, n)
    each."""
    frames = np.stack([quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0]], 2).astype(np.float64)
    flat = np.abs(np.linalg.det(frames)) < 1
    back = np.linalg.inv(np.where(flat[:, None, None], np.eye(2), frames))[:, None]
    middles, tops = quads.mean(1), quads[:, 1] - quads[:, 0]
    across, down = np.abs(back @ (middles[None] - middles[:, None])[..., None])[..., 0].transpose(2, 0, 1)
    along, aslant = (back @ tops[None, :, :, None])[..., 0].transpose(2, 0, 1)
    wide, tall = np.hypot(*frames.transpose(1, 2, 0))
    turned = np.abs(np.arctan2(aslant * (tall / np.maximum(wide, 1))[:, None], along))
    across[flat], down[flat] = np.inf, np.inf
    return floats(across), floats(down), floats(np.minimum(turned, np.pi - turned))
