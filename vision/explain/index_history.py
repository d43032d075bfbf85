"""The history of one printed index: what each stage from the detector to the corner side classifier said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats
from vision.detect.detections import ClassifiedDetections, Detections, ScoredDetections
from vision.detect.trace import Trace
from vision.detect.vocabulary import Vocabulary
from vision.rescore.corner_side import unsure_sides
from vision.rescore.crop_verifier import uncertain_indices

Box = tuple[float, float, float, float]
SHOWN = 3
"""Number of likeliest ranks that are reported."""
MIN_SHARE = 0.0005
"""Ranks less probable than this are not reported."""

DETECTOR = "detector"
REFINER = "outline-refiner"
CLASSIFIER = "index-classifier"
ROTATED = "retry-rotated"
IN_ROWS = "retry-in-rows"
RELATION_MODEL = "relation-model"
VERIFIER = "crop-verifier"
CORNER_SIDE = "corner-side"


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
    """The steps of the index with this ``box``, in their order.

    A stage that had nothing to say of the index is left out: the detector and the first classification of one that was
    only found in its row, a second look that changed nothing, and the networks that are asked only in case of doubt.
    """
    return [*_recognition(trace, box), *_scoring(trace, box)]


def _recognition(trace: Trace, box: Box) -> list[Step]:
    steps = []
    detected, refined, classified = trace.detected, trace.refined, trace.classified
    row = find_box(detected, box)
    if detected is not None and row is not None:
        steps.append(Step(DETECTOR, score=float(detected.scores[row])))
    later = find_box(refined, box)
    if detected is not None and refined is not None and row is not None and later is not None:
        corner = "right" if refined.right_logit[later] > 0 else "left"
        moved = _moved(detected, row, refined, later)
        steps.append(Step(REFINER, p_index=float(refined.p_index[later]), corner=corner, moved=moved))
    before = None
    for stage, detections in (
        (CLASSIFIER, classified),
        (ROTATED, trace.retried_rotated),
        (IN_ROWS, trace.retried_in_rows),
    ):
        row = find_box(detections, box)
        if detections is None or row is None:
            continue
        step = _classification(stage, detections, row)
        if before is None or not np.array_equal(before, detections.quads[row]):
            steps.append(step)
        before = detections.quads[row]
    return steps


def _classification(stage: str, detections: ClassifiedDetections, row: int) -> Step:
    suits = detections.suits[row]
    best = int(suits.argmax())
    return Step(
        stage,
        ranks=likeliest_ranks(detections.ranks[row], detections.vocabulary),
        suit=(detections.vocabulary.suits[best], float(suits[best])),
        p_index=float(detections.index_confidence()[row]),
        corner=_corner(detections, row),
    )


def _scoring(trace: Trace, box: Box) -> list[Step]:
    related, verified, final = trace.related, trace.verified, trace.sides_corrected
    row = find_box(related, box)  # no later stage changes the rows
    if related is None or row is None:
        return []
    steps = [_scored(RELATION_MODEL, related, row)]
    if verified is None or final is None:  # the three networks with a RoI head have no more to say
        return steps
    if row in uncertain_indices(related):
        steps.append(_scored(VERIFIER, verified, row))
    if row in unsure_sides(verified):
        moved = _moved(verified, row, final, row)
        steps.append(Step(CORNER_SIDE, corner=_corner(final, row), moved=moved))
    return steps


def _scored(stage: str, detections: ScoredDetections, row: int) -> Step:
    ranks = likeliest_ranks(detections.final_ranks[row], detections.vocabulary)
    return Step(stage, ranks=ranks, p_keep=float(detections.p_keep[row]))


def _corner(detections: ClassifiedDetections, row: int) -> str:
    return "right" if detections.index_on_right[row] else "left"


def _moved(before: Detections, row: int, after: Detections, later: int) -> float:
    return float(np.hypot(*(after.quads[later] - before.quads[row]).T).mean())


def rank_changes(steps: Sequence[Step]) -> list[str]:
    """The stages that changed the likeliest rank of an index."""
    named = [(step.stage, step.ranks[0][0]) for step in steps if step.ranks]
    return [stage for (stage, rank), (_, before) in zip(named[1:], named, strict=False) if rank != before]
