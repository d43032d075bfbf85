"""The self-test after learning: are the faces of a deck told apart on tables that were not learnt from?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.learn.looks import Looked
from scorer.deck import spoken
from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.detect.vocabulary import Vocabulary
from vision.recognise.deck_head import DeckHead

OWN, OTHER = 0.5, 0.25
"""A face is told apart if more than OWN of its clear pictures are named as it, and less than OTHER as any one other.
One look names no more of them: on a table a card has two looks, often two indices, and its neighbours."""

MOST_NAMED = 8
"""So many cards at most are named in a list."""
FOUND = 0.9
"""With a smaller share of cards read on drawn tables the result says so: the camera hardly finds such cards."""


@dataclass(frozen=True, slots=True)
class SelfTest:
    """What the self-test came to.

    Attributes:
        tested: faces that could be tested.
        told_apart: those that are told apart from every other face.
        closest: the two faces that are taken for each other most, and the share of pictures.
        as_before: faces that are not tested, since they are read by the shipped networks as before.
        read, there: cards read of those on drawn tables; 0 of 0 where none were read.
        unclear: faces tested that are not told apart from every other.
        unseen: faces of which half or more were not read on drawn tables.
    """

    tested: int
    told_apart: int
    closest: tuple[Face, Face, float] | None
    as_before: int = 0
    read: int = 0
    there: int = 0
    unclear: tuple[Face, ...] = ()
    unseen: tuple[Face, ...] = ()

    @property
    def sentence(self) -> str:
        """The result for people: ``54 of 54 told apart; closest pair J♠ and J♣``."""
        closest = f"; closest pair {spoken(self.closest[0])} and {spoken(self.closest[1])}" if self.closest else ""
        told = f"{self.told_apart} of {self.tested} told apart{closest}"
        if self.as_before:
            others = "the other card" if self.as_before == 1 else f"the other {self.as_before} cards"
            told = f"{told}. The camera reads {others} as it did before"
        if not self.tested:
            told = "The camera reads these cards as it did before"
        if self.unclear:
            told = f"{told}. It may take these for other cards, check them: {_listed(self.unclear)}"
        if self.unseen:
            told = f"{told}. It hardly finds these, type them: {_listed(self.unseen)}"
        if self.read >= FOUND * self.there:
            return told
        return f"{told}. On practice tables only {self.read} of {self.there} cards were found: check them, or type them"


def _listed(faces: Sequence[Face]) -> str:
    names = [spoken(face) for face in faces[:MOST_NAMED]]
    if len(faces) > MOST_NAMED:
        names.append(f"{len(faces) - MOST_NAMED} more")
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _of_faces(vocabulary: Vocabulary, ranks: Floats, suits: Floats) -> Floats:
    rank_of = [vocabulary.ranks.index(face.rank) for face in vocabulary.faces]
    factors = [
        suits[:, vocabulary.suits.index(face.suit)] if face.suit else np.ones(len(suits)) for face in vocabulary.faces
    ]
    return floats(ranks[:, rank_of] * np.stack(factors, 1))


def self_test(head: DeckHead, looked: Looked, faces: Collection[Face], shown: Collection[Face] = ()) -> SelfTest:
    """Tests the ``faces`` in play on the clear pictures of indices.

    Only those ``shown`` count, and only pairs with one of them; all if none are given.
    """
    known, clear = head.vocabulary, looked.clear
    kept = [n for n, face in enumerate(known.faces) if face in faces]
    truth = [
        next((k for k, n in enumerate(kept) if _is(known, known.faces[n], int(rank), int(suit))), -1)
        for rank, suit in zip(looked.ranks[clear], looked.suits[clear], strict=True)
    ]
    placed, counts = np.array(truth), np.array([not shown or known.faces[n] in shown for n in kept])
    shares = _of_faces(known, *head.classify(looked.embeddings[clear]))[:, kept]
    named = shares.argmax(1)
    tested, unclear, confused = 0, list[Face](), np.zeros((len(kept), len(kept)))
    for place in range(len(kept)):
        own = placed == place
        if not own.any() or not counts[place]:
            continue
        tested += 1
        if not is_told_apart(named[own], place):
            unclear.append(known.faces[kept[place]])
        confused[place] = shares[own].mean(0)
    both = np.triu(confused + confused.T, 1)
    a, b = np.unravel_index(int(both.argmax()), both.shape) if tested and len(kept) > 1 else (0, 0)
    pair = (known.faces[kept[a]], known.faces[kept[b]], float(both[a, b]) / 2) if a != b else None
    return SelfTest(tested, tested - len(unclear), pair, unclear=tuple(unclear))


def is_told_apart(named: NDArray[np.intp], place: int) -> bool:
    """Whether a face is told apart whose clear pictures were ``named`` (n,) by places; its own is ``place``."""
    shares = np.bincount(named, minlength=place + 1) / len(named)
    return bool(shares[place] > OWN and np.delete(shares, place).max(initial=0.0) < OTHER)


def _is(vocabulary: Vocabulary, face: Face, rank: int, suit: int) -> bool:
    same = vocabulary.ranks[rank] == face.rank
    return same and (not face.suit if suit < 0 else vocabulary.suits[suit] == face.suit)
