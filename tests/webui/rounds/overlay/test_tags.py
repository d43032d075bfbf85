"""Tags over a photo: none covers an index or another tag, what is doubtful is never lost, the type is large enough."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from tests.webui.helpers.drawn import NORTH_TABLE
from tests.webui.helpers.drawn import reading as drawn_reading
from tests.webui.rounds.overlay.measured import faults, side_with
from vision.geometry import BOX_SHARE
from vision.values import Quad
from webui.rounds.overlay.layout import Scene, Wanted, lay_out
from webui.rounds.overlay.outlines import index_corners
from webui.rounds.overlay.tags import WIDTHS, Names, names, short_group_name

DENSE = [json.loads(line) for line in (Path(__file__).parent / "dense_tables.jsonl").read_text().splitlines()]
PHONE, DESK = 350, 620


@pytest.mark.parametrize("reading", DENSE, ids=lambda reading: f"{len(reading['cards'])} cards")
def test_no_tag_covers_an_index_or_another_tag_on_a_dense_table(reading: dict[str, Any]) -> None:
    assert not list(faults(reading))


@pytest.mark.parametrize("reading", DENSE, ids=lambda reading: f"{len(reading['cards'])} cards")
def test_most_cards_are_named_on_a_phone_and_nearly_all_close_up(reading: dict[str, Any]) -> None:
    cards = len(reading["cards"])
    named = [sum(one.card is not None for one in shown.tags) for shown in all_names(reading, (PHONE, DESK, 2400))]
    assert named[0] > 0.4 * cards and named[1] > 0.8 * cards and named[2] > 0.9 * cards


def test_the_same_photo_always_gets_the_same_tags() -> None:
    side, photo = side_with(DENSE[0])
    scene = Scene(1000, 800, ((100, 100, 150, 180),), ((100, 100, 300, 380),))
    wanted = [Wanted(str(n), (f"{n}♠",), ((100, 100, 150, 180),), must=True) for n in range(9)]
    assert lay_out(scene, wanted, PHONE) == lay_out(scene, wanted, PHONE)
    assert names(side.table.groups, photo, side) == names(side.table.groups, photo, side)


def test_without_boxes_of_indices_all_four_corners_of_a_card_stay_free() -> None:
    reading = drawn_reading(NORTH_TABLE).as_json()
    for shown in all_names(reading, WIDTHS):
        for card in reading["cards"]:
            for corner in index_corners(cast(Quad, card["quad"])):
                xs, ys = [x / shown.layout.scale for x, _ in corner], [y / shown.layout.scale for _, y in corner]
                for one in shown.tags:
                    x0, y0, x1, y1 = one.tag.box
                    assert x1 <= min(xs) or x0 >= max(xs) or y1 <= min(ys) or y0 >= max(ys), one.tag.text


def test_groups_are_named_in_full_on_a_desk_and_in_short_on_a_phone() -> None:
    phone, desk = all_names(drawn_reading(NORTH_TABLE).as_json(), (PHONE, DESK))
    assert {"8s · 770", "No meld"} <= texts(phone)
    assert {"Clean book of 8s · 770", "Cards not in a meld"} <= texts(desk)
    assert "6♦?" in texts(phone), "a doubtful card says so"


def test_the_short_name_of_a_group_is_its_rank() -> None:
    titles = ("Clean book of 8s", "Not a valid meld of kings yet", "Laid threes", "Not a valid meld yet")
    assert [short_group_name(one) for one in titles] == ["8s", "Kings", "Threes", "Not a valid meld yet"]


def test_a_doubtful_card_is_named_also_where_there_is_no_room() -> None:
    """The index fills the photo. Another card's name is left out."""
    whole = ((0.0, 0.0, 400.0, 300.0),)
    wanted = [Wanted("a", ("8♠?",), whole, must=True), Wanted("b", ("8♥",), whole)]
    layout = lay_out(Scene(400, 300, whole, ()), wanted, 280)
    (tag,) = layout.tags
    assert tag.key == "a" and tag.box[0] >= 0 and tag.box[3] <= 300 / layout.scale


def test_a_name_stands_beside_its_index_and_rather_not_on_a_card_of_another_group() -> None:
    own, other = (150.0, 100.0, 180.0, 140.0), (185.0, 0.0, 400.0, 300.0)
    scene = Scene(400, 300, (own,), (other,))
    for strange, side in (((), 2), ((other,), 0)):
        (tag,) = lay_out(scene, [Wanted("a", ("8♠",), (own,), strange)], 400).tags
        x0, y0, x1, y1 = tag.box
        assert max(x0 - own[2], own[0] - x1, y0 - own[3], own[1] - y1) == 1, "as near as can be"
        assert x1 <= other[0], (strange, side)


def test_the_index_of_a_card_is_where_the_detector_was_taught_it_is() -> None:
    first = index_corners(((0, 0), (100, 0), (100, 100), (0, 100)))[0]
    assert first == ((0, 0), (100 * BOX_SHARE[0], 0), (100 * BOX_SHARE[0], 100 * BOX_SHARE[1]), (0, 100 * BOX_SHARE[1]))


def all_names(reading: dict[str, Any], widths: tuple[int, ...]) -> list[Names]:
    side, photo = side_with(reading)
    return names(side.table.groups, photo, side, widths)


def texts(shown: Names) -> set[str]:
    return {one.tag.text for one in shown.tags}
