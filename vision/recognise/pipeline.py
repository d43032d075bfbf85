"""All steps from the detector's output to classified detections: refine, classify, retry rotated and in rows."""

from __future__ import annotations

from vision.detect.detections import ClassifiedDetections, Detections
from vision.detect.trace import Trace
from vision.recognise.classify import classify_detections
from vision.recognise.index_classifier import OnnxIndexClassifier
from vision.recognise.outline_refiner import OnnxOutlineRefiner
from vision.recognise.retry_in_rows import retry_in_rows
from vision.recognise.retry_rotated import retry_rotated
from vision.values import Pixels


def recognise(
    refiner: OnnxOutlineRefiner,
    classifier: OnnxIndexClassifier,
    levels: list[Pixels],
    detections: Detections,
    trace: Trace | None = None,
) -> ClassifiedDetections:
    """Refines and classifies ``detections`` in the picture of a ``pyramid.pyramid``, and looks for more beside them.

    Detections of little confidence are not classified; they only hint at where to look for more. The result of each
    step is written to ``trace``.
    """
    trace = trace or Trace()
    accepted, hints = detections.split_by_confidence()
    trace.refined = refiner.refine(levels, accepted)
    trace.classified = classify_detections(classifier, levels[0], trace.refined)
    trace.retried_rotated = retry_rotated(refiner, classifier, levels, trace.classified)
    trace.retried_in_rows = retry_in_rows(refiner, classifier, levels, trace.retried_rotated, hints.box_centres())
    return trace.retried_in_rows
