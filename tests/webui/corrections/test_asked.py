"""What is asked: of a card over which the same face was read once more, whether that is one card; of cards of which the
camera is nearly sure, all at one look."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorer.deck import load_deck
from scorer.faces import Face
from scorer.rules import load_rules
from tests.webui.corrections.tables import lay
from tests.webui.helpers.drawn import NEARLY_SURE, Drawn, Row, reading
from vision.doubts import Doubt
from vision.values import Group, Reading, SeenCard
from webui.corrections.apply import apply_corrections
from webui.corrections.asked import likely_faces, may_be_counted_twice
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


@pytest.mark.parametrize(
    ("read", "others", "offered"),
    [
        ("10H", ["9H", "JH", "QH"], ["9H", "JH", "JK"]),
        ("10H", [], ["QH", "AH", "JK"]),
        ("8S", [], ["JS", "QS", "JK"]),
        ("KD", [], ["QD", "JD", "JK"]),
        ("5C", [], ["JK"]),
        ("JK", ["QS"], ["QS"]),
    ],
)
def test_the_runner_up_the_joker_and_what_foreign_letters_mean_are_offered(
    read: str, others: list[str], offered: list[str]
) -> None:
    ranked = [(Face.parse(other), 0.1) for other in others]
    found = likely_faces(Face.parse(read), ranked, load_deck("standard"), 2)
    assert [str(face) for face in found] == offered


def test_other_cards_are_asked_about_as_before() -> None:
    unsure = Doubt.LOW_CONFIDENCE
    assert asked(table(("2S", 0, unsure), ("2S", 200, unsure))) == [], "two cards apart are two"
    assert asked(table(("2S", 0, unsure), ("2H", 20, unsure))) == []
    assert asked(table(("2S", 0, None), ("2S", 20, None))) == [], "nothing is in doubt"
    assert asked(table(("2S", 0, None), ("2S", 20, Doubt.PERHAPS_ANOTHER))) == []


def test_cards_of_which_the_camera_is_nearly_sure_are_one_question_of_a_step() -> None:
    drawn = reading(NEARLY_SURE)
    photos = (SidePhoto(1, None, drawn), SidePhoto(2, 0, reading(Drawn((Row("hand", 0, 0, "QS~ 6S"),)))))
    before = lay(photos=photos)
    assert [card.id for card in before.gathered(left=False)] == ["p1c0", "p1c2", "p1c5"]
    assert before.gathered(left=True) == (), "a single one is asked about as any other"
    assert [group.questions for group in before.groups if group.cards] == [0, 1, 1]
    after = lay({"op": "name", "card": "p1c2", "face": "8D"}, photos=photos)
    assert [card.id for card in after.gathered(left=False)] == ["p1c0", "p1c5"]
    fewer = lay(*({"op": "name", "card": card, "face": "8D"} for card in ("p1c2", "p1c0")), photos=photos)
    assert fewer.gathered(left=False) == () and fewer.card("p1c5") is not None


@pytest.mark.parametrize(
    ("confidence", "others"), [(0.94, ()), (0.97, (("7H", 0.02), ("8C", 0.01)))], ids=["unsure", "another rank"]
)
def test_a_card_that_may_well_be_wrong_is_asked_about_alone(
    confidence: float, others: tuple[tuple[str, float], ...]
) -> None:
    drawn = reading(NEARLY_SURE)
    alone = replace(drawn.cards[0], confidence=confidence, others=tuple((Face.parse(o), s) for o, s in others))
    other = replace(drawn, cards=(alone, *drawn.cards[1:]))
    table = lay(photos=(SidePhoto(1, None, other),))
    assert [card.id for card in table.gathered(left=False)] == ["p1c2", "p1c5"]
    assert table.groups[0].questions == 1


def test_one_question_about_several_cards_of_a_group_settles_only_what_it_shows() -> None:
    rows = (Row("meld", 60, 80, "8H~ 8S? 8D? 8C?", "8"), Row("meld", 60, 360, "9H~ 9S 9C~", "9"))
    photos = (SidePhoto(1, None, reading(Drawn(rows))),)
    before = lay(photos=photos)
    assert [card.id for card in before.groups[0].asked_together] == ["p1c0", "p1c1", "p1c2", "p1c3"]
    assert [card.id for card in before.gathered(left=False)] == ["p1c4", "p1c6"]
    after = lay({"op": "accept", "group": "p1g0"}, photos=photos)
    assert after.gathered(left=False) == before.gathered(left=False)
