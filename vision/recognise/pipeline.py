"""All steps from the detector's output to classified detections: refine, classify, retry rotated and in rows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from vision.detect.detections import ClassifiedDetections, Detections, RefinedDetections
from vision.detect.trace import Trace
from vision.recognise.classify import classify_detections
from vision.recognise.index_classifier import OnnxIndexClassifier
from vision.recognise.outline_refiner import MIN_P_INDEX, OnnxOutlineRefiner
from vision.recognise.retry import Recogniser
from vision.recognise.retry_in_rows import retry_in_rows
from vision.recognise.retry_rotated import retry_rotated
from vision.values import Pixels

ROTATED, IN_ROWS = RETRIES = ("rotated", "in rows")


@dataclass(frozen=True, slots=True)
class RefinerAndClassifier:
    """Recognises by two networks, one after the other."""

    refiner: OnnxOutlineRefiner
    classifier: OnnxIndexClassifier

    def split(self, detections: Detections) -> tuple[Detections, Detections]:
        """See ``Recogniser``."""
        return detections.split_by_confidence()

    def refine(
        self, levels: list[Pixels], detections: Detections, min_p_index: float = MIN_P_INDEX
    ) -> RefinedDetections:
        """See ``Recogniser``."""
        return self.refiner.refine(levels, detections, min_p_index)

    def classify(self, levels: list[Pixels], refined: RefinedDetections) -> ClassifiedDetections:
        """See ``Recogniser``."""
        return classify_detections(self.classifier, levels[0], refined)


def recognise(
    recogniser: Recogniser,
    levels: list[Pixels],
    detections: Detections,
    trace: Trace | None = None,
    retries: Collection[str] = RETRIES,
) -> ClassifiedDetections:
    """Refines and classifies ``detections`` in the picture of a ``pyramid.pyramid``, and looks for more beside them.

    Detections of little confidence are not classified; they only hint at where to look for more. The result of each
    step is written to ``trace``; ``retries`` are those made.
    """
    trace = trace or Trace()
    accepted, hints = recogniser.split(detections)
    trace.refined = recogniser.refine(levels, accepted)
    trace.classified = recogniser.classify(levels, trace.refined)
    found = trace.classified
    if ROTATED in retries:
        found = trace.retried_rotated = retry_rotated(recogniser, levels, found)
    if IN_ROWS in retries:
        found = trace.retried_in_rows = retry_in_rows(recogniser, levels, found, hints.box_centres())
    return found
