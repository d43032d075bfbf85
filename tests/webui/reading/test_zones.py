"""Zones of the table: one camera over both sides' cards, each picture cut to the zone asked for."""

from __future__ import annotations

import errno
import os
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask

from scorer.faces import Face
from tests.vision.live.test_table_markers import camera, photo
from tests.vision.looks.test_labelling import seen
from tests.webui.helpers.drawn import NORTH_TABLE, DrawnReader, Untraced, frame
from tests.webui.helpers.playing import Person
from vision.cameras import open_camera
from vision.doubts import Doubt
from vision.images.decode import load_photo
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Pixels, Reading, SeenCard
from webui.app import create_app
from webui.camera.camera_service import CameraService
from webui.context.services import services_of
from webui.reading.reader_service import Reader, ReaderService
from webui.reading.split_by_zone import split_by_zone
from webui.reading.zones import HALVES, Zones, load_zones, save_zones
from webui.settings import Settings

TABLE = np.arange(100 * 60 * 3, dtype=np.uint32).reshape(60, 100, 3).astype(np.uint8)


@pytest.mark.parametrize("first", [None, *HALVES])
@pytest.mark.parametrize("strip", [False, True])
def test_zones_cover_the_table_without_overlap(first: str | None, strip: bool) -> None:
    zones = Zones(first, strip)
    parts = [zones.part(TABLE, side, left=False) for side in (0, 1)] if first else [zones.part(TABLE, 0, left=False)]
    parts += [zones.part(TABLE, 0, left=True)] if strip else []
    assert sum(part.size for part in parts) == TABLE.size
    assert all(part.size for part in parts) and len(zones.borders()) == bool(first) + strip


def test_the_first_side_has_the_chosen_half() -> None:
    assert np.array_equal(Zones("left").part(TABLE, 0, left=False), TABLE[:, :50])
    assert np.array_equal(Zones("right").part(TABLE, 0, left=False), TABLE[:, 50:])
    assert np.array_equal(Zones("bottom", True).part(TABLE, 0, left=False), TABLE[24:48])
    assert np.array_equal(Zones("bottom", True).part(TABLE, 1, left=False), TABLE[:24])
    assert np.array_equal(Zones("bottom", True).part(TABLE, 1, left=True), TABLE[48:])


def test_the_fields_of_the_strip_follow_the_order_of_the_sides() -> None:
    assert Zones("left", True).fields((2, 2)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert Zones("right", True).fields((1, 2)) == [(1, 0), (1, 1), (0, 0)]
    fields = [Zones("top", True).field(place, 4) for place in range(4)]
    assert [(left, right) for left, _, right, _ in fields] == [(0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1)]
    assert all((top, bottom) == (0.8, 1) for _, top, _, bottom in fields)
    assert len(Zones("left", True).borders(4)) == 5


def test_zones_are_stored_and_a_damaged_file_means_none(tmp_path: Path) -> None:
    assert load_zones(tmp_path) == Zones()
    save_zones(tmp_path, Zones("top", True))
    assert load_zones(tmp_path) == Zones("top", True)
    for rubbish in ("", "[]", '{"first": "middle"}', '{"first": ["left"]}'):
        (tmp_path / "zones.json").write_text(rubbish, encoding="utf-8")
        assert load_zones(tmp_path) == Zones()


def test_zones_stay_if_new_ones_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not on the disk for good is not kept: a power cut would leave an empty file."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    save_zones(tmp_path, Zones("top", True))
    with monkeypatch.context() as changed, pytest.raises(OSError, match="No space left"):
        changed.setattr(os, "fsync", full)
        save_zones(tmp_path, Zones("left", False))
    assert load_zones(tmp_path) == Zones("top", True) and [path.name for path in tmp_path.iterdir()] == ["zones.json"]


def at_the_table(folder: Path, shown: Pixels, reader: Reader) -> tuple[Person, Flask]:
    """A person at a page whose camera sees this."""
    (folder / "table").mkdir()
    for name in ("1.png", "2.png", "3.png", "4.png"):
        cv2.imwrite(str(folder / "table" / name), shown)
    app = create_app(Settings(folder / "data", camera=str(folder / "table")), ReaderService(lambda: reader))
    return Person(app), app


def test_each_side_gets_its_half_of_a_marked_table(tmp_path: Path) -> None:
    person, app = at_the_table(tmp_path, photo(camera(33, 0), 1), DrawnReader())
    here = person.begin()
    person.send("/camera/setup/zones", first="right", strip="on")
    assert any("Saved." in sentence for sentence in person.notices())
    assert '<option value="right" selected>' in person.page
    for path, player in ((f"{here}/side/0/shoot", None), (f"{here}/side/1/shoot", None), (f"{here}/side/0/shoot", 1)):
        person.send(path, **({} if player is None else {"player": player}))
    store = services_of(app).store
    game = store.game(1)
    assert game is not None
    first, second, left = (load_photo(store.files.path(kept.file)).pixels for kept in game.rounds[0].photos)
    whole = 760 / 470  # the table and its margin
    assert first.shape[1] / first.shape[0] == pytest.approx(whole / 2 / 0.8, rel=0.03)
    assert second.shape == pytest.approx(first.shape, abs=1)
    assert left.shape[1] / left.shape[0] == pytest.approx(whole / 0.2, rel=0.03)
    width = min(first.shape[1], second.shape[1])
    assert np.abs(first[:, :width].astype(int) - second[:, :width]).mean() > 3
    services_of(app).camera.close()
    store.close()


LAID = {(250, 30, 30): "8H", (30, 250, 30): "9S", (30, 30, 250): "KD", (250, 250, 30): "4C"}


class PatchReader(Untraced):
    """Takes each patch of one of these colours for a card."""

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        cards = []
        for colour, face in LAID.items():
            mask = np.asarray(np.abs(frame.pixels.astype(int) - colour).max(2) < 60, np.uint8)
            x, y, across, down = cv2.boundingRect(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)))
            if across:
                a, b, c, d = ((x, y), (x + across, y), (x + across, y + down), (x, y + down))
                cards.append(SeenCard(Face.parse(face), 0.99, (), (a, b, c, d), None))
        return Reading(frame.width, frame.height, 0.01, tuple(cards), (), ())


def with_patches(*middles: tuple[float, float]) -> Pixels:
    """A photographed table with a patch of each colour, 60 mm wide and 86 high, its middle so many millimetres from the
    table's."""
    view = camera(33, 0)
    shown = photo(view, 1)
    for colour, middle in zip(LAID, middles, strict=True):
        corners = np.array([[-30.0, -43], [30, -43], [30, 43], [-30, 43]]) + middle
        cv2.fillPoly(shown, [np.round(cv2.perspectiveTransform(corners[None], view)).astype(np.int32)], colour)
    return shown


def test_one_picture_is_split_by_zone(tmp_path: Path) -> None:
    # the third card's upper edge lies in the table of the right side, the fourth reaches over to the left one
    cards = with_patches((-180, -60), (180, -60), (95, 180), (20, 60))
    person, app = at_the_table(tmp_path, cards, PatchReader())
    here = person.begin()
    person.open("/camera/")
    assert "Both sides at once" not in person.text
    person.send("/camera/setup/zones", first="left", strip="on")
    assert "split from left to right: North, South, East, West" in person.text
    person.open("/camera/?game=1&round=1&side=0&whole=1")
    assert "Both sides at once: the table and the cards left" in person.text and 'name="whole" value="1"' in person.page
    person.send(f"{here}/side/0/shoot", whole="1")
    assert person.notices()[0] == (
        "Read both sides from one picture. North–South: 1 card; East–West: 2 cards; cards North has left: no cards; "
        "cards South has left: no cards; cards East has left: 1 card; cards West has left: no cards."
    )
    store = services_of(app).store
    game = store.game(1)
    assert game is not None
    kept = game.rounds[0].photos
    assert [(one.side, one.player) for one in kept] == [(0, None), (1, None), (1, 0)]
    faces = [[card["face"] for card in (one.reading or {})["cards"]] for one in kept]
    assert faces == [["8H"], ["9S", "4C"], ["KD"]]
    for one in kept:  # no card is cut off by the border of its part
        for card in (one.reading or {})["cards"]:
            assert all(0 <= x <= one.width and 0 <= y <= one.height for x, y in card["quad"])
    assert "Cards East has left −10" in person.left(f"{here}/side/1")
    services_of(app).camera.close()
    store.close()


def test_sharing_out_a_picture_leaves_a_sure_card_its_face() -> None:
    """A 3 beside which another card may lie, among 8s: the rules had their say, and it is no 8."""
    cards = []
    for number, face in enumerate(["8H", "8S", "8D", "3H", "8C", "8S"]):
        left = 50.0 + 40 * number
        quad = ((left, 50.0), (left + 120, 50.0), (left + 120, 218.0), (left, 218.0))
        others = ((Face.parse("8H"), 0.3),) if face == "3H" else ()
        cards.append(SeenCard(Face.parse(face), 0.999, others, quad, Doubt.PERHAPS_ANOTHER if others else None))
    table = Frame(np.full((400, 800, 3), 90, np.uint8), datetime.now(UTC), "table")
    whole = Reading(800, 400, 0.1, tuple(cards), (), ())
    (_, near, _), _ = split_by_zone(table, whole, [(0.0, 0.0, 0.5, 1.0), (0.5, 0.0, 1.0, 1.0)], HouseRules())
    assert [str(card.face) for card in near.cards] == ["8H", "8S", "8D", "3H", "8C", "8S"]
    assert near.cards[3].doubt == Doubt.PERHAPS_ANOTHER and sum(len(group.cards) for group in near.groups) == 6


def test_each_part_has_what_was_seen_of_it_but_on_cards_of_others() -> None:
    """A card of the right side reaches over the border: its index is none of what the left side's picture shows."""
    quads = [((x, 100.0), (x + 120, 100.0), (x + 120, 268.0), (x, 268.0)) for x in (100.0, 300.0, 600.0)]
    cards = tuple(SeenCard(Face.parse("8H"), 0.999, (), quad, None) for quad in quads)
    table = Frame(np.full((400, 800, 3), 90, np.uint8), datetime.now(UTC), "table")
    found = seen((115, 120, 0.9, "8"), (315, 120, 0.9, "8"), (615, 120, 0.9, "8"), (250, 350, 0.1, "7"))
    boxes = [(0.0, 0.0, 0.4, 1.0), (0.4, 0.0, 1.0, 1.0)]
    parts = split_by_zone(table, Reading(800, 400, 0.1, cards, (), ()), boxes, HouseRules(), found)
    middles = [part.centres().tolist() for _, _, part in parts if part is not None]
    left_edge = 300 - 8  # of the right part: the card's edge and its margin
    assert middles == [[[115, 120], [250, 350]], [[315 - left_edge, 120], [615 - left_edge, 120]]]


def test_a_picture_of_both_sides_needs_the_markers(tmp_path: Path) -> None:
    person, app = at_the_table(tmp_path, frame(NORTH_TABLE).pixels, DrawnReader())
    here = person.begin()
    person.send("/camera/setup/zones", first="left")
    person.send(f"{here}/side/0/shoot", whole="1")
    assert "can’t see all four printed marks at the corners of the table" in person.notices()[0]
    game = services_of(app).store.game(1)
    assert game is not None and not game.rounds[0].photos
    services_of(app).camera.close()
    services_of(app).store.close()


def test_zones_are_drawn_in_the_picture_of_the_check(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), photo(camera(33, 0), 1))
    desk = CameraService(lambda: open_camera(str(tmp_path), tmp_path))

    def drawn(zones: Zones) -> int:
        desk.check(DrawnReader(), zones)
        assert desk.last_check is not None
        shown = cv2.imdecode(np.frombuffer(desk.last_check.picture, np.uint8), cv2.IMREAD_COLOR)
        assert shown is not None
        return int((np.abs(shown.astype(int) - (255, 120, 0)).max(2) < 60).sum())

    frame, halves = drawn(Zones()), drawn(Zones("left"))
    assert frame > 1000 and 1.1 * frame < halves < 1.4 * frame
    assert drawn(Zones("left", True)) > 1.1 * halves
    desk.close()
