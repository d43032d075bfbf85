"""The frozen values that pass between the steps of reading a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorer.faces import Face

Pixels = NDArray[np.uint8]
"""A picture: (height, width, 3) uint8, BGR."""

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""A card's corners in frame pixels, from the top left of the card as one reads it, clockwise; may reach outside."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture as a camera or a file gave it, upright.

    ``pixels`` is (height, width, 3) uint8 BGR; ``taken_at`` an aware UTC time; ``source`` a camera or file name.
    """

    pixels: Pixels
    taken_at: datetime
    source: str

    def __post_init__(self) -> None:
        if self.pixels.ndim != 3 or self.pixels.shape[2] != 3 or self.pixels.dtype != np.uint8:
            raise ValueError(f"expected (height, width, 3) uint8, got {self.pixels.shape} {self.pixels.dtype}")
        if self.taken_at.tzinfo is None:
            raise ValueError("expected an aware time, got a naive one")

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])


@dataclass(frozen=True, slots=True)
class CornerReading:
    """One printed index seen.

    ``scores`` are (face, probability) over all faces, likeliest first; ``box`` is (x0, y0, x1, y1) in frame pixels;
    ``quad`` the outline of its card as this index predicts it, the index at the quad's first corner;
    ``found`` the finder's confidence in 0..1.
    """

    scores: tuple[tuple[Face, float], ...]
    box: tuple[float, float, float, float]
    quad: Quad
    p_keep: float


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One physical card, from one or more corner readings; ``others`` are its runners-up, likeliest first."""

    face: Face
    confidence: float
    others: tuple[tuple[Face, float], ...]
    quad: Quad
    doubt: str | None = None
    corners: tuple[CornerReading, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together, by their places in ``Reading.cards``.

    ``kind`` is ``meld``, ``threes``, ``pile``, ``hand`` or ``single``; ``book`` is ``clean``, ``dirty``, ``wild`` or
    None; ``reason`` says in words why these cards were put together.
    """

    cards: tuple[int, ...]
    kind: str
    rank: str | None = None
    book: str | None = None
    doubt: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something a person can do about a picture: a stable code and one sentence."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What reading needs of a house's rules: the wild ranks, how many cards make a book, and how many of each face all
    packs together hold (empty where that is not known)."""

    wild_ranks: frozenset[str] = frozenset({"2", "JK"})
    book_size: int = 7
    copies: Mapping[Face, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything one look at one picture gave; never changed afterwards."""

    width: int
    height: int
    seconds: float
    cards: tuple[SeenCard, ...]
    groups: tuple[Group, ...]
    warnings: tuple[Notice, ...]

    def as_json(self) -> dict[str, Any]:
        """The reading as one JSON document: width, height, seconds, cards, groups and warnings."""
        return {
            "width": self.width,
            "height": self.height,
            "seconds": round(self.seconds, 3),
            "cards": [
                {
                    "face": str(card.face),
                    "confidence": round(card.confidence, 4),
                    "quad": [[round(x, 1), round(y, 1)] for x, y in card.quad],
                    "others": [[str(face), round(score, 4)] for face, score in card.others],
                    "doubt": card.doubt,
                }
                for card in self.cards
            ],
            "groups": [
                {
                    "cards": list(group.cards),
                    "kind": group.kind,
                    "rank": group.rank,
                    "book": group.book,
                    "doubt": group.doubt,
                    "reason": group.reason,
                }
                for group in self.groups
            ],
            "warnings": [{"code": notice.code, "message": notice.message} for notice in self.warnings],
        }


ANY_HOUSE = HouseRules()
"""Where nothing is known of the rules: twos and jokers are wild, and there are packs enough."""
