"""What each stage of one reading produced, kept for ``vision.explain``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from vision.detect.detections import ClassifiedDetections, Detections, ScoredDetections
from vision.values import SeenCard


@dataclass(slots=True)
class Trace:
    """The results of the stages in their order; None where a stage has not run.

    Each stage returns new values and changes none of an earlier stage, so keeping them costs no copies. A detection
    keeps its box through all stages; its row may change.
    """

    networks: str = ""
    """Hash of the networks that made the embeddings; "" where nobody knows it."""
    detected: Detections | None = None
    classified: ClassifiedDetections | None = None
    scored: ScoredDetections | None = None
    """The detections that the cards are built of."""
    paired: Sequence[SeenCard] = field(default_factory=tuple)
    """The cards as their indices were paired."""
    built: Sequence[SeenCard] = field(default_factory=tuple)
    """With what looks of agreed rounds and taught pictures make of them, and the cards that only those pictures show,
    before the house rules; the later lists have the same order."""
    ruled: Sequence[SeenCard] = field(default_factory=tuple)
    hinted: Sequence[SeenCard] = field(default_factory=tuple)
