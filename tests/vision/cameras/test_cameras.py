"""The folder camera, and which camera is opened for which spec."""

from __future__ import annotations

import re
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
import pytest

import vision.cameras
from tests.vision.cameras.test_watcher import threads, wait_for
from vision.cameras import FORMS, KINDS, open_camera
from vision.cameras.folder import FolderCamera
from vision.cameras.usb import UsbCamera
from vision.cameras.watcher import IDLE, Watcher
from vision.errors import CameraError, PhotoError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in (1, 2):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((50, 60, 3), number * 40, np.uint8))
    return tmp_path


@pytest.fixture
def no_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vision.cameras, "attached", list)


def test_a_folder_gives_its_pictures_in_turn_and_starts_again(folder: Path) -> None:
    camera = open_camera(str(folder), folder)
    assert [int(camera.still().pixels[0, 0, 0]) for _ in range(3)] == [40, 80, 40]
    assert [int(camera.read().pixels[0, 0, 0]) for _ in range(2)] == [80, 80], "the preview is the next still"
    camera.close()


@pytest.mark.usefixtures("no_camera")
@pytest.mark.parametrize("asked_for", [True, False])
def test_a_folder_keeps_its_place_while_it_is_closed_because_nobody_asks(folder: Path, asked_for: bool) -> None:
    cv2.imwrite(str(folder / "3.png"), np.full((50, 60, 3), 120, np.uint8))
    ahead, before = [0.0], threads()
    watcher = Watcher(
        lambda: open_camera(str(folder) if asked_for else None, folder), clock=lambda: time.monotonic() + ahead[0]
    )
    taken = []
    for _ in range(4):
        taken.append(int(watcher.still().pixels[0, 0, 0]))
        ahead[0] += IDLE + 2
        wait_for(lambda: not threads() - before)
    assert taken == [40, 80, 120, 40], "each picture once, and after the last the first again"
    watcher.close()


def test_a_folder_goes_on_behind_the_last_picture_though_others_came_or_went(folder: Path) -> None:
    camera = open_camera(str(folder), folder)
    camera.still()
    camera.close()
    cv2.imwrite(str(folder / "0.png"), np.full((50, 60, 3), 200, np.uint8))
    (folder / "1.png").unlink()
    assert int(open_camera(str(folder), folder).still().pixels[0, 0, 0]) == 80


def test_pictures_and_messages_of_a_folder_name_no_folder_above_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert open_camera(str(folder), folder).still().source == "1.png"
    monkeypatch.chdir(folder)
    assert open_camera(".", folder).name == folder.name
    (folder / "2.png").write_bytes(b"no picture")
    with pytest.raises(PhotoError) as bad:
        open_camera(str(folder), folder).still()
    (folder / "1.png").unlink()
    (folder / "2.png").unlink()
    with pytest.raises(CameraError) as empty:
        open_camera(str(folder), folder)
    with pytest.raises(CameraError) as missing:
        FolderCamera(folder / "none", "none")
    for said in (bad, empty, missing):
        assert str(folder.parent) not in str(said.value)


def test_a_bad_picture_in_the_folder_does_not_stop_the_others(folder: Path) -> None:
    (folder / "1.png").write_bytes(b"no picture")
    camera = open_camera(str(folder), folder)
    for call in (camera.read, camera.still):
        with pytest.raises(PhotoError, match=r"1\.png is not a photo"):
            call()
    assert int(camera.read().pixels[0, 0, 0]) == 80


@pytest.mark.usefixtures("no_camera")
def test_sample_tables_are_used_where_no_camera_is_attached(folder: Path) -> None:
    camera = open_camera(None, folder)
    assert camera.name == "sample tables" and camera.read().width == 60


@pytest.mark.usefixtures("no_camera")
def test_no_camera_and_no_samples_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match=r"no camera is attached.*holds no photo"):
        open_camera(None, tmp_path)


def test_an_attached_camera_comes_before_the_samples(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []

    def fake_webcam(number: int, size: object) -> FolderCamera:
        opened.append(number)
        return FolderCamera(folder, "webcam")

    monkeypatch.setattr(vision.cameras, "attached", lambda: iter(["2", "5"]))
    monkeypatch.setattr(vision.cameras.usb, "UsbCamera", fake_webcam)
    open_camera(None, folder)
    open_camera("7", folder)
    assert opened == [2, 7]


def test_an_unknown_spec_is_refused_with_all_forms(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match=re.escape(f"expected {FORMS}")):
        open_camera(str(tmp_path / "nowhere"), tmp_path)


def test_a_camera_that_is_not_there_is_refused() -> None:
    with pytest.raises(CameraError, match="camera 63 cannot be opened"):
        UsbCamera(63)


def test_every_module_of_a_kind_is_registered() -> None:
    folder = Path(vision.cameras.__file__).parent
    modules = {path.stem for path in folder.glob("*.py") if "\nKIND = CameraKind(" in path.read_text(encoding="utf-8")}
    assert len(KINDS) == len(modules)
    assert all(kind.form in FORMS for kind in KINDS)


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="this system has no /dev/shm")
def test_a_folder_under_dev_is_no_webcam() -> None:
    with TemporaryDirectory(dir="/dev/shm") as folder:
        cv2.imwrite(f"{folder}/1.jpg", np.zeros((90, 120, 3), np.uint8))
        camera = open_camera(folder, Path(folder))
        assert camera.read().pixels.shape == (90, 120, 3)
        camera.close()
