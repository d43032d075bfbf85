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
            ("melds[0]", "The deck for these rules has no lady, lord."),
            ("melds[0]", "A meld can hold only one rank. This one has 8s, ladies and a lord."),
        ],
    ),
    (
        "golden-games",
        4,
        {"melds": [["8H", "9S"]]},
        [
            ("melds[0]", "A meld needs at least 3 cards. This one has 2."),
            ("melds[0]", "A meld can hold only one rank. This one has an 8 and a 9."),
        ],
    ),
    (
        "golden-games",
        4,
        {"melds": [["8H", "2S", "2D"]]},
        [
            ("melds[0]", "A meld needs at least 2 naturals. This one has 1."),
            ("melds[0]", "With 1 natural, a meld can have no wilds. This one has 2."),
        ],
    ),
    (
        "golden-games",
        4,
        {"melds": [["8H", "8S", "2D", "JK"]]},
        [("melds[0]", "With 2 naturals, a meld can have at most 1 wild. This one has 2.")],
    ),
    ("golden-games", 4, {"melds": [["3H", "3S", "3C"]]}, [("melds[0]", "3s can’t be melded.")]),
    (
        "golden-games",
        4,
        {"laid": ["3H", "3S", "8H"], "buried": ["8H"]},
        [
            ("laid", "Under these rules, black 3s, 8s can’t be laid on the table outside a meld."),
            ("buried", "These rules don’t have buried cards."),
        ],
    ),
    (
        "golden-games",
        4,
        {"went_out": True, "left": [["8H"]]},
        [
            ("went_out", "Going out needs 2 clean and 3 dirty books. This side has 0 clean, 0 dirty."),
            ("left", "This side went out, but each of its players has cards left."),
        ],
    ),
    (
        "golden-games",
        4,
        {"exact_deals": 3, "left": [["4S"], ["4S"], ["4S"]]},
        [
            ("exact_deals", "A side can have at most 2 exact deals. This one has 3."),
            ("left", "A side has at most 2 players, but 3 have cards left."),
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
            ("left[0]", "There are only five 3♥ in 5 packs, but 6 are counted. Check them."),
            ("left[1]", "There are only ten jokers in 5 packs, but 11 are counted. Check them."),
        ],
    ),
    ("golden-games", 3, {}, [("players", "These rules are for 4 players. This game has 3.")]),
    (
        "cutting-22",
        4,
        {"melds": [["2H", "2S", "JK"]], "improper_melds": 1},
        [
            ("melds[0]", "These rules don’t allow a meld of only wilds."),
            ("melds[0]", "A meld needs at least 2 naturals. This one has 0."),
            ("improper_melds", "These rules have no penalty for a low first meld."),
        ],
    ),
    (
        "cutting-22",
        4,
        {"went_out": True},
        [("went_out", "Going out needs 2 clean and 2 dirty books. This side has 0 clean, 0 dirty.")],
    ),
    ("cutting-22", 1, {}, [("players", "These rules are for 2 or more players. This game has 1.")]),
    ("tournament-play", 4, {"exact_deals": 1}, [("exact_deals", "These rules have no bonus for an exact deal.")]),
    (
        "tanglewood",
        4,
        {"buried": ["8H", "3S", "3H"]},
        [("buried", "Only cards that could be melded can be buried, not black 3s, red 3s.")],
    ),
    ("tanglewood", 5, {}, [("players", "These rules are for 4, 6, 8 players. This game has 5.")]),
    (
        "hand-n-foot",
        4,
        {"melds": [["5", "5", "5", "5", "5", "5", "5", "LADY", "LADY"]]},
        [("melds[0]", "A book can have at most 1 cap. This one has 2.")],
    ),
    (
        "hand-n-foot",
        4,
        {"melds": [["5", "5", "5", "5", "5", "5", "LADY"]]},
        [("melds[0]", "Ladies can cap only clean and wild books of 7 or more cards.")],
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
            ("melds[0]", "Villains can’t be melded."),
            ("left[0]", "There are only ten jokers in 1 pack, but 11 are counted. Check them."),
            ("left[1]", "The deck for these rules has no 2♠."),
        ],
    ),
    (
        "roth-family",
        4,
        {"melds": [["8H", "8S", "8D", "8C", "8H", "8S", "8D", "2S"]]},
        [("melds[0]", "A meld like this can have at most 7 cards. This one has 8.")],
    ),
    (
        "canasta",
        4,
        {"melds": [["8H", "8S", "8D"], ["8C", "8C", "2S"]], "went_out": True},
        [
            ("melds[1]", "A side can have only one meld of 8s. Put them together."),
            ("went_out", "Going out needs 1 book of any kind. This side has 0 clean, 0 dirty."),
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
        "The deck for these rules has no lady.",
        "The deck for these rules has no lord.",
    ]
    found = side("tanglewood", buried=["8H"] * 5)
    assert [(v.code, v.where) for v in found.violations] == [("too-many-copies", "buried")]


def test_the_books_that_a_side_has_are_counted() -> None:
    melds = [["8H"] * 5 + ["8S"] * 2, ["9H"] * 5 + ["2S"] * 2, ["10H"] * 5 + ["2H"] * 2, ["2D"] * 5 + ["JK"] * 2]
    (found,) = side("golden-games", melds=melds, went_out=True).violations
    assert found.message == "Going out needs 2 clean and 3 dirty books. This side has 1 clean, 2 dirty, 1 wild."
    (found,) = side("tournament-play", melds=[["KH"] * 4 + ["KS"] * 3], went_out=True).violations
    assert found.message == "Going out needs 2 clean and 3 dirty books. This side has 1 clean, 0 dirty."


def test_joint_violations_are_reported_on_each_side() -> None:
    out = {"went_out": True}
    for found in tally("hand-n-foot", out, out, players=2).sides:
        assert ("went_out", "Only one side can go out, but 2 did.") in [(v.where, v.message) for v in found.violations]
    for found in tally("golden-games", {}, {}, {}).sides:
        assert [(v.where, v.message) for v in found.violations] == [
            ("sides", "4 players make at most 2 sides, but there are 3.")
        ]
