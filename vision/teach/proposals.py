"""Which faces of a deck a card may be, from what the reader, which knows the standard deck, says of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scorer.faces import JOKER, RANKS, Face
from vision.values import SeenCard

MIN_PROPOSAL = 0.01
"""Less likely faces are not proposed."""
_UNKNOWN_SHARE = 0.5
COLOURS = {"R": ("D", "H"), "B": ("C", "S")}
"""A face named by colour and rank, as R3 and B3, is any of these suits."""


def face_proposals(seen: SeenCard | None, faces: Sequence[Face]) -> tuple[tuple[Face, float], ...]:
    """The ``faces`` of a deck that a card may be, with their probabilities, likeliest first.

    A card that the reader does not know is nothing in particular. What it takes for a joker may be any picture card
    that it has not learnt, so a deck's jokers and picture cards share that. A number that it does not know, such as 12,
    is read as one that looks like it, such as 10: so of what is read as that the unknown ones get half.
    """
    if seen is None:
        return ()
    standard = dict(_shares(seen))
    unknown = [face for face in dict.fromkeys(faces) if not _stands_for(face) and face.rank.isalpha()]
    result: dict[Face, float] = {}
    for face in dict.fromkeys(faces):
        if face in unknown:
            result[face] = standard.get(JOKER, 0.0) / len(unknown)
        else:
            result[face] = sum(standard.get(known, 0.0) for known in _stands_for(face))
    shares = dict(result)
    for number in [face for face in result if face.rank.isdigit() and not _stands_for(face)]:
        for known in [face for face in result if _stands_for(face) and _looks_like(number.rank, face.rank)]:
            rivals = [other for other in result if not _stands_for(other) and _looks_like(other.rank, known.rank)]
            result[number] += _UNKNOWN_SHARE * shares[known] / len(rivals)
            result[known] = (1 - _UNKNOWN_SHARE) * shares[known]
    likely = [(face, round(share, 4)) for face, share in result.items() if share >= MIN_PROPOSAL]
    return tuple(sorted(likely, key=lambda item: -item[1]))


def _looks_like(unknown: str, known: str) -> bool:
    """Whether a number that the reader does not know may be read as one that it knows: they share a figure, or a 1 is
    read as a 7."""
    return unknown.isdigit() and (bool(set(unknown) & set(known)) or (unknown, known) == ("1", "7"))


def _shares(seen: SeenCard) -> Iterable[tuple[Face, float]]:
    """All faces with their probabilities; what is missing to 1 belongs to the first, as far as its rank is sure."""
    rest = sum(share for _, share in seen.others)
    return ((seen.face, max(min(seen.confidence, 1 - rest), 0.0)), *seen.others)


def _stands_for(face: Face) -> tuple[Face, ...]:
    """The cards of the standard deck that look like a face of any deck; empty where none does."""
    if face.rank in RANKS:
        return tuple(Face(face.rank, suit) for suit in ([face.suit] if face.suit else "CDHS"))
    if not face.suit and face.rank[1:] in RANKS and face.rank[:1] in COLOURS:
        return tuple(Face(face.rank[1:], suit) for suit in COLOURS[face.rank[0]])
    return ()
