"""What the probabilities of ranks and suits stand for: the standard deck's, or those of any other deck's faces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorer.faces import JOKER, RANKS, SUITS, Face
from vision.arrays import Floats

NO_SUIT = ("",)
"""The suits of a deck without any: one column, whose probability is 1."""
_Faces = tuple[tuple[Face, float], ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The columns of rank probabilities (n, R) and of suit probabilities (n, S), and the faces that they make.

    Attributes:
        ranks: names of the R ranks; a joker or another card without a suit is a rank too.
        suits: names of the S suits, or NO_SUIT.
        faces: the faces in play; of equally likely ones the first is named.
    """

    ranks: tuple[str, ...]
    suits: tuple[str, ...]
    faces: tuple[Face, ...]
    _rank_of: NDArray[np.intp] = field(init=False, repr=False, compare=False)
    _suit_of: NDArray[np.intp] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        set_field: Any = object.__setattr__
        set_field(self, "_rank_of", np.array([self.ranks.index(face.rank) for face in self.faces], np.intp))
        # the column after the last holds ones: the factor of a face without a suit
        places = [self.suits.index(face.suit) if face.suit else len(self.suits) for face in self.faces]
        set_field(self, "_suit_of", np.array(places, np.intp))

    @classmethod
    def of(cls, faces: Iterable[Face]) -> Vocabulary:
        """The ranks and suits of these faces, in the order in which they come."""
        known = tuple(dict.fromkeys(faces))
        ranks = tuple(dict.fromkeys(face.rank for face in known))
        return cls(ranks, tuple(dict.fromkeys(face.suit for face in known if face.suit)) or NO_SUIT, known)

    @property
    def joker(self) -> int | None:
        """Position of the standard deck's joker among the ranks."""
        return self.ranks.index(JOKER.rank) if JOKER.rank in self.ranks else None

    @property
    def signs(self) -> NDArray[np.bool_]:
        """Which ranks (R,) are the joker's: its sign looks like much else on a table."""
        return np.array([rank == JOKER.rank for rank in self.ranks], bool)

    def face_scores(self, ranks: Floats, suits: Floats) -> list[_Faces]:
        """Probabilities of all faces, likeliest first, for n indices or cards with ``ranks`` (n, R) and ``suits``
        (n, S)."""
        factors = np.concatenate([suits, np.ones((len(suits), 1), suits.dtype)], 1)
        scores = (ranks[:, self._rank_of] * factors[:, self._suit_of]).astype(float)
        order = np.argsort(-scores, 1, kind="stable")
        ranked = np.take_along_axis(scores, order, 1).tolist()
        return [
            tuple(zip(map(self.faces.__getitem__, faces), shares, strict=True))
            for faces, shares in zip(order.tolist(), ranked, strict=True)
        ]


STANDARD_VOCABULARY = Vocabulary(
    (*RANKS, JOKER.rank), SUITS, (*(Face(rank, suit) for rank in RANKS for suit in SUITS), JOKER)
)
"""That of the shipped networks."""
