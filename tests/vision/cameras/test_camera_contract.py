"""The contract of ``vision.cameras.base.Camera``, tested on every kind of camera of the registry.

Webcam and Raspberry Pi camera are fakes; stream, folder and video are real.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.machine_delay import DelayMonitor, RetryTime
from tests.vision.cameras.fake_devices import (
    STEPS,
    FakePicamera2,
    FakeVideoCapture,
    Webcam,
    moment,
    picamera2_module,
    scene,
    step_of,
)
from tests.vision.cameras.fake_phone import phone_at_the_table
from tests.vision.cameras.network_devices import network_camera
from vision.cameras import KINDS, Abilities, Camera, list_cameras, open_camera, phone, stream, usb, video
from vision.cameras import folder as folder_kind
from vision.cameras import pi as pi_port
from vision.cameras.base import SLOW_PATIENCE, CameraKind
from vision.cameras.opencv_capture import _WAITED
from vision.errors import CameraError
from vision.values import Frame


@dataclass
class Kind:
    """A kind of camera under test.

    ``spec`` opens it; ``unplug`` takes the device away, None where that cannot happen; ``live_time`` says whether its
    frames show the present, so that old ones can be told from new ones.
    """

    spec: str
    abilities: Abilities
    unplug: Callable[[], None] | None = None
    live_time: bool = True


Case = Callable[[pytest.FixtureRequest, Path], Iterator[Kind]]
"""Sets up a camera, in a folder of its own where it is made of files."""


@pytest.fixture
def webcam(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Webcam:
    """A fake webcam with number 2; node 3 is the raw node of a camera port."""
    for number, name in ((2, "HD Webcam"), (3, "unicam-image")):
        (tmp_path / "nodes" / f"video{number}").mkdir(parents=True)
        (tmp_path / "nodes" / f"video{number}" / "name").write_text(name)
    monkeypatch.setattr(usb, "_NODES", tmp_path / "nodes")
    monkeypatch.setattr(cv2, "VideoCapture", FakeVideoCapture)
    monkeypatch.setattr(sys, "platform", "linux")
    FakeVideoCapture.webcams = {2: Webcam(), 3: Webcam()}
    return FakeVideoCapture.webcams[2]


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", picamera2_module())


def a_webcam(request: pytest.FixtureRequest, folder: Path) -> Iterator[Kind]:
    webcam: Webcam = request.getfixturevalue("webcam")
    able = Abilities((1280, 720), (1920, 1080), focus=True, exposure=True)
    yield Kind("2", able, lambda: setattr(webcam, "plugged", False))


def a_camera_port(request: pytest.FixtureRequest, folder: Path) -> Iterator[Kind]:
    request.getfixturevalue("pi")
    able = Abilities((1280, 720), (1152, 648), focus=True, exposure=True)
    yield Kind("pi", able, lambda: setattr(FakePicamera2, "plugged", False))


def in_the_network(path: str) -> Case:
    def case(request: pytest.FixtureRequest, folder: Path) -> Iterator[Kind]:
        with network_camera() as server:
            able = Abilities((320, 180), (320, 180), patience=SLOW_PATIENCE)
            yield Kind(server.address(path), able, server.unplug)

    return case


def a_phone(request: pytest.FixtureRequest, folder: Path) -> Iterator[Kind]:
    with phone_at_the_table() as device:
        able = Abilities((320, 180), (1152, 648), patience=SLOW_PATIENCE, fixed_size=False)
        yield Kind("phone", able, device.unplug)


def a_folder(request: pytest.FixtureRequest, folder: Path) -> Iterator[Kind]:
    for step in (10, 40):
        cv2.imwrite(str(folder / f"{step}.png"), scene(step, (320, 180)))
    yield Kind(str(folder), Abilities((320, 180), (320, 180), live=False), live_time=False)


def a_video(request: pytest.FixtureRequest, folder: Path) -> Iterator[Kind]:
    path = folder / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30, (320, 180))
    for step in range(45):
        writer.write(scene(step * 2, (320, 180)))
    writer.release()
    yield Kind(str(path), Abilities((320, 180), (320, 180)), live_time=False)


CASES: dict[CameraKind, dict[str, Case]] = {
    usb.KIND: {"usb": a_webcam},
    pi_port.KIND: {"pi": a_camera_port},
    stream.KIND: {
        "stream": in_the_network("/played"),
        "motion-jpeg": in_the_network("/"),
        "snapshot": in_the_network("/snapshot"),
    },
    phone.KIND: {"phone": a_phone},
    folder_kind.KIND: {"folder": a_folder},
    video.KIND: {"video": a_video},
}
"""The cameras of each kind that have to keep the contract."""


@pytest.fixture(
    params=[
        pytest.param((registered, case), id=name)
        for registered in KINDS
        for name, case in CASES.get(registered, {registered.form: None}).items()
    ]
)
def kind(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kind]:
    """A camera of each kind of the registry."""
    registered, case = request.param
    assert case is not None, f"a kind of camera without a case in CASES: {registered.form}"
    for kind in case(request, tmp_path):
        before = KINDS[: KINDS.index(registered)]
        assert not any(other.open(kind.spec) for other in before), "its spec means another kind"
        yield kind


@pytest.fixture
def camera(kind: Kind, tmp_path: Path) -> Iterator[Camera]:
    opened = open_camera(kind.spec, tmp_path)
    yield opened
    opened.close()


def frames_ago(step: int) -> float:
    """Age of ``step`` in frames; slightly negative where two readings of the clock differ."""
    return (moment() - step + 5) % STEPS - 5


def shows_the_present(take: Callable[[], Frame]) -> bool:
    """Whether a frame taken after a rest, during which old frames pile up, is a current one.

    Waits while the machine is busy: a delayed grab of an old frame looks like a new one to the camera.
    """
    calm, retry_time = 0, RetryTime()
    while True:
        with DelayMonitor() as delays:
            time.sleep(0.7)
            if frames_ago(step_of(take().pixels)) <= 6:
                return True
        calm += delays.late < _WAITED
        if calm == 3:
            return False
        retry_time.pause()


def test_frames_have_the_sizes_of_the_abilities(kind: Kind, camera: Camera) -> None:
    able = camera.abilities()
    assert able == kind.abilities
    preview, still = camera.read(), camera.still()
    assert (preview.width, preview.height) == able.preview
    assert (still.width, still.height) == able.still
    assert camera.name and preview.source
    assert abs((datetime.now(UTC) - still.taken_at).total_seconds()) < 60
    assert 15 < float(np.mean(still.pixels)) < 230


def test_a_live_camera_shows_the_present_even_after_a_rest(kind: Kind, camera: Camera) -> None:
    first = step_of(camera.read().pixels)
    time.sleep(0.7)
    after = camera.read()
    if kind.live_time:
        assert shows_the_present(camera.read)
        assert shows_the_present(camera.still)
    elif kind.abilities.live:
        assert step_of(after.pixels) != first
    else:
        assert camera.read().pixels.shape == after.pixels.shape


def test_frames_come_without_delay(kind: Kind, camera: Camera) -> None:
    camera.read()
    with DelayMonitor() as delays:
        start = time.monotonic()
        for _ in range(5):
            camera.read()
        took = time.monotonic() - start
    assert took - delays.lost < 2.0


def test_an_unplugged_device_is_an_error_within_three_seconds(kind: Kind, camera: Camera) -> None:
    if kind.unplug is None:
        pytest.skip("files cannot be unplugged")
    camera.read()
    kind.unplug()
    with DelayMonitor() as delays:
        start = time.monotonic()
        with pytest.raises(CameraError, match=r"gives no picture any more.*; (check|plug)"):
            for _ in range(40):
                camera.read()
        took = time.monotonic() - start
    assert took - delays.lost < 3.5


def test_focus_and_exposure_are_set_where_offered_and_refused_elsewhere(kind: Kind, camera: Camera) -> None:
    camera.adjust(None, None)
    able = camera.abilities()
    for what, values in (("focus", (0.5, None)), ("exposure", (None, 8.0))):
        if getattr(able, what):
            camera.adjust(*values)
        else:
            with pytest.raises(CameraError):
                camera.adjust(*values)
    camera.read()


def test_a_closed_camera_raises(kind: Kind, camera: Camera) -> None:
    camera.read()
    camera.close()
    camera.close()
    for call in (camera.read, camera.still):
        with pytest.raises(CameraError, match="is closed; open it again"):
            call()


def test_a_closed_camera_can_be_opened_again(kind: Kind, camera: Camera, tmp_path: Path) -> None:
    camera.read()
    camera.close()
    second = open_camera(kind.spec, tmp_path)
    second.read()
    second.close()


def test_a_webcam_keeps_its_settings_and_cannot_be_opened_twice(webcam: Webcam, tmp_path: Path) -> None:
    camera = open_camera("2", tmp_path)
    camera.adjust(0.2, 10.0)
    assert webcam.controls[cv2.CAP_PROP_AUTOFOCUS] == 0 and webcam.controls[cv2.CAP_PROP_FOCUS] == 51
    assert webcam.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == 1 and webcam.controls[cv2.CAP_PROP_EXPOSURE] == 100
    with pytest.raises(CameraError, match="camera 2 cannot be opened"):
        open_camera("2", tmp_path)
    camera.adjust(None, None)
    assert webcam.controls[cv2.CAP_PROP_AUTOFOCUS] == 1 and webcam.controls[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    camera.close()


@pytest.mark.usefixtures("webcam")
def test_a_spec_can_choose_the_size_of_a_webcams_stills(tmp_path: Path) -> None:
    for size, still, preview in (("1200x800", (1280, 720), (1280, 720)), ("320x240", (320, 180), (320, 180))):
        camera = open_camera(f"2:{size}", tmp_path)
        assert camera.abilities().still == still and camera.abilities().preview == preview
        assert (camera.still().width, camera.read().width) == (still[0], preview[0])
        camera.close()
    with pytest.raises(CameraError, match="'2:large' is no camera"):
        open_camera("2:large", tmp_path)


def test_a_webcam_without_controls_refuses_settings(webcam: Webcam, tmp_path: Path) -> None:
    webcam.controls.clear()
    camera = open_camera("2", tmp_path)
    assert not camera.abilities().focus and not camera.abilities().exposure
    with pytest.raises(CameraError, match="focus of camera 2 cannot be set"):
        camera.adjust(0.5, None)
    camera.close()


@pytest.mark.usefixtures("pi")
def test_stills_and_preview_of_a_raspberry_pi_camera_keep_the_settings(tmp_path: Path) -> None:
    camera = open_camera("pi:0", tmp_path)
    device = FakePicamera2.last
    assert device is not None and device.controls["AfMode"] == 2
    camera.adjust(0.5, 12.0)
    camera.still()
    wanted = {"AfMode": 0, "LensPosition": 7.5, "AeEnable": False, "ExposureTime": 12_000}
    assert wanted.items() <= device.taken_with.items() and device.taken_with["NoiseReductionMode"] == 2
    assert wanted.items() <= device.controls.items(), "the preview keeps them"
    with pytest.raises(CameraError, match="Raspberry Pi camera 0 cannot be opened"):
        open_camera("pi:0", tmp_path)
    camera.close()


def test_a_raspberry_pi_camera_without_its_library_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="apt install python3-picamera2"):
        open_camera("pi", tmp_path)


@pytest.mark.usefixtures("webcam", "pi")
def test_attached_cameras_are_listed_with_their_abilities() -> None:
    found = list_cameras()
    assert [(one.spec, one.name) for one in found] == [("pi:0", "Raspberry Pi camera 0"), ("2", "camera 2")]
    assert found[1].abilities.still == (1920, 1080)
