"""Loose cards at one tap: melds by rank, or a player's left-over cards; doubts about faces remain."""

from __future__ import annotations

from dataclasses import replace

from scorer.faces import Face
from scorer.rules import load_rules
from vision.doubts import Doubt
from vision.values import Group, Reading, SeenCard
from webui.corrections.apply import apply_corrections
from webui.corrections.loose import all_left, by_rank, places_for
from webui.corrections.side_table import SidePhoto, SideTable, TableCard, TableGroup
from webui.storage.changes import Change

RULES = load_rules("golden-games")


def table(*changes: tuple[int, Change]) -> SideTable:
    """A meld of kings, and eight loose cards, of which the last is in doubt."""
    faces = ["KH", "KS", "KD", "8S", "8D", "9C", "KC", "2H", "3H", "5C", "8C?"]
    cards = tuple(
        SeenCard(
            Face.parse(text.rstrip("?")),
            0.9,
            (),
            ((x, 0), (x + 50, 0), (x + 50, 70), (x, 70)),
            Doubt.LOW_CONFIDENCE if text.endswith("?") else None,
        )
        for x, text in zip(range(0, 2000, 100), faces, strict=False)
    )
    groups = (Group((0, 1, 2), "meld", "K"), *(Group((number,), "single") for number in range(3, len(faces))))
    photo = SidePhoto(1, None, Reading(2000, 100, 0.1, cards, groups, ()))
    return apply_corrections([photo], changes, 2, RULES)


def faces_in(side: SideTable, group_id: str) -> str:
    group = side.group(group_id)
    return " ".join(str(card.face) for card in group.cards) if group else ""


def test_loose_cards_are_grouped_by_rank() -> None:
    before = table()
    assert faces_in(before, "loose") == "8S 8D 9C KC 2H 3H 5C 8C"
    changes = by_rank(before, RULES)
    after = table(*enumerate(changes, 1))
    melds = [" ".join(str(card.face) for card in group.cards) for group in after.groups if group.kind == "meld"]
    assert melds == ["KH KS KD KC", "8S 8D 8C"]
    assert faces_in(after, "laid") == "3H"
    assert faces_in(after, "loose") == "9C 2H 5C", "a wild and cards alone of their rank stay"
    doubtful = after.card("p1c10")
    assert doubtful is not None and doubtful.doubt == Doubt.LOW_CONFIDENCE, "nobody has looked at it"
    assert by_rank(after, RULES) == []


def test_loose_cards_are_all_what_a_player_has_left() -> None:
    after = table(*enumerate(all_left(table(), 1), 1))
    assert faces_in(after, "left1") == "8S 8D 9C KC 2H 3H 5C 8C" and not after.group("loose")
    assert all_left(after, 1) == []


def test_a_three_that_the_rules_do_not_lay_is_asked_about() -> None:
    cards = tuple(
        SeenCard(Face.parse(text), 0.9, (), ((x, 0), (x + 50, 0), (x + 50, 70), (x, 70)))
        for x, text in ((0, "3H"), (30, "3S"))
    )
    photo = SidePhoto(1, None, Reading(2000, 100, 0.1, cards, (Group((0, 1), "threes", "3"),), ()))
    side = apply_corrections([photo], (), 2, RULES)
    assert (faces_in(side, "laid"), faces_in(side, "loose")) == ("3H", "3S")
    side = apply_corrections([photo], enumerate(all_left(side, 0), 1), 2, RULES)
    assert (faces_in(side, "laid"), faces_in(side, "left0")) == ("3H", "3S")


def test_a_lady_is_asked_about_with_the_books_that_it_may_cap_first() -> None:
    rules = load_rules("hand-n-foot")

    def spread(id: str, *faces: str) -> TableGroup:
        return TableGroup(
            id, "meld", tuple(TableCard(f"{id}{n}", Face(face)) for n, face in enumerate(faces)), rank="9"
        )

    def pile(id: str, count: int, *wilds: Face, caps: tuple[Face, ...] = ()) -> TableGroup:
        top = (TableCard(id, Face("9")),)
        return TableGroup(id, "pile", top, rank="9", count=count, wilds=wilds, caps=caps)

    lady = TableCard("lady", Face("LADY"))
    clean, capped = spread("clean", *["9"] * 7), spread("capped", *["9"] * 7, "LADY")
    dirty, small = spread("dirty", *["9"] * 6, "JESTER"), spread("small", "9", "9", "9")
    piles = pile("pile", 7), pile("dirty pile", 7, Face("JOKER")), pile("capped pile", 8, caps=(Face("LADY"),))
    side = replace(table(), groups=(clean, capped, dirty, small, *piles))
    assert [place.id for place in places_for(side, lady, rules, 2)] == ["clean", "pile", "left0", "left1"]
