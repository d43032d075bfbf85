"""Quantization to 8 bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.decks.signs import NoFontsError, fonts
from datasets.scenes.tables import draw_table
from models.samples.roi_head import Samples, table_samples
from vision.crops.pyramid import as_input
from vision.detect.detections import Detections
from vision.engines.kinds.onnx import onnx_session
from vision.recognise.roi_head import INPUTS, OUTPUTS

pytest.importorskip("torch", reason="the extra train is not installed")

from models.export.quantize import quantize
from models.networks.roi_head import STATE, deck_head, export_onnx, load

CHECKPOINT = Path(__file__).parents[3] / "models" / "checkpoints" / STATE

try:
    fonts(held_out=False)
except NoFontsError as error:
    pytest.skip(str(error), allow_module_level=True)


@pytest.fixture(scope="module")
def drawn() -> Samples:
    """Crops of clear indices."""
    rng = np.random.default_rng(2)
    tables = [draw_table(rng, [draw_deck(f"drawn-{seed}", seed)], (800, 600), 90) for seed in (5, 11, 13)]
    made: Samples = np.concatenate([table_samples(rng, table, Detections.empty(), 1, 99, 0) for table in tables])
    return np.asarray(made[made["real"] == 1])


def test_quantized_network_sees_like_the_float_one(drawn: Samples, tmp_path: Path) -> None:
    assert len(drawn) > 40
    net = load(CHECKPOINT)
    whole = export_onnx(net, tmp_path / "roi_head.onnx")
    batches = [{name: as_input([*part[name]]) for name in INPUTS} for part in np.array_split(drawn, 4)]
    eight = quantize(whole, batches, tmp_path / "roi_head-int8.onnx")
    assert eight.stat().st_size < 0.5 * whole.stat().st_size
    given = {name: as_input([*drawn[name]]) for name in INPUTS}
    one, two = (dict(zip(OUTPUTS, onnx_session(path).run(OUTPUTS, given), strict=True)) for path in (whole, eight))
    (names, _), (names_of_eight, _) = (deck_head(net).classify(outputs["embedding"]) for outputs in (one, two))
    assert not np.array_equal(names, names_of_eight)
    assert (names.argmax(1) == names_of_eight.argmax(1)).mean() > 0.95
    assert np.abs(names - names_of_eight).mean() < 0.02
    assert np.abs(one["shifts"] - two["shifts"]).mean() < 0.01
