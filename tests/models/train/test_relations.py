"""Samples, losses and training of the relations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.decks.signs import NoFontsError, fonts
from datasets.scenes.tables import Table, TrueIndex, draw_table
from vision.arrays import Floats, floats
from vision.detect.detections import ROI_EMBEDDING, ClassifiedDetections
from vision.rescore.relations import INPUT_NAMES

pytest.importorskip("torch", reason="the extra train is not installed")
import torch

from models.networks.relations import RelationsNet
from models.samples.relations import LabelledTable, Rows, block_of, collate, match_to_indices
from models.samples.roi_head import classes_of
from models.samples.simulated import box_centre
from models.train.loop import Recipe, train_steps
from models.train.relations import losses, output_losses, relations_step, sampled

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
        embedding=np.zeros((count, ROI_EMBEDDING), np.float32),
        ranks=np.where(np.eye(14, dtype=bool)[ranks], 0.96, 0.003).astype(np.float32),
        suits=np.full((count, 4), 0.25, np.float32),
        index_on_right=np.array([index.right for index in indices], bool),
        picture_size=(640, 640),
    )
    return LabelledTable(detections, table)


def rank_of(index: TrueIndex) -> int:
    return classes_of(index.face)[0]


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


def rows_of(table: LabelledTable) -> Rows:
    return block_of([table])


def test_training_lowers_the_losses(tmp_path: Path) -> None:
    blocks, other = [block_of([noisy_table(seed) for seed in range(6)])], block_of([noisy_table(9)])
    torch.manual_seed(0)
    net = RelationsNet()

    def figures(net: torch.nn.Module) -> dict[str, torch.Tensor]:
        with torch.no_grad():
            return losses(net.eval(), collate([other]))[1]

    before = figures(net)
    step = relations_step(lambda number: sampled(blocks, 2, 0, number))
    average = train_steps(net.train(), step, Recipe(2e-3, 0.02, 1.0, 0.9, 1), 30, tmp_path / "state.pt")
    after = figures(average)
    assert after["keep"] < 0.5 * before["keep"] and after["same"] < 0.5 * before["same"]


def test_loss_accepts_any_one_detection_with_the_right_rank() -> None:
    table = drawn(5)
    index = table.indices[0]
    doubtful = replace(index, card=-1, quad=index.quad + floats([400, 0]))
    table = replace(table, indices=(index,), doubtful=(doubtful,), covered=())
    # the index twice, the doubtful one, something else
    four, off = [index, index, doubtful, index], floats([[0, 0], [2, 2], [0, 0], [2000, 2000]])
    right, wrong = rank_of(index), (rank_of(index) + 1) % 13

    def keep_loss(ranks: list[int], *kept: float) -> float:
        table_of_four = labelled(table, four, floats([0.6, 0.9, 0.8, 0.7]), ranks, off)
        batch = collate([rows_of(table_of_four)])
        return float(
            output_losses(torch.tensor(kept).float(), batch.inputs[4], torch.zeros(batch.same.shape), batch)[0]
        )

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


def test_truth_of_a_detection_is_that_of_its_index() -> None:
    table = drawn(5)
    one, two, three = table.indices[:3]
    table = replace(table, indices=(one,), doubtful=(two,), covered=(three,))
    given = labelled(table, [one, two, three, one], floats([0.9] * 4), [0] * 4, floats([[0, 0]] * 3 + [[2000, 2000]]))
    rows = rows_of(given)
    assert rows["index"].tolist() == [0, 1, 2, -1]
    assert rows["rank"].tolist() == [rank_of(one), rank_of(two), -1, -1]
    assert rows["required"].tolist() == [True, False, False, False]


def test_collated_tables_stay_separate() -> None:
    tables = [rows_of(noisy_table(seed)) for seed in (1, 2)]
    batch = collate(tables)
    inputs = dict(zip((*INPUT_NAMES, "names"), batch.inputs, strict=True))
    first, second = map(len, tables)
    assert len(batch.index) == len(batch.rank) == len(inputs["told"]) == first + second
    assert inputs["places"][:first].max() < first <= inputs["places"][first:][inputs["there"][first:]].min()
    assert batch.index[:first].max() < batch.index[first:][batch.index[first:] >= 0].min()
    assert 0 < batch.same.sum() < batch.both.sum() <= inputs["there"].sum()
    assert losses(RelationsNet(), batch)[0].isfinite()
