"""Explains every card of a reading, and every detection that nearly was one."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from scorer.faces import Face
from vision.cards.dedupe import DUPLICATE
from vision.detect.detections import ScoredDetections
from vision.detect.trace import Trace
from vision.doubts import ACCEPT, HINT_MISSED, Doubt
from vision.explain.index_history import Box, Step, find_box, index_history, rank_changes
from vision.values import Quad, SeenCard

PAIRING, TAUGHT, RULES, HINTS = "pairing", "taught-pictures", "house-rules", "missed-card-hints"


@dataclass(frozen=True, slots=True)
class IndexExplanation:
    """One printed index of a card: its box in photo pixels (x0, y0, x1, y1) and its steps."""

    box: Box
    steps: tuple[Step, ...]
    rank_changed_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DoubtExplanation:
    """A doubt that a stage set, and why in one sentence."""

    code: str
    stage: str
    why: str


@dataclass(frozen=True, slots=True)
class CardExplanation:
    """How a card came by its name.

    Attributes:
        card: its number in the reading, as in ``scan --json``.
        face: the face that the reading has.
        paired_face: the face that its indices together gave, before taught pictures and house rules; None where no
            index of it was read.
        taught_face: the face that the pictures of a taught deck gave it in its place; None where they changed nothing.
        rules_changed: whether the house rules gave it another face.
    """

    card: int
    face: Face
    confidence: float
    doubt: str | None
    quad: Quad
    others: tuple[tuple[Face, float], ...]
    indices: tuple[IndexExplanation, ...]
    paired_face: Face | None
    paired_confidence: float
    taught_face: Face | None
    rules_changed: bool
    doubts: tuple[DoubtExplanation, ...]


@dataclass(frozen=True, slots=True)
class Rejected:
    """A detection of some probability that became no index of a card, and why."""

    box: Box
    face: Face
    p_keep: float
    why: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """All cards of a reading in its order, and the rejected detections, the most probable first."""

    cards: tuple[CardExplanation, ...]
    rejected: tuple[Rejected, ...]

    def as_json(self) -> dict[str, Any]:
        """The explanation as a JSON document, as described in ``docs/contract.md``."""
        return {
            "cards": [_plain(card) for card in self.cards],
            "rejected": [_plain(one) for one in self.rejected],
        }


def explain(trace: Trace) -> Explanation:
    """Explains a reading from what its stages produced."""
    stages = zip(trace.built, trace.ruled, trace.hinted, strict=True)
    cards = tuple(_explain_card(trace, number, *stage) for number, stage in enumerate(stages))
    return Explanation(cards, tuple(_rejected(trace)))


def _explain_card(trace: Trace, number: int, built: SeenCard, ruled: SeenCard, final: SeenCard) -> CardExplanation:
    paired = next((card for card in trace.paired if card.quad == built.quad), None)
    indices = []
    for corner in built.corners:
        steps = tuple(index_history(trace, corner.box))
        indices.append(IndexExplanation(corner.box, steps, tuple(rank_changes(steps))))
    return CardExplanation(
        card=number,
        face=final.face,
        confidence=final.confidence,
        doubt=final.doubt,
        quad=final.quad,
        others=final.others,
        indices=tuple(indices),
        paired_face=paired.face if paired else None,
        paired_confidence=paired.confidence if paired else 0.0,
        taught_face=None if paired and paired.face == built.face else built.face,
        rules_changed=ruled.face != built.face,
        doubts=tuple(_doubts(PAIRING if paired and paired.face == built.face else TAUGHT, built, ruled, final)),
    )


def _doubts(named_by: str, built: SeenCard, ruled: SeenCard, final: SeenCard) -> list[DoubtExplanation]:
    """All doubts that were set, in their order; the last one is the card's. ``named_by`` is the stage that built it."""
    found = []
    if built.doubt:
        why = f"its confidence {built.confidence:.4f} is too low to go unasked"  # each way to name a card has its bound
        found.append(DoubtExplanation(built.doubt, named_by, why))
    if ruled.doubt and ruled.doubt != built.doubt:
        found.append(DoubtExplanation(ruled.doubt, RULES, _why_ruled(built, ruled)))
    if final.doubt and final.doubt != ruled.doubt:
        why = "beside it lies a detection too weak to be a card of its own"
        found.append(DoubtExplanation(final.doubt, HINTS, why))
    return found


def _why_ruled(built: SeenCard, ruled: SeenCard) -> str:
    if ruled.doubt == Doubt.DECIDED_BY_RULES:
        return f"the meld around it or the number of packs made it {ruled.face} in place of {built.face}"
    if ruled.doubt == Doubt.UNKNOWN_FACE:
        return f"the decks in play have no {built.face}"
    if ruled.doubt == Doubt.LOW_CONFIDENCE:
        return f"the decks in play have no {built.face}; {ruled.face} is printed alike"
    return f"more {built.face} were read than the packs hold, and no other face is likely"


def _rejected(trace: Trace) -> list[Rejected]:
    """Detections from ``HINT_MISSED`` up of which no card was made."""
    final = trace.scored
    if final is None or not len(final):
        return []
    used = {row for card in trace.built for corner in card.corners if (row := find_box(final, corner.box)) is not None}
    found = []
    for row in np.argsort(-final.p_keep, kind="stable").tolist():
        if row in used or final.p_keep[row] < HINT_MISSED:
            continue
        x0, y0, x1, y1 = final.boxes[row].tolist()
        box = (x0, y0, x1, y1)
        face = final.vocabulary.face_scores(final.final_ranks[row, None], final.suits[row, None])[0][0][0]
        why = _why_rejected(final, row, used)
        found.append(Rejected(box, face, float(final.p_keep[row]), why, tuple(index_history(trace, box))))
    return found


def _why_rejected(final: ScoredDetections, row: int, used: set[int]) -> str:
    p_keep = float(final.p_keep[row])
    if any(final.p_same[row, other] > DUPLICATE for other in used):
        return "another detection of the same printed index was kept"
    if p_keep < ACCEPT:
        return f"its probability {p_keep:.2f} is below {ACCEPT}"
    return "its card cannot lie there together with a more confident one"


def _plain(value: Any) -> Any:
    """Dataclasses as dicts, faces as text and numbers rounded, however deep."""
    if isinstance(value, Face):
        return str(value)
    if is_dataclass(value):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return round(value, 4) if isinstance(value, float) else value
