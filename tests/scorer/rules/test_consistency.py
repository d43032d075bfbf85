"""Rule sets that contradict their deck or themselves are refused with key, value and what was expected."""

from __future__ import annotations

import copy
import tomllib
from typing import Any

import pytest
from pydantic import ValidationError

from scorer.data import error_sentence
from scorer.rules import rules_file
from scorer.rules.rule_set import RuleSet

GOLDEN = tomllib.loads(rules_file("golden-games").read_text(encoding="utf-8"))
HAND_N_FOOT = tomllib.loads(rules_file("hand-n-foot").read_text(encoding="utf-8"))


def changed(parts: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """A copy with one value changed (``books.clean``), or taken out where it is None."""
    parts = copy.deepcopy(parts)
    place = parts
    *way, last = key.split(".")
    for step in way:
        place = place.setdefault(step, {})
    if value is None:
        del place[last]
    else:
        place[last] = value
    return parts


def refusal(parts: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as refused:
        RuleSet.model_validate(parts)
    return error_sentence(refused.value, RuleSet)


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("wild_ranks", ["2", "JK", "8"], "wild_ranks: expected ranks of 2, JK, got 8"),
        ("wild_ranks", ["2", "2", "JK"], "wild_ranks: expected each rank once, got 2 more often"),
        ("never_melded", ["3", "2"], "never_melded: expected ranks of A, 3, 4, 5, 6, 7, 8, 9, 10, J, Q, K, got 2"),
        ("laid", ["red 3", "JK"], "laid: expected no wild, got JK"),
        ("laid", ["red 13"], 'laid: expected a card of the deck such as "8" or "red 3", got "red 13"'),
        (
            "laid_sets",
            [{"cards": ["8"], "count": 2, "points": 5}],
            "laid_sets[0].cards: expected cards of laid, got 8C, 8D, 8H, 8S",
        ),
        ("book_size", None, "book_size: expected this key, got nothing"),
        ("book_size", 2, "book_size: expected melds.least_cards (3) or more, got 2"),
        ("book_size", 0, "book_size: expected 1 or more, got 0"),
        ("melds.most_cards", 6, "melds.most_cards: expected book_size (7) or more, got 6"),
        ("melds.most_cards_with_wilds", 6, "melds.most_cards_with_wilds: expected book_size (7) or more, got 6"),
        ("melds.least_naturals", 8, "melds.least_naturals: expected book_size (7) or less, got 8"),
        ("melds.naturals_per_wild", -1, "melds.naturals_per_wild: expected 0 or more, got -1"),
        ("hand_by_players", {2: 0}, "hand_by_players: expected numbers of 1 or more, got 2 = 0"),
        ("books.clean", -700, "books.clean: expected 0 or more, got -700"),
        (
            "books.of_ranks",
            [{"ranks": ["2"], "clean": 5}],
            "books.of_ranks: expected ranks of A, 4, 5, 6, 7, 8, 9, 10, J, Q, K, got 2",
        ),
        (
            "books.of_ranks",
            [{"ranks": ["7"], "clean": 1}, {"ranks": ["7"], "dirty": 2}],
            "books.of_ranks: expected each rank once, got 7 more often",
        ),
        ("books.of_ranks", [{"ranks": ["7"]}], "books.of_ranks[0]: expected clean, dirty or both, got neither"),
        (
            "cap",
            {"cards": ["8"], "points": 100, "books": ["clean"]},
            "cap.cards: expected a card of never_melded, which no meld is made of, got 8C",
        ),
        (
            "cap",
            {"cards": ["3"], "points": 100, "books": ["red"]},
            "cap.books[0]: expected 'clean', 'dirty' or 'wild', got \"red\"",
        ),
        ("going_out.books", [], "going_out.books: expected 1 or more, got []"),
        (
            "going_out.books",
            [{"from_round": 2, "clean": 1}],
            "going_out: books: expected a first entry without from_players",
        ),
        (
            "going_out.books",
            [{"from_players": 4, "clean": 1}],
            "going_out: books: expected a first entry without from_players",
        ),
        ("seatings", [{"sides": [2]}], "seatings[0].sides: expected 2 or more, got [2]"),
        ("seatings", [{"sides": [2, 0]}], "seatings[0]: sides: expected 1 player or more on each side, got [2, 0]"),
        ("seatings", [{"sides": [2, 2], "floater": [3]}], "seatings[0]: floater: expected sides from 1 to 2, got 3"),
        ("seatings", [{"sides": [2, 2]}, {"sides": [2, 2]}], "seatings: expected each once, got one twice"),
        ("least_players", 3, "least_players: expected none beside seatings, got 3"),
        ("hand_cards", [13, 0], "hand_cards: expected 1 card or more, got 0"),
        ("packs", {}, "packs: expected fixed, per_player or by_players of 1 or more, got none"),
        ("packs", {"by_players": {"4": 0}}, "packs: by_players: expected numbers of 1 or more, got 4 = 0"),
        ("packs", {"by_players": {"four": 2}}, "packs.by_players.four"),
        ("rounds", {"fixed": -4}, "rounds.fixed: expected 0 or more, got -4"),
        ("first_meld", {}, "first_meld: expected either by_round or by_score, got neither"),
        (
            "first_meld",
            {"by_round": [50], "by_score": [{"points": 50}]},
            "first_meld: expected either by_round or by_score, got both",
        ),
        (
            "first_meld",
            {"by_score": [{"points": 50}], "step": 20},
            "first_meld: step: expected none beside by_score, got 20",
        ),
        (
            "first_meld",
            {"by_score": [{"least": 0, "points": 50}]},
            "first_meld: by_score: expected a first entry without least",
        ),
        (
            "first_meld",
            {"by_score": [{"points": 50}, {"points": 60}]},
            "first_meld: by_score: expected a first entry without least",
        ),
        (
            "first_meld",
            {"by_score": [{"points": 50}, {"least": 9, "points": 60}, {"least": 9, "points": 70}]},
            "then least growing from entry to entry",
        ),
        ("first_meld", {"by_round": [50, -90]}, "first_meld.by_round[1]: expected 0 or more, got -90"),
        (
            "event",
            {"format": "teams", "prizes": ["gold"]},
            "event.games: expected the number of games of an event of teams, got none",
        ),
        (
            "event",
            {"format": "league", "prizes": ["gold"]},
            "event.format: expected 'teams' or 'moving-partners', got \"league\"",
        ),
        (
            "starts.then",
            "somehow",
            "starts.then: expected 'the next player clockwise' or 'drawn again', got \"somehow\"",
        ),
        ("deck", "tarot", "deck: expected a deck, one of hand-n-foot, remastered, standard, got 'tarot'"),
        ("name", "", "name: "),
        ("source", "", "source: "),
        ("target", 0, "target: expected 1 or more, got 0"),
        ("hands_in_set", 0, "hands_in_set: expected 1 or more, got 0"),
        ("points", [{"cards": ["4"], "played": 5, "left": 5}], "points[0].left: expected 0 or less, got 5"),
        ("colour", "red", "colour: unknown key, expected one of id, name, source,"),
        ("melds.wilds", 3, "melds.wilds: unknown key, expected one of least_cards,"),
        ("jokers", -1, "jokers: expected 0 or more, got -1"),
        ("jokers", 0, "wild_ranks: expected no jokers, as the packs have none, got JK"),
        ("jokers", 0, "points[3].cards: expected no jokers, as the packs have none, got JK"),
        ("melds.clean_a_rank", 0, "melds.clean_a_rank: expected 1 or more, got 0"),
        (
            "melds",
            {"most_wilds": 3, "one_a_rank": True, "dirty_a_rank": 1},
            "melds.dirty_a_rank: expected none beside one_a_rank, got 1",
        ),
        ("laid_if", {"all": 1, "cards": ["black 3"]}, "laid_if.cards: expected cards of laid, got 3C, 3S"),
        ("laid_if", {"all": 1, "cards": ["B3"]}, 'laid_if.cards: expected a card of the deck such as "8" or "red 3"'),
    ],
)
def test_a_wrong_value_is_refused_with_its_key(key: str, value: Any, sentence: str) -> None:
    assert sentence in refusal(changed(GOLDEN, key, value))


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("books.wild", None, "cap.books: expected books that these rules have, got wild"),
        ("wild_ranks", [], "melds.most_wilds: expected 0, as no rank is wild, got 3"),
        ("wild_ranks", [], "books.wild: expected none, as no rank is wild, got 2000"),
        ("laid_needs", "meld", "laid_needs: expected none, as no card is laid, got meld"),
        ("going_out.laid_for_books", True, "going_out.laid_for_books: expected no, as no card is laid, got yes"),
        ("jokers", 4, "jokers: expected none, as the deck has no jokers, got 4"),
        ("cap.most", 0, "cap.most: expected 1 or more, got 0"),
        ("points", [], "points: expected the points of 1 once, got them 0 times"),
    ],
)
def test_a_wrong_value_of_the_other_deck_is_refused(key: str, value: Any, sentence: str) -> None:
    assert sentence in refusal(changed(HAND_N_FOOT, key, value))


def test_a_required_book_that_cannot_be_made_is_refused() -> None:
    parts = changed(changed(GOLDEN, "books.wild", None), "going_out.books", [{"wild": 1}])
    assert refusal(parts) == "going_out.books[0].wild: expected 0, as these rules have no wild book, got 1"
    RuleSet.model_validate(changed(GOLDEN, "going_out.books", [{"wild": 1}]))


@pytest.mark.parametrize(
    ("parts", "key", "value", "sentence"),
    [
        (GOLDEN, "wild_ranks", ["JK", "2", "JK", "2"], "wild_ranks: expected each rank once, got 2, JK more often"),
        (
            GOLDEN,
            "never_melded",
            ["3", "2", "JK"],
            "never_melded: expected ranks of A, 3, 4, 5, 6, 7, 8, 9, 10, J, Q, K, got 2, JK",
        ),
        (GOLDEN, "hand_cards", [13, 0], "hand_cards: expected 1 card or more, got 0"),
        (GOLDEN, "seatings", [{"sides": [2, 2]}] * 2, "seatings: expected each once, got one twice"),
        (GOLDEN, "event.games", None, "event.games: expected the number of games of an event of teams, got none"),
        (
            HAND_N_FOOT,
            "cap.cards",
            ["JACK"],
            'cap.cards: expected a card of the deck such as "8" or "red 3", got "JACK"',
        ),
        (
            HAND_N_FOOT,
            "books.wild",
            None,
            "first_meld.wilds_alone: expected no, as these rules have no wild book, got yes; "
            "cap.books: expected books that these rules have, got wild",
        ),
    ],
)
def test_the_whole_error_sentence(parts: dict[str, Any], key: str, value: Any, sentence: str) -> None:
    assert refusal(changed(parts, key, value)) == sentence


def test_an_error_sentence_is_one_line_whatever_the_value() -> None:
    assert refusal(changed(GOLDEN, "wild_ranks", ["a\nb"])) == "wild_ranks: expected ranks of 2, JK, got a b"


def test_rules_without_any_meldable_rank_are_refused() -> None:
    parts = changed(GOLDEN, "never_melded", ["A", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"])
    parts = changed(parts, "books.of_ranks", [{"ranks": ["7"], "clean": 1}])
    assert refusal(parts) == "books.of_ranks: expected ranks of none, got 7"


def test_all_contradictions_are_reported_at_once() -> None:
    parts = changed(changed(GOLDEN, "book_size", 2), "least_players", 3)
    assert refusal(parts) == (
        "book_size: expected melds.least_cards (3) or more, got 2; least_players: expected none beside seatings, got 3"
    )


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hand_cards", [1]),
        ("melds.most_cards", 7),
        ("melds.most_cards_with_wilds", 7),
        ("melds.least_naturals", 7),
        ("book_size", 3),
        ("laid_needs", "book"),
        ("laid_sets", [{"cards": ["red 3"], "count": 1, "points": -5}]),
        ("cap", {"cards": ["black 3"], "points": 100, "books": ["wild"]}),
    ],
)
def test_a_consistent_rule_set_is_accepted(key: str, value: Any) -> None:
    RuleSet.model_validate(changed(GOLDEN, key, value))
