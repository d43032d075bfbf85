"""Explanations of readings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorer.faces import Face
from vision.detect.trace import Trace
from vision.doubts import HINT_MISSED, Doubt
from vision.explain.explanation import explain
from vision.explain.index_history import CLASSIFIER, CORNER_SIDE, DETECTOR, IN_ROWS, RELATION_MODEL, Step, rank_changes
from vision.images.decode import load_photo
from vision.reader import load_reader
from vision.values import Quad, Reading, SeenCard

SAMPLES = Path(__file__).parents[3] / "webui" / "samples"
QUAD: Quad = ((0.0, 0.0), (50.0, 0.0), (50.0, 70.0), (0.0, 70.0))


@pytest.fixture(scope="module")
def sample() -> tuple[Reading, Trace]:
    return load_reader().read_traced(load_photo(sorted(SAMPLES.glob("*.jpg"))[0]))


def card(face: str, confidence: float = 0.999, doubt: str | None = None) -> SeenCard:
    return SeenCard(Face.parse(face), confidence, (), QUAD, doubt)


def test_every_card_of_a_reading_is_explained_stage_by_stage(sample: tuple[Reading, Trace]) -> None:
    reading, trace = sample
    explained = explain(trace).cards
    assert [(one.face, one.confidence, one.doubt, one.quad) for one in explained] == [
        (one.face, one.confidence, one.doubt, one.quad) for one in reading.cards
    ]
    for one, read in zip(explained, reading.cards, strict=True):
        assert len(one.indices) == len(read.corners) > 0
        for index in one.indices:
            stages = [step.stage for step in index.steps]
            assert stages[0] in (DETECTOR, IN_ROWS) and (CLASSIFIER in stages or IN_ROWS in stages)
            last = [step for step in index.steps if step.ranks][-1]
            assert last.p_keep is not None and last.ranks is not None
            assert stages[-1] == CORNER_SIDE or index.steps[-1] is last


def test_the_last_step_gives_what_the_reading_holds(sample: tuple[Reading, Trace]) -> None:
    reading, trace = sample
    for one, read in zip(explain(trace).cards, reading.cards, strict=True):
        for index, corner in zip(one.indices, read.corners, strict=True):
            last = [step for step in index.steps if step.ranks][-1]
            assert last.ranks is not None
            assert last.ranks[0][0] == corner.scores[0][0].rank
            assert last.p_keep == pytest.approx(corner.p_keep)


def test_rejected_detections_have_a_reason(sample: tuple[Reading, Trace]) -> None:
    _, trace = sample
    assert trace.sides_corrected is not None
    final = trace.sides_corrected
    # as if the relation model had found the first card's index improbable
    box = np.asarray(trace.built[0].corners[0].box, np.float32)
    row = int(np.flatnonzero((final.boxes == box).all(1))[0])
    weaker = final.p_keep.copy()
    weaker[row] = (HINT_MISSED + 0.4) / 2
    weakened = replace(
        trace,
        sides_corrected=replace(final, p_keep=weaker, p_same=np.zeros_like(final.p_same)),
        built=trace.built[1:],
        ruled=trace.ruled[1:],
        hinted=trace.hinted[1:],
    )
    rejected = explain(weakened).rejected
    assert any(one.box == trace.built[0].corners[0].box and "is below" in one.why for one in rejected)
    assert all(one.p_keep >= HINT_MISSED for one in rejected)
    duplicate = replace(final, p_same=np.ones_like(final.p_same))
    rejected = explain(replace(weakened, sides_corrected=duplicate)).rejected
    assert all(one.why == "another detection of the same printed index was kept" for one in rejected) and rejected


def test_a_face_changed_by_the_rules_and_every_doubt_are_explained() -> None:
    built = [card("3H", 0.7, Doubt.LOW_CONFIDENCE), card("5C"), card("9D")]
    ruled = [card("8H", 0.8, Doubt.DECIDED_BY_RULES), card("5C", doubt=Doubt.TOO_MANY_COPIES), card("9D")]
    hinted = [*ruled[:2], card("9D", doubt=Doubt.PERHAPS_ANOTHER)]
    first, second, third = explain(Trace(built=built, ruled=ruled, hinted=hinted)).cards
    assert (first.rules_changed, str(first.paired_face), str(first.face)) == (True, "3H", "8H")
    assert [(doubt.code, doubt.stage) for doubt in first.doubts] == [
        ("low-confidence", "pairing"),
        ("decided-by-rules", "house-rules"),
    ]
    assert "8H in place of 3H" in first.doubts[1].why
    assert not second.rules_changed and "more 5C were read than the packs hold" in second.doubts[0].why
    assert [doubt.code for doubt in third.doubts] == ["perhaps-another"]


def test_stages_that_changed_the_rank_of_an_index_are_named() -> None:
    steps = [
        Step(DETECTOR, score=0.9),
        Step(CLASSIFIER, ranks=(("6", 0.6), ("8", 0.4))),
        Step(RELATION_MODEL, ranks=(("8", 0.9), ("6", 0.1))),
    ]
    assert rank_changes(steps) == [RELATION_MODEL]
    assert rank_changes(steps[:2]) == []


def test_an_empty_reading_has_an_empty_explanation() -> None:
    assert explain(Trace()).as_json() == {"cards": [], "rejected": []}
