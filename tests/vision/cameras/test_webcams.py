"""Webcams as they are: cold ones, slow drivers, and paths whose numbers change."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.cameras.usb
import vision.cameras.watcher
from tests.vision.cameras.fake_devices import FakeVideoCapture, SlowClock, SlowVideoCapture, Webcam
from tests.vision.cameras.test_camera_contract import webcam
from tests.vision.cameras.test_watcher import wait_for
from vision.cameras import list_cameras, open_camera
from vision.cameras.watcher import Watcher
from vision.cameras.watching.frame_check import is_empty
from vision.errors import CameraError, PhotoError
from vision.values import Frame, Pixels

__all__ = ["webcam"]

ONE_SIZE = ((320, 180),)
COLD = {
    "green": ("green",) * 4,
    "dark": ("dark",) * 10,
    "both": ("green", "half", "dark", "dark", "dark"),
    "black": ("black",) * 12,
}


@pytest.mark.parametrize("first", COLD.values(), ids=COLD)
@pytest.mark.parametrize("sizes", [ONE_SIZE, ((320, 180), (640, 360))], ids=["one size", "two sizes"])
@pytest.mark.usefixtures("webcam")
def test_the_first_pictures_of_a_cold_webcam_are_passed_over(
    first: tuple[str, ...], sizes: tuple[tuple[int, int], ...], tmp_path: Path
) -> None:
    FakeVideoCapture.webcams = {2: Webcam(first, sizes)}
    shown: list[Frame] = []
    watcher = Watcher(lambda: open_camera("2", tmp_path), lambda frame, _: shown.append(frame))
    stills = [watcher.still(), watcher.still()]
    wait_for(lambda: watcher.snapshot() is not None and bool(shown))
    watcher.close()
    for frame in (*stills, *shown):
        assert float(frame.pixels[:, frame.width // 2 :].mean()) > 110, "neither green nor dark"
    assert stills[0].width == sizes[-1][0]


@pytest.mark.parametrize(("how", "sentence"), [("black", "black"), ("green", "damaged"), ("half", "damaged")])
@pytest.mark.usefixtures("webcam")
def test_a_still_that_stays_black_green_or_half_is_refused(how: str, sentence: str, tmp_path: Path) -> None:
    FakeVideoCapture.webcams = {2: Webcam((how,) * 10_000, ONE_SIZE)}
    watcher = Watcher(lambda: open_camera("2", tmp_path))
    with pytest.raises(PhotoError, match=sentence):
        watcher.still()
    watcher.close()


@pytest.mark.usefixtures("webcam")
def test_a_spoiled_still_is_taken_again(tmp_path: Path) -> None:
    FakeVideoCapture.webcams = {2: Webcam((), ONE_SIZE)}
    camera = open_camera("2", tmp_path)
    camera.read()
    capture = FakeVideoCapture.webcams[2].owner
    assert capture is not None
    watcher = Watcher(lambda: camera)
    capture._coming = ["half"] * 3
    assert float(watcher.still().pixels[-8:, 160:, 0].mean()) > 100
    watcher.close()


def test_a_green_felt_is_no_empty_frame() -> None:
    felt = np.random.default_rng(1).normal((40, 110, 20), 6, (180, 320, 3)).clip(0, 255).astype(np.uint8)
    assert not is_empty(felt) and is_empty(np.full((180, 320, 3), (0, 135, 0), np.uint8))


@pytest.fixture
def slow_driver(monkeypatch: pytest.MonkeyPatch) -> SlowClock:
    """Windows with a webcam that takes 3.7 s for each step; on a clock of its own."""
    clock = SlowClock()
    monkeypatch.setattr(SlowVideoCapture, "clock", clock, raising=False)
    monkeypatch.setattr(SlowVideoCapture, "changes", [])
    monkeypatch.setattr(cv2, "VideoCapture", SlowVideoCapture)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(vision.cameras.usb, "time", clock)
    monkeypatch.setattr(vision.cameras.watcher, "OPEN_LIMIT", 60.0)  # as on Windows
    return clock


@pytest.mark.parametrize(("spec", "size"), [("0", (1920, 1080)), ("0:1280x720", (1280, 720)), (None, (1920, 1080))])
def test_a_slow_driver_opens_and_each_size_is_set_once(
    slow_driver: SlowClock, tmp_path: Path, spec: str | None, size: tuple[int, int]
) -> None:
    watcher = Watcher(lambda: open_camera(spec, tmp_path), clock=slow_driver.monotonic)
    still = watcher.still()
    assert (still.width, still.height) == size
    assert watcher.still().width == size[0]
    assert SlowVideoCapture.changes == [(cv2.CAP_PROP_FRAME_WIDTH, size[0]), (cv2.CAP_PROP_FRAME_HEIGHT, size[1])]
    watcher.close()


def test_hardware_transforms_are_off_before_opencv_is_imported() -> None:
    code = (
        "import os, sys\n"
        "class Watch:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'cv2': print(os.environ.get('OPENCV_VIDEOIO_MSMF_ENABLE_HW_TRANSFORMS'))\n"
        "sys.meta_path.insert(0, Watch())\n"
        "import {}\n"
    )
    free = {name: value for name, value in os.environ.items() if not name.startswith("OPENCV_")}
    for module in ("webui.app", "webui.commands.cards.scan", "webui.camera.mjpeg"):
        command = [sys.executable, "-c", code.format(module)]
        done = subprocess.run(command, env=free, capture_output=True, text=True, check=True)
        assert set(done.stdout.split()) == {"0"}, module


@pytest.fixture
def links(webcam: Webcam, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of links to cameras, as udev makes them."""
    folder = tmp_path / "by-id"
    folder.mkdir()
    monkeypatch.setattr(vision.cameras.usb, "_LINKS", (folder,))
    monkeypatch.setattr(vision.cameras.usb, "_DEVICES", f"{tmp_path}/")
    monkeypatch.setattr(vision.cameras.usb, "_MEMORY", f"{tmp_path}/memory/")  # where this folder may lie itself
    (folder / "usb-Maker_HD_Webcam_1234-video-index0").symlink_to("/dev/video2")
    (folder / "usb-Other-video-index0").symlink_to("/dev/video5")
    return folder / "usb-Maker_HD_Webcam_1234-video-index0"


def test_a_webcam_is_opened_by_its_path(links: Path, tmp_path: Path) -> None:
    second = tmp_path / "table"
    second.symlink_to(links)
    for spec in ("/dev/video2", str(links), str(second)):
        camera = open_camera(spec, tmp_path)
        assert camera.name == "camera 2" and camera.read().width == 1280
        camera.close()
        camera = open_camera(f"{spec}:320x180", tmp_path)
        assert camera.abilities().still == (320, 180)
        camera.close()


def test_a_path_is_kept_when_the_numbers_change(links: Path, tmp_path: Path) -> None:
    watcher = Watcher(lambda: open_camera(str(links), tmp_path))
    watcher.still()
    links.unlink()
    FakeVideoCapture.webcams.pop(2).plugged = False
    wait_for(lambda: "is not there; plug it in" in (watcher.snapshot().error or ""))
    assert "/" not in (watcher.snapshot().error or "")
    FakeVideoCapture.webcams[7] = Webcam()
    links.symlink_to("/dev/video7")
    assert watcher.still().source == "camera 7"
    watcher.close()


@pytest.mark.usefixtures("webcam")
def test_a_path_that_leads_to_no_webcam_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="camera 9 cannot be opened; plug it in"):
        open_camera("/dev/video9", tmp_path)
    (tmp_path / "mine").symlink_to("/dev/v4l/by-id/usb-none-index0")
    for path in ("/dev/null", "/dev/v4l/by-id/usb-none-index0", str(tmp_path / "mine")):
        with pytest.raises(CameraError, match=f"camera {Path(path).name} is not there"):
            open_camera(path, tmp_path)


def test_the_list_offers_a_path_that_lasts(links: Path) -> None:
    (found,) = list_cameras()
    assert (found.spec, found.lasting) == ("2", str(links))


@pytest.mark.usefixtures("webcam")
def test_a_frame_that_cannot_be_decoded_does_not_end_the_series(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = open_camera("2", tmp_path)
    camera.read()
    whole, broken = FakeVideoCapture.retrieve, [2]

    def retrieve(self: FakeVideoCapture) -> tuple[bool, Pixels | None]:
        if broken[0] > 0:
            broken[0] -= 1
            return False, None
        return whole(self)

    monkeypatch.setattr(FakeVideoCapture, "retrieve", retrieve)
    assert camera.read().width == 1280
    broken[0] = 100
    with pytest.raises(CameraError, match="gives no picture any more"):
        camera.read()
    camera.close()
