"""Readings with corrections become a side's cards and sheet: pure functions, no pages."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.faces import Face
from scorer.sheets import read_sheet
from tests.webui.corrections.tables import changes, counted, lay, row, sheet
from tests.webui.helpers.drawn import NORTH_LEFT, NORTH_TABLE, Drawn, Row, reading
from webui.corrections.resets import takes_back
from webui.corrections.side_sheet import round_sheet, side_sheet
from webui.corrections.side_table import SidePhoto
from webui.rounds.stored_reading import parse_reading
from webui.storage.changes import read_change
from webui.storage.side_facts import SideFacts


def test_without_corrections_the_sheet_is_what_the_reader_saw() -> None:
    assert sheet(lay()) == {
        "name": "North–South",
        "melds": [
            ["8H", "8S", "8D", "8C", "8C", "8D", "8S"],
            ["QH", "QD", "QS", "2S"],
            ["9H", "9S", "9C", "6D", "9D", "9C", "2H"],
            ["AH", "AS", "AD"],
        ],
        "laid": ["3H", "3D"],
        "buried": [],
        "left": [["4S", "JK", "10H"], []],
        "went_out": False,
        "exact_deals": 0,
        "improper_melds": 0,
    }


def test_naming_a_card_resolves_its_doubt_and_keeps_the_reading() -> None:
    doubtful = lay().card("p1c14")
    assert doubtful is not None and doubtful.doubt == "odd-one-out"
    table = lay({"op": "name", "card": "p1c14", "face": "9d"})
    corrected = table.card("p1c14")
    assert corrected is not None
    assert (str(corrected.face), str(corrected.seen_as), corrected.doubt) == ("9D", "6D", None)
    assert sheet(table)["melds"][2] == ["9H", "9S", "9C", "9D", "9D", "9C", "2H"]


def test_a_removed_card_is_gone() -> None:
    table = lay({"op": "remove", "card": "p2c1"})
    assert table.card("p2c1") is None and sheet(table)["left"][0] == ["4S", "10H"]


def test_a_card_moves_to_another_group_or_a_new_one() -> None:
    loose = next(group for group in lay().groups if group.kind == "loose").cards[0].id
    assert sheet(lay({"op": "move", "card": loose, "group": "p1g0"}))["melds"][0][-1] == "5C"
    assert sheet(lay({"op": "move", "card": loose, "group": "left1"}))["left"][1] == ["5C"]
    assert ["5C"] in sheet(lay({"op": "move", "card": loose, "group": "new-meld"}))["melds"]
    again = lay(
        {"op": "move", "card": loose, "group": "new-meld"}, {"op": "add", "group": "n1", "face": "5H", "photo": None}
    )
    assert ["5C", "5H"] in sheet(again)["melds"]


def test_an_added_card_lies_where_the_person_pointed() -> None:
    table = lay({"op": "add", "group": "p1g3", "face": "AC", "photo": 1, "x": 700.5, "y": 400})
    added = table.card("a1")
    assert added is not None and added.point == (700.5, 400) and added.seen_as is None
    assert sheet(table)["melds"][3] == ["AH", "AS", "AD", "AC"]


def test_an_uncounted_pile_is_assumed_to_be_the_smallest_book_and_counts_nothing() -> None:
    pile = next(group for group in lay().groups if group.kind == "pile")
    assert (pile.count, pile.doubt) == (7, "count-the-pile")
    assert len(sheet(lay())["melds"]) == 4
    for looked in ({"op": "accept", "group": pile.id}, {"op": "move", "card": "p1c0", "group": pile.id}):
        assert len(sheet(lay(looked))["melds"]) == 4, "nobody said a number"
    told = lay({"op": "count", "group": pile.id, "rank": "K", "cards": 9, "wilds": ["2C", "JK"]})
    found = told.group(pile.id)
    assert found is not None and found.doubt is None
    assert sheet(told)["melds"][4] == {"rank": "K", "cards": 9, "wilds": ["2C", "JK"]}


def test_the_top_card_of_a_pile_tells_clean_from_dirty() -> None:
    """Golden Games and Cutting 22: a red card on top if clean, a black one if dirty."""
    red, black = row("pile", "9H"), row("pile", "9S")
    assert sheet(counted(lay(photos=red)))["melds"] == [{"rank": "9", "cards": 7, "wilds": []}]
    assert sheet(counted(lay(photos=black)))["melds"] == [{"rank": "9", "cards": 7, "wilds": ["2S"]}]
    assert sheet(counted(lay(photos=row("pile", "9S", "9", "clean"))))["melds"][0]["wilds"] == []


def test_a_wild_on_top_of_a_pile_tells_no_rank() -> None:
    table = lay(photos=row("pile", "2S"))
    assert sheet(counted(table))["melds"] == [["2S"]]
    told = lay({"op": "count", "group": "p1g0", "rank": "5", "cards": 7, "wilds": ["2S"]}, photos=row("pile", "2S"))
    assert sheet(told)["melds"] == [{"rank": "5", "cards": 7, "wilds": ["2S"]}]


def test_a_card_put_on_a_counted_pile_counts_on_top() -> None:
    pile = next(group for group in lay().groups if group.kind == "pile").id
    table = lay(
        {"op": "count", "group": pile, "rank": "K", "cards": 7, "wilds": []},
        {"op": "add", "group": pile, "face": "KH"},
        {"op": "add", "group": pile, "face": "JK"},
    )
    assert sheet(table)["melds"][4] == {"rank": "K", "cards": 9, "wilds": ["JK"]}


def test_a_pile_marked_as_none_is_only_its_visible_card() -> None:
    pile = next(group for group in lay().groups if group.kind == "pile")
    assert ["KS"] in sheet(lay({"op": "spread", "group": pile.id}))["melds"]


def test_a_pile_marked_as_none_keeps_nothing_that_was_counted() -> None:
    """What a count said of wilds and caps goes with it, also where the group is called a pile again later."""
    said = {"op": "count", "group": "p1g0", "rank": "9", "cards": 9, "wilds": ["JOKER"], "caps": ["LADY"]}
    spread = lay(said, {"op": "spread", "group": "p1g0"}, photos=row("pile", "9"), rules="hand-n-foot")
    (meld,) = [group for group in spread.groups if group.id == "p1g0"]
    assert (meld.kind, meld.count, meld.wilds, meld.caps, meld.others) == ("meld", 0, (), (), ())
    again = (said, {"op": "spread", "group": "p1g0"}, {"op": "add", "group": "new-pile", "face": "9"})
    joined = lay(*again, {"op": "join", "group": "p1g0", "into": "n3"}, photos=row("pile", "9"), rules="hand-n-foot")
    pile = joined.group("n3")
    assert pile is not None and (pile.count, pile.wilds, pile.caps) == (8, (), ()), "one card more, and no wild"


def test_a_card_that_does_not_fit_its_meld_is_in_doubt() -> None:
    drawn = reading(Drawn((Row("meld", 0, 0, "9H 9S 2D 6D", "9"),)))
    group = drawn.groups[0]
    object.__setattr__(group, "doubt", "odd-one-out")
    table = lay(photos=(SidePhoto(1, None, drawn),))
    assert [card.doubt for card in table.groups[0].cards] == [None, None, None, "odd-one-out"]
    assert table.groups[0].doubt is None and table.groups[0].doubts == 1


def test_several_doubted_cards_of_a_group_are_one_question() -> None:
    for faces, questions in (("8H? 8S? 8D 8C", 2), ("8H? 8S+ 8D? 8C", 1)):
        meld = lay(photos=row("meld", faces, "8")).groups[0]
        assert meld.questions == questions and meld.doubts == faces.count("?") + faces.count("+")
    drawn = reading(Drawn((Row("meld", 0, 0, "8H? 8S? 8D? 8C? 8C", "8"),)))
    object.__setattr__(drawn.cards[1], "doubt", "unknown-face")
    unknown = lay(photos=(SidePhoto(1, None, drawn),)).groups[0]
    assert unknown.questions == 2, "somebody has to say what an unknown card is"
    assert lay({"op": "accept", "group": unknown.id}, photos=(SidePhoto(1, None, drawn),)).groups[0].questions == 1
    loose = next(group for group in lay(photos=row("single", "5C? 6D? 7H?")).groups if group.kind == "loose")
    assert loose.asked_together == ()


def test_accepting_a_group_resolves_all_its_doubts() -> None:
    before = lay()
    group = before.group_of("p1c14")
    assert group is not None and group.doubts == 1
    after = lay({"op": "accept", "group": group.id}).group(group.id)
    assert after is not None and after.doubts == 0


def test_accepting_a_group_ends_its_own_doubt_too() -> None:
    """A group may be doubted though none of its cards is: mixed ranks of which none is the odd one."""
    drawn = reading(Drawn((Row("meld", 0, 0, "9H 9S 6D 6S"),)))
    object.__setattr__(drawn.groups[0], "doubt", "odd-one-out")
    photos = (SidePhoto(1, None, drawn),)
    before = lay(photos=photos).group("p1g0")
    assert before is not None and (before.doubt, before.questions) == ("odd-one-out", 1)
    after = lay({"op": "accept", "group": "p1g0"}, photos=photos).group("p1g0")
    assert after is not None and (after.doubt, after.questions) == (None, 0)


def test_a_group_is_split_into_a_new_one() -> None:
    table = lay({"op": "regroup", "cards": ["p1c0", "p1c2", "p1c99"], "group": "new-meld"})
    assert [str(card.face) for card in table.groups[5].cards] == ["8H", "8D"] and table.groups[5].id == "n1"
    assert sheet(table)["melds"][0] == ["8S", "8C", "8C", "8D", "8S"]
    back = lay(
        {"op": "regroup", "cards": ["p1c0", "p1c2"], "group": "new-meld"},
        {"op": "regroup", "cards": ["p1c0", "p1c2"], "group": "left1"},
    )
    assert sheet(back)["left"][1] == ["8H", "8D"] and back.group("n1") is None


def test_two_groups_are_joined() -> None:
    table = lay({"op": "join", "group": "p1g3", "into": "p1g1"})
    assert sheet(table)["melds"][1] == ["QH", "QD", "QS", "2S", "AH", "AS", "AD"] and table.group("p1g3") is None
    for nothing in ({"group": "p1g3", "into": "p1g3"}, {"group": "p1g3", "into": "gone"}):
        assert sheet(lay({"op": "join", **nothing})) == sheet(lay())


@pytest.mark.parametrize(("group", "into"), [("p1g4", "p1g1"), ("p1g1", "p1g4")])
def test_a_pile_joined_with_a_meld_is_one_pile_of_both(group: str, into: str) -> None:
    """Seven under the king, four spread cards of which one is a 2; the pile's black top means one 2 in it."""
    table = lay({"op": "join", "group": group, "into": into})
    pile = table.group(into)
    assert pile is not None and (pile.kind, pile.count, pile.doubt) == ("pile", 11, "count-the-pile")
    assert sorted(map(str, pile.wilds)) == ["2S", "2S"]


@pytest.mark.parametrize(("group", "into"), [("p1g4", "p1g1"), ("p1g1", "p1g4")])
def test_an_uncounted_pile_stays_uncounted_whatever_else_is_doubted(group: str, into: str) -> None:
    drawn = reading(NORTH_TABLE)
    object.__setattr__(drawn.groups[1], "doubt", "odd-one-out")
    table = lay({"op": "join", "group": group, "into": into}, photos=(SidePhoto(1, None, drawn),))
    pile = table.group(into)
    assert pile is not None and pile.is_uncounted and len(sheet(table)["melds"]) == 3


def test_reset_drops_corrections_but_removed_photos_stay_removed() -> None:
    steps = (
        {"op": "drop-photo", "photo": 2},
        {"op": "remove", "card": "p1c0"},
        {"op": "reset"},
        {"op": "remove", "card": "p1c1"},
    )
    table = lay(*steps)
    assert sheet(table)["melds"][0] == ["8H", "8D", "8C", "8C", "8D", "8S"] and sheet(table)["left"] == [[], []]


def test_a_reset_of_one_step_leaves_the_other_as_it_is() -> None:
    made = (
        {"op": "remove", "card": "p1c0"},
        {"op": "add", "group": "p1g0", "face": "8H"},
        {"op": "name", "card": "p2c0", "face": "9H"},
        {"op": "add", "group": "left1", "face": "KS"},
        {"op": "name", "card": "a4", "face": "KH"},
        {"op": "move", "card": "p1c1", "group": "left1"},
    )
    before, table, left = (
        sheet(lay(*made, *reset))
        for reset in ((), ({"op": "reset", "step": "table"},), ({"op": "reset", "step": "left"},))
    )
    seen = sheet(lay())
    assert table["melds"] == seen["melds"] and table["left"] == [["9H", "JK", "10H"], ["KH"]]
    assert left["left"] == seen["left"] and left["melds"][0] == ["8S", "8D", "8C", "8C", "8D", "8S", "8H"]
    assert before["left"][1] == ["KH", "8S"]


def test_cards_typed_at_a_stroke_go_with_the_reset_of_their_step() -> None:
    made = (
        {"op": "add-cards", "group": "left1", "faces": ["KS", "4S"]},
        {"op": "name", "card": "a1.1", "face": "KH"},
        {"op": "add-cards", "group": "new-meld", "faces": ["5H", "5D", "5S"]},
    )
    table, left = (sheet(lay(*made, {"op": "reset", "step": step})) for step in ("table", "left"))
    seen = sheet(lay())
    assert table["melds"] == seen["melds"] and table["left"][1] == ["KS", "KH"]
    assert left["left"] == seen["left"] and left["melds"] == [*seen["melds"], ["5H", "5D", "5S"]]


def test_only_a_step_where_cards_changed_differs_from_what_was_seen() -> None:
    def changed(*documents: dict[str, Any]) -> list[bool]:
        made = changes(*documents)
        return [takes_back(made, {1: None, 2: 0}, lay(*documents), step) for step in ("table", "left")]

    assert changed() == [False, False]
    assert changed({"op": "name", "card": "p1c0", "face": "8H"}) == [False, False], "only looked at"
    assert changed({"op": "remove", "card": "p1c0"}) == [True, False]
    assert changed({"op": "add", "group": "left1", "face": "KS"}) == [False, True]
    assert changed({"op": "drop-photo", "photo": 1}) == [False, False]


def test_a_dropped_photo_drops_its_cards_and_their_corrections() -> None:
    table = lay(
        {"op": "name", "card": "p1c0", "face": "9H"},
        {"op": "add", "group": "p1g0", "face": "8H", "photo": 1, "x": 5, "y": 5},
        {"op": "drop-photo", "photo": 1},
    )
    assert sheet(table)["melds"] == [] and sheet(table)["left"] == [["4S", "JK", "10H"], []]


def test_the_same_corrections_give_the_same_table() -> None:
    steps = ({"op": "remove", "card": "p1c1"}, {"op": "move", "card": "p1c0", "group": "new-meld"})
    assert lay(*steps) == lay(*steps)


@pytest.mark.parametrize(
    "document",
    [
        {"op": "name", "card": "p1c0", "face": "no card!"},
        {"op": "name", "card": "p1c0"},
        {"op": "explode", "card": "p1c0"},
        {"op": "remove", "card": "p1c0", "face": "8H"},
        {"op": "count", "group": "g", "rank": "8", "cards": -1},
        {},
    ],
)
def test_invalid_changes_are_refused(document: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="validation error"):
        read_change(document)


def test_a_reading_survives_json() -> None:
    for table in (NORTH_TABLE, NORTH_LEFT):
        assert parse_reading(reading(table).as_json()) == reading(table)


IDS = st.sampled_from(["p1c0", "p1c14", "p2c1", "p1c20", "a1", "a3", "p9c9"])
GROUPS = st.sampled_from(
    ["p1g0", "p1g2", "p1g4", "p1g5", "laid", "loose", "left0", "left1", "n2", "new-meld", "new-pile"]
)
FACES = st.sampled_from(["8H", "2S", "JK", "10C", "3D"])
STEPS = st.lists(
    st.one_of(
        st.fixed_dictionaries({"op": st.just("name"), "card": IDS, "face": FACES}),
        st.fixed_dictionaries({"op": st.just("remove"), "card": IDS}),
        st.fixed_dictionaries({"op": st.just("move"), "card": IDS, "group": GROUPS}),
        st.fixed_dictionaries(
            {"op": st.just("add"), "group": GROUPS, "face": FACES, "photo": st.sampled_from([None, 1, 9])}
        ),
        st.fixed_dictionaries({"op": st.just("spread"), "group": GROUPS}),
        st.fixed_dictionaries({"op": st.just("accept"), "group": GROUPS}),
        st.fixed_dictionaries({"op": st.just("regroup"), "cards": st.lists(IDS, min_size=1), "group": GROUPS}),
        st.fixed_dictionaries({"op": st.just("join"), "group": GROUPS, "into": GROUPS}),
        st.fixed_dictionaries({"op": st.just("reset")}),
        st.fixed_dictionaries({"op": st.just("drop-photo"), "photo": st.sampled_from([1, 2, 9])}),
        st.fixed_dictionaries(
            {
                "op": st.just("count"),
                "group": GROUPS,
                "rank": st.just("8"),
                "cards": st.integers(4, 12),
                "wilds": st.just(["2S"]),
            }
        ),
    ),
    max_size=12,
)


@given(STEPS)
def test_whatever_is_corrected_the_sheet_can_be_read_and_no_card_is_in_two_places(steps: list[dict[str, Any]]) -> None:
    table = lay(*steps)
    ids = [card.id for group in table.groups for card in group.cards]
    assert len(ids) == len(set(ids))
    side = side_sheet("a", table, 2, SideFacts())
    read_sheet(round_sheet("golden-games", 1, 4, [side]))
    assert all(isinstance(card.face, Face) for group in table.groups for card in group.cards)
