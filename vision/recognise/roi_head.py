"""The RoI head: outline, side, p_index and embedding of each detection, from two crops of it.

It takes the place of outline refiner and index classifier. It knows no faces: a deck head names the embedding.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorer.faces import Face
from vision.arrays import Floats, floats
from vision.crops.batching import SERIAL, Workers
from vision.crops.pyramid import as_input
from vision.crops.roi_crops import crop_rois
from vision.detect.detections import (
    PATCH_EMBEDDING,
    ROI_EMBEDDING,
    ClassifiedDetections,
    Detections,
    RefinedDetections,
)
from vision.geometry import plausible
from vision.recognise.deck_head import DeckHead
from vision.recognise.outline_refiner import OnnxOutlineRefiner
from vision.values import Pixels

ROI_HEAD = "roi_head.onnx"
"""File name of the network before it is quantized."""
ROI_GRAPH, ROI_WEIGHTS = "roi_head-graph.onnx", "roi_head.npz"
"""File names of the network without its weights, and of its weights alone."""
MIN_SCORE = 0.01
"""Detections with a lower score are not looked at. The head sees well enough what is no index: on 40 tables of decks
not trained on it was shown 98.3 % of the indices so, and 96.9 % with the bounds of ``split_by_confidence``."""
MIN_P_INDEX = 0.2
"""Detections less probable than this after the first look get no second one."""
INPUTS, OUTPUTS = ("index", "around"), ("shifts", "right", "real", "embedding")
"""Names baked into the weights."""


def is_in_graph(name: str) -> bool:
    """Whether an array of ROI_WEIGHTS is a part of ROI_GRAPH: all but what names a deck and what training counted."""
    return not name.startswith(("rank.", "suit.")) and not name.endswith(".num_batches_tracked")


class OnnxRoiHead(OnnxOutlineRefiner):
    """The RoI head on ONNX Runtime, with the deck head that names what it sees."""

    EMBEDDING = ROI_EMBEDDING
    AGAIN_SHIFT = 0.0  # a second look names better: of the indices that are seen 97.7 % in place of 97.3 %

    def __init__(self, session: Any, deck: DeckHead, workers: Workers = SERIAL) -> None:
        """
        Args:
            session: an onnxruntime.InferenceSession with INPUTS (n, 3, height, width) RGB 0..1 and OUTPUTS (n, 8),
                (n, 1), (n, 1), (n, ROI_EMBEDDING); the second and third before the logistic function.
            deck: names the embeddings.
            workers: run it on several batches at once.
        """
        super().__init__(session, workers)
        self._deck = deck

    def naming(self, faces: Collection[Face] = ()) -> RoiRecogniser:
        """This head, naming the ``faces`` in play; empty: all of the deck."""
        return RoiRecogniser(self, self._deck.restricted_to(faces) if faces else self._deck)

    def _outputs(self, levels: list[Pixels], quads: Floats) -> Any:
        index, around = crop_rois(levels, quads)
        return self._session.run(OUTPUTS, dict(zip(INPUTS, map(as_input, (index, around)), strict=True)))

    def _joined(self, before: Floats, seen: Floats, number: int) -> Floats:
        """The mean of the looks."""
        return floats((before * number + seen) / (number + 1))


@dataclass(frozen=True, slots=True)
class RoiRecogniser:
    """Recognises by a RoI ``head`` and the ``deck`` head that names what it sees; a ``Recogniser``."""

    head: OnnxRoiHead
    deck: DeckHead

    def split(self, detections: Detections) -> tuple[Detections, Detections]:
        """See ``Recogniser``; whatever is looked at can be a hint as well."""
        return detections.select(np.flatnonzero(detections.scores >= MIN_SCORE)), detections

    def refine(
        self, levels: list[Pixels], detections: Detections, min_p_index: float = MIN_P_INDEX
    ) -> RefinedDetections:
        """See ``Recogniser``."""
        return self.head.refine(levels, detections, min_p_index)

    def classify(self, levels: list[Pixels], refined: RefinedDetections) -> ClassifiedDetections:
        """See ``Recogniser``."""
        refined = refined.select(plausible(refined.quads))
        count, pixels = len(refined), levels[0]
        ranks, suits = self.deck.classify(refined.embedding)
        return ClassifiedDetections.extend(
            refined,
            ranks=ranks,
            suits=suits,
            no_index=np.zeros(count, np.float32),
            shifts=np.zeros((count, 2), np.float32),
            patch_embedding=np.zeros((count, PATCH_EMBEDDING), np.float32),
            index_on_right=refined.right_logit > 0,
            picture_size=(pixels.shape[1], pixels.shape[0]),
            vocabulary=self.deck.vocabulary,
        )
