"""Samples, loss and training of the relation model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.decks.fonts import NoFontsError, fonts
from datasets.scenes.tables import Table, TrueIndex, draw_table
from vision.arrays import Floats, floats
from vision.cards.build import build_cards
from vision.detect.detections import PATCH_EMBEDDING, RANK_COUNT, WINDOW_EMBEDDING, ClassifiedDetections
from vision.engines.load import load_relation_model
from vision.errors import WeightsError
from vision.rescore.features import FIRST_RANK_FEATURE, NODE_FEATURES
from vision.rescore.relation_model import CALIBRATION, INPUT_NAMES, RELATION_MODEL

pytest.importorskip("sklearn", reason="the extra train is not installed")
pytest.importorskip("torch", reason="the extra train is not installed")
import torch

from models.evaluate.metrics import right_ranks
from models.export.to_onnx import write_manifest
from models.samples.index_classifier import RANK_CLASSES
from models.samples.reader_output import LabelledTable
from models.samples.relation_model import collate, match_to_indices, sample_of
from models.samples.simulated import box_centre
from models.train.relation_model import install, losses, train

try:
    fonts(held_out=False)
except NoFontsError as error:
    pytest.skip(str(error), allow_module_level=True)


def drawn(seed: int) -> Table:
    table = draw_table(np.random.default_rng(seed), [draw_deck("toy", seed)], (640, 640), card_pixels=110, clean=True)
    return replace(table, picture=table.picture[:0])


def labelled(table: Table, indices: list[TrueIndex], scores: Floats, ranks: list[int], off: Floats) -> LabelledTable:
    """Detections of ``indices``, moved by ``off`` (n, 2) pixels, with these ``scores`` and ``ranks``."""
    middles = floats([box_centre(index) for index in indices]) + off
    quads = floats([index.quad for index in indices]) + off[:, None]
    count = len(indices)
    detections = ClassifiedDetections(
        boxes=np.concatenate([middles - 8, middles + 8], 1),
        scores=scores,
        quads=quads,
        p_index=scores,
        right_logit=np.zeros(count, np.float32),
        embedding=np.zeros((count, WINDOW_EMBEDDING), np.float32),
        ranks=np.where(np.eye(14, dtype=bool)[ranks], 0.96, 0.003).astype(np.float32),
        suits=np.full((count, 4), 0.25, np.float32),
        no_index=np.full(count, 0.05, np.float32),
        shifts=np.zeros((count, 2), np.float32),
        patch_embedding=np.zeros((count, PATCH_EMBEDDING), np.float32),
        index_on_right=np.array([index.right for index in indices], bool),
        picture_size=(640, 640),
    )
    return LabelledTable(detections, table)


def rank_of(index: TrueIndex) -> int:
    assert index.face is not None
    return RANK_CLASSES.index(index.face.rank)


def noisy_table(seed: int, misread: float = 0.02) -> LabelledTable:
    """All indices with high confidence, some ``misread``, many detected twice, and weak detections of nothing."""
    rng = np.random.default_rng(seed)
    table = drawn(seed)
    sure = list(table.indices)
    again = [index for index in sure if rng.random() < 0.6]
    nothing = sure[:6]
    ranks = [(rank_of(index) + int(rng.random() < misread)) % 14 for index in (*sure, *again)]
    ranks += rng.integers(0, 13, len(nothing)).tolist()
    scores = np.concatenate(
        [rng.uniform(0.6, 0.95, len(sure)), rng.uniform(0.4, 0.6, len(again)), rng.uniform(0.05, 0.3, len(nothing))]
    )
    off = np.concatenate([rng.normal(0, 0.5, (len(sure), 2)), rng.normal(0, 3, (len(again), 2)), np.full((6, 2), 3000)])
    return labelled(table, [*sure, *again, *nothing], floats(scores), ranks, floats(off))


@pytest.mark.by_hand
def test_trained_model_keeps_each_index_once(tmp_path: Path) -> None:
    tables = [noisy_table(seed) for seed in range(24)]
    samples = [sample_of(one) for one in tables]
    checkpoint = train(samples[:20], samples[20:], tmp_path, epochs=12, tables=2)
    install(checkpoint, [noisy_table(seed, misread=0.2) for seed in range(24, 34)], tmp_path)
    model = load_relation_model(tmp_path)
    read, right, true_count = 0, 0, 0
    for seed in range(100, 104):
        new = noisy_table(seed)
        cards, _ = build_cards(model.score(new.detections), model.card_confidence, np.zeros((640, 640, 3), np.uint8))
        read, right = read + len(cards), right + sum(right_ranks(new.table, cards))
        true_count += len(new.table.cards)
    assert right > 0.93 * true_count, "few indices are misread or missed"
    assert read - right < 0.08 * true_count, "few are counted twice"
    assert model.card_confidence(0.99, 0.99, 2) > model.card_confidence(0.6, 0.6, 1)


class FixedOutputs(torch.nn.Module):
    """A model with fixed keep logits that leaves the ranks unchanged."""

    def __init__(self, kept: list[float]) -> None:
        super().__init__()
        self.keep = torch.tensor(kept)

    def forward(self, features: torch.Tensor, *rest: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ranks = features[:, FIRST_RANK_FEATURE : FIRST_RANK_FEATURE + RANK_COUNT] * 20
        return self.keep, ranks, torch.zeros(rest[2].shape)


def test_loss_accepts_any_one_detection_with_the_right_rank() -> None:
    table = drawn(5)
    index = table.indices[0]
    doubtful = replace(index, card=-1, quad=index.quad + floats([400, 0]))
    table = replace(table, indices=(index,), doubtful=(doubtful,), covered=())
    # the index twice, the doubtful one, something else
    four, off = [index, index, doubtful, index], floats([[0, 0], [2, 2], [0, 0], [2000, 2000]])
    right, wrong = rank_of(index), (rank_of(index) + 1) % 13

    def keep_loss(ranks: list[int], *kept: float) -> float:
        sample = sample_of(labelled(table, four, floats([0.6, 0.9, 0.8, 0.7]), ranks, off))
        return float(losses(FixedOutputs([*kept]), [sample])[0])

    for first, second in ((9, -9), (-9, 9)):
        assert keep_loss([right] * 4, first, second, -9, -9) == pytest.approx(0, abs=1e-3)
        assert keep_loss([right] * 4, first, second, 9, -9) == pytest.approx(0, abs=1e-3), "optional"
    assert keep_loss([right] * 4, 9, 8.9, -9, -9) > 2, "only one is kept"
    assert keep_loss([right] * 4, -9, -9, -9, -9) > 2, "one is required"
    assert keep_loss([right] * 4, 9, -9, -9, 9) > 2, "shows no index"
    assert keep_loss([wrong, right, wrong, right], 9, -9, -9, -9) > 4, "the kept one has the wrong rank"
    assert keep_loss([wrong] * 4, -9, -9, 9, -9) > 2, "a wrong rank must not be kept"


def test_detections_match_the_nearest_index_or_none() -> None:
    table = drawn(5)
    index = table.indices[0]
    neighbour = replace(index, quad=index.quad + floats([14, 0]))
    table = replace(table, indices=(index, neighbour), doubtful=(), covered=())
    four, off = [index, neighbour, index, index], floats([[0, 0], [0, 0], [2, 1], [900, 900]])
    one = labelled(table, four, floats([0.99, 0.98, 0.97, 0.96]), [rank_of(index)] * 4, off)
    assert match_to_indices(one).tolist() == [0, 1, 0, -1]
    assert match_to_indices(replace(one, table=replace(table, indices=()))).tolist() == [-1] * 4


def test_collated_tables_stay_separate() -> None:
    samples = [sample_of(noisy_table(seed)) for seed in (1, 2)]
    batch = collate(samples)
    inputs = dict(zip(INPUT_NAMES, batch.inputs, strict=True))
    first, second = (len(sample.index) for sample in samples)
    assert len(batch.index) == len(batch.rank) == len(inputs["told"]) == first + second
    assert inputs["places"][:first].max() < first <= inputs["places"][first:][inputs["there"][first:]].min()
    assert batch.index[:first].max() < batch.index[first:][batch.index[first:] >= 0].min()
    assert 0 < batch.same.sum() < batch.both.sum() <= inputs["there"].sum()


def test_model_with_other_inputs_is_rejected(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="the extra train is not installed")
    float32 = onnx.TensorProto.FLOAT
    inputs = [onnx.helper.make_tensor_value_info("told", float32, ["n", NODE_FEATURES + 1])]
    outputs = [onnx.helper.make_tensor_value_info("kept", float32, ["n", NODE_FEATURES + 1])]
    graph = onnx.helper.make_graph([onnx.helper.make_node("Identity", ["told"], ["kept"])], "other", inputs, outputs)
    opset = [onnx.helper.make_opsetid("", 17)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=opset, ir_version=8), tmp_path / RELATION_MODEL)
    (tmp_path / CALIBRATION).write_text('{"sureness": [0, 1, 1, 0]}')
    write_manifest(tmp_path)
    with pytest.raises(WeightsError, match="install the program again"):
        load_relation_model(tmp_path)
