"""The sentence of every violation."""

from __future__ import annotations

from typing import Any

import pytest

from tests.scorer.tables import side, tally

MESSAGES: list[tuple[str, int, dict[str, Any], list[tuple[str, str]]]] = [
    (
        "golden-games",
        4,
        {"melds": [["8H", "LADY", "LADY", "8S", "LORD"]]},
        [
            ("melds[0]", "The deck of these rules has no LADY, LORD."),
            ("melds[0]", "The naturals of a meld are of one rank, here are 8, LADY, LORD."),
        ],
    ),
    (
        "golden-games",
        4,
        {"melds": [["8H", "9S"]]},
        [
            ("melds[0]", "A meld needs at least 3 cards, this one has 2."),
            ("melds[0]", "The naturals of a meld are of one rank, here are 8, 9."),
        ],
    ),
    (
        "golden-games",
        4,
        {"melds": [["8H", "2S", "2D"]]},
        [
            ("melds[0]", "A meld needs at least 2 naturals, this one has 1."),
            ("melds[0]", "With 1 naturals at most 0 wilds may lie, here are 2."),
        ],
    ),
    (
        "golden-games",
        4,
        {"melds": [["8H", "8S", "2D", "JK"]]},
        [("melds[0]", "With 2 naturals at most 1 wilds may lie, here are 2.")],
    ),
    ("golden-games", 4, {"melds": [["3H", "3S", "3C"]]}, [("melds[0]", "3s never form a meld.")]),
    (
        "golden-games",
        4,
        {"laid": ["3H", "3S", "8H"], "buried": ["8H"]},
        [
            ("laid", "These rules do not lay 3S, 8H on the table outside a meld."),
            ("buried", "These rules know no buried cards."),
        ],
    ),
    (
        "golden-games",
        4,
        {"went_out": True, "left": [["8H"]]},
        [
            ("went_out", "Going out needs 2 clean and 3 dirty books, this side has 0 clean, 0 dirty, 0 wild."),
            ("left", "This side went out, yet each of its players has cards left."),
        ],
    ),
    (
        "golden-games",
        4,
        {"exact_deals": 3, "left": [["4S"], ["4S"], ["4S"]]},
        [
            ("exact_deals", "A side of at most 2 players has at most 2 exact deals, here are 3."),
            ("left", "A side of at most 2 players has at most 2 lists of cards left, here are 3."),
        ],
    ),
    (
        "golden-games",
        4,
        {
            "left": [
                ["3H", "3H", "3H", "3H", "3H", "3H"],
                ["JK", "JK", "JK", "JK", "JK", "JK", "JK", "JK", "JK", "JK", "JK"],
            ]
        },
        [
            ("left[0]", "5 packs hold 5 of 3H, on the sheet are 6."),
            ("left[1]", "5 packs hold 10 of JK, on the sheet are 11."),
        ],
    ),
    ("golden-games", 3, {}, [("players", "These rules are for 4 players, here are 3.")]),
    (
        "cutting-22",
        4,
        {"melds": [["2H", "2S", "JK"]], "improper_melds": 1},
        [
            ("melds[0]", "Wilds alone form no meld and no book under these rules."),
            ("melds[0]", "A meld needs at least 2 naturals, this one has 0."),
            ("improper_melds", "These rules know no penalty for an improper first meld."),
        ],
    ),
    (
        "cutting-22",
        4,
        {"went_out": True},
        [("went_out", "Going out needs 2 clean and 2 dirty books, this side has 0 clean, 0 dirty.")],
    ),
    ("cutting-22", 1, {}, [("players", "These rules are for 2 or more players, here are 1.")]),
    ("tournament-play", 4, {"exact_deals": 1}, [("exact_deals", "These rules give nothing for an exact deal.")]),
    (
        "tanglewood",
        4,
        {"buried": ["8H", "3S", "3H"]},
        [("buried", "Only cards that could be melded are buried, here are 3S, 3H.")],
    ),
    ("tanglewood", 5, {}, [("players", "These rules are for 4, 6, 8 players, here are 5.")]),
    (
        "hand-n-foot",
        4,
        {"melds": [["5", "5", "5", "5", "5", "5", "5", "LADY", "LADY"]]},
        [("melds[0]", "Ladies on one book: 1 at most, here are 2.")],
    ),
    (
        "hand-n-foot",
        4,
        {"melds": [["5", "5", "5", "5", "5", "5", "LADY"]]},
        [("melds[0]", "Ladies cap clean and wild books of 7 or more cards, and no other.")],
    ),
    (
        "hand-n-foot",
        4,
        {
            "melds": [["VILLAIN", "VILLAIN", "VILLAIN"]],
            "left": [
                ["JOKER", "JOKER", "JOKER", "JOKER", "JOKER", "JOKER", "JOKER", "JOKER", "JOKER", "JOKER", "JOKER"],
                ["2S"],
            ],
        },
        [
            ("melds[0]", "Villains never form a meld."),
            ("left[0]", "The pack holds 10 of JOKER, on the sheet are 11."),
            ("left[1]", "The deck of these rules has no 2S."),
        ],
    ),
    (
        "roth-family",
        4,
        {"melds": [["8H", "8S", "8D", "8C", "8H", "8S", "8D", "2S"]]},
        [("melds[0]", "A meld like this has at most 7 cards, this one has 8.")],
    ),
    (
        "canasta",
        4,
        {"melds": [["8H", "8S", "8D"], ["8C", "8C", "2S"]], "went_out": True},
        [
            ("melds[1]", "A side has one meld of 8s, here is another."),
            ("went_out", "Going out needs 1 book of any kind, this side has 0 clean, 0 dirty, 0 wild."),
        ],
    ),
]


@pytest.mark.parametrize(("rules", "players", "keys", "expected"), MESSAGES)
def test_a_violation_says_what_was_expected_and_what_came(
    rules: str, players: int, keys: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert [(found.where, found.message) for found in side(rules, players=players, **keys).violations] == expected


def test_each_card_of_another_deck_is_reported_at_its_location() -> None:
    found = side("golden-games", left=[["LADY", "8H"], ["LORD", "LADY"]], melds=[["LADY", "8H", "8S"]])
    assert [(v.code, v.where) for v in found.violations] == [
        ("not-in-deck", "melds[0]"),
        ("mixed-ranks", "melds[0]"),
        ("not-in-deck", "left[0]"),
        ("not-in-deck", "left[1]"),
    ]
    assert [v.message for v in found.violations[2:]] == [
        "The deck of these rules has no LADY.",
        "The deck of these rules has no LORD.",
    ]
    found = side("tanglewood", buried=["8H"] * 5)
    assert [(v.code, v.where) for v in found.violations] == [("too-many-copies", "buried")]


def test_the_books_that_a_side_has_are_counted() -> None:
    melds = [["8H"] * 5 + ["8S"] * 2, ["9H"] * 5 + ["2S"] * 2, ["10H"] * 5 + ["2H"] * 2, ["2D"] * 5 + ["JK"] * 2]
    (found,) = side("golden-games", melds=melds, went_out=True).violations
    assert found.message == "Going out needs 2 clean and 3 dirty books, this side has 1 clean, 2 dirty, 1 wild."
    (found,) = side("tournament-play", melds=[["KH"] * 4 + ["KS"] * 3], went_out=True).violations
    assert found.message == "Going out needs 2 clean and 3 dirty books, this side has 1 clean, 0 dirty."


def test_joint_violations_are_reported_on_each_side() -> None:
    out = {"went_out": True}
    for found in tally("hand-n-foot", out, out, players=2).sides:
        assert ("went_out", "Only one side can go out, here 2 did.") in [(v.where, v.message) for v in found.violations]
    for found in tally("golden-games", {}, {}, {}).sides:
        assert [(v.where, v.message) for v in found.violations] == [
            ("sides", "4 players are at most 2 sides, here are 3.")
        ]
