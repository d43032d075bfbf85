"""Looks at tables drawn with a household's pictures, as a reading has them: what its last layers are fitted to.

How a look is taken matters more than what is fitted to it. Detections whose outlines the RoI head corrected, the mean
of its looks, are named a third as often wrongly on new tables as single looks at outlines a little off, of which the
head itself was trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets.decks.deck_art import DeckArt
from datasets.scenes.world import World, draw_view
from models.samples.roi_head import NO_RANK, NOTHING, UNCLEAR, classes_of, detections_of, shown_by
from models.samples.simulated import NO_SUIT
from vision.arrays import Floats
from vision.crops.pyramid import pyramid
from vision.detect.detector import Detector
from vision.detect.vocabulary import Vocabulary
from vision.recognise.roi_head import OnnxRoiHead

VIEWS = {"usual": 0.7, "straight_down": 0.08, "oblique": 0.07, "fan": 0.05, "in_hand": 0.05, "filling": 0.05}


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """n looks: ``embeddings`` (n, ROI_EMBEDDING), and the classes of ``ranks`` and ``suits`` (n,) that are shown,
    NO_RANK where no index is."""

    embeddings: Floats
    ranks: NDArray[np.int8]
    suits: NDArray[np.int8]

    @classmethod
    def joined(cls, parts: Sequence[Looked]) -> Looked:
        """All of several, at least one."""
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in cls.__slots__))


def look_at_table(
    rng: np.random.Generator,
    decks: Sequence[DeckArt],
    detector: Detector,
    head: OnnxRoiHead,
    vocabulary: Vocabulary,
) -> Looked:
    """Draws a table with some of ``decks`` and looks at it.

    Args:
        rng: of everything random.
        decks: at least one.
        detector: says where indices are.
        head: looks at them.
        vocabulary: the classes of ranks and suits.
    """
    table = draw_view(rng, [], World(views=VIEWS), pool=decks)
    seen = head.look(pyramid(table.picture), detections_of(rng, table, detector))
    known, shown = [*table.indices, *table.doubtful], shown_by(table, seen)
    nothing = [(NO_RANK, NO_SUIT)]  # the last, so that NOTHING is its place
    classes = np.array([classes_of(index.face, vocabulary) for index in known] + nothing, np.int8)
    rows = np.flatnonzero((shown != UNCLEAR) & (shown < len(known)))
    rows = rows[(shown[rows] == NOTHING) | (classes[shown[rows], 0] != NO_RANK)]
    places = shown[rows]
    return Looked(seen.embedding[rows], classes[places, 0], classes[places, 1])
