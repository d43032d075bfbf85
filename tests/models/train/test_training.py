"""Small end-to-end runs of the trainings: draw, train, export, read."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.fonts import NoFontsError, fonts
from datasets.scenes.tables import Table, draw_table
from datasets.scenes.visibility import patch_quad
from vision.arrays import floats
from vision.detect.multi_scale import BEST_CARD_WIDTH
from vision.engines.weights import FOLDER
from vision.rescore.corner_side import CORNER_SIDE
from vision.rescore.crop_verifier import CROP_VERIFIER
from vision.rescore.relation_model import CALIBRATION, RELATION_MODEL
from vision.values import Frame

torch = pytest.importorskip("torch", reason="the extra train is not installed")

try:
    fonts(held_out=False)
except NoFontsError as error:
    pytest.skip(str(error), allow_module_level=True)


@pytest.mark.by_hand
def test_toy_training_exports_weights_that_read(tmp_path: Path) -> None:
    from models.export.to_onnx import export, write_manifest
    from models.networks.detector import build
    from models.samples.reader_output import read_tables
    from models.train.detector import save_checkpoint
    from models.train.index_classifier import train as train_classifier
    from models.train.outline_refiner import train as train_refiner
    from vision.reader import load_reader

    save_checkpoint(build(), tmp_path / "detector.pt")
    train_classifier(tmp_path, minutes=0, steps=2, batch=8, workers=0, validation_size=16)
    export(tmp_path, tmp_path / "weights")
    train_refiner(tmp_path, minutes=0, steps=1, batch=8, workers=0, weights=tmp_path / "weights")
    export(tmp_path, tmp_path / "weights")
    for part in (RELATION_MODEL, CROP_VERIFIER, CORNER_SIDE, CALIBRATION):
        shutil.copy(FOLDER / part, tmp_path / "weights")
    write_manifest(tmp_path / "weights")
    (seen,) = read_tables(0, 0, 1, tmp_path / "weights")
    assert len(seen.detections.p_index) == len(seen.detections) and len(seen.table.cards) >= 3
    reader = load_reader(weights=tmp_path / "weights")
    table = draw_table(np.random.default_rng(0), [draw_deck("toy", 3)], (320, 320))
    reading = reader.read(Frame(table.picture, datetime.now(UTC), "toy"))
    assert (reading.width, reading.height) == (320, 320)


@pytest.mark.by_hand
def test_fine_tuning_uses_stored_crops(tmp_path: Path) -> None:
    from models.networks.index_classifier import IndexClassifierNet
    from models.networks.outline_refiner import OutlineRefinerNet
    from models.samples.crop_store import StoredCrops, draw_crops
    from models.samples.index_classifier import NO_INDEX, RANK_CLASSES
    from models.train.tune.crops import tune

    drawn = [draw_crops(seed, 2, FOLDER, tmp_path) for seed in (1, 2)]
    again = [path.with_suffix(".npz").stat().st_mtime_ns for path in drawn]
    patches, windows = StoredCrops(drawn, "patch"), StoredCrops(drawn, "window")
    size = min(len(patches), len(windows), 64)
    given, ranks, suits, shifts = next(patches.batches(size, np.random.default_rng(1)))
    assert given.shape == (size, 3, 112, 64) and 0.2 < float(given.mean()) < 0.9
    assert {NO_INDEX, RANK_CLASSES.index("JK")} < set(ranks.tolist()) and (suits[ranks == NO_INDEX] == -1).all()
    assert shifts.shape == (size, 2)
    given, shifts, rights, reals = next(windows.batches(size, np.random.default_rng(1)))
    assert given.shape == (size, 3, 96, 96) and shifts.shape == (size, 8)
    assert rights.shape == reals.shape == (size, 1) and set(reals.ravel().tolist()) <= {0.0, 1.0}
    for kind, net in (("index_classifier", IndexClassifierNet()), ("outline_refiner", OutlineRefinerNet())):
        before = {key: value.clone() for key, value in net.state_dict().items()}
        torch.save(before, tmp_path / f"{kind}.pt")
        after = torch.load(tune(kind, drawn, tmp_path, 0, steps=2, batch=16), weights_only=True)
        assert any((after[key] != value).any() for key, value in before.items())
    draw_crops(1, 2, FOLDER, tmp_path)
    assert [path.with_suffix(".npz").stat().st_mtime_ns for path in drawn] == again


def test_detector_learns_from_a_checkpoint(tmp_path: Path) -> None:
    from models.networks.detector import build
    from models.networks.layers import load_state
    from models.samples.detector import DetectorSettings, draw_block
    from models.train.detector import DetectorAugmentation, detector_step, prepared, save_checkpoint

    torch.manual_seed(1)
    _, state = save_checkpoint(build(), tmp_path / "detector.pt")
    net = load_state(build(), state)
    block = draw_block(DetectorSettings(tables=2, decks=1, size=192), 0, [draw_deck("toy", 3)])
    batch = prepared([block], 2, DetectorAugmentation(), 0, 0)
    step, optimizer = detector_step(lambda number: dict(batch)), torch.optim.AdamW(net.parameters(), lr=2e-3)
    totals = []
    for number in range(5):
        total, parts = step(net, torch.device("cpu"), number)
        optimizer.zero_grad()
        torch.autograd.backward(total)
        optimizer.step()
        totals.append(float(total.detach()))
    assert totals[-1] < totals[0] and set(parts) == {"box", "pose", "kobj", "cls", "dfl"}


def test_windows_carry_the_error_of_each_detection() -> None:
    from models.samples.outline_refiner import windows
    from vision.crops.card_window import apply_shifts
    from vision.detect.detections import Detections
    from vision.geometry import card_beside

    rng = np.random.default_rng(5)
    table = draw_table(rng, [draw_deck("toy", 3)], (480, 480), card_pixels=110, clean=True)
    index = table.indices[0]
    off = index.quad + floats([[1, 2], [4, -3], [6, 5], [-3, 4]])
    patch = patch_quad(index.quad, index.right)
    box = floats([*patch.min(0), *patch.max(0)])
    nowhere = box + 3000
    found = Detections(floats([box, nowhere]), floats([0.9, 0.9]), floats([off, off + 3000]))
    made = windows(rng, table, found)
    true = card_beside(index.quad) if index.right else index.quad
    predicted = card_beside(off) if index.right else off
    _window, shift, right, real = made[0]
    assert (right, real) == (float(index.right), 1.0)
    assert apply_shifts(predicted, shift) == pytest.approx(true, abs=0.1)
    assert made[1][3] == 0.0
    assert len(made) > 2 and all(item[3] == 1.0 for item in made[2:])


@pytest.mark.parametrize(
    ("capabilities", "expected_type"), [({"avx512_bf16": True}, torch.bfloat16), ({}, torch.float32)]
)
def test_bfloat16_is_used_only_with_processor_support(
    capabilities: dict[str, bool], expected_type: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    from models.networks.layers import mixed_precision

    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: capabilities)
    with mixed_precision("cpu"):
        assert torch.nn.Linear(2, 2)(torch.ones(1, 2)).dtype == expected_type


def test_most_tables_have_new_decks(monkeypatch: pytest.MonkeyPatch) -> None:
    from models.samples import detector

    deck_names: list[str] = []

    def recorded(
        rng: np.random.Generator, decks: list[DeckArt], size: tuple[int, int], across: float | None, **how: object
    ) -> Table:
        assert how["packs"] == len(decks) and across is None
        deck_names.extend(deck.name for deck in decks)
        return draw_table(rng, decks, size, packs=len(decks))

    monkeypatch.setattr(detector, "draw_table", recorded)
    toy = draw_deck("toy", 3)
    for _, table in zip(range(6), detector.drawn_tables(np.random.default_rng(1), [toy], 320), strict=False):
        assert table.picture.shape == (320, 320, 3)
    new = [name for name in deck_names if name != toy.name]
    assert len(set(new)) == len(new) > len(deck_names) / 2


def test_most_usual_tables_have_the_usual_card_width(monkeypatch: pytest.MonkeyPatch) -> None:
    from models.samples import detector

    widths: list[float | None] = []

    def recorded(
        rng: np.random.Generator, decks: list[DeckArt], size: tuple[int, int], across: float | None, **how: object
    ) -> Table:
        widths.append(across)
        return draw_table(rng, decks, size, across, cards=[])

    toy = draw_deck("toy", 3)
    monkeypatch.setattr(detector, "draw_table", recorded)
    monkeypatch.setattr(detector, "sample_deck", lambda *_: toy)
    detector.draw_block(detector.DetectorSettings(tables=100, decks=1, size=64, usual=1.0), 0, [])
    usual = [across for across in widths if across is not None]
    assert len(widths) == 100 and len(widths) / 2 < len(usual) < len(widths)
    low, high = detector.USUAL_WIDTHS
    assert all(low <= across <= high for across in usual) and low < BEST_CARD_WIDTH < high
