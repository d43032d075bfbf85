"""The groups of a table as they lie now, in the form in which they are told."""

from __future__ import annotations

from collections import Counter
from typing import Any

from scorer.faces import Face
from vision.doubts import Doubt
from vision.memory.state import UNSEEN, TableState, Track
from vision.values import HouseRules

SURE_SHARE = 0.8
"""The share of a card's votes that what it counts as must have."""


def groups_now(state: TableState, rules: HouseRules) -> list[dict[str, Any]]:
    """The groups as they lie now, as ``docs/contract.md`` says; ``number`` is that in the history.

    ``side`` is the zone, ``sentence`` what the doubt says to people.
    """
    made = []
    for stack in state.stacks.values():
        tracks = state.cards_of(stack)
        if not tracks:
            continue
        faces = [track.face for track in tracks]
        wild = [face.rank in rules.wild_ranks for face in faces]
        naturals = Counter(face.rank for face, is_wild in zip(faces, wild, strict=True) if not is_wild)
        threes = bool(naturals) and set(naturals) <= rules.threes and not any(wild)
        full = len(faces) >= rules.book_size and len(naturals) <= 1 and not threes
        book = None if not full else "wild" if not naturals else "dirty" if any(wild) else "clean"
        doubt = stack.doubt or (Doubt.ODD_ONE_OUT.value if len(naturals) > 1 and not threes else None)
        if doubt is None and any(track.missing for track in tracks):
            doubt = UNSEEN
        if doubt is None and any(_sure(track, rules) < SURE_SHARE for track in tracks):
            doubt = Doubt.LOW_CONFIDENCE.value
        made.append(
            {
                "number": stack.number,
                "side": stack.side,
                "rank": None if threes or not naturals else naturals.most_common(1)[0][0],
                "kind": "threes" if threes else "pile" if stack.squared else "meld",
                "book": book,
                "cards": [str(face) for face in faces],
                "seen": [round(track.first_seen, 2) for track in tracks],
                "doubt": doubt,
                "sentence": stack.sentence,
            }
        )
    return made


def _sure(track: Track, rules: HouseRules) -> float:
    """The share of a card's votes for its rank, and for its colour where threes are red and black.

    Which suit it has in a meld changes no score.
    """
    votes = {Face.parse(name): score for name, score in track.votes.items()}
    whole = track.face.rank in rules.threes
    same = [score for face, score in votes.items() if face.rank == track.face.rank]
    if whole:
        same = [s for face, s in votes.items() if face.rank == track.face.rank and face.is_red == track.face.is_red]
    return sum(same) / max(sum(votes.values()), 1e-9)
