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
from vision.explain.index_history import DETECTOR, RELATIONS, ROI_HEAD, Step, rank_changes
from vision.images.decode import load_photo
from vision.reader import load_reader
from vision.values import Quad, Reading, SeenCard

SAMPLES = Path(__file__).parents[3] / "webui" / "samples"


@pytest.fixture(scope="module")
def sample() -> tuple[Reading, Trace]:
    return load_reader().read_traced(load_photo(sorted(SAMPLES.glob("*.jpg"))[0]))


def card(face: str, confidence: float = 0.999, doubt: str | None = None, x: float = 0.0) -> SeenCard:
    quad: Quad = ((x, 0.0), (x + 50.0, 0.0), (x + 50.0, 70.0), (x, 70.0))
    return SeenCard(Face.parse(face), confidence, (), quad, doubt)


def test_every_card_of_a_reading_is_explained_stage_by_stage(sample: tuple[Reading, Trace]) -> None:
    reading, trace = sample
    explained = explain(trace).cards
    assert [(one.face, one.confidence, one.doubt, one.quad) for one in explained] == [
        (one.face, one.confidence, one.doubt, one.quad) for one in reading.cards
    ]
    for one, read in zip(explained, reading.cards, strict=True):
        assert len(one.indices) == len(read.corners) > 0
        for index in one.indices:
            assert [step.stage for step in index.steps] == [DETECTOR, ROI_HEAD, RELATIONS]
            assert index.steps[-1].p_keep is not None and index.steps[-1].ranks is not None


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
    assert trace.scored is not None
    final = trace.scored
    # as if the relations had found the first card's index improbable
    box = np.asarray(trace.built[0].corners[0].box, np.float32)
    row = int(np.flatnonzero((final.boxes == box).all(1))[0])
    weaker = final.p_keep.copy()
    weaker[row] = (HINT_MISSED + 0.4) / 2
    weakened = replace(
        trace,
        scored=replace(final, p_keep=weaker, p_same=np.zeros_like(final.p_same)),
        built=trace.built[1:],
        ruled=trace.ruled[1:],
        hinted=trace.hinted[1:],
    )
    rejected = explain(weakened).rejected
    assert any(one.box == trace.built[0].corners[0].box and "is below" in one.why for one in rejected)
    assert all(one.p_keep >= HINT_MISSED for one in rejected)
    duplicate = replace(final, p_same=np.ones_like(final.p_same))
    rejected = explain(replace(weakened, scored=duplicate)).rejected
    assert all(one.why == "another detection of the same printed index was kept" for one in rejected) and rejected


def test_a_face_changed_by_the_rules_and_every_doubt_are_explained() -> None:
    built = [card("3H", 0.7, Doubt.LOW_CONFIDENCE), card("5C", x=60), card("9D", x=120)]
    ruled = [card("8H", 0.8, Doubt.DECIDED_BY_RULES), card("5C", doubt=Doubt.TOO_MANY_COPIES, x=60), built[2]]
    hinted = [*ruled[:2], card("9D", doubt=Doubt.PERHAPS_ANOTHER, x=120)]
    first, second, third = explain(Trace(paired=built, built=built, ruled=ruled, hinted=hinted)).cards
    assert first.taught_face is second.taught_face is third.taught_face is None
    assert (first.rules_changed, str(first.paired_face), str(first.face)) == (True, "3H", "8H")
    assert [(doubt.code, doubt.stage) for doubt in first.doubts] == [
        ("low-confidence", "pairing"),
        ("decided-by-rules", "house-rules"),
    ]
    assert "8H in place of 3H" in first.doubts[1].why
    assert not second.rules_changed and "more 5C were read than the packs hold" in second.doubts[0].why
    assert [doubt.code for doubt in third.doubts] == ["perhaps-another"]


def test_what_taught_pictures_changed_and_added_is_explained() -> None:
    paired = [card("8H", 0.99, Doubt.LOW_CONFIDENCE), card("5C", x=60)]
    built = [card("JK", 0.9, Doubt.LOW_CONFIDENCE), paired[1], card("JK", x=120)]
    changed, same, added = explain(Trace(paired=paired, built=built, ruled=built, hinted=built)).cards
    assert (str(changed.paired_face), str(changed.taught_face), changed.rules_changed) == ("8H", "JK", False)
    assert [doubt.stage for doubt in changed.doubts] == ["taught-pictures"]
    assert (str(same.paired_face), same.taught_face) == ("5C", None)
    assert (added.paired_face, str(added.taught_face), added.indices) == (None, "JK", ())


def test_stages_that_changed_the_rank_of_an_index_are_named() -> None:
    steps = [
        Step(DETECTOR, score=0.9),
        Step(ROI_HEAD, ranks=(("6", 0.6), ("8", 0.4))),
        Step(RELATIONS, ranks=(("8", 0.9), ("6", 0.1))),
    ]
    assert rank_changes(steps) == [RELATIONS]
    assert rank_changes(steps[:2]) == []


def test_an_empty_reading_has_an_empty_explanation() -> None:
    assert explain(Trace()).as_json() == {"cards": [], "rejected": []}
