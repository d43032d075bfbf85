"""A RoI head that a household taught, which may come from anybody: weights alone, put into the program's own graph."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from vision.crops.batching import Workers
from vision.engines.load import onnx_session
from vision.engines.weights import weights_path
from vision.errors import MisfitError
from vision.recognise.deck_head import load_deck_head
from vision.recognise.roi_head import ROI_GRAPH, ROI_WEIGHTS, OnnxRoiHead, is_in_graph
from vision.stored_arrays import Stored, arrays_of, read_arrays


def load_learnt_roi_head(weights: Path, deck: Path, workers: Workers) -> OnnxRoiHead:
    """A RoI head that a household taught: its ``weights`` in the program's own graph, with the names of its decks.

    Raises:
        MisfitError: one of the files does not fit; says which, and why.
        WeightsError: the shipped weights are damaged.
    """
    session = onnx_session(weights_path(ROI_GRAPH), 1, learnt_weights(weights))
    return OnnxRoiHead(session, load_deck_head(deck), workers)


def learnt_weights(path: Path) -> dict[str, NDArray[Any]]:
    """The weights of a RoI head that may come from anybody: as many and of such shapes as the shipped ones.

    Raises:
        MisfitError: the file is another, or is damaged.
        WeightsError: the shipped ones are damaged.
    """
    shipped = weights_path(ROI_WEIGHTS)
    expected = {name: stored for name, stored in arrays_of(shipped).items() if is_in_graph(name)}

    def fits(stored: Mapping[str, Stored]) -> None:
        if stored != expected:
            raise ValueError("expected the weights of this program's network, got others")

    try:
        return read_arrays(path, shipped.stat().st_size, fits)
    except (OSError, ValueError) as error:
        raise MisfitError(f"{path.name} does not fit: {error}") from error
