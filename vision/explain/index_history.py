"""The history of one printed index: what detector, RoI head and relations said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats
from vision.detect.detections import ClassifiedDetections, Detections, ScoredDetections
from vision.detect.trace import Trace
from vision.detect.vocabulary import Vocabulary

Box = tuple[float, float, float, float]
SHOWN = 3
"""Number of likeliest ranks that are reported."""
MIN_SHARE = 0.0005
"""Ranks less probable than this are not reported."""

DETECTOR, ROI_HEAD, RELATIONS = "detector", "roi-head", "relations"


@dataclass(frozen=True, slots=True)
class Step:
    """What one stage said of an index. A field is None where the stage says nothing of it.

    Attributes:
        stage: one of the names above.
        ranks: the likeliest ranks with their probabilities.
        suit: the likeliest suit with its probability.
        p_index: probability that there is an index at all.
        p_keep: probability that the detection is the one to keep of its index, with the right rank.
        corner: the upper corner of the card in which the index stands, ``left`` or ``right``.
        moved: how far the outline moved against the stage before, the mean of its corners in pixels.
        score: the detector's confidence.
    """

    stage: str
    ranks: tuple[tuple[str, float], ...] | None = None
    suit: tuple[str, float] | None = None
    p_index: float | None = None
    p_keep: float | None = None
    corner: str | None = None
    moved: float | None = None
    score: float | None = None


def likeliest_ranks(ranks: Floats, vocabulary: Vocabulary) -> tuple[tuple[str, float], ...]:
    """The likeliest of the rank probabilities (R,) with their names."""
    best = np.argsort(-ranks, kind="stable")[:SHOWN].tolist()
    return tuple((vocabulary.ranks[i], float(ranks[i])) for i in best if ranks[i] >= MIN_SHARE)


def find_box(detections: Detections | None, box: Box) -> int | None:
    """The row of the detection with this box; it keeps its box through all stages."""
    if detections is None or not len(detections):
        return None
    rows = np.flatnonzero((detections.boxes == np.asarray(box, np.float32)).all(1))
    return int(rows[0]) if len(rows) else None


def index_history(trace: Trace, box: Box) -> list[Step]:
    """The steps of the index with this ``box``, in their order; a stage that had nothing to say of it is left out."""
    steps = []
    detected, classified, scored = trace.detected, trace.classified, trace.scored
    row = find_box(detected, box)
    if detected is not None and row is not None:
        steps.append(Step(DETECTOR, score=float(detected.scores[row])))
    later = find_box(classified, box)
    if classified is not None and later is not None:
        moved = None if detected is None or row is None else _moved(detected, row, classified, later)
        steps.append(_recognised(classified, later, moved))
    last = find_box(scored, box)
    if scored is not None and last is not None:
        steps.append(_scored(scored, last))
    return steps


def _recognised(detections: ClassifiedDetections, row: int, moved: float | None) -> Step:
    suits = detections.suits[row]
    best = int(suits.argmax())
    return Step(
        ROI_HEAD,
        ranks=likeliest_ranks(detections.ranks[row], detections.vocabulary),
        suit=(detections.vocabulary.suits[best], float(suits[best])),
        p_index=float(detections.p_index[row]),
        corner="right" if detections.index_on_right[row] else "left",
        moved=moved,
    )


def _scored(detections: ScoredDetections, row: int) -> Step:
    ranks = likeliest_ranks(detections.final_ranks[row], detections.vocabulary)
    return Step(RELATIONS, ranks=ranks, p_keep=float(detections.p_keep[row]))


def _moved(before: Detections, row: int, after: Detections, later: int) -> float:
    return float(np.hypot(*(after.quads[later] - before.quads[row]).T).mean())


def rank_changes(steps: Sequence[Step]) -> list[str]:
    """The stages that changed the likeliest rank of an index."""
    named = [(step.stage, step.ranks[0][0]) for step in steps if step.ranks]
    return [stage for (stage, rank), (_, before) in zip(named[1:], named, strict=False) if rank != before]
