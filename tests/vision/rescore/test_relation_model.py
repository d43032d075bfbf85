"""What the judge makes of a picture's finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.layouts import CARD_MM, SceneCard
from datasets.scenes.tables import draw_table
from scorer.faces import Face
from tests.vision.rescore.test_features import named
from vision.cards.dedupe import deduplicate
from vision.crops.pyramid import pyramid
from vision.detect.detector import Detections
from vision.detect.multi_scale import detect
from vision.doubts import ACCEPT
from vision.engines.load import load_detector, load_index_classifier, load_outline_refiner, load_relation_model
from vision.images.decode import load_photo, photos_in
from vision.reader import load_reader
from vision.recognise.classify import ClassifiedDetections, classify_detections
from vision.rescore.pair_features import NEIGHBOURS
from vision.rescore.relation_model import INPUT_NAMES, RelationModel
from vision.values import Frame
from webui.settings import SAMPLES


class Session:
    """Keeps every find, and says of each neighbour how likely it is the same."""

    def __init__(self, same: Sequence[float]) -> None:
        self.same, self.given = same, dict[str, Any]()

    def run(self, _names: list[str], given: dict[str, Any]) -> list[np.ndarray]:
        self.given = given
        pairs = np.zeros((len(given["told"]), NEIGHBOURS))
        pairs[:] = np.reshape(self.same, (-1, 1))
        return [np.full(len(pairs), 2.0), np.eye(14)[[4] * len(pairs)] * 9, pairs]


def judge_of(*same: float) -> tuple[RelationModel, Session]:
    session = Session(same)
    return RelationModel(session, (0, 1, 1, 0)), session


@pytest.fixture(scope="module")
def sample() -> ClassifiedDetections:
    """The finds on a sample table."""
    pixels = load_photo(photos_in(SAMPLES)[2]).pixels
    closer = load_outline_refiner().refine(pyramid(pixels), detect(load_detector(), pixels).snapped_to_boxes())
    return classify_detections(load_index_classifier(), pixels, closer)


def test_no_find_is_judged_without_a_look() -> None:
    judge, session = judge_of(0.0)
    judged = judge.score(named())
    assert judged.kept.shape == (0,) and judged.same.shape == (0, 0) and not session.given


def test_two_finds_that_both_speak_of_each_other_are_one_by_the_mean_of_their_words() -> None:
    judge, session = judge_of(100.0, -100.0)
    judged = judge.score(named((0, 0, 0.9, 4), (20, 0, 0.8, 4)))
    assert set(session.given) == set(INPUT_NAMES)
    assert judged.kept == pytest.approx([0.8808] * 2, abs=1e-3)
    assert judged.ranks[:, 4] == pytest.approx([0.998] * 2, abs=1e-3)
    assert judged.same == pytest.approx(np.array([[0, 0.5], [0.5, 0]]))


def test_where_only_one_of_two_speaks_of_the_other_its_word_counts() -> None:
    # the first is crowded: the last is none of its nearest, but it is one of the last one's
    crowd = [(0.5 * place, 0.0, 0.9, 4) for place in range(NEIGHBOURS + 1)]
    judge, _ = judge_of(*[-100.0] * len(crowd), 100.0)
    judged = judge.score(named(*crowd, (80, 0, 0.9, 4)))
    assert judged.same[-1, 0] == judged.same[0, -1] == 0
    assert judged.same[-1, -2] == pytest.approx(1) and judged.same[-2, -1] == pytest.approx(1)


def test_finds_far_apart_are_never_one() -> None:
    judge, _ = judge_of(100.0)
    assert not judge.score(named((0, 0, 0.9, 4), (900, 0, 0.8, 4))).same.any()


def test_the_order_in_which_finds_are_told_does_not_matter(sample: ClassifiedDetections) -> None:
    judge = load_relation_model()
    before = judge.score(sample)
    order = np.random.default_rng(0).permutation(len(sample.places))
    names = {part: getattr(sample.names, part)[order] for part in sample.names.__slots__}
    mixed = replace(
        sample,
        places=[sample.places[n] for n in order],
        rights=[sample.rights[n] for n in order],
        names=replace(sample.names, **names),
        real=sample.real[order],
        windows=sample.windows[order],
    )
    after = judge.score(mixed)
    assert after.kept == pytest.approx(before.kept[order], abs=1e-3)
    assert after.ranks == pytest.approx(before.ranks[order], abs=1e-3)
    assert after.same == pytest.approx(before.same[np.ix_(order, order)], abs=1e-3)


def test_an_index_found_twice_counts_once(sample: ClassifiedDetections) -> None:
    """All finds once more, a little weaker and a little off."""
    judge = load_relation_model()
    kept = deduplicate(*_judged(judge, sample), ACCEPT)
    count, found = len(sample.places), sample.found
    twice = Detections(
        np.concatenate([found.boxes, found.boxes + 1]),
        np.concatenate([found.scores, found.scores * 0.9]),
        np.concatenate([found.quads, found.quads + 1]),
    )
    names = {part: np.repeat(getattr(sample.names, part)[None], 2, 0) for part in sample.names.__slots__}
    again = replace(
        sample,
        found=twice,
        places=[*sample.places, *(place + len(found) for place in sample.places)],
        rights=[*sample.rights, *sample.rights],
        names=replace(sample.names, **{part: value.reshape(-1, *value.shape[2:]) for part, value in names.items()}),
        real=np.tile(sample.real, 2),
        windows=np.tile(sample.windows, (2, 1)),
    )
    both = deduplicate(*_judged(judge, again), ACCEPT)
    assert len(kept) > 15 and abs(len(both) - len(kept)) <= 1
    assert len({n % count for n in both}) == len(both), "none counts twice"


def _judged(judge: RelationModel, finds: ClassifiedDetections) -> tuple[np.ndarray, np.ndarray]:
    judged = judge.score(finds)
    return judged.kept, judged.same


@pytest.mark.parametrize("step", [0.2, 0.25, 0.4])
def test_cards_of_one_face_in_a_tight_row_are_all_counted(step: float) -> None:
    """The next card's index lies as near as a second find of the same one may."""
    deck, five = draw_deck("row", 11), Face("5", "S")
    row = [
        SceneCard(deck, five, deck.faces[five][0], (place - 2) * step * CARD_MM, 0.0, 0.0, 0, "meld", "row")
        for place in range(5)
    ]
    rng = np.random.default_rng(4)
    table = draw_table(rng, [deck], (1000, 700), card_pixels=150, max_tilt=0.0, clean=True, cards=row)
    assert len(table.cards) == 5
    reading = load_reader().read(Frame(table.picture, datetime.now(UTC), "row"))
    assert [str(card.face) for card in reading.cards] == ["5S"] * 5
