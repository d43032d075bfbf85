"""One camera over both sides' cards: each picture shows only the part of the table that was asked for."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.test_marks import camera, photo
from tests.webui.drawn import DrawnReader
from tests.webui.playing import Person
from vision.cameras import open_camera
from vision.photos import load_photo
from webui.app import create_app
from webui.camera_desk import CameraDesk
from webui.eyes import Eyes
from webui.house import house_of
from webui.settings import Settings
from webui.zones import HALVES, Zones, keep_zones, load_zones

TABLE = np.arange(100 * 60 * 3, dtype=np.uint32).reshape(60, 100, 3).astype(np.uint8)


@pytest.mark.parametrize("first", [None, *HALVES])
@pytest.mark.parametrize("strip", [False, True])
def test_the_parts_are_the_table_and_no_pixel_belongs_to_two(first: str | None, strip: bool) -> None:
    zones = Zones(first, strip)
    parts = [zones.part(TABLE, side, left=False) for side in (0, 1)] if first else [zones.part(TABLE, 0, left=False)]
    parts += [zones.part(TABLE, 0, left=True)] if strip else []
    assert sum(part.size for part in parts) == TABLE.size
    assert all(part.size for part in parts) and len(zones.borders()) == bool(first) + strip


def test_the_first_side_has_the_half_that_was_said() -> None:
    assert np.array_equal(Zones("left").part(TABLE, 0, left=False), TABLE[:, :50])
    assert np.array_equal(Zones("right").part(TABLE, 0, left=False), TABLE[:, 50:])
    assert np.array_equal(Zones("bottom", True).part(TABLE, 0, left=False), TABLE[24:48])
    assert np.array_equal(Zones("bottom", True).part(TABLE, 1, left=False), TABLE[:24])
    assert np.array_equal(Zones("bottom", True).part(TABLE, 1, left=True), TABLE[48:])


def test_they_are_kept_and_rubbish_is_as_nothing(tmp_path: Path) -> None:
    assert load_zones(tmp_path) == Zones()
    keep_zones(tmp_path, Zones("top", True))
    assert load_zones(tmp_path) == Zones("top", True)
    for rubbish in ("", "[]", '{"first": "middle"}', '{"first": ["left"]}'):
        (tmp_path / "zones.json").write_text(rubbish, encoding="utf-8")
        assert load_zones(tmp_path) == Zones()


def test_each_side_gets_its_half_of_a_table_with_marks(tmp_path: Path) -> None:
    shown = photo(camera(33, 0), 1)
    (tmp_path / "table").mkdir()
    for name in ("1.png", "2.png", "3.png", "4.png"):
        cv2.imwrite(str(tmp_path / "table" / name), shown)
    app = create_app(Settings(tmp_path / "data", camera=str(tmp_path / "table")), Eyes(DrawnReader))
    person = Person(app)
    here = person.begin()
    person.send("/camera/setup/zones", first="right", strip="on")
    assert any("Kept." in sentence for sentence in person.notices())
    assert '<option value="right" selected>' in person.page
    for path, player in ((f"{here}/side/0/shoot", None), (f"{here}/side/1/shoot", None), (f"{here}/side/0/shoot", 1)):
        person.send(path, **({} if player is None else {"player": player}))
    store = house_of(app).store
    game = store.game(1)
    assert game is not None
    first, second, left = (load_photo(store.files.path(kept.file)).pixels for kept in game.rounds[0].photos)
    whole = 760 / 470  # the table and its margin
    assert first.shape[1] / first.shape[0] == pytest.approx(whole / 2 / 0.8, rel=0.03)
    assert second.shape == pytest.approx(first.shape, abs=1)
    assert left.shape[1] / left.shape[0] == pytest.approx(whole / 0.2, rel=0.03)
    width = min(first.shape[1], second.shape[1])
    assert np.abs(first[:, :width].astype(int) - second[:, :width]).mean() > 3
    house_of(app).camera.close()
    store.close()


def test_the_parts_are_drawn_where_the_camera_is_looked_over(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "table.png"), photo(camera(33, 0), 1))
    desk = CameraDesk(lambda: open_camera(str(tmp_path), tmp_path))

    def drawn(zones: Zones) -> int:
        desk.look_over(DrawnReader(), zones)
        assert desk.checked is not None
        shown = cv2.imdecode(np.frombuffer(desk.checked.picture, np.uint8), cv2.IMREAD_COLOR)
        assert shown is not None
        return int((np.abs(shown.astype(int) - (255, 120, 0)).max(2) < 60).sum())

    frame, halves = drawn(Zones()), drawn(Zones("left"))
    assert frame > 1000 and 1.1 * frame < halves < 1.4 * frame
    assert drawn(Zones("left", True)) > 1.1 * halves
    desk.close()
