"""Squared piles on the page: the sheet has their caps and strange cards beside the cards that are counted."""

from __future__ import annotations

from typing import Any

import pytest

from scorer.rules import load_rules
from scorer.scoring import score
from scorer.sheets import read_sheet
from tests.webui.corrections.tables import counted, lay, row, sheet
from webui.corrections.side_sheet import round_sheet, side_sheet
from webui.storage.side_facts import SideFacts

HNF, GG = "hand-n-foot", "golden-games"


def add(face: str, group: str = "n1") -> dict[str, Any]:
    return {"op": "add", "group": group, "face": face}


def melds(*steps: dict[str, Any], rules: str = HNF) -> list[Any]:
    """The melds of a side without photos, as its sheet has them once its piles are counted."""
    found: list[Any] = sheet(counted(lay(*steps, photos=(), rules=rules)))["melds"]
    return found


def total(*steps: dict[str, Any], rules: str = HNF) -> tuple[int, list[str]]:
    """Points and broken rules of a side without photos."""
    side = side_sheet("a", counted(lay(*steps, photos=(), rules=rules)), 2, SideFacts())
    (scored,) = score(read_sheet(round_sheet(rules, 1, 4, [side])), load_rules(rules)).sides
    return scored.total, [found.code for found in scored.violations]


def test_a_lady_on_a_pile_caps_it() -> None:
    steps = (add("9", "new-pile"), add("LADY"))
    assert melds(*steps) == [{"rank": "9", "cards": 7, "wilds": [], "caps": ["LADY"]}]
    assert total(*steps) == (500 + 70 + 100, [])


def test_a_capped_book_that_is_squared_keeps_its_points() -> None:
    spread = (add("9", "new-meld"), *(add("9") for _ in range(6)), add("LADY"))
    assert total(*spread) == (670, [])
    for count in ({"cards": 8, "wilds": [], "caps": ["LADY"]}, {"cards": 8, "wilds": []}):  # today's form, and before
        squared = (*spread, {"op": "count", "group": "n1", "rank": "9", **count})
        assert total(*squared) == (670, []), count


@pytest.mark.parametrize(("card", "points", "codes"), [
    ("KH", 70 + 10, ["mixed-ranks"]),
    ("3S", 70 - 100, ["mixed-ranks", "rank-not-meldable"]),
])  # fmt: skip
def test_a_strange_card_on_a_pile_is_no_card_of_its_rank(card: str, points: int, codes: list[str]) -> None:
    steps = (add("8H", "new-pile"), add(card))
    assert melds(*steps, rules=GG) == [{"rank": "8", "cards": 7, "wilds": [], "others": [card]}]
    assert total(*steps, rules=GG) == (points, codes)


def test_a_lady_on_top_in_a_photo_tells_no_rank_and_caps_what_is_counted() -> None:
    table = lay(photos=row("pile", "LADY"), rules=HNF)
    (pile,) = [group for group in table.groups if group.kind == "pile"]
    assert (pile.rank, pile.count, pile.doubt) == (None, 8, "count-the-pile")
    said = {"op": "count", "group": "p1g0", "rank": "9", "cards": 8, "wilds": [], "caps": ["LADY"]}
    assert sheet(lay(said, photos=row("pile", "LADY"), rules=HNF))["melds"] == [
        {"rank": "9", "cards": 7, "wilds": [], "caps": ["LADY"]}
    ]


def test_a_pile_of_another_rank_joined_to_one_stays_what_it_is() -> None:
    steps = (add("8H", "new-pile"), add("KH", "new-pile"), {"op": "join", "group": "n2", "into": "n1"})
    (pile,) = melds(*steps, rules=GG)
    assert (pile["rank"], pile["cards"]) == ("8", 7)
    assert len(pile["others"]) == 7 and {face[0] for face in pile["others"]} == {"K"}
    again = {"op": "count", "group": "n1", "rank": "8", "cards": 14, "wilds": []}
    assert len(melds(*steps, again, rules=GG)[0]["others"]) == 7
    same = (add("8H", "new-pile"), add("8D", "new-pile"), {"op": "join", "group": "n2", "into": "n1"})
    assert melds(*same, rules=GG) == [{"rank": "8", "cards": 14, "wilds": []}]


def test_a_pile_whose_only_card_seen_was_misread_follows_its_new_name() -> None:
    misread = row("pile", "8H")
    named = {"op": "name", "card": "p1c0", "face": "KH"}
    assert sheet(counted(lay(named, photos=misread)))["melds"] == [{"rank": "K", "cards": 7, "wilds": []}]
    wild = {"op": "name", "card": "p1c0", "face": "2H"}
    (pile,) = [group for group in lay(wild, photos=misread).groups if group.kind == "pile"]
    assert (pile.rank, [str(face) for face in pile.wilds]) == (None, ["2H"]), "its rank is asked"
    guessed = row("pile", "8S")
    (pile,) = [group for group in lay({**wild, "face": "2S"}, photos=guessed).groups if group.kind == "pile"]
    assert (pile.rank, [str(face) for face in pile.wilds], pile.doubt) == (None, ["2S"], "count-the-pile")
    assert sheet(counted(lay(wild, named, photos=misread)))["melds"] == [{"rank": "K", "cards": 7, "wilds": []}]


def test_a_wild_or_a_lady_taken_off_a_pile_is_taken_off() -> None:
    steps = (add("9", "new-pile"), add("LADY"), add("JOKER"))
    assert melds(*steps)[0] == {"rank": "9", "cards": 8, "wilds": ["JOKER"], "caps": ["LADY"]}
    squared = (*steps, {"op": "count", "group": "n1", "rank": "9", "cards": 9, "wilds": ["JOKER"], "caps": ["LADY"]})
    off = (*squared, {"op": "remove", "card": "a2"}, {"op": "remove", "card": "a3"})
    assert melds(*off)[0] == {"rank": "9", "cards": 7, "wilds": []}


def test_a_capped_meld_has_the_rank_of_its_naturals() -> None:
    table = lay(add("9", "new-meld"), add("9"), add("9"), add("LADY"), photos=(), rules=HNF)
    assert [group.rank for group in table.groups if group.kind == "meld"] == ["9"]
