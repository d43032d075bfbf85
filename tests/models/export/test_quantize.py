"""Quantization to 8 bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.decks.fonts import NoFontsError, fonts
from datasets.scenes.tables import draw_table
from vision.crops.pyramid import as_input
from vision.engines.load import onnx_session
from vision.engines.weights import FOLDER, weights_path
from vision.recognise.index_classifier import OUTPUTS, decode
from vision.values import Pixels

pytest.importorskip("torch", reason="the extra train is not installed")

try:
    fonts(held_out=False)
except NoFontsError as error:
    pytest.skip(str(error), allow_module_level=True)


@pytest.fixture(scope="module")
def drawn() -> list[Pixels]:
    """Patches that show an index, (height, width, 3) BGR."""
    from models.samples.index_classifier import NO_INDEX, true_patches

    rng = np.random.default_rng(2)
    decks = [draw_deck(f"drawn-{seed}", seed) for seed in (5, 11)]
    made = [item for deck in decks for item in true_patches(rng, draw_table(rng, [deck], (800, 600), 90), 1)]
    return [patch for patch, rank, *_ in made if rank != NO_INDEX]


def test_quantized_network_classifies_like_the_float_one(drawn: list[Pixels], tmp_path: Path) -> None:
    from models.export.quantize import quantize

    assert len(drawn) > 40
    given = as_input(drawn)
    batches = [{"patches": part} for part in np.array_split(given, 4)]
    made = quantize(FOLDER / "index_classifier.onnx", batches, tmp_path / "index_classifier-int8.onnx")
    assert made.stat().st_size < 0.9 * (FOLDER / "index_classifier.onnx").stat().st_size
    paths = (weights_path("index_classifier.onnx"), made, weights_path("index_classifier-int8.onnx"))
    whole, *others = (decode(*onnx_session(path).run(OUTPUTS, {"patches": as_input(drawn)})) for path in paths)
    for eight in others:
        assert not np.array_equal(eight.ranks, whole.ranks)
        assert (eight.ranks.argmax(1) == whole.ranks.argmax(1)).mean() > 0.95
        assert np.abs(eight.ranks - whole.ranks).mean() < 0.02
        assert np.abs(eight.shifts - whole.shifts).mean() < 0.005
