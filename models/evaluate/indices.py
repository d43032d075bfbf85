"""Evaluates the detector alone: ``python -m models.evaluate.indices WEIGHTS OTHER --set sights --kind papers``.

For each kind of a fixed set of drawn tables: the share of readable indices that it finds, what else it takes for one,
and the average precision. What comes after the detector cannot bring back what this does not see. Indices that are
covered in part are neither to be found nor wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.assets.manifest import AssetsError, read_manifest, use_part
from datasets.scenes.tables import Table
from models.evaluate.sets import SEALED, load_set
from models.samples.roi_head import MAX_SAME, MIN_DIFFERENT
from models.samples.simulated import box_centre
from vision.arrays import floats
from vision.detect.detections import Detections
from vision.detect.multi_scale import detect
from vision.engines.load import load_detector
from vision.errors import VisionError
from vision.geometry import quad_width

SCORE = 0.25
"""Detections above it count."""


@dataclass(frozen=True, slots=True)
class Matched:
    """What a detector finds on tables: how many indices there are, and for each detection its score and whether it is
    the likeliest one of an index."""

    indices: int
    scores: tuple[float, ...]
    right: tuple[bool, ...]

    @property
    def found(self) -> int:
        """Number of indices found with more than SCORE."""
        return sum(right for score, right in zip(self.scores, self.right, strict=True) if score > SCORE)

    @property
    def wrong(self) -> int:
        """Number of other detections with more than SCORE."""
        return sum(score > SCORE for score in self.scores) - self.found

    @property
    def average_precision(self) -> float:
        """Area under the precision at each recall, 0..1."""
        right = np.asarray(self.right, bool)[np.argsort(-np.asarray(self.scores), kind="stable")]
        precision = np.cumsum(right) / np.arange(1, len(right) + 1)
        best_after = np.maximum.accumulate(precision[::-1])[::-1]
        return float(best_after[right].sum() / max(self.indices, 1))

    def with_more(self, other: Matched) -> Matched:
        """Both together."""
        return Matched(self.indices + other.indices, self.scores + other.scores, self.right + other.right)


def matched(table: Table, found: Detections) -> Matched:
    """Matches detections to the indices of a table, the likeliest first; more on one index are wrong."""
    known = [*table.indices, *table.doubtful, *table.covered]
    centres = floats([box_centre(index) for index in known]).reshape(-1, 2)
    widths = floats([quad_width(index.quad) for index in known])
    taken: set[int] = set()
    scores, right = [], []
    for i in np.argsort(-found.scores).tolist():
        distances = np.hypot(*(centres - found.box_centres()[i]).T) / widths if len(known) else floats([9.0])
        free = [n for n in np.flatnonzero(distances < MAX_SAME).tolist() if n not in taken and n < len(table.indices)]
        if free:
            taken.add(min(free, key=lambda n: float(distances[n])))
        elif np.flatnonzero(distances[len(table.indices) :] < MIN_DIFFERENT).size and len(known):
            continue
        scores.append(float(found.scores[i]))
        right.append(bool(free))
    return Matched(len(table.indices), tuple(scores), tuple(right))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path, nargs="+", help="folders of weights")
    parser.add_argument("--set", default="sights", help="development, kinds or sights (default)")
    parser.add_argument("--kind", help="only the tables of this kind")
    parser.add_argument("--tables", type=int, help="only the first so many tables")
    parser.add_argument("--assets", type=Path, default=Path("runs/assets"), help="folder of fonts and decks")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    results: dict[tuple[str, Path], Matched] = defaultdict(lambda: Matched(0, (), ()))
    try:
        table_set = load_set(options.set)
        if table_set.part == SEALED:
            parser.error("the sealed set is for models.evaluate.compare alone")
        numbers, order = table_set.numbers(options.kind)[: options.tables], table_set.order()
        decks = use_part(options.assets, table_set.part, read_manifest())
        detectors = {folder: load_detector(weights=folder) for folder in options.weights}
    except (ValueError, AssetsError, VisionError) as error:
        print(error, file=sys.stderr)
        return 1
    for number in numbers:
        table = table_set.draw(number, decks)
        for folder, detector in detectors.items():
            seen = matched(table, detect(detector, table.picture).snapped_to_boxes())
            results[order[number], folder] = results[order[number], folder].with_more(seen)
    for (kind, folder), result in sorted(results.items()):
        share = result.found / max(result.indices, 1)
        print(
            f"{kind}, {folder}: {result.found} of {result.indices} indices ({share:.1%}), {result.wrong} others, "
            f"average precision {result.average_precision:.3f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
