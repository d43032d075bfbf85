"""What the finder found, looked at closely: settled, named, turned where it makes no sense, and continued in its
rows."""

from __future__ import annotations

from vision.detect.detector import Found
from vision.recognise.classify import Named, name_finds
from vision.recognise.index_classifier import OnnxNamer
from vision.recognise.outline_refiner import OnnxSettler
from vision.recognise.retry_in_rows import look_along
from vision.recognise.retry_rotated import look_turned
from vision.values import Pixels


def read_closely(settler: OnnxSettler, namer: OnnxNamer, levels: list[Pixels], found: Found) -> Named:
    """All that was ``found`` in the picture of a ``cutting.pyramid``, and what else is seen beside it, with its
    names; what was found faintly only says where else to look."""
    kept, faint = found.parted()
    named = name_finds(namer, levels[0], settler.settle(levels, kept))
    named = look_turned(settler, namer, levels, named)
    return look_along(settler, namer, levels, named, faint.middles())
