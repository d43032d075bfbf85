"""Network cameras: what an address gives, how it is written, and that none of it is ever shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vision.cameras.network_devices import LOGIN, SIZE, NetworkCamera, network_camera, rtsp_server
from tests.vision.cameras.test_watcher import wait_for
from vision.cameras import open_camera
from vision.cameras.address import CODED, parse_address, without_addresses
from vision.cameras.watcher import FRESH, Watcher
from vision.errors import CameraError, PhotoError

NOWHERE = "127.0.0.1:9"
"""Where nothing answers."""

SPELLINGS = {
    "capitals": f"RTSP://user:secret@{NOWHERE}/x",
    "known": f"http://user:secret@{NOWHERE}/x",
    "percent-coded": f"rtsp://us%65r:s%65cret@{NOWHERE}/x",
    "coded as a whole": "rtsp%3A%2F%2Fuser%3Asecret%40host",
    "no scheme": f"user:secret@{NOWHERE}/x",
    "no scheme, no host": "user:secret",
    "another scheme": f"rstp://user:secret@{NOWHERE}/x",
    "one slash": f"rtsp:/user:secret@{NOWHERE}/x",
    "no colon": f"rtsp//user:secret@{NOWHERE}/x",
    "no slash": f"rtsp:user:secret@{NOWHERE}/x",
    "a blank": f" rtsp://user:secret@{NOWHERE}/x",
    "bracket": f"rtsp://user:[secret@{NOWHERE}/x",
    "brackets": f"rtsp://user:[secret]@{NOWHERE}/x",
    "hash": f"rtsp://user:secret#1@{NOWHERE}/x",
    "slash": f"rtsp://user:secret/1@{NOWHERE}/x",
    "question mark": f"rtsp://user:secret?1@{NOWHERE}/x",
    "at": f"rtsp://user:secret@1@{NOWHERE}/x",
    "per cent": f"rtsp://user:secret%1@{NOWHERE}/x",
    "no host": "rtsp://user:secret@/x",
    "no at": "http://user:secret/x",
    "hash for at": f"rtsp://user:12345#{NOWHERE}/secret",
    "port for at": "rtsp://user:9/secret",
    "port too large": "rtsp://user:secret@host:99999/x",
    "in the query": f"http://{NOWHERE}/snap.cgi?user=user&pwd=secret",
    "in the path": f"rtsp://{NOWHERE}/user=user&password=secret",
    "too long for a path": f"rtsp:/user:secret@host/{'x' * 5000}",
}


@pytest.fixture
def server() -> Iterator[NetworkCamera]:
    with network_camera() as running:
        yield running


@pytest.mark.parametrize("spec", SPELLINGS.values(), ids=SPELLINGS)
def test_no_message_shows_anything_of_an_address(spec: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CameraError) as caught:
        open_camera(spec, tmp_path)
    watcher = Watcher(lambda: open_camera(spec, tmp_path))
    wait_for(lambda: watcher.snapshot().error is not None)
    shown = f"{caught.value} {watcher.snapshot().error}"
    watcher.close()
    shown += "".join(capfd.readouterr())
    assert "secret" not in shown and "user:" not in shown and "127.0.0.1" not in shown
    assert " user " not in shown.replace("user name", "")


@pytest.mark.parametrize("name", ["bracket", "brackets", "hash", "slash", "question mark", "at", "per cent"])
def test_signs_that_must_be_percent_coded_are_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(CameraError) as caught:
        open_camera(SPELLINGS[name], tmp_path)
    assert str(caught.value) == CODED


def test_an_address_is_taken_apart() -> None:
    address = parse_address(f"RTSPS://{LOGIN}@[fe80::1]:8554/a b?c=d|e")
    assert address is not None and (address.user, address.password) == ("us@er", "se/c:r#et")
    assert address.url == "rtsps://[fe80::1]:8554/a%20b?c=d|e"
    assert address.full_url == f"rtsps://{LOGIN}@[fe80::1]:8554/a%20b?c=d|e"
    assert repr(address) == "Address(scheme='rtsps')"
    plain = parse_address("http://camera.local/video")
    assert plain is not None and plain.user is None and plain.url == plain.full_url
    accents = parse_address("http://jos\u00e9:a b@camera/")
    assert accents is not None and accents.full_url == "http://jos%C3%A9:a%20b@camera/" and accents.password == "a b"
    assert parse_address("pictures/of a table") is None


def test_messages_of_others_lose_their_addresses() -> None:
    said = "cannot open rtsp://user:secret@h/x, 'user:secret@h', nor http://h/?pwd=secret; see C:/cams and 2:1x1"
    assert without_addresses(said) == "cannot open rtsp://*** *** nor http://*** see C:/cams and 2:1x1"
    database = "no postgresql+psycopg://user:secret@host/name"
    assert without_addresses(database) == "no postgresql+psycopg://***@host/name"


@pytest.mark.by_hand
def test_a_picture_every_four_seconds_is_live_all_the_time(server: NetworkCamera, tmp_path: Path) -> None:
    watcher = Watcher(lambda: open_camera(server.address("/slow"), tmp_path))
    wait_for(lambda: watcher.snapshot().number == 1)
    ages = []
    while (snapshot := watcher.snapshot()).number < 2:
        assert snapshot.error is None and snapshot.frame is not None
        ages.append(snapshot.age or 0.0)
        watcher.snapshot(snapshot.number, wait=0.2)
    assert max(ages) > FRESH and len(server.asked) == 1
    assert watcher.still().width == SIZE[0]
    watcher.close()


def test_a_cold_network_camera_is_waited_for(server: NetworkCamera, tmp_path: Path) -> None:
    for path in ("/", "/snapshot", "/played"):
        server.first = ["green", "green", "half", "dark"]
        watcher = Watcher(lambda path=path: open_camera(server.address(path), tmp_path))  # type: ignore[misc]
        still = watcher.still()
        assert float(still.pixels[:, 160:].mean()) > 110, path
        watcher.close()


def test_a_password_is_sent_and_never_shown(server: NetworkCamera, tmp_path: Path) -> None:
    camera = open_camera(server.address("/locked", LOGIN).replace("http:", "HTTP:"), tmp_path)
    assert camera.read().source == "the picture of the network camera" and camera.name == "the network camera"
    camera.close()
    for path, login, expected in (
        ("/locked", "user:secret", "refuses the user name or password of its address"),
        ("/digest", "user:secret", "refuses the user name or password of its address"),
        ("/locked", "", "asks for a user name and password; give them in its address"),
        ("/none?pwd=secret", "user:secret", "answers with the error 404"),
        ("/page", "user:secret", "gives a web page"),
        ("/short", "user:secret", "the network camera gives no picture any more"),
    ):
        with pytest.raises(CameraError, match=expected) as caught:
            open_camera(server.address(path, login), tmp_path)
        assert "secret" not in str(caught.value) and caught.value.__cause__ is None


def test_the_password_of_an_rtsp_address_is_sent_decoded(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with rtsp_server() as (port, said), pytest.raises(CameraError, match="the network camera cannot be opened"):
        open_camera(f"RTSP://{LOGIN}@127.0.0.1:{port}/x", tmp_path)
    assert said["Authorization"].startswith("Basic ")
    assert capfd.readouterr() == ("", "")


def test_a_damaged_picture_does_not_end_the_stream(server: NetworkCamera, tmp_path: Path) -> None:
    camera = open_camera(server.address("/"), tmp_path)
    camera.read()
    good = server.picture
    bad = [b"no picture", good()[:500]]
    server.picture = lambda: bad.pop() if bad else good()  # type: ignore[method-assign]
    for _ in range(5):
        assert camera.read().width == SIZE[0]
    server.picture = lambda: b"no picture"  # type: ignore[method-assign]
    with pytest.raises(PhotoError, match="the picture of the network camera"):
        for _ in range(100):
            camera.read()
    camera.close()
