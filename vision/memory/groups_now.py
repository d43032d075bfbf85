"""The groups of a table as they lie now, in the form in which they are told."""

from __future__ import annotations

from collections import Counter
from typing import Any

from vision.doubts import Doubt
from vision.memory.state import UNSEEN, TableState
from vision.values import HouseRules


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
        if doubt is None and any(track.share < 0.6 for track in tracks):
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
