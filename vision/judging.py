"""What judges the finds once the networks have spoken: ``trees.json`` of a weights folder, read and checked."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path

from vision.believing import SIGNS
from vision.errors import WeightsError
from vision.geometry import floats
from vision.repeats import REPEAT_SIGNS
from vision.trees import Trees, log_odds, trees_from
from vision.weights import FOLDER, weights_path

TREES = "trees.json"
WEIGHED = {"belief": SIGNS, "repeats": REPEAT_SIGNS}


@dataclass(frozen=True, slots=True, eq=False)
class Judges:
    """Trees that tell whether a find is an index, and whether two finds show the same one; and what ``sureness``
    weighs: a constant, log odds of the rank and of the belief, several indices."""

    belief: Trees
    repeats: Trees
    calibration: tuple[float, float, float, float]

    def sureness(self, share: float, found: float, indices: int) -> float:
        """How often a card so named has the right rank, 0..1: a logistic fit to cards read on drawn tables.

        ``share`` is the likeliest rank's, ``found`` the belief in the card's surest index, ``indices`` how many were
        seen.
        """
        constant, by_share, by_found, by_several = self.calibration
        odds, believed = log_odds(floats([share, found])).tolist()
        score = constant + by_share * odds + by_found * believed + by_several * (indices > 1)
        return 1 / (1 + math.exp(-score))


def load_judges(weights: Path = FOLDER) -> Judges:
    """The judges of a ``weights`` folder.

    Raises:
        WeightsError: they are missing or not the shipped ones, or weigh other signs than these.
    """
    held = json.loads(weights_path(TREES, weights).read_text(encoding="utf-8"))
    for name, signs in WEIGHED.items():
        if held[name]["signs"] != list(signs):
            raise WeightsError(f"{TREES} weighs other signs than this program knows: install the program again")
    a, b, c, d = map(float, held["calibration"])
    return Judges(trees_from(held["belief"]), trees_from(held["repeats"]), (a, b, c, d))
