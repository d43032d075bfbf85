"""Reading under the house's rules: what they change, and what they must leave alone."""

from __future__ import annotations

from scorer.faces import Face
from vision.doubts import Doubt
from vision.groups.rule_prior import apply_rule_prior
from vision.values import HouseRules, SeenCard

STEP = 40.0


def row(*cards: SeenCard, x: float = 50.0, y: float = 50.0) -> list[SeenCard]:
    """The cards side by side, each on the one before."""
    laid = []
    for i, card in enumerate(cards):
        left, right = x + STEP * i, x + STEP * i + 120
        quad = ((left, y), (right, y), (right, y + 168), (left, y + 168))
        laid.append(SeenCard(card.face, card.confidence, card.others, quad, card.doubt))
    return laid


def card(text: str, confidence: float = 0.99, doubt: str | None = None, **others: float) -> SeenCard:
    """A card; others such as ``_8H=0.3`` are what it may also be."""
    ranked = tuple((Face.parse(name[1:]), share) for name, share in others.items())
    return SeenCard(Face.parse(text), confidence, ranked, ((0.0, 0.0),) * 4, doubt)


def unsure(text: str, confidence: float = 0.6, **others: float) -> SeenCard:
    return card(text, confidence, Doubt.LOW_CONFIDENCE, **others)


EIGHTS = [card("8H"), card("8S"), card("8D"), card("8C"), card("8S")]


def test_an_unsure_card_among_eights_is_an_eight_and_says_so() -> None:
    cards, groups = apply_rule_prior(row(*EIGHTS[:3], unsure("3H", _8H=0.35), *EIGHTS[3:]), HouseRules())
    assert [str(one.face) for one in cards] == ["8H", "8S", "8D", "8H", "8C", "8S"]
    assert cards[3].doubt == Doubt.DECIDED_BY_RULES
    assert cards[3].others[0] == (Face.parse("3H"), 0.6)
    assert [(group.kind, group.rank, len(group.cards)) for group in groups] == [("meld", "8", 6)]


def test_an_unsure_card_at_a_melds_end_is_of_its_rank() -> None:
    cards, groups = apply_rule_prior(row(*EIGHTS, unsure("3H", _8H=0.3)), HouseRules())
    assert (str(cards[5].face), cards[5].doubt) == ("8H", Doubt.DECIDED_BY_RULES)
    assert len(groups) == 1


def test_a_card_that_only_touches_a_meld_becomes_no_wild_of_it() -> None:
    beside = row(unsure("3H", _2H=0.3), x=50 + 4 * STEP + 122)
    cards, _ = apply_rule_prior([*row(*EIGHTS), *beside], HouseRules())
    assert (str(cards[5].face), cards[5].doubt) == ("3H", Doubt.LOW_CONFIDENCE)


def test_a_sure_card_that_breaks_a_rule_stays() -> None:
    cards, groups = apply_rule_prior(row(*EIGHTS[:3], card("3H", 0.99, _8H=0.3), *EIGHTS[3:]), HouseRules())
    assert str(cards[3].face) == "3H"
    assert Doubt.ODD_ONE_OUT in {group.doubt for group in groups}


def test_what_the_reader_never_saw_is_not_made_up() -> None:
    cards, _ = apply_rule_prior(row(*EIGHTS[:3], unsure("3H", _5H=0.3, _8H=0.01), *EIGHTS[3:]), HouseRules())
    assert str(cards[3].face) == "3H"


def test_more_copies_than_the_packs_hold_are_another_suit_or_doubted() -> None:
    house = HouseRules(copies={Face.parse("8S"): 1, Face.parse("8C"): 2})
    cards, _ = apply_rule_prior(row(card("8S"), unsure("8S", _8C=0.4), card("8H")), house)
    assert [str(one.face) for one in cards] == ["8S", "8C", "8H"]
    assert cards[1].doubt == Doubt.DECIDED_BY_RULES
    cards, _ = apply_rule_prior(row(card("8S", 0.999), card("8S", 0.98), card("8H")), house)
    assert [one.doubt for one in cards] == [None, Doubt.TOO_MANY_COPIES, None]


def test_where_the_other_suit_is_used_up_too_the_card_is_doubted() -> None:
    house = HouseRules(copies={Face.parse("8S"): 1, Face.parse("8C"): 1})
    cards, _ = apply_rule_prior(row(card("8S"), unsure("8S", _8C=0.4), card("8C")), house)
    assert str(cards[1].face) == "8S"
    assert cards[1].doubt == Doubt.LOW_CONFIDENCE


def test_no_cards_are_no_groups() -> None:
    assert apply_rule_prior([], HouseRules()) == ([], ())
