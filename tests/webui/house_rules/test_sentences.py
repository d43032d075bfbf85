"""The sentences about a rule set: no field is passed over, and they say what the printed sheets say."""

from __future__ import annotations

import re

import pytest

from scorer.rules import RuleSet, list_rules, load_rules
from tests.webui.house_rules.changes import full_rules, leaves
from webui.house_rules.changes import changed_rules
from webui.house_rules.sentences import explain


def said(rules: RuleSet) -> list[str]:
    """All sentences."""
    return [sentence for topic in explain(rules) for sentence in topic.sentences]


def has_no_effect(place: str, rules: RuleSet, other: RuleSet) -> bool:
    """Whether a changed field changes nothing under these rules, as another one stands in its place."""
    if place == "laid_if.cards" and rules.laid_if and other.laid_if:  # all of the cards, each by its name or not
        return set(rules.laid_if.cards or rules.laid) == set(other.laid_if.cards or other.laid)
    if place.endswith(".apart"):  # books of ranks beside others, where there are not both
        needs = rules.going_out.books if place.startswith("going_out") else filter(None, [rules.laid_if])
        return not all(need.of_ranks and (need.clean or need.dirty or need.wild or need.all) for need in needs)
    if place == "going_out.points":
        return bool(rules.going_out.by_round)
    return place == "melds.naturals_more" and not rules.melds.naturals_per_wild


def test_every_field_of_a_rule_set_is_in_a_sentence() -> None:
    """Whatever one changes in a rule set, the sentences change too."""
    bases = [full_rules(), *map(load_rules, ("cutting-22", "tournament-play", "pennies-from-heaven"))]
    changed: set[str] = set()
    for rules in bases:
        before = said(rules)
        for place, other in changed_rules(rules):
            if not has_no_effect(place, rules, other):
                assert said(other) != before, f"{rules.id}: {place} is passed over"
                changed.add(place)
    assert set(leaves(RuleSet)) <= {*changed, "deck"}, "and each field was changed"
    other_deck = bases[0].model_copy(update={"deck": "hand-n-foot"})
    assert said(other_deck) != said(bases[0]), "with another deck, all the other fields would change too"


@pytest.mark.parametrize("rules", [full_rules(), *map(load_rules, list_rules())], ids=lambda rules: rules.id)
def test_the_sentences_are_plain(rules: RuleSet) -> None:
    for topic in explain(rules):
        assert topic.sentences and topic.heading
        for sentence in topic.sentences:
            assert sentence[0].isupper() or sentence[0].isdigit() or sentence[0] == "“", sentence
            assert sentence.endswith(".") and not sentence.endswith(".."), sentence
            sentence = sentence.removesuffix(f" comes from: {rules.source}.")
            assert not re.search(r"None|_|\b1 \w+s\b|  |JK|LADY|\bred threes\b", sentence), sentence


@pytest.mark.parametrize(
    ("rules_id", "sentences"),
    [
        (
            "golden-games",
            [
                "With 4 players: 2 teams of 2.",
                "You need 5 packs.",
                "Each player gets a hand of 13 cards in round 1, 15 in round 2, 17 in round 3 and 19 in round 4.",
                "Each player also gets a foot of 11 cards.",
                "Your side's first meld needs 60 points in round 1, 90 in round 2, 120 in round 3 and 150 in round 4.",
                "A clean book is worth 700 points, a dirty book 300.",
                "A wild book, all wild cards, is worth 1,500 points.",
                "Black 3s: −100 points each on the table, −100 points each left in your hand or foot.",
                "Lay red 3s on the table, beside your melds.",
                "To go out, your side needs 2 clean books and 3 dirty books.",
                "Low first meld: −500 points, when a side lays down its first meld without the required minimum.",
            ],
        ),
        (
            "tournament-play",
            [
                "You need 4 packs.",
                "Partners change, and each person keeps their own total.",
                "2 rounds make a set, and their scores are added up to one.",
                "Your side's first meld needs 50 points in hand 1 of a set and 120 in hand 2.",
                "Red 3s: 0 points each on the table, −300 points each left in your hand or foot.",
                "A meld with wild cards needs at least 1 more natural than wild cards.",
                "There are no books of wild cards alone.",
            ],
        ),
        (
            "cutting-22",
            [
                "You need 1 pack for each player and 1 more.",
                "A game has 1 round for each player.",
                "Your side's first meld needs 50 points in round 1.",
                "It goes up by 20 each round after that.",
                "Each wild card in a meld needs 2 natural cards.",
                "A meld or a dirty book can have at most 2 wild cards.",
                "To go out, your side needs 2 clean books and 2 dirty books.",
                "When you go out: the last card is played, not discarded.",
                "Cutting 22: 100 points, once for each player, when a player cuts exactly 22 cards off the draw piles.",
            ],
        ),
        (
            "hand-n-foot",
            [
                "With 5 players: 2 against 2, and one more who plays on side 1 in round 1, side 2 in round 2, side 2 "
                "in round 3 and side 1 from round 4 on.",
                "1s through 6s are worth 5 points each.",
                "Jesters and jokers are wild.",
                "Ladies: 0 points each on the table, −500 points each left in your hand or foot.",
                "Villains count nothing.",
                "You can put a lady on a finished clean or wild book; this earns 100 points.",
                "A wild book, all wild cards, is worth 2,000 points.",
                "To go out, your side needs 1 clean book and 2 dirty books.",
            ],
        ),
        (
            "tanglewood",
            [
                "With 8 players: 2 teams of 4, or 4 teams of 2.",
                "You need 1 pack for each player.",
                "4s through 9s are worth 5 points each.",
                "Black 3s are worth 5 points each.",
                "Red 3s: 0 points each on the table, −500 points each left in your hand or foot.",
                "You can bury spare cards face down on the table; they count what they are worth.",
                "To go out with 6 players or more, your side needs 3 clean books and 4 dirty books.",
                "When you go out with a partner: not all players need be in their foot.",
            ],
        ),
        (
            "american-canasta",
            [
                "The game ends when a side reaches 8,500 points.",
                "A clean meld of aces that is not a book when the round ends costs 2,500 points.",
                "Your side's first meld of a round needs 125 points as long as your total is below 3,000, 155 from "
                "3,000 on and 180 from 5,000 on.",
                "A meld of 7s can have no wild cards.",
                "To go out, your side needs 2 books of any kind.",
            ],
        ),
    ],
)
def test_the_sentences_say_what_the_sheet_says(rules_id: str, sentences: list[str]) -> None:
    told = said(load_rules(rules_id))
    assert [sentence for sentence in sentences if sentence not in told] == []


def test_a_club_that_changes_much_reads_its_rules_in_plain_sentences() -> None:
    data = load_rules("pierson-canasta").model_dump()
    data["going_out"] |= {"partners_free": True, "laid_for_books": True}
    data["melds"] |= {"clean_a_rank": 1, "dirty_a_rank": 2}
    data["laid_if"] = {"clean": 1, "laid": 2, "went_out": True}
    data["runs"] = {"ranks": ["4", "5", "6", "7", "8", "9", "10"], "most_wilds": 1, "clean": 1500, "dirty": 700}
    told = said(RuleSet.model_validate({**data, "jokers": 4}))
    for sentence in (
        "A pack has 4 jokers.",
        "Your side can have at most 1 clean meld of a rank.",
        "Your side can have at most 2 dirty melds of a rank.",
        "In a run the cards go in this order: 4, 5, 6, 7, 8, 9, 10.",
        "For red 3s laid out to count, your side needs 1 clean book, at least 2 cards laid out and to go out; "
        "if not, they count against you.",
        "To go out, your side also needs as many red 3s laid out as it has books.",
        "The side that goes out pays nothing for cards left in a partner's hand or foot.",
    ):
        assert sentence in told, [one for one in told if one[:12] == sentence[:12]]
