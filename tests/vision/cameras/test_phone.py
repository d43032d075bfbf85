"""A phone as the table camera: lost, turned, replaced, and asked for stills."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vision.cameras.fake_phone import jpeg, phone_at_the_table
from tests.vision.cameras.test_watcher import wait_for
from vision.cameras import open_camera, phone
from vision.cameras.phone import MAILBOX, QUICK, SLOW, Mailbox, PhoneCamera
from vision.cameras.watcher import Watcher
from vision.errors import CameraError, PhotoError

SIZE = 320, 180


@pytest.fixture(autouse=True)
def nobody() -> Iterator[None]:
    yield
    MAILBOX.end()


@pytest.fixture
def watcher() -> Iterator[Watcher]:
    made = Watcher(lambda: open_camera("phone"))
    yield made
    made.close()


def sentence(watcher: Watcher) -> str:
    return watcher.snapshot().error or ""


def size(watcher: Watcher) -> tuple[int, int] | None:
    frame = watcher.snapshot().frame
    return None if frame is None else (frame.width, frame.height)


def test_without_a_phone_the_camera_says_what_to_press(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="press “Use this device as the table camera”"):
        open_camera("phone", tmp_path)


def test_a_phone_that_is_lost_is_told_and_is_the_camera_again_when_it_sends(watcher: Watcher) -> None:
    with phone_at_the_table():
        wait_for(lambda: size(watcher) == SIZE)
        MAILBOX.put(jpeg(10, SIZE))
    MAILBOX.begin()  # as a page that was loaded again, and then sleeps
    MAILBOX.put(jpeg(10, SIZE))
    wait_for(lambda: "gives no picture any more" in sentence(watcher))
    assert size(watcher) is None, "an old picture is never shown as live"
    with phone_at_the_table():
        wait_for(lambda: size(watcher) == SIZE and not sentence(watcher))


def test_a_phone_that_is_paused_says_so_and_its_last_picture_counts_no_more(watcher: Watcher) -> None:
    with phone_at_the_table():
        wait_for(lambda: size(watcher) == SIZE)
        MAILBOX.put(jpeg(10, SIZE))
    MAILBOX.begin()
    MAILBOX.put(jpeg(10, SIZE))
    MAILBOX.rest()
    wait_for(lambda: sentence(watcher).startswith("The phone at the table is paused"))
    assert size(watcher) is None
    with pytest.raises(CameraError, match="is paused"):
        watcher.still()
    with pytest.raises(CameraError, match="is paused"):
        PhoneCamera(MAILBOX).read()
    MAILBOX.put(jpeg(20, SIZE))
    assert PhoneCamera(MAILBOX).read().width == SIZE[0]


def test_a_phone_that_is_turned_goes_on_in_its_new_shape(watcher: Watcher) -> None:
    with phone_at_the_table() as held:
        wait_for(lambda: size(watcher) == SIZE)
        held.size = 180, 320
        said = []

        def is_turned() -> bool:
            said.append(sentence(watcher))
            return size(watcher) == (180, 320)

        wait_for(is_turned)
        held.still = 648, 1152
        still = watcher.still()
        assert (still.width, still.height) == (648, 1152)
        assert not any(said), "a turn is no fault"


def test_another_phone_takes_the_place_of_one(watcher: Watcher) -> None:
    with phone_at_the_table():
        wait_for(lambda: size(watcher) == SIZE)
        before = PhoneCamera(MAILBOX)
        MAILBOX.begin()
        with pytest.raises(CameraError, match="another one took its place"):
            before.read()
        MAILBOX.end()
        with pytest.raises(CameraError, match="no phone or tablet is the table camera"):
            before.read()


def test_a_still_that_never_comes_leaves_the_camera_working(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone, "_STILL_SECONDS", 0.2)
    box = Mailbox()
    box.begin()
    box.put(jpeg(10, SIZE))
    camera = PhoneCamera(box)
    with pytest.raises(PhotoError, match="took no picture"):
        camera.still()
    assert not box.wants_still and camera.read().width == SIZE[0]


def test_a_damaged_picture_is_passed_over() -> None:
    box = Mailbox()
    box.begin()
    box.put(jpeg(10, SIZE)[:-200])
    threading.Timer(0.3, lambda: box.put(jpeg(20, SIZE))).start()
    assert PhoneCamera(box).read().width == SIZE[0]


def test_pictures_come_quickly_only_while_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    box = Mailbox()
    box.begin()
    assert box.pause == SLOW
    box.put(jpeg(10, SIZE))
    PhoneCamera(box).read()
    assert box.pause == QUICK
    monkeypatch.setattr(phone, "_WATCHED_SECONDS", 0.0)
    assert box.pause == SLOW


def test_the_mailbox_holds_the_newest_picture_alone() -> None:
    box = Mailbox()
    box.begin()
    for step in range(50):
        box.put(jpeg(step, SIZE))
    number, newest = box.next(box.open()[0], 0)
    assert number == 50 and newest == jpeg(49, SIZE)


def test_a_watcher_changes_over_to_another_camera_without_an_error(samples_folder: Path) -> None:
    said = []
    watcher = Watcher(lambda: open_camera("phone" if MAILBOX.is_on else str(samples_folder)))
    try:
        wait_for(lambda: size(watcher) == (640, 360))
        with phone_at_the_table():
            watcher.reopen()
            wait_for(lambda: said.append(sentence(watcher)) or size(watcher) == SIZE)  # type: ignore[func-returns-value]
        watcher.reopen()
        wait_for(lambda: size(watcher) == (640, 360))
        assert not any(said)
    finally:
        watcher.close()


@pytest.fixture
def samples_folder(tmp_path: Path) -> Path:
    (tmp_path / "table.jpg").write_bytes(jpeg(30, (640, 360)))
    return tmp_path
