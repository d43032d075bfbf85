"""What a reader of standard cards says of other decks is doubted, and never a sure guess."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer.deck import load_deck
from scorer.faces import Face
from vision.doubts import DOUBT, Doubt
from vision.groups.faces_in_play import in_play
from vision.groups.merge_photos import combined
from vision.groups.rule_prior import apply_rule_prior
from vision.values import HouseRules, Quad, SeenCard


def card(text: str, *others: tuple[str, float], confidence: float = 0.999, x: float = 0.0) -> SeenCard:
    quad: Quad = ((x, 0.0), (x + 60, 0.0), (x + 60, 90.0), (x, 90.0))
    return SeenCard(Face.parse(text), confidence, tuple((Face.parse(face), share) for face, share in others), quad)


def faces(deck: str) -> frozenset[Face]:
    return frozenset(load_deck(deck).faces)


def test_a_face_of_the_decks_stays_as_it_is() -> None:
    cards = [card("8H", ("9H", 0.1)), card("JK")]
    assert in_play(cards, faces("standard")) == cards
    assert in_play(cards, frozenset()) == cards


@pytest.mark.parametrize("deck", ["hand-n-foot", "remastered"])
def test_what_looks_like_a_joker_is_an_unknown_card(deck: str) -> None:
    """A Lord and a Jester were sure jokers."""
    (found,) = in_play([card("JK", ("8H", 0.001))], faces(deck))
    assert found.doubt == Doubt.UNKNOWN_FACE and found.confidence == 0
    assert found.others == ((Face("8"), 0.001),)


def test_a_rank_without_suits_is_taken_and_doubted() -> None:
    (found,) = in_play([card("8H", ("8D", 0.2), ("9H", 0.1), ("KS", 0.05))], faces("hand-n-foot"))
    assert (str(found.face), found.doubt) == ("8", Doubt.LOW_CONFIDENCE) and found.confidence < DOUBT
    assert found.others == ((Face("9"), 0.1),)


@pytest.mark.parametrize(("read", "meant"), [("3H", "R3"), ("3D", "R3"), ("3S", "B3"), ("3C", "B3")])
def test_a_three_without_suits_is_known_by_its_color(read: str, meant: str) -> None:
    (found,) = in_play([card(read)], faces("remastered"))
    assert (str(found.face), found.doubt) == (meant, Doubt.LOW_CONFIDENCE)


@pytest.mark.parametrize("read", ["2H", "JK"])
def test_a_two_is_no_wild_of_another_kind(read: str) -> None:
    (found,) = in_play([card(read)], faces("remastered"))
    assert found.doubt == Doubt.UNKNOWN_FACE


def test_no_rule_makes_an_unknown_card_known_and_threes_lie_together() -> None:
    rules = HouseRules(frozenset({"W20", "W50"}), threes=frozenset({"3", "R3", "B3"}), faces=faces("remastered"))
    row = [card("8H", x=0), card("8S", x=40), card("JK", ("8D", 0.4), x=80), card("8C", x=120)]
    cards, _ = apply_rule_prior(row, rules)
    assert [found.doubt for found in cards].count(Doubt.UNKNOWN_FACE) == 1
    _, groups = apply_rule_prior([card("3H", x=0), card("3D", x=40)], rules)
    assert [group.kind for group in groups] == ["threes"]


def test_looks_that_differ_leave_a_face_of_no_deck_unknown() -> None:
    unknown = replace(card("JK"), doubt=Doubt.UNKNOWN_FACE, confidence=0.0)
    assert combined([unknown, unknown]).doubt == Doubt.UNKNOWN_FACE
    both = combined([unknown, unknown, replace(card("8"), doubt=Doubt.LOW_CONFIDENCE, confidence=0.01)])
    assert both.doubt == (Doubt.UNKNOWN_FACE if str(both.face) == "JK" else Doubt.LOOKS_DIFFER)
    assert combined([unknown, card("8")]).face == Face("8")
