"""The folder camera, and which camera is opened for which spec."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

import vision.cameras
from vision.cameras import FORMS, KINDS, open_camera
from vision.cameras.folder import FolderCamera
from vision.cameras.usb import UsbCamera
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
