"""Viewers of the live picture beside a scan a minute: ``python -m tests.webui.viewers --minutes 10``.

Serves the page with the shipped reader and a film of a sample table as its camera, 25 pictures of 1280 x 720 a second.
Prints how long a scan takes while one device has the camera's page open and while so many watch; for each viewer
the pictures a second; the server's memory and share of a core; and the same once more while one of them has what is
read shown. Figures are of the machine that it runs on and of what else that does just then. No test asserts them.
"""

from __future__ import annotations

import argparse
import http.client
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import cv2
import numpy as np

from tests.webui.benchmark import first_byte, wait
from tests.webui.load import Log, Phone, entrance_of
from tests.webui.test_cli import free_port
from webui.camera.mjpeg import MAX_VIEWERS
from webui.settings import SAMPLES
from webui.storage.records import SideRecord
from webui.storage.store import Store

_RATE, _PICTURES = 25, 100
_SIZE = 1280, 720
_SCANS_BEFORE = 4
"""Scans to time before the viewers come."""
_READING_MINUTES = 3
"""Minutes to measure while readings are shown."""
_TICKS = os.sysconf("SC_CLK_TCK")


class Viewer:
    """One device with the camera's page open: its video stream, and a status request every half second."""

    def __init__(self, port: int, device: Phone | None = None) -> None:
        self.open = True
        self._port, self._device = port, device
        self.begin()
        for what in (self._ask, self._watch) if device else (self._ask,):
            threading.Thread(target=what, daemon=True).start()

    def begin(self) -> None:
        """Restarts the frame count."""
        self.pictures, self.begun = 0, time.monotonic()

    def rate(self) -> float:
        return self.pictures / (time.monotonic() - self.begun)

    def read(self) -> None:
        """Starts showing readings."""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while self.open:
            first_byte(self._port, "/camera/reading")
            time.sleep(0.4)

    def _watch(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        assert self._device is not None
        connection.request("GET", "/camera/live.mjpg", headers=self._device.headers)
        answer = connection.getresponse()
        assert answer.status == 200
        while self.open:
            line = answer.readline()
            if line.startswith(b"Content-Length:"):
                answer.readline()
                answer.read(int(line.split(b":")[1]))
                self.pictures += 1
        connection.close()

    def _ask(self) -> None:
        while self.open:
            first_byte(self._port, "/camera/state.json?calm")
            time.sleep(0.5)


class Scans:
    """Takes pictures with the server's camera, each for a new game."""

    def __init__(self, port: int) -> None:
        self._port, self._games, self.seconds = port, 0, list[float]()
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/new")
        answer = connection.getresponse()
        self._cookie = (answer.getheader("Set-Cookie") or "").split(";")[0]
        found = re.search(r'name="token" value="([^"]+)"', answer.read().decode())
        assert found
        self._token = found[1]

    def take(self) -> None:
        self._games += 1
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=120)
        about = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": self._cookie}
        begun = time.monotonic()
        connection.request("POST", f"/game/{self._games}/round/1/side/0/shoot", f"token={self._token}", about)
        status = connection.getresponse().status
        self.seconds.append(time.monotonic() - begun)
        assert status == 303, status


def film(path: Path) -> None:
    """Writes a film of a sample table with camera noise."""
    table = cv2.imread(str(SAMPLES / "1-north-south-table.jpg"))
    assert table is not None
    rng = np.random.default_rng(1)
    shown = cv2.resize(table, (_SIZE[0], _SIZE[0] * table.shape[0] // table.shape[1]))[: _SIZE[1]].astype(np.int16)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), _RATE, _SIZE)
    for _ in range(_PICTURES):
        writer.write(np.clip(shown + rng.integers(-6, 7, shown.shape), 0, 255).astype(np.uint8))
    writer.release()


def memory(process: subprocess.Popen[bytes]) -> float:
    """The memory of a process, in MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8"))
    assert found
    return int(found[1]) / 1000


def worked(process: subprocess.Popen[bytes]) -> float:
    """The CPU time of a process, in seconds."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=int, default=10)
    minutes: int = parser.parse_args().minutes
    with tempfile.TemporaryDirectory() as folder:
        film(Path(folder) / "table.avi")
        store = Store(Path(folder))
        for _ in range(minutes + _READING_MINUTES + _SCANS_BEFORE + 1):
            game = store.add_game(
                "golden-games", 4, (SideRecord("North", ("Ann",)), SideRecord("East", ("Bo",))), "Ann"
            )
            store.rounds.begin(game, 1)
        store.close()
        port = free_port()
        command = [
            sys.executable,
            "-m",
            "tests.webui.helpers.served",
            folder,
            str(port),
            "shipped",
            f"{folder}/table.avi",
        ]
        server = subprocess.Popen(command)
        try:
            wait(port)
            measure(port, entrance_of(Path(folder)), server, minutes)
        finally:
            server.terminate()
            server.wait(20)


def measure(port: int, entrance: str, server: subprocess.Popen[bytes], minutes: int) -> None:
    one, scans = Viewer(port), Scans(port)
    for _ in range(_SCANS_BEFORE + 1):
        time.sleep(3)
        scans.take()
    one.open, scans.seconds = False, scans.seconds[1:]  # the first waits for the reader to be loaded
    print(f"a scan with one page open: {_times(scans.seconds)}", flush=True)
    viewers = [Viewer(port, Phone(port, number, entrance, Log())) for number in range(MAX_VIEWERS)]
    time.sleep(10)
    watched(server, scans, viewers, minutes, f"beside {len(viewers)} viewers")
    viewers[0].read()
    watched(server, scans, viewers, _READING_MINUTES, "while one of them has what is read shown")
    for viewer in viewers:
        viewer.open = False
    time.sleep(2)  # pending requests are still answered


def watched(server: subprocess.Popen[bytes], scans: Scans, viewers: list[Viewer], minutes: int, how: str) -> None:
    """Measures for some minutes with one scan in each."""
    before, began, clock, scans.seconds = memory(server), worked(server), time.monotonic(), []
    for viewer in viewers:
        viewer.begin()
    for minute in range(minutes):
        time.sleep(max(clock + (minute + 0.5) * 60 - time.monotonic(), 0))
        scans.take()
        print(f"minute {minute + 1}: {memory(server):.0f} MB, scan {scans.seconds[-1]:.2f} s", flush=True)
    time.sleep(max(clock + minutes * 60 - time.monotonic(), 0))
    share = (worked(server) - began) / (time.monotonic() - clock)
    print(f"a scan {how}: {_times(scans.seconds)}")
    print("pictures a second of each viewer: " + ", ".join(f"{viewer.rate():.1f}" for viewer in viewers))
    print(
        f"memory: {before:.0f} MB at the start, {memory(server):.0f} MB at the end; {share:.2f} cores; "
        f"load {os.getloadavg()[2]:.1f}",
        flush=True,
    )


def _times(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.2f} s (median of {len(seconds)}, slowest {max(seconds):.2f} s)"


if __name__ == "__main__":
    main()
