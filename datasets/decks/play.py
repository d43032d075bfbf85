"""Which faces of a deck lie together on a table: what its game melds, what is wild, what is laid alone or on a book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scorer.deck import DeckProfile
from scorer.faces import JOKER, RANKS, STANDARD_FACES, SUITS, Face
from scorer.rules.library import load_rules, shipped_rules

MELD_SIZES = (3, 4, 5, 6, 7, 7, 7, 8, 9, 10, 12)
"""Numbers of cards of a meld, each as likely; 7 is a finished book."""
BOOK = 7
MELD_RANKS = tuple(rank for rank in RANKS if rank not in ("2", "3"))
WILD_BOOKS, WITH_WILDS, CAPPED = 0.06, 0.5, 0.35
"""Shares of melds of wilds alone, of melds with wilds in them, and of finished books with a cap on them."""


class StandardPlay:
    """What the layouts ask of the standard deck: a card of a hand, one by itself, a wild, the cards of a meld or a book
    from the lowest, a few that are laid beside melds, and one that tables should show more often than a pack holds it.

    A change of the order of its random draws changes every table of every seed.
    """

    def _natural(self, rng: np.random.Generator, rank: str) -> Face:
        return Face(rank, str(rng.choice(SUITS)))

    def any_face(self, rng: np.random.Generator) -> Face:
        return JOKER if rng.random() < 0.09 else self._natural(rng, str(rng.choice(RANKS)))

    def single(self, rng: np.random.Generator) -> Face:
        return Face(str(rng.choice(RANKS)), str(rng.choice(SUITS)))

    def wild(self, rng: np.random.Generator) -> Face:
        return JOKER if rng.random() < 0.6 else self._natural(rng, "2")

    def meld(self, rng: np.random.Generator) -> list[Face]:
        count = int(rng.choice(MELD_SIZES))
        if rng.random() < WILD_BOOKS:
            return [self.wild(rng) for _ in range(count)]
        wilds = int(rng.integers(1, min(count // 2, 3) + 1)) if rng.random() < WITH_WILDS else 0
        rank = str(rng.choice(MELD_RANKS))
        if rng.random() < 0.2:  # one suit repeated: several packs are mixed
            suit = str(rng.choice(SUITS))
            naturals = [Face(rank, suit) for _ in range(count - wilds)]
        else:
            naturals = [self._natural(rng, rank) for _ in range(count - wilds)]
        return _shuffled(rng, naturals + [self.wild(rng) for _ in range(wilds)])

    def laid_alone(self, rng: np.random.Generator) -> list[Face]:
        return [self._natural(rng, "3") for _ in range(int(rng.integers(1, 5)))]

    def rare(self, rng: np.random.Generator) -> Face:
        return JOKER


STANDARD_PLAY = StandardPlay()


@dataclass(frozen=True)
class ProfilePlay:
    """The same of any other deck.

    Attributes:
        copies: how many of each face a pack holds.
        wilds: its wilds.
        melded: the ranks that are melded, wilds not among them.
        alone: faces that are laid beside the melds.
        caps: faces that are laid on a finished book.
    """

    copies: Mapping[Face, int]
    wilds: tuple[Face, ...]
    melded: tuple[str, ...]
    alone: tuple[Face, ...] = ()
    caps: tuple[Face, ...] = ()

    def _of(self, rng: np.random.Generator, faces: Sequence[Face]) -> Face:
        """One of ``faces``, as likely as a pack holds it."""
        counts = np.asarray([self.copies[face] for face in faces], np.float64)
        return faces[int(rng.choice(len(faces), p=counts / counts.sum()))]

    def any_face(self, rng: np.random.Generator) -> Face:
        return self._of(rng, tuple(self.copies))

    def single(self, rng: np.random.Generator) -> Face:
        return tuple(self.copies)[int(rng.integers(len(self.copies)))]

    def wild(self, rng: np.random.Generator) -> Face:
        return self._of(rng, self.wilds)

    def meld(self, rng: np.random.Generator) -> list[Face]:
        """The cards of a meld; on some books without wilds, and on some of wilds alone, lies a cap."""
        count = int(rng.choice(MELD_SIZES))
        cap = [self._of(rng, self.caps)] if self.caps and count >= BOOK and rng.random() < CAPPED else []
        if self.wilds and (rng.random() < WILD_BOOKS or not self.melded):
            return [self.wild(rng) for _ in range(count)] + cap
        some = self.wilds and not cap and rng.random() < WITH_WILDS
        wilds = int(rng.integers(1, min(count // 2, 3) + 1)) if some else 0
        rank = self.melded[int(rng.integers(len(self.melded)))]
        of_rank = [face for face in self.copies if face.rank == rank]
        naturals = [self._of(rng, of_rank) for _ in range(count - wilds)]
        return _shuffled(rng, naturals + [self.wild(rng) for _ in range(wilds)]) + cap

    def laid_alone(self, rng: np.random.Generator) -> list[Face]:
        count = int(rng.integers(1, 5))
        return [self._of(rng, self.alone) if self.alone else self.any_face(rng) for _ in range(count)]

    def rare(self, rng: np.random.Generator) -> Face:
        """A card that is not melded, or one with a name such as LORD."""
        named = [face for face in self.copies if face.rank not in self.melded or len(face.rank) > 2]
        return named[int(rng.integers(len(named)))] if named else self.single(rng)


Play = StandardPlay | ProfilePlay


def play_of(profile: DeckProfile) -> Play:
    """Returns how a deck's cards lie: as the first shipped rule set for it says; without one, every rank is melded that
    may not be wild."""
    if set(profile.faces) == set(STANDARD_FACES):
        return STANDARD_PLAY
    wilds = tuple(face for face in profile.faces if face.rank in profile.wild_ranks)
    all_rules = map(load_rules, shipped_rules())
    rules = next((rules for rules in all_rules if profile.id in {deck.id for deck in rules.all_decks}), None)
    if rules is None:
        melded = tuple(rank for rank in profile.ranks if rank not in profile.wild_ranks)
        return ProfilePlay(profile.copies, wilds, melded)
    naturals = [face for face in profile.faces if face not in wilds and not rules.is_never_melded(face)]
    alone = tuple(face for face in profile.faces if rules.is_laid(rules.called(face)))
    caps = tuple(face for face in profile.faces if rules.is_cap(rules.called(face)))
    melded = tuple(dict.fromkeys(face.rank for face in naturals))
    return ProfilePlay(profile.copies, wilds, melded, alone, caps)


def _shuffled(rng: np.random.Generator, faces: list[Face]) -> list[Face]:
    return [faces[i] for i in rng.permutation(len(faces))]
