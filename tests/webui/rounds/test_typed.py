"""Cards typed at a stroke: what is read, and what is said of a word that cannot be."""

from __future__ import annotations

from collections import Counter

import pytest

from scorer.rules import load_rules
from webui.rounds.typed.cards import MAX_CARDS, TypedCardsError, read_cards, read_melds


def ranks(text: str, rules: str = "golden-games") -> str:
    return " ".join(card.face.rank for card in read_cards(text, load_rules(rules)))


def faces(text: str, rules: str = "golden-games") -> str:
    return " ".join(str(card.face) for card in read_cards(text, load_rules(rules)))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("8 8 8 2 jk", "8 8 8 2 JK"),
        ("8,8, 8;2  JK", "8 8 8 2 JK"),
        ("10 T t ten", "10 10 10 10"),
        ("3 jokers", "JK JK JK"),
        ("8 8 2 jokers", "8 8 JK JK"),
        ("two aces and three kings", "A A K K K"),
        ("7x8", "8 8 8 8 8 8 8"),
        ("3 x q", "Q Q Q"),
        ("2× jk", "JK JK"),
        ("4 sixes", "6 6 6 6"),
        ("2 twos", "2 2"),
        ("", ""),
        ("a k q j", "A K Q J"),
        ("1 joker, one king and 2 aces", "JK K A A"),
        ("two 4s", "4 4"),
        ("2, 4s", "2 4"),
        ("7 7 7 7s", "7 7 7 7"),
        ("a 2 jk", "A 2 JK"),
    ],
)
def test_ranks_counts_and_names_are_read(text: str, read: str) -> None:
    assert ranks(text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("8h 8s 10c th", "8H 8S 10C 10H"),
        ("8♥ 8 ♠ 10♦️", "8H 8S 10D"),
        ("8 4♠ 2 4 of spades", "8C 4S 2C 4S"),
        ("ace of hearts, queen of spades", "AH QS"),
        ("2x8h", "8H 8H"),
        ("red 3", "3D"),
        ("2 red 3s", "3D 3H"),
        ("2x red 3 2 x black 3", "3D 3H 3C 3S"),
        ("2x red 4s", "4D 4H"),
        ("black 3 3s", "3C 3S"),
    ],
)
def test_suits_are_read(text: str, read: str) -> None:
    assert faces(text) == read


def test_suits_may_be_left_out_where_they_do_not_matter_and_then_take_turns() -> None:
    read = read_cards("8h 8 8s 20x9", load_rules("golden-games"))
    assert (str(read[0].face), str(read[2].face)) == ("8H", "8S")
    assert [card.says_suit for card in read] == [True, False, True, *[False] * 20]
    assert set(Counter(card.face for card in read[3:]).values()) == {5}, "no more of a face than five packs have"


def test_seven_9s_in_the_plural_are_of_every_suit() -> None:
    read = read_cards("7x9s", load_rules("golden-games"))
    assert set(Counter(card.face for card in read).values()) == {1, 2} and not any(card.says_suit for card in read)
    assert all(card.says_suit for card in read_cards("2 jokers, red 3, 3s", load_rules("golden-games")))
    assert faces("2x3s") == "3S 3S", "where the suit matters, it is one"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("9 9 9 joker lady", "9 9 9 JOKER LADY"),
        ("2 ladies 3 lords jk", "LADY LADY LORD LORD LORD JOKER"),
        ("vil jes 12 11 10 1", "VILLAIN JESTER 12 11 10 1"),
        ("3 8s", "8 8 8"),
        ("7x 12", "12 12 12 12 12 12 12"),
    ],
)
def test_a_deck_of_its_own_has_its_own_names(text: str, read: str) -> None:
    assert faces(text, "hand-n-foot") == read


@pytest.mark.parametrize(
    ("text", "rules", "sentence"),
    [
        (
            "8 8 9z",
            "golden-games",
            "“9z” is not a card in this deck. Type cards with spaces between them, like 8 8 8 2 jk.",
        ),
        ("888", "golden-games", "“888” is not a card in this deck"),
        ("8 lady", "golden-games", "“lady” is not a card in this deck"),
        (
            "k",
            "hand-n-foot",
            "“k” is not a card in this deck. Type cards with spaces between them, like 8 8 8 jester joker.",
        ),
        (
            "3",
            "golden-games",
            "Which suit is “3”? Type it like 3h or 3s, because its suits score differently",
        ),
        ("jokers", "golden-games", "How many are “jokers”? Put the number first, like 3 jokers."),
        ("0x8", "golden-games", "“8” is there 0 times"),
        ("999x8", "golden-games", f"more than {MAX_CARDS} cards at once"),
        (f"{MAX_CARDS}x8 8", "golden-games", f"more than {MAX_CARDS} cards at once"),
        ("red joker", "golden-games", "“red joker” is not a card here"),
        ("two 3s", "golden-games", "Which suit is “3”? Type it like 3h or 3s"),
        ("red red 3", "golden-games", "“red red 3” is not a card in this deck"),
        ("h", "golden-games", "“h” is not a card in this deck"),
        ("2 4s", "golden-games", "“2 4s” can be two 4s, or a 2 and the 4 of spades. Type 2 x 4, or 2, 4s."),
        ("4 9s 2", "cutting-22", "“4 9s” can be four 9s, or a 4 and the 9 of spades. Type 4 x 9, or 4, 9s."),
        ("6 ks", "tanglewood", "“6 ks” can be six kings, or a 6 and the K of spades. Type 6 x k, or 6, ks."),
        (
            "2 3s",
            "golden-games",
            "“2 3s” can be two 3s, or a 2 and the 3 of spades. Type 2 red 3s or 2 black 3s, or 2, 3s.",
        ),
        ("a red 3", "tanglewood", "“a red 3” can be one red 3, or an ace and one red 3. Type red 3, or a, red 3."),
        ("8" * 5000, "golden-games", "too much at once"),
    ],
)
def test_what_cannot_be_read_is_named_in_one_sentence(text: str, rules: str, sentence: str) -> None:
    with pytest.raises(TypedCardsError) as caught:
        read_cards(text, load_rules(rules))
    assert sentence in str(caught.value)


def test_a_line_is_a_meld() -> None:
    melds = read_melds("8 8 8 2\n\n7xK\n  \nq q q", load_rules("golden-games"))
    assert [[card.face.rank for card in meld] for meld in melds] == [["8", "8", "8", "2"], ["K"] * 7, ["Q"] * 3]
