"""How far looks are believed: doubts that they end and set, ranks that they mend, and what leaves a reading alone."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from models.evaluate.households import Household, agreed
from scorer.faces import JOKER, Face
from vision.detect.trace import Trace
from vision.doubts import Doubt
from vision.engines.load import load_trust
from vision.looks.labelling import agreed_looks
from vision.looks.looks import Looks, SeenIndices, joined
from vision.looks.trust import FIGURES, OUTCOMES, Trust
from vision.reader import CardReader, load_reader
from vision.values import Frame, Reading, SeenCard


@pytest.fixture(scope="module")
def reader() -> CardReader:
    return load_reader()


@pytest.fixture(scope="module")
def rounds(reader: CardReader) -> tuple[Looks, Frame, Reading, Trace]:
    """The looks of three agreed rounds, and the fourth as it is read without them."""
    household = Household(draw_deck("d", 3), (1280, 960), 110.0, 0.1, (1, 1))
    known: list[Looks] = []
    for number, table in enumerate(islice(household.rounds(), 4)):
        frame = Frame(table.picture, datetime.now(UTC), "round")
        reading, trace = reader.read_traced(frame)
        assert trace.scored is not None
        if number == 3:
            looks = joined(known)
            assert looks is not None
            return looks, frame, reading, trace
        seen = SeenIndices.of(trace.scored, trace.networks)
        known.insert(0, agreed_looks(seen, *agreed(reading, table, np.random.default_rng(number))))
    raise AssertionError


def likely(card: SeenCard, face: str, confidence: float, doubt: Doubt | None = None) -> SeenCard:
    return SeenCard(Face.parse(face), confidence, card.others, card.quad, doubt, card.corners)


def known_card(rounds: tuple[Looks, Frame, Reading, Trace]) -> SeenCard:
    """A sure card whose rank the looks have seen."""
    looks, _, _, trace = rounds
    seen = {looks.ranks[label] for label in looks.labels if label >= 0}
    return max(
        (card for card in trace.paired if card.face != JOKER and card.face.rank in seen),
        key=lambda card: card.confidence,
    )


def weighed(rounds: tuple[Looks, Frame, Reading, Trace], card: SeenCard) -> SeenCard:
    looks, _, _, trace = rounds
    trust = load_trust()
    assert trust is not None and trace.scored is not None
    return trust.applied([card], trace.scored, looks)[0]


def test_looks_end_the_doubt_about_a_card_they_know(rounds: tuple[Looks, Frame, Reading, Trace]) -> None:
    card = known_card(rounds)
    after = weighed(rounds, likely(card, str(card.face), 0.98, Doubt.LOW_CONFIDENCE))
    assert after.doubt is None and after.face == card.face


def test_looks_doubt_a_sure_card_that_shows_another_rank(rounds: tuple[Looks, Frame, Reading, Trace]) -> None:
    card = known_card(rounds)
    wrong = "4" if card.face.rank != "4" else "9"
    after = weighed(rounds, likely(card, f"{wrong}{card.face.suit}", 0.9))
    assert after.doubt == Doubt.LOW_CONFIDENCE
    assert after.face == card.face or card.face in dict(after.others)


def test_jokers_stay_as_they_were_read(rounds: tuple[Looks, Frame, Reading, Trace]) -> None:
    joker = likely(known_card(rounds), "JK", 0.7, Doubt.LOW_CONFIDENCE)
    assert weighed(rounds, joker) == joker


@pytest.mark.by_hand
def test_without_looks_or_with_those_of_other_networks_a_reading_is_as_before(
    reader: CardReader, rounds: tuple[Looks, Frame, Reading, Trace]
) -> None:
    looks, frame, before, trace = rounds
    others = Looks("other networks", looks.ranks, looks.labels, looks.embeddings)
    none = Looks(trace.networks, looks.ranks, looks.labels[:0], looks.embeddings[:0])
    for given in (None, others, none):
        assert reader.read(frame, looks=given).cards == before.cards
    assert reader.read(frame, looks=looks).cards != before.cards


def test_weights_of_another_size_are_refused() -> None:
    with pytest.raises(ValueError, match="reshape"):
        Trust([0.0] * OUTCOMES * FIGURES)
