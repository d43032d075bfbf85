"""Holds cards against the faces of the decks in play: a reader may know other decks than those on the table.

A card whose face the decks do not have is never given as sure. Where they have its rank without a suit, or a three of
its color, it is taken for that and doubted, as signs of other decks are told from each other less well; anything else
is an unknown card.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import replace

from scorer.faces import Face
from vision.doubts import DOUBT, Doubt
from vision.values import SeenCard

_OF_COLOR = {True: Face("R3"), False: Face("B3")}
"""The threes of a deck without suits, by whether they are red."""


def in_play(cards: Sequence[SeenCard], faces: Set[Face]) -> list[SeenCard]:
    """The cards as the decks in play can have them, in their order.

    Args:
        cards: cards as read.
        faces: those of the decks in play; empty where they are not known.
    """
    return [_as_in_play(card, faces) for card in cards] if faces else list(cards)


def _as_in_play(card: SeenCard, faces: Set[Face]) -> SeenCard:
    if card.face in faces or card.doubt == Doubt.UNKNOWN_FACE:
        return card
    others = tuple(_once((_counterpart(face, faces), share) for face, share in card.others))
    confidence = min(card.confidence, DOUBT / 2)
    meant = _counterpart(card.face, faces)
    if meant is None:
        return replace(card, confidence=0.0, others=others, doubt=Doubt.UNKNOWN_FACE)
    rest = tuple(other for other in others if other[0] != meant)
    return replace(card, face=meant, confidence=confidence, others=rest, doubt=Doubt.LOW_CONFIDENCE)


def _counterpart(face: Face, faces: Set[Face]) -> Face | None:
    """The face in play that is printed alike: itself, its rank without a suit, or a three of its color."""
    if face in faces:
        return face
    alike = Face(face.rank)
    if face.suit and face.rank == "3" and alike not in faces:
        alike = _OF_COLOR[face.is_red]
    return alike if face.suit and alike in faces else None


def _once(scores: Iterable[tuple[Face | None, float]]) -> Iterable[tuple[Face, float]]:
    """The faces that are in play, each once with all that was given to it, likeliest first."""
    sums: dict[Face, float] = {}
    for face, share in scores:
        if face is not None:
            sums[face] = sums.get(face, 0.0) + share
    return sorted(sums.items(), key=lambda score: -score[1])
