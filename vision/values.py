"""The frozen values that pass between the stages of a reading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scorer.faces import Face

Pixels = NDArray[np.uint8]
"""A picture: (height, width, 3) uint8, BGR."""

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""The corners of a card in frame pixels, clockwise from the top left as the card is read; may lie outside the frame."""


def as_quad(points: ArrayLike) -> Quad:
    """Four points (4, 2) as plain floats.

    >>> as_quad(np.array([[0, 0], [1, 0], [1, 1.4], [0, 1.4]]))
    ((0.0, 0.0), (1.0, 0.0), (1.0, 1.4), (0.0, 1.4))
    """
    a, b, c, d = ((x, y) for x, y in np.asarray(points, float).tolist())
    return a, b, c, d


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture from a camera or a file, upright.

    ``pixels`` is (height, width, 3) uint8 BGR; ``taken_at`` an aware UTC time; ``source`` a camera or file name;
    ``lacks_end`` whether its file lacked the end mark, though no part of the picture.

    Raises:
        ValueError: another shape or type of pixels, or a naive time.
    """

    pixels: Pixels
    taken_at: datetime
    source: str
    lacks_end: bool = False

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
    """One printed index of a card.

    ``scores`` are (face, probability) over all faces, likeliest first; ``box`` is (x0, y0, x1, y1) in frame pixels;
    ``quad`` the outline of its card as this index predicts it, from the top left as the index is read; ``p_keep`` the
    probability 0..1 that the detection shows a legible index and has the right rank. Not part of the JSON output; a
    stored reading has the boxes.
    """

    scores: tuple[tuple[Face, float], ...]
    box: tuple[float, float, float, float]
    quad: Quad
    p_keep: float


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One physical card, read from one or more printed indices.

    ``confidence`` is the calibrated probability, 0..1, that its rank is right; the suit is not part of it. ``others``
    are the next likely faces with their probabilities, likeliest first; ``doubt`` is a code of ``vision.doubts.Doubt``
    or None; ``corners`` are its indices, of which a stored reading knows the boxes at most.
    """

    face: Face
    confidence: float
    others: tuple[tuple[Face, float], ...]
    quad: Quad
    doubt: str | None = None
    corners: tuple[CornerReading, ...] = ()

    def moved(self, x: float, y: float) -> SeenCard:
        """It in pixels of a picture in which all lies ``x`` further right and ``y`` further down."""

        def quad(old: Quad) -> Quad:
            a, b, c, d = ((px + x, py + y) for px, py in old)
            return a, b, c, d

        corners = (
            replace(one, box=(x0 + x, y0 + y, x1 + x, y1 + y), quad=quad(one.quad))
            for one in self.corners
            for x0, y0, x1, y1 in [one.box]
        )
        return replace(self, quad=quad(self.quad), corners=tuple(corners))


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that lie together, by their indices in ``Reading.cards``.

    ``kind`` is ``meld``, ``run``, ``threes``, ``pile``, ``hand`` or ``single``; ``rank`` its natural rank if any;
    ``book`` is ``clean``, ``dirty``, ``wild`` or None; ``doubt`` as in ``SeenCard``; ``reason`` says in words why these
    cards are one group.
    """

    cards: tuple[int, ...]
    kind: str
    rank: str | None = None
    book: str | None = None
    doubt: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PhotoWarning:
    """A warning about a photo: a code of ``vision.checks.photo_checks.WarningCode`` and one sentence what to do."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The part of the house rules that a reading needs.

    ``wild_ranks`` stand for any other rank; ``threes`` are the ranks that form no melds, though they may lie together;
    ``caps`` are the ranks that are laid on melds of any rank; ``book_size`` cards make a book; ``copies`` is how many
    cards of each face all packs hold together, and ``faces`` are those of the decks in play, both empty where that is
    not known. ``runs`` are the ranks in their order in melds of one suit, with ``run_wilds`` wilds at most; empty if
    the rules have no such melds.
    """

    wild_ranks: frozenset[str] = frozenset({"2", "JK"})
    book_size: int = 7
    copies: Mapping[Face, int] = field(default_factory=dict)
    threes: frozenset[str] = frozenset({"3"})
    faces: frozenset[Face] = frozenset()
    caps: frozenset[str] = frozenset()
    runs: tuple[str, ...] = ()
    run_wilds: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading one picture of ``width`` x ``height`` pixels in ``seconds``; never changed afterwards."""

    width: int
    height: int
    seconds: float
    cards: tuple[SeenCard, ...]
    groups: tuple[Group, ...]
    warnings: tuple[PhotoWarning, ...]

    def as_json(self) -> dict[str, Any]:
        """The reading as a JSON document, as described in ``docs/contract.md``."""
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
            "warnings": [{"code": warning.code, "message": warning.message} for warning in self.warnings],
        }


DEFAULT_HOUSE_RULES = HouseRules()
"""Without known rules: twos and jokers are wild, and there is no limit on copies."""
