"""Whole games as they might be played under the five sheets; every total is worked out on paper from the sheets.

Each side's round is written as people would enter it: its cards, its books and points, or its total. Beside each stands
the sum, in the order of the entry. The quoted sentences are those of the sheets.
"""

from __future__ import annotations

from dataclasses import dataclass, field

Counts = dict[str, str]
"""The fields of the form that are filled in, by their labels."""


@dataclass(frozen=True)
class Cards:
    """A side entered card by card; ``left`` has a text for each of its players, an empty one for nothing left."""

    melds: str
    left: tuple[str, ...]
    laid: str = ""
    buried: str = ""


@dataclass(frozen=True)
class Round:
    """A round: who went out, what each side is entered as, its points, and what is counted beside the cards.

    ``asked`` has how often each side got a bonus or penalty, by its name, one number a side.
    """

    out: str
    sides: tuple[Cards | Counts | int, ...]
    points: tuple[int, ...]
    asked: dict[str, tuple[int, ...]] = field(default_factory=dict)
    starter: str = ""


@dataclass(frozen=True)
class Game:
    """A game: its rules, the players of each side as they sit in round 1, its rounds, and the totals at its end."""

    rules: str
    sides: tuple[tuple[str, ...], ...]
    rounds: tuple[Round, ...]
    totals: tuple[int, ...]


# "A Clean book of seven 4's would be worth 700 points plus 5 points for each card in the book for a total of 735
# points." "Red 3s are worth 100 points"; "Black 3s are -100 points"; 4-7 5, 8-King 10, Ace 20, "Wild card 20 or
# 50"; dirty book 300, wild book 1,500, going out 100, exact pickup 100, low first meld -500.
GOLDEN_GAMES = Game(
    "golden-games",
    (("Ann", "Bo"), ("Cy", "Di")),
    (
        Round(
            "Ann",
            (
                # 4s 700 + 35; 10s 700 + 70; 8s 300 + 60 + 20; queens 300 + 60 + 50; aces 300 + 100 + 40; two red 3s
                # 200; going out 100; left 10 + 10 + 100
                Cards("7x4\n7x10\n8 8 8 8 8 8 2\nq q q q q q jk\na a a a a 2 2", ("", "9 k black 3"), laid="2x red 3"),
                # kings 40; 5s 15; left 20 + 20 + 50 and 100 + 5
                Cards("k k k k\n5 5 5", ("a a jk", "red 3 7")),
            ),
            (735 + 770 + 380 + 410 + 440 + 200 + 100 - 120, 40 + 15 - 90 - 105),  # 2,915 and -140
            {"exact pickup": (0, 0), "low first meld": (0, 0)},
        ),
        Round(
            "Di",
            (
                {"Clean books": "1", "Card points": "210", "Points left in hand": "400", "Laid red 3": "1"},
                {
                    "Clean books": "2",
                    "Dirty books": "3",
                    "Wild books": "1",
                    "Card points": "780",
                    "Points left in hand": "35",
                    "Laid red 3": "3",
                },
            ),
            # with a low first meld, and with going out and one exact pickup
            (700 + 210 - 400 + 100 - 500, 1400 + 900 + 1500 + 780 - 35 + 300 + 100 + 100),  # 110 and 5,045
            {"exact pickup": (0, 1), "low first meld": (1, 0)},
        ),
        Round("Bo", (3120, -85), (3120, -85)),
        Round(
            "Cy",
            (1240, {"Clean books": "2", "Dirty books": "4", "Card points": "905", "Points left in hand": "60"}),
            (1240, 1400 + 1200 + 905 - 60 + 100),  # 3,545
            {"exact pickup": (0, 0), "low first meld": (0, 0)},
        ),
    ),
    (7385, 8365),
)

# "Each set will consist of 2 hands. These 2 scores are added together for the Round 1 score on the score sheet.
# Each person keeps their own score card"; red 3 300 "if caught in your hand", black 3 0, joker 50, ace 20, 2 20,
# 8-K 10, 4-7 5, going out 100; a natural book 500, an unnatural one 300.
FIRST_SET = Game(
    "tournament-play",
    (("Ann", "Bo"), ("Cy", "Di")),
    (
        Round(
            "Cy",
            (
                {"Clean books": "1", "Card points": "200", "Points left in hand": "60"},
                {"Clean books": "2", "Dirty books": "3", "Card points": "655", "Points left in hand": "40"},
            ),
            (500 + 200 - 60, 1000 + 900 + 655 - 40 + 100),  # 640 and 2,615
        ),
        Round(
            "Di",
            (
                # left 20 + 20 + 10 + 5 + 0 and 50 + 10
                Cards("", ("a a 10 5 black 3", "jk 10")),
                # 6s 500 + 35; kings 500 + 70; 5s 300 + 20 + 60; 8s 300 + 60 + 50; aces 300 + 120 + 20; going out
                # 100; left 300 + 5
                Cards("7x6\n7xk\n5 5 5 5 2 2 2\n8 8 8 8 8 8 jk\na a a a a a 2", ("red 3 4", "")),
            ),
            (-115, 535 + 570 + 380 + 410 + 440 + 100 - 305),  # -115 and 2,130
        ),
    ),
    (525, 4745),
)
# Partners change, and each person's card goes along.
SECOND_SET = Game(
    "tournament-play",
    (("Ann", "Cy"), ("Bo", "Di")),
    (Round("Bo", (1000, 700), (1000, 700)), Round("Ann", (300, 1150), (300, 1150))),
    (1300, 1850),
)

# "2 or more players"; "The number of rounds in a game is equal to the number of players."; clean book 500, dirty
# 300, joker 50, twos and aces 20, K-8 10, 7-4 5, black 3 0, red 3 -300 "if in your hand or foot", going out 100,
# cutting 22 100.
CUTTING_22 = Game(
    "cutting-22",
    (("Ann",), ("Bo",), ("Cy",)),
    (
        Round(
            "Ann",
            (
                # aces 300 + 100 + 40; 9s 300 + 60 + 20; 5s 500 + 35; kings 500 + 70; going out 100; cutting 22 100
                Cards("a a a a a 2 2\n9 9 9 9 9 9 2\n7x5\n7xk", ("",)),
                # queens 30; left 300 + 20 + 0
                Cards("q q q", ("red 3 2 black 3",)),
                # 4s 20 + 50; left 10 + 5
                Cards("4 4 4 4 jk", ("8 6",)),
            ),
            (440 + 380 + 535 + 570 + 100 + 100, 30 - 320, 70 - 15),  # 2,125, -290 and 55
            {"cutting 22": (1, 0, 0)},
        ),
        Round(
            "Bo",
            (
                {"Clean books": "1", "Card points": "260", "Points left in hand": "330"},
                {"Clean books": "2", "Dirty books": "3", "Card points": "690"},
                {"Dirty books": "1", "Card points": "150", "Points left in hand": "45"},
            ),
            # with going out, and with cutting 22
            (500 + 260 - 330, 1000 + 900 + 690 + 100, 300 + 150 - 45 + 100),  # 430, 2,690 and 505
            {"cutting 22": (0, 0, 1)},
        ),
        Round(
            "Cy",
            (385, -320, {"Clean books": "3", "Dirty books": "2", "Card points": "880"}),
            (385, -320, 1500 + 600 + 880 + 100),  # 3,080
            {"cutting 22": (0, 0, 0)},
        ),
    ),
    (2940, 2080, 3640),
)

# "With 5 players, (2 teams of 2 each), the 5th player plays rounds 1 and 4 on one team - 2 and 3 on the opposite.";
# clean group 500, dirty 300, wild 2,000, Lady on a clean or wild group 100, going out 100, exact 22 100; joker 50,
# jester 25, lord 20, 7-12 10, 1-6 5, Villain 0; "500 Points for EACH LADY IN HAND OR FOOT".
HAND_N_FOOT = Game(
    "hand-n-foot",
    (("Ann", "Bo", "Eve"), ("Cy", "Di")),
    (
        Round(
            "Eve",
            (
                # 5s 500 + 35 + 100; 9s 300 + 40 + 75; lords 300 + 120 + 50; wilds 2,000 + 250 + 50; going out 100;
                # left a Lady 500; two exact deals 200
                Cards(
                    "7x5 lady\n9 9 9 9 3 jesters\n6 lords joker\n5 jokers 2 jesters",
                    ("lady", "", ""),
                ),
                # 12s 30; 1s 20; left 0 + 10 and 25
                Cards("12 12 12\n1 1 1 1", ("villain 7", "jester")),
            ),
            (635 + 415 + 470 + 2300 + 100 - 500 + 200, 30 + 20 - 10 - 25),  # 3,620 and 15
            {"exact 22": (2, 0)},
        ),
        # The cards ran out; a clean book of seven 9s each, and the floater, now on the second side, is left with
        # one Lady.
        Round(
            "",
            (
                {"Clean books": "1", "Card points": "70"},
                {"Clean books": "1", "Card points": "70", "Points left in hand": "500"},
            ),
            (500 + 70, 500 + 70 - 500),  # 570 and 70
            {"exact 22": (0, 0)},
        ),
        Round(
            "Di",
            (
                640,
                {
                    "Clean books": "1",
                    "Dirty books": "3",
                    "Caps on books": "1",
                    "Card points": "480",
                    "Points left in hand": "25",
                },
            ),
            # with going out and three exact deals
            (640, 500 + 900 + 100 + 480 - 25 + 100 + 300),  # 2,355
            {"exact 22": (0, 3)},
        ),
        Round(
            "Eve",
            (
                {
                    "Clean books": "2",
                    "Dirty books": "2",
                    "Wild books": "1",
                    "Caps on books": "2",
                    "Card points": "905",
                    "Points left in hand": "30",
                },
                -585,
            ),
            (1000 + 600 + 2000 + 200 + 905 - 30 + 100, -585),  # 4,775
            {"exact 22": (0, 0)},
        ),
    ),
    (9605, 1855),
)

# "6 players - 3 Clean and 4 Dirty"; "Clean Books count 500 points each and Dirty Books count 300 points each. ...
# cards can be buried by turning the cards face down"; jokers 50, deuces 20, 4-9 5, 10-Kings 10, aces 20, black
# threes 5; "Red threes are 500 points each against you"; going out 100; "100 points is awarded to the team for each
# player who gets exactly 22 cards"; "The card keepers each draw a card to determine who starts the play."
TANGLEWOOD = Game(
    "tanglewood",
    (("Ann", "Bo", "Cy"), ("Di", "Ed", "Fay")),
    (
        Round(
            "Ann",
            (
                # 9s 500 + 35; 4s 500 + 35; kings 500 + 70; 8s 300 + 20 + 60; queens 300 + 60 + 50; aces 300 + 120 +
                # 20; 10s 300 + 50 + 50 + 20; buried 5 + 5 + 10 + 50; going out 100; left 5 + 5 and 500; an exact 22
                # 100
                Cards(
                    "7x9\n7x4\n7xk\n8 8 8 8 2 2 2\nq q q q q q jk\na a a a a a 2\n10 10 10 10 10 jk 2",
                    ("", "3s 5", "red 3"),
                    buried="9 9 k jk",
                ),
                # jacks 40; 6s 10 + 20; buried 5; left 20 and 40; two exact 22 200
                Cards("j j j j\n6 6 2", ("a", "", "2 2"), buried="4"),
            ),
            # 3,050 and 215
            (535 + 535 + 570 + 380 + 410 + 440 + 420 + 70 + 100 - 10 - 500 + 100, 40 + 30 + 5 - 60 + 200),
            {"exact 22": (1, 2)},
            "Di",
        ),
        Round(
            "Ed",
            (
                {"Clean books": "2", "Dirty books": "1", "Card points": "560", "Points left in hand": "75"},
                {"Clean books": "3", "Dirty books": "5", "Card points": "1,015", "Points left in hand": "505"},
            ),
            # with going out and three exact 22
            (1000 + 300 + 560 - 75, 1500 + 1500 + 1015 - 505 + 100 + 300),  # 1,785 and 3,910
            {"exact 22": (0, 3)},
            "Ann",
        ),
        Round("Bo", (3210, 480), (3210, 480), starter="Fay"),
        Round(
            "Di",
            (-65, {"Clean books": "3", "Dirty books": "4", "Card points": "920"}),
            (-65, 1500 + 1200 + 920 + 100),  # 3,720
            {"exact 22": (0, 0)},
            "Cy",
        ),
    ),
    (7980, 8325),
)
