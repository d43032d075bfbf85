"""The shipped RoI head, of which a household's own last layers name what it sees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from vision.arrays import floats
from vision.crops.batching import Workers
from vision.detect.vocabulary import STANDARD_VOCABULARY
from vision.engines.load import onnx_session
from vision.engines.weights import weights_path
from vision.recognise.deck_head import DeckHead, Linear, load_deck_head
from vision.recognise.roi_head import ROI_GRAPH, ROI_WEIGHTS, OnnxRoiHead, is_in_graph


def load_learnt_roi_head(deck: Path, workers: Workers) -> OnnxRoiHead:
    """The RoI head with the last layers in the file ``deck``, which may come from anybody.

    Raises:
        MisfitError: the file does not fit; says why.
        WeightsError: the shipped weights are damaged.
    """
    return OnnxRoiHead(roi_session(1), load_deck_head(deck), workers)


def roi_session(threads: int) -> Any:
    """An onnxruntime.InferenceSession of the shipped RoI head, which names nothing.

    Raises:
        WeightsError: its files are missing or damaged.
    """
    with np.load(weights_path(ROI_WEIGHTS)) as stored:
        weights = {name: stored[name] for name in stored.files if is_in_graph(name)}
    return onnx_session(weights_path(ROI_GRAPH), threads, weights)


def standard_head() -> DeckHead:
    """The last layers of the shipped RoI head, which name the standard deck.

    Raises:
        WeightsError: its files are missing or damaged.
    """
    with np.load(weights_path(ROI_WEIGHTS)) as stored:
        ranks, suits = (
            Linear(floats(stored[f"{name}.weight"]), floats(stored[f"{name}.bias"])) for name in ("rank", "suit")
        )
    return DeckHead(STANDARD_VOCABULARY, ranks, suits)
