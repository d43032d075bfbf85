"""What a reader is told of the decks in play, and what it makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

import numpy as np
import pytest

from scorer.faces import JOKER, Face
from tests.vision.recognise.heads import head_of
from tests.webui.decks.pictures import picture, pictures
from vision.arrays import Floats, floats
from vision.detect.detections import ROI_EMBEDDING, Detections, RefinedDetections
from vision.reader import CardReader, LearntDecks
from vision.recognise.deck_head import DeckHead
from vision.recognise.roi_head import OnnxRoiHead
from vision.rescore.pair_features import NEIGHBOURS
from vision.rescore.relations import Relations
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import Frame, SeenCard
from webui.decks.picture_cards import PictureCards
from webui.decks.taught import TaughtDecks

FRAME = Frame(np.full((300, 400, 3), 90, np.uint8), datetime.now(UTC), "table")
QUAD = floats([[[40, 30], [140, 30], [140, 170], [40, 170]]])
STANDARD, LEARNED = Face("8", "C"), Face("LADY")


class One:
    """Detector, RoI head and session of relations in one: they find one index, and are sure of it."""

    def detect(self, pixels: object, scale: float) -> Detections:
        return Detections(floats([[42, 32, 60, 70]]), floats([0.9]), QUAD)

    def look(self, levels: object, detections: Detections) -> RefinedDetections:
        seen = np.eye(1, ROI_EMBEDDING, dtype=np.float32)
        return RefinedDetections.extend(
            self.detect(None, 1.0), p_index=floats([0.99]), right_logit=floats([-9]), embedding=seen
        )

    def run(self, names: object, inputs: dict[str, Any]) -> list[Floats]:
        each, pairs = np.full(len(inputs["told"]), 5, np.float32), np.zeros((len(inputs["told"]), NEIGHBOURS))
        return [each, floats(pairs), floats(each / 5), floats(pairs)]


@dataclass
class Told:
    """What was taught of ``decks``, and what it was asked: to weigh cards, or to find more with these ``jokers``."""

    decks: frozenset[str]
    pictured: frozenset[str]
    weighed: list[Face] = field(default_factory=list)
    jokers: list[list[Face]] = field(default_factory=list)

    @property
    def likeness(self) -> Any:
        told = self

        class Likeness:
            def applied(self, pixels: object, detections: object, cards: list[SeenCard]) -> Any:
                told.weighed += [card.face for card in cards]
                return cards, []

        return Likeness()

    def applied(self, pixels: object, found: object, cards: list[SeenCard], jokers: list[SeenCard]) -> list[SeenCard]:
        self.jokers.append([card.face for card in jokers])
        return cards


def named(face: Face) -> DeckHead:
    return head_of([face], np.eye(1, ROI_EMBEDDING, dtype=np.float32))


def reader_of(learnt: DeckHead | None = None) -> CardReader:
    one: Any = One()
    both, own = frozenset({"ours", "ladies"}), frozenset({"ladies"})
    relations = Relations(one, (0.0, 1.0, 0.2), (1.0, 0.8, 2.0))
    return CardReader(
        one,
        cast(OnnxRoiHead, one),
        named(STANDARD),
        relations,
        learnt=LearntDecks(learnt, both, own) if learnt else None,
    )


def read(reader: CardReader, told: Told) -> list[Face]:
    return [card.face for card in reader.read(FRAME, taught=cast(TaughtFaces, told)).cards]


def test_a_reader_is_told_of_the_household_s_decks_and_of_no_others(decks: TaughtDecks) -> None:
    decks.add("Ours", "standard", pictures([JOKER]))
    decks.add("Plain", "standard", pictures([Face("8", "C")]))
    cards = PictureCards(decks)
    assert cards.of(["standard"]) is None
    ours, plain, both = (cards.of(ids) for ids in (["ours", "standard"], ["plain"], ["ours", "plain"]))
    assert ours is not None and plain is not None and both is not None
    assert [set(one.decks) for one in (ours, plain, both)] == [{"ours", "standard"}, {"plain"}, {"ours", "plain"}]
    assert cards.of(["ours", "standard"]) is ours, "kept"
    decks.add_picture("ours", JOKER, picture("old joker"))
    assert cards.of(["ours", "standard"]) is not ours
    table = np.full((200, 300, 3), 90, np.uint8)
    assert plain.applied(table, [], []) == [], "numbers are looked for by the networks alone"


@pytest.mark.parametrize(
    ("decks", "face", "weighed", "jokers"),
    [
        (["standard"], STANDARD, [], [[]]),
        (["other"], STANDARD, [], [[]]),
        (["other", "ours"], STANDARD, [], [[LEARNED]]),
        (["other", "ladies"], LEARNED, [LEARNED], [[]]),
        (["ladies", "ours"], LEARNED, [LEARNED], []),
    ],
)
def test_what_was_learned_names_all_cards_of_a_deck_with_other_faces_and_jokers_of_others(
    decks: list[str], face: Face, weighed: list[Face], jokers: list[list[Face]]
) -> None:
    told = Told(frozenset(decks), frozenset(decks))
    assert read(reader_of(named(LEARNED)), told) == [face]
    assert (told.weighed, told.jokers) == (weighed, jokers)


def test_what_was_learned_is_set_aside_where_it_fails_and_reading_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    class Failing(DeckHead):
        def classify(self, embeddings: Floats) -> tuple[Floats, Floats]:
            raise FloatingPointError("no numbers")

    bad = Failing(named(LEARNED).vocabulary, named(LEARNED).ranks)
    reader, told = reader_of(bad), Told(frozenset({"ladies"}), frozenset({"ladies"}))
    assert read(reader, told) == read(reader, told) == [STANDARD]
    assert caplog.text.count("what was learned of ladies, ours fails and is set aside") == 1
    reader = reader_of()
    reader.warm()
    assert read(reader, told) == [STANDARD]
