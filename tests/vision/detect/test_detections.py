"""Detections as arrays of one length."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.rescore.synthetic import classified, scored
from vision.arrays import floats
from vision.detect.detections import (
    ClassifiedDetections,
    Detections,
    ScoredDetections,
)


def with_scores(*scores: float) -> Detections:
    count = len(scores)
    return Detections(np.zeros((count, 4), np.float32), floats(scores), np.zeros((count, 4, 2), np.float32))


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("boxes", np.zeros((2, 5), np.float32)),
        ("scores", np.zeros(3, np.float32)),
        ("quads", np.zeros((2, 4, 2), np.float64)),
    ],
)
def test_arrays_of_another_shape_length_or_type_are_refused(name: str, array: np.ndarray) -> None:
    with pytest.raises(ValueError, match=f"expected {name} as .* float32, came .*{array.dtype}"):
        replace(with_scores(0.1, 0.2), **{name: array})


def test_every_stage_checks_its_own_arrays() -> None:
    detections = classified((0, 0, 0.9, 4), (200, 0, 0.5, 4))
    with pytest.raises(ValueError, match="expected index_on_right as"):
        replace(detections, index_on_right=np.zeros(2, np.float32))
    with pytest.raises(ValueError, match=r"expected p_same as \(2, 2\)"):
        replace(scored(detections, [0.5, 0.5]), p_same=np.zeros((2, 3), np.float32))


def test_rows_are_selected_by_mask_indices_or_slice() -> None:
    detections = scored(classified((0, 0, 0.9, 4), (200, 0, 0.5, 5), (400, 0, 0.1, 6)), [0.9, 0.5, 0.1])
    detections.p_same[:] = np.arange(9).reshape(3, 3)
    for rows in (np.array([True, False, True]), np.array([0, 2]), slice(None, None, 2)):
        chosen = detections.select(rows)
        assert len(chosen) == 2 and chosen.p_keep == pytest.approx([0.9, 0.1])
        assert chosen.ranks.argmax(1).tolist() == [4, 6]
        assert chosen.p_same.tolist() == [[0, 2], [6, 8]], "of both rows and columns"
        assert chosen.picture_size == detections.picture_size


def test_parts_are_concatenated_in_order() -> None:
    one, two = classified((0, 0, 0.9, 4)), classified((200, 0, 0.5, 5), (400, 0, 0.1, 6))
    both = ClassifiedDetections.concat([one, two])
    assert both.scores == pytest.approx([0.9, 0.5, 0.1]) and both.picture_size == one.picture_size
    plain = Detections.concat([one, with_scores(0.3)])
    assert type(plain) is Detections and plain.scores == pytest.approx([0.9, 0.3])


def test_a_stage_is_built_from_the_fields_of_the_one_before() -> None:
    detections = scored(classified((0, 0, 0.9, 4)), [0.8])
    assert isinstance(detections, ScoredDetections) and isinstance(detections, Detections)


def test_there_may_be_none() -> None:
    assert len(Detections.empty()) == len(classified()) == 0
    assert Detections.empty().quads.shape == (0, 4, 2)


def test_the_box_tells_in_which_corner_the_index_stands() -> None:
    quad = floats([[0, 0], [100, 0], [100, 140], [0, 140]])
    detections = Detections(floats([[2, 2, 20, 40], [80, 2, 98, 40]]), floats([0.9, 0.9]), np.stack([quad, quad]))
    assert detections.index_on_right_by_box().tolist() == [False, True]
