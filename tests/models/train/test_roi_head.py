"""Samples, losses and network of the RoI head."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.tables import Table, draw_table
from datasets.scenes.visibility import PATCH, rank_outline
from datasets.scenes.world import World
from models.samples.roi_head import (
    FIRST,
    MIN_SCORE_FIRST,
    MIN_SCORE_REST,
    NO_IDENTITY,
    NO_RANK,
    UNKNOWN,
    RoiSettings,
    draw_block,
    likely,
    missized,
    table_samples,
)
from vision.arrays import Floats, floats
from vision.crops.pyramid import pyramid
from vision.crops.roi_crops import AROUND_SIZE, INDEX_SIZE, INDEX_VIEW, apply_shifts, crop_rois
from vision.detect.detections import Detections
from vision.detect.detector import OnnxDetector
from vision.detect.vocabulary import STANDARD_VOCABULARY
from vision.engines.kinds.onnx import onnx_session
from vision.engines.weights import FOLDER, fastest_path
from vision.geometry import UNIT, card_beside

pytest.importorskip("torch", reason="the extra train is not installed")
import torch

from models.networks.roi_head import RoiHeadNet, RoiOutputs
from models.train.roi_head import (
    RoiAugmentation,
    RoiLossWeights,
    as_tensors,
    contrast,
    losses,
    prepare,
    recoloured,
    sample_rows,
)


def test_both_crops_of_a_sample_are_shown_in_the_same_other_colours() -> None:
    picture = torch.tensor([0.8, 0.2, 0.1])[None, :, None, None].expand(40, 3, 4, 4)
    batch = {"index": picture, "around": picture, "rank": torch.arange(40)}
    rng = np.random.default_rng(1)
    same = recoloured(batch, RoiAugmentation(), rng)
    assert torch.allclose(same["index"], picture) and same["rank"] is batch["rank"]
    other = recoloured(batch, RoiAugmentation(negative=0.5, mixed=0.5), rng)
    assert torch.equal(other["index"], other["around"])
    kinds = [torch.allclose(one, picture[0]) for one in other["index"]]
    assert 2 < sum(kinds) < 20
    negatives = recoloured(batch, RoiAugmentation(negative=1.0), rng)
    assert torch.allclose(negatives["index"], 1 - picture)


@pytest.fixture(scope="module")
def table() -> Table:
    rng = np.random.default_rng(5)
    return draw_table(rng, [draw_deck("toy", 3)], (480, 480), card_pixels=110, clean=True)


def seen(table: Table, quads: list[Floats]) -> Detections:
    """Detections of outlines, each with the box of its upper left index."""
    patches = [rank_outline(PATCH, quad, False) for quad in quads]
    boxes = floats([[*patch.min(0), *patch.max(0)] for patch in patches])
    return Detections(boxes, floats([0.9] * len(quads)), floats(quads))


def test_a_detection_carries_its_error_its_face_and_its_side(table: Table) -> None:
    index = table.indices[0]
    true = card_beside(index.quad) if index.right else index.quad
    off = floats(true + floats([[1, 1], [3, -3], [6, 5], [-3, 4]]))
    samples = table_samples(np.random.default_rng(1), table, seen(table, [off, off + 3000]), 0, 99, 1 << 20)
    assert len(samples) == 2
    one, nothing = samples
    assert apply_shifts(off, one["shifts"].reshape(4, 2)) == pytest.approx(true, abs=0.1)
    assert index.face is not None
    assert STANDARD_VOCABULARY.ranks[one["rank"]] == index.face.rank
    assert one["right"] == index.right and one["real"] == 1 and one["identity"] > 1 << 20
    assert (nothing["real"], nothing["rank"], nothing["identity"]) == (0, NO_RANK, NO_IDENTITY)


def test_jittered_outlines_show_readable_and_doubtful_indices_only(table: Table) -> None:
    samples = table_samples(np.random.default_rng(1), table, Detections.empty(), 1, 999, 0)
    assert 0 < len(samples) <= len(table.indices) + len(table.doubtful)
    assert set(samples["real"].tolist()) <= {1, UNKNOWN} and (samples["rank"] >= 0).all()
    assert len(table_samples(np.random.default_rng(1), table, Detections.empty(), 1, 3, 0)) <= 3


def test_a_missized_outline_keeps_its_index_and_its_directions() -> None:
    quad = floats([[10, 10], [70, 12], [72, 100], [9, 96]])
    for seed in range(8):
        other = missized(np.random.default_rng(seed), quad)
        assert other[0] == pytest.approx(quad[0])
        for corner in (1, 3):
            along, before = other[corner] - other[0], quad[corner] - quad[0]
            assert abs(along[0] * before[1] - along[1] * before[0]) < 0.1


def test_the_index_crop_shows_the_whole_index_and_what_is_beside_it() -> None:
    picture = np.full((400, 400, 3), 90, np.uint8)
    quad = UNIT * floats([100, 140]) + floats([150, 150])
    low, high = (150, 150), (168, 190)
    picture[low[1] : high[1], low[0] : high[0]] = 250
    index, around = crop_rois(pyramid(picture), floats([quad]))
    assert index.shape == (1, INDEX_SIZE[1], INDEX_SIZE[0], 3) and around.shape[1:3] == AROUND_SIZE
    columns, rows = np.flatnonzero(index[0, 20, :, 0] > 180), np.flatnonzero(index[0, :, 24, 0] > 180)
    left, top, right, bottom = INDEX_VIEW
    for places, size, low_edge, high_edge, share in (
        (columns, INDEX_SIZE[0], left, right, 0.18),
        (rows, INDEX_SIZE[1], top, bottom, 2 / 7),
    ):
        scale = size / (high_edge - low_edge)
        assert places[[0, -1]] == pytest.approx([-low_edge * scale, (share - low_edge) * scale], abs=1.5)


def test_a_block_is_the_same_wherever_it_is_drawn() -> None:
    settings = RoiSettings(World({"usual": 1.0}), seed=4, tables=1, decks=1)
    detector = OnnxDetector(onnx_session(fastest_path("detector", FOLDER), 1))
    one, two = (draw_block(settings, 7, [], detector) for _ in range(2))
    assert len(one) > 5 and np.array_equal(one, two)
    assert not np.array_equal(one[:3], draw_block(settings, 8, [], detector)[:3])


def test_the_network_learns_what_a_batch_shows(table: Table) -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    block = table_samples(np.random.default_rng(1), table, Detections.empty(), 1, 32, 0)
    net = RoiHeadNet()
    batch = as_tensors(block, torch.device("cpu"))
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
    totals = []
    for _ in range(14):
        loss, figures = losses(RoiOutputs(*net(batch["index"], batch["around"])), batch, RoiLossWeights())
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()
        totals.append(float(figures["loss"]))
    assert totals[-1] < 0.6 * totals[0]
    half_precision = sum(value.numel() for value in net.state_dict().values()) * 2
    assert half_precision < 5e6, "bytes"


def test_what_is_hard_to_tell_from_an_index_counts_more_with_focus() -> None:
    def ratio(focus: float) -> float:
        """The loss of a false index over that of a hardly false one, all else being equal."""
        parts = []
        for logit in (4.0, -1.0):
            shifts, right, real = torch.zeros(1, 8), torch.zeros(1, 1), torch.full((1, 1), logit)
            outputs = RoiOutputs(shifts, right, real, torch.zeros(1, 96), torch.zeros(1, 14), torch.zeros(1, 4))
            zero = torch.zeros(1, dtype=torch.long)
            batch = {"shifts": torch.zeros(1, 8), "right": zero, "real": zero, "identity": zero + NO_IDENTITY}
            none = {"rank": zero - 1, "suit": zero - 1}
            only = RoiLossWeights(shifts=0, right=0, rank=0, suit=0, contrast=0, focus=focus)
            parts.append(float(losses(outputs, batch | none, only)[0]))
        return parts[0] / parts[1]

    assert ratio(1.0) > 2 * ratio(0.0) > 0


def test_equal_faces_belong_together() -> None:
    names = torch.tensor([1, 1, 2, 2, NO_IDENTITY])
    near = torch.tensor([[1.0, 0], [1, 0.1], [0, 1], [0.1, 1], [0.5, 0.5]])
    assert float(contrast(near, names, 0.1)) < float(contrast(near[[0, 2, 1, 3, 4]], names, 0.1))
    assert float(contrast(near[:1], names[:1], 0.1)) == 0


def test_half_of_a_batch_are_other_samples_of_the_same_faces(table: Table) -> None:
    block = table_samples(np.random.default_rng(1), table, Detections.empty(), 3, 200, 0)
    rows = sample_rows([block, block[::2]], 40, 3, 7)
    assert len(rows) == 40 and np.array_equal(rows, sample_rows([block, block[::2]], 40, 3, 7))
    assert (rows["identity"][:20] == rows["identity"][20:]).mean() > 0.8


def test_no_sample_of_a_batch_is_set_beside_itself(table: Table) -> None:
    """From a sample and itself nothing is learned of what makes two pictures of a face alike."""
    block = table_samples(np.random.default_rng(1), table, Detections.empty(), 3, 60, 0)
    names, counts = np.unique(block["identity"], return_counts=True)
    few = block[np.isin(block["identity"], names[(counts > 1) & (names != NO_IDENTITY)])]
    assert len(few) > 10
    for number in range(10):
        rows = sample_rows([few], 40, 3, number)
        assert not any(np.array_equal(rows["index"][i], rows["index"][20 + i]) for i in range(20))
        assert np.array_equal(rows["identity"][:20], rows["identity"][20:])


def test_a_batch_is_the_same_each_time_and_its_crops_stay_in_range(table: Table) -> None:
    block = table_samples(np.random.default_rng(1), table, Detections.empty(), 1, 20, 0)
    device, settings = torch.device("cpu"), RoiAugmentation(grey=0.5)
    pictures = as_tensors(block, device)["index"]
    one, again, other = (prepare(block, settings, device, 0, number)["index"] for number in (5, 5, 6))
    assert one.shape == pictures.shape and 0 <= float(one.min()) <= float(one.max()) <= 1
    assert torch.equal(one, again) and not torch.equal(one, other) and not torch.equal(one, pictures)


def test_a_batch_of_one_row_is_one_as_any_other(table: Table) -> None:
    rows = table_samples(np.random.default_rng(1), table, seen(table, [table.indices[0].quad]), 0, 99, 1 << 20)
    assert len(rows) == 1
    batch = as_tensors(rows, torch.device("cpu"))
    assert batch["index"].shape == (1, 3, INDEX_SIZE[1], INDEX_SIZE[0]) and batch["shifts"].shape == (1, 8)
    assert batch["rank"].tolist() == [int(rows["rank"][0])]


def test_the_most_confident_detections_may_have_lower_scores_than_the_others() -> None:
    def found(*scores: float) -> Detections:
        return Detections(
            np.zeros((len(scores), 4), np.float32), floats(scores), np.zeros((len(scores), 4, 2), np.float32)
        )

    some = likely(found(*[0.03] * (FIRST + 5), 0.5, 0.01, *[0.05] * 10))
    assert len(some) == FIRST and some.scores[0] == 0.5
    assert (some.scores >= MIN_SCORE_REST).sum() == 11 and (some.scores >= MIN_SCORE_FIRST).all()
    assert len(likely(found(*[0.05] * 200))) == 200
