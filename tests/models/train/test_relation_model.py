"""The judge learns from what the networks see, and judges."""

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
from models.samples.outline_refiner import box_centre
from models.samples.reader_output import LabelledTable
from models.samples.relation_model import collate, match_to_indices, sample_of
from models.train.relation_model import install, losses, train

try:
    fonts(held_out=False)
except NoFontsError as problem:
    pytest.skip(str(problem), allow_module_level=True)


def drawn(seed: int) -> Table:
    table = draw_table(np.random.default_rng(seed), [draw_deck("toy", seed)], (640, 640), card_pixels=110, clean=True)
    return replace(table, picture=table.picture[:0])


def seen(table: Table, indices: list[TrueIndex], scores: Floats, ranks: list[int], off: Floats) -> LabelledTable:
    """Finds of ``indices``, moved by ``off`` (n, 2), believed and named as told."""
    middles = floats([box_centre(index) for index in indices]) + off
    quads = floats([index.quad for index in indices]) + off[:, None]
    count = len(indices)
    detections = ClassifiedDetections(
        boxes=np.concatenate([middles - 8, middles + 8], 1),
        scores=scores,
        quads=quads,
        p_index=scores,
        right_logit=np.zeros(count, np.float32),
        window_embedding=np.zeros((count, WINDOW_EMBEDDING), np.float32),
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


def clumsy(seed: int, misread: float = 0.02) -> LabelledTable:
    """Every index found surely, some ``misread``, many found once more near by, and weak finds where nothing is."""
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
    return seen(table, [*sure, *again, *nothing], floats(scores), ranks, floats(off))


def test_what_is_trained_keeps_indices_and_each_once(tmp_path: Path) -> None:
    taught = [clumsy(seed) for seed in range(24)]
    samples = [sample_of(one) for one in taught]
    checkpoint = train(samples[:20], samples[20:], tmp_path, epochs=12, tables=2)
    install(checkpoint, [clumsy(seed, misread=0.2) for seed in range(24, 34)], tmp_path)
    judge = load_relation_model(tmp_path)
    read, right, lying = 0, 0, 0
    for seed in range(100, 104):
        new = clumsy(seed)
        cards, _ = build_cards(judge.score(new.detections), judge.card_confidence)
        read, right = read + len(cards), right + sum(right_ranks(new.table, cards))
        lying += len(new.table.cards)
    assert right > 0.93 * lying, "hardly an index is taken for another, or for nothing"
    assert read - right < 0.08 * lying, "hardly one counts twice"
    assert judge.card_confidence(0.99, 0.99, 2) > judge.card_confidence(0.6, 0.6, 1)


class Saying(torch.nn.Module):
    """A judge that believes finds as told and leaves them their names."""

    def __init__(self, kept: list[float]) -> None:
        super().__init__()
        self.said = torch.tensor(kept)

    def forward(self, told: torch.Tensor, *given: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return (
            self.said,
            told[:, FIRST_RANK_FEATURE : FIRST_RANK_FEATURE + RANK_COUNT] * 20,
            torch.zeros(given[2].shape),
        )


def test_of_an_index_the_judge_may_keep_which_it_likes_of_the_finds_that_name_it_right() -> None:
    table = drawn(5)
    index = table.indices[0]
    doubtful = replace(index, card=-1, quad=index.quad + floats([400, 0]))
    table = replace(table, indices=(index,), doubtful=(doubtful,), covered=())
    # the index twice, the doubtful one, something else
    four, off = [index, index, doubtful, index], floats([[0, 0], [2, 2], [0, 0], [2000, 2000]])
    right, wrong = rank_of(index), (rank_of(index) + 1) % 13

    def lost(ranks: list[int], *kept: float) -> float:
        sample = sample_of(seen(table, four, floats([0.6, 0.9, 0.8, 0.7]), ranks, off))
        return float(losses(Saying([*kept]), [sample])[0])

    for first, second in ((9, -9), (-9, 9)):
        assert lost([right] * 4, first, second, -9, -9) == pytest.approx(0, abs=1e-3)
        assert lost([right] * 4, first, second, 9, -9) == pytest.approx(0, abs=1e-3), "nobody asks for it"
    assert lost([right] * 4, 9, 8.9, -9, -9) > 2, "one is enough"
    assert lost([right] * 4, -9, -9, -9, -9) > 2, "and one is needed"
    assert lost([right] * 4, 9, -9, -9, 9) > 2, "there is none"
    assert lost([wrong, right, wrong, right], 9, -9, -9, -9) > 4, "the one it likes is named wrong"
    assert lost([wrong] * 4, -9, -9, 9, -9) > 2, "read wrongly it does harm"


def test_a_find_shows_the_index_nearest_to_it_and_one_far_from_all_shows_none() -> None:
    table = drawn(5)
    index = table.indices[0]
    neighbour = replace(index, quad=index.quad + floats([14, 0]))
    table = replace(table, indices=(index, neighbour), doubtful=(), covered=())
    four, off = [index, neighbour, index, index], floats([[0, 0], [0, 0], [2, 1], [900, 900]])
    one = seen(table, four, floats([0.99, 0.98, 0.97, 0.96]), [rank_of(index)] * 4, off)
    assert match_to_indices(one).tolist() == [0, 1, 0, -1]
    assert match_to_indices(replace(one, table=replace(table, indices=()))).tolist() == [-1] * 4


def test_tables_are_taught_together_and_their_finds_stay_apart() -> None:
    samples = [sample_of(clumsy(seed)) for seed in (1, 2)]
    taught = collate(samples)
    told = dict(zip(INPUT_NAMES, taught.inputs, strict=True))
    first, second = (len(sample.index) for sample in samples)
    assert len(taught.index) == len(taught.rank) == len(told["told"]) == first + second
    assert told["places"][:first].max() < first <= told["places"][first:][told["there"][first:]].min()
    assert taught.index[:first].max() < taught.index[first:][taught.index[first:] >= 0].min()
    assert 0 < taught.same.sum() < taught.both.sum() <= told["there"].sum()


def test_a_judge_that_weighs_other_things_is_refused(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="the extra train is not installed")
    whole = onnx.TensorProto.FLOAT
    taken = [onnx.helper.make_tensor_value_info("told", whole, ["n", NODE_FEATURES + 1])]
    given = [onnx.helper.make_tensor_value_info("kept", whole, ["n", NODE_FEATURES + 1])]
    graph = onnx.helper.make_graph([onnx.helper.make_node("Identity", ["told"], ["kept"])], "other", taken, given)
    opset = [onnx.helper.make_opsetid("", 17)]
    onnx.save(onnx.helper.make_model(graph, opset_imports=opset, ir_version=8), tmp_path / RELATION_MODEL)
    (tmp_path / CALIBRATION).write_text('{"sureness": [0, 1, 1, 0]}')
    write_manifest(tmp_path)
    with pytest.raises(WeightsError, match="install the program again"):
        load_relation_model(tmp_path)
