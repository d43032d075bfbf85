"""Cards that several photos of one side show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.webui.corrections.tables import lay, sheet
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, Drawn, Row, Untraced, photo, reading
from tests.webui.helpers.playing import Person
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Reading
from webui.app import create_app
from webui.context.services import services_of
from webui.corrections.side_table import SidePhoto
from webui.reading.reader_service import ReaderService
from webui.settings import Settings


def test_several_photos_of_one_side_add_up() -> None:
    both = (SidePhoto(1, None, reading(NORTH_TABLE)), SidePhoto(5, None, reading(EAST_TABLE)))
    assert len(sheet(lay(photos=both))["melds"]) == 6, "and a pile that nobody has counted"
    assert not lay(photos=both).duplicates


def test_what_two_photos_show_counts_once_and_the_rest_of_a_meld_joins_it() -> None:
    first = Drawn((Row("meld", 60, 80, "8H 8S 8D 8C", "8"), Row("meld", 60, 360, "QH QD QS", "Q")))
    second = Drawn((Row("meld", 400, 500, "8S 8D 8C 8C 8H", "8"), Row("meld", 900, 80, "AH AS AD", "A")))
    table = lay(photos=(SidePhoto(1, None, reading(first)), SidePhoto(5, None, reading(second))))
    assert sheet(table)["melds"] == [["8H", "8S", "8D", "8C", "8C", "8H"], ["QH", "QD", "QS"], ["AH", "AS", "AD"]]
    assert table.duplicates == {5: 3}
    assert sheet(
        lay(
            {"op": "drop-photo", "photo": 1},
            photos=(SidePhoto(1, None, reading(first)), SidePhoto(5, None, reading(second))),
        )
    )["melds"] == [["8S", "8D", "8C", "8C", "8H"], ["AH", "AS", "AD"]]


def disagreeing(first: str, second: str, doubts: tuple[str | None, str | None]) -> tuple[SidePhoto, ...]:
    """Two photos of the same two melds; the third card of the first meld has another face in each."""
    photos = []
    for number, face, doubt in ((1, first, doubts[0]), (5, second, doubts[1])):
        drawn = Drawn((Row("meld", 60, 80, f"8H 8S {face} 8C", "8"), Row("meld", 60, 360, "QH QD QS", "Q")))
        read = reading(drawn)
        cards = list(read.cards)
        cards[2] = replace(cards[2], doubt=doubt, confidence=0.6 if doubt == "low-confidence" else 0.999)
        photos.append(SidePhoto(number, None, replace(read, cards=tuple(cards))))
    return tuple(photos)


@pytest.mark.parametrize(
    ("doubts", "shown"),
    [
        ((None, None), "8D"),
        (("perhaps-another", None), "8D"),  # sure of its face
        ((None, "low-confidence"), "8D"),
        (("low-confidence", None), "9D"),
    ],
)
def test_a_card_that_two_photos_name_differently_is_in_doubt_and_both_names_are_offered(
    doubts: tuple[str | None, str | None], shown: str
) -> None:
    card = lay(photos=disagreeing("8D", "9D", doubts)).card("p1c2")
    assert card is not None
    other = "9D" if shown == "8D" else "8D"
    assert (str(card.face), card.doubt, str(card.others[0][0])) == (shown, "looks-differ", other)
    assert str(card.seen_as) == "8D", "the reading stays"


def test_two_photos_that_agree_leave_a_card_without_a_doubt() -> None:
    assert not any(
        card.doubt for group in lay(photos=disagreeing("8D", "8D", (None, None))).groups for card in group.cards
    )


def test_the_page_asks_about_a_card_that_two_photos_name_differently(tmp_path: Path) -> None:
    photos = disagreeing("8D", "9D", (None, None))
    app = create_app(Settings(tmp_path / "data"), ReaderService(lambda: InTurn(photos)))
    person = Person(app)
    side = f"{person.begin()}/side/0"
    for table in (NORTH_TABLE, EAST_TABLE):
        person.photo(side, photo(table))
    assert "Is this the 8 of diamonds? This card looked different from picture to picture." in person.text
    assert 'aria-label="No, the 9 of diamonds"' in person.page
    person.send(f"{side}/change", op="name", card="p1c2", face="9D")
    assert "looked different" not in person.text
    services_of(app).photo_queue.close()
    services_of(app).store.close()


class InTurn(Untraced):
    """Reads one photo after the other as given."""

    def __init__(self, photos: tuple[SidePhoto, ...]) -> None:
        self._readings = iter([photo.reading for photo in photos])

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        return next(self._readings)


@pytest.mark.parametrize(
    ("rules", "first", "second", "asked"),
    [
        ("golden-games", "8D", "8H", None),
        ("samba", "8D", "8H", "suit-unsure"),
        ("golden-games", "3D", "3H", None),
        ("golden-games", "3D", "3S", "suit-unsure"),
        ("golden-games", "8D", "9D", "looks-differ"),
    ],
)
def test_a_suit_is_asked_about_only_where_it_makes_a_difference(
    rules: str, first: str, second: str, asked: str | None
) -> None:
    card = lay(photos=disagreeing(first, second, (None, None)), rules=rules).card("p1c2")
    assert card is not None and card.doubt == asked


def test_a_rank_that_no_photo_is_sure_of_is_asked_about_whatever_its_suit() -> None:
    card = lay(photos=disagreeing("8D", "8H", ("low-confidence", "low-confidence"))).card("p1c2")
    assert card is not None and card.doubt == "looks-differ"
