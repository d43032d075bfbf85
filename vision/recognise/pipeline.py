"""What the finder found, looked at closely: settled, named, turned where it makes no sense, and continued in its
rows."""

from __future__ import annotations

from vision.detect.detector import Detections
from vision.recognise.classify import ClassifiedDetections, classify_detections
from vision.recognise.index_classifier import OnnxIndexClassifier
from vision.recognise.outline_refiner import OnnxOutlineRefiner
from vision.recognise.retry_in_rows import retry_in_rows
from vision.recognise.retry_rotated import retry_rotated
from vision.values import Pixels


def recognise(
    settler: OnnxOutlineRefiner, namer: OnnxIndexClassifier, levels: list[Pixels], found: Detections
) -> ClassifiedDetections:
    """All that was ``found`` in the picture of a ``cutting.pyramid``, and what else is seen beside it, with its
    names; what was found faintly only says where else to look."""
    kept, faint = found.split_by_confidence()
    named = classify_detections(namer, levels[0], settler.refine(levels, kept))
    named = retry_rotated(settler, namer, levels, named)
    return retry_in_rows(settler, namer, levels, named, faint.box_centres())
