"""The rule prior: what the rules correct, and what they must leave alone."""

from __future__ import annotations

import pytest

from scorer.faces import Face
from vision.doubts import Doubt
from vision.groups.rule_prior import apply_rule_prior
from vision.values import HouseRules, SeenCard

STEP = 40.0


def row(*cards: SeenCard, x: float = 50.0, y: float = 50.0) -> list[SeenCard]:
    """The cards in a row, each on the one before."""
    laid = []
    for i, card in enumerate(cards):
        left, right = x + STEP * i, x + STEP * i + 120
        quad = ((left, y), (right, y), (right, y + 168), (left, y + 168))
        laid.append(SeenCard(card.face, card.confidence, card.others, quad, card.doubt))
    return laid


def card(text: str, confidence: float = 0.99, doubt: str | None = None, **others: float) -> SeenCard:
    """A card; keywords such as ``_8H=0.3`` are its other faces."""
    ranked = tuple((Face.parse(name[1:]), share) for name, share in others.items())
    return SeenCard(Face.parse(text), confidence, ranked, ((0.0, 0.0),) * 4, doubt)


def doubtful(text: str, confidence: float = 0.6, **others: float) -> SeenCard:
    return card(text, confidence, Doubt.LOW_CONFIDENCE, **others)


EIGHTS = [card("8H"), card("8S"), card("8D"), card("8C"), card("8S")]


def test_a_doubtful_card_among_eights_becomes_a_marked_eight() -> None:
    cards, groups = apply_rule_prior(row(*EIGHTS[:3], doubtful("3H", _8H=0.35), *EIGHTS[3:]), HouseRules())
    assert [str(one.face) for one in cards] == ["8H", "8S", "8D", "8H", "8C", "8S"]
    assert cards[3].doubt == Doubt.DECIDED_BY_RULES
    assert cards[3].others[0] == (Face.parse("3H"), 0.6)
    assert [(group.kind, group.rank, len(group.cards)) for group in groups] == [("meld", "8", 6)]


def test_a_doubtful_card_at_the_end_of_a_meld_takes_its_rank() -> None:
    cards, groups = apply_rule_prior(row(*EIGHTS, doubtful("3H", _8H=0.3)), HouseRules())
    assert (str(cards[5].face), cards[5].doubt) == ("8H", Doubt.DECIDED_BY_RULES)
    assert len(groups) == 1


def test_a_card_that_only_touches_a_meld_does_not_become_its_wild() -> None:
    beside = row(doubtful("3H", _2H=0.3), x=50 + 4 * STEP + 122)
    cards, _ = apply_rule_prior([*row(*EIGHTS), *beside], HouseRules())
    assert (str(cards[5].face), cards[5].doubt) == ("3H", Doubt.LOW_CONFIDENCE)


def test_a_certain_card_that_breaks_a_rule_stays() -> None:
    cards, groups = apply_rule_prior(row(*EIGHTS[:3], card("3H", 0.99, _8H=0.3), *EIGHTS[3:]), HouseRules())
    assert str(cards[3].face) == "3H"
    assert Doubt.ODD_ONE_OUT in {group.doubt for group in groups}


@pytest.mark.parametrize("doubt", [Doubt.PERHAPS_ANOTHER, Doubt.TOO_MANY_COPIES])
def test_a_doubt_about_its_company_leaves_a_card_its_face(doubt: Doubt) -> None:
    among_eights = row(*EIGHTS[:3], card("3H", 0.999, doubt, _8H=0.3), *EIGHTS[3:])
    cards, _ = apply_rule_prior(among_eights, HouseRules())
    assert (str(cards[3].face), cards[3].doubt) == ("3H", doubt)
    one_too_many = row(card("8S"), card("8S", 0.98, doubt, _8C=0.4), card("8H"))
    cards, _ = apply_rule_prior(one_too_many, HouseRules(copies={Face.parse("8S"): 1, Face.parse("8C"): 2}))
    assert [(str(one.face), one.doubt) for one in cards] == [("8S", None), ("8S", doubt), ("8H", None)]


def test_a_face_that_the_reader_finds_unlikely_is_not_used() -> None:
    cards, _ = apply_rule_prior(row(*EIGHTS[:3], doubtful("3H", _5H=0.3, _8H=0.01), *EIGHTS[3:]), HouseRules())
    assert str(cards[3].face) == "3H"


def test_surplus_copies_become_another_suit_or_get_a_doubt() -> None:
    house_rules = HouseRules(copies={Face.parse("8S"): 1, Face.parse("8C"): 2})
    cards, _ = apply_rule_prior(row(card("8S"), doubtful("8S", _8C=0.4), card("8H")), house_rules)
    assert [str(one.face) for one in cards] == ["8S", "8C", "8H"]
    assert cards[1].doubt == Doubt.DECIDED_BY_RULES
    cards, _ = apply_rule_prior(row(card("8S", 0.999), card("8S", 0.98), card("8H")), house_rules)
    assert [one.doubt for one in cards] == [None, Doubt.TOO_MANY_COPIES, None]


def test_a_surplus_copy_keeps_its_face_where_the_other_suit_is_used_up() -> None:
    house_rules = HouseRules(copies={Face.parse("8S"): 1, Face.parse("8C"): 1})
    cards, _ = apply_rule_prior(row(card("8S"), doubtful("8S", _8C=0.4), card("8C")), house_rules)
    assert str(cards[1].face) == "8S"
    assert cards[1].doubt == Doubt.LOW_CONFIDENCE


def test_no_cards_give_no_groups() -> None:
    assert apply_rule_prior([], HouseRules()) == ([], ())


SAMBA = HouseRules(runs=("4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"))


def test_cards_in_a_row_of_ranks_become_a_run_of_the_suit_that_each_may_have() -> None:
    cards = row(card("5C", _5S=0.2), card("6S", _6C=0.35), card("7C", _7S=0.45), card("8S"), card("9S"))
    read, (found,) = apply_rule_prior(cards, SAMBA)
    assert found.kind == "run"
    assert [(str(one.face), one.doubt) for one in read] == [
        ("5S", Doubt.SUIT_UNSURE),
        ("6S", None),
        ("7S", Doubt.SUIT_UNSURE),
        ("8S", None),
        ("9S", None),
    ]
    assert [str(one.face) for one in apply_rule_prior(cards, HouseRules())[0]] == ["5C", "6S", "7C", "8S", "9S"]


@pytest.mark.parametrize(
    "cards",
    [
        [card("5C", _5S=0.02), card("6S"), card("7S"), card("8S")],
        [card("5C", _5S=0.2), card("6S"), card("8S"), card("9S")],
        [card("5C", _5S=0.2), card("6C", _6S=0.2), card("7S"), card("8S")],
    ],
    ids=["another suit is unlikely", "a gap", "half of the cards"],
)
def test_other_cards_in_hand_keep_their_suits(cards: list[SeenCard]) -> None:
    read, (found,) = apply_rule_prior(row(*cards), SAMBA)
    assert found.kind == "hand" and [one.face for one in read] == [one.face for one in cards]
