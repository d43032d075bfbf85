"""A card in doubt over which the same face was read once more: it is asked whether that is one card."""

from __future__ import annotations

from scorer.faces import Face
from scorer.rules import load_rules
from vision.doubts import Doubt
from vision.values import Group, Reading, SeenCard
from webui.corrections.apply import apply_corrections
from webui.corrections.counted_twice import may_be_counted_twice
from webui.corrections.side_table import SidePhoto, SideTable
from webui.storage.changes import Name


def table(*cards: tuple[str, float, Doubt | None], confirmed: str = "") -> SideTable:
    """A hand of cards of 50 × 70 pixels, each with its face, its left edge and its doubt."""
    seen = tuple(
        SeenCard(Face.parse(face), 0.5, (), ((x, 0), (x + 50, 0), (x + 50, 70), (x, 70)), doubt)
        for face, x, doubt in cards
    )
    photo = SidePhoto(1, 0, Reading(900, 100, 0.1, seen, (Group(tuple(range(len(seen))), "hand"),), ()))
    changes = [(1, Name(card=confirmed, face=cards[0][0]))] if confirmed else []
    return apply_corrections([photo], changes, 2, load_rules("golden-games"))


def asked(side: SideTable) -> list[str]:
    return [card.id for group in side.groups for card in group.cards if may_be_counted_twice(side, card)]


def test_the_second_of_two_doubted_cards_is_asked_about() -> None:
    unsure = Doubt.LOW_CONFIDENCE
    assert asked(table(("2S", 0, unsure), ("2S", 20, unsure))) == ["p1c1"]
    assert asked(table(("2S", 0, unsure), ("2S", 20, unsure), confirmed="p1c0")) == ["p1c1"]
    assert asked(table(("2S", 0, unsure), ("2S", 20, unsure), confirmed="p1c1")) == ["p1c0"]
    assert asked(table(("2S", 0, unsure), ("2S", 20, None))) == ["p1c0"], "the other is sure"


def test_other_cards_are_asked_about_as_before() -> None:
    unsure = Doubt.LOW_CONFIDENCE
    assert asked(table(("2S", 0, unsure), ("2S", 200, unsure))) == [], "two cards apart are two"
    assert asked(table(("2S", 0, unsure), ("2H", 20, unsure))) == []
    assert asked(table(("2S", 0, None), ("2S", 20, None))) == [], "nothing is in doubt"
    assert asked(table(("2S", 0, None), ("2S", 20, Doubt.PERHAPS_ANOTHER))) == []
