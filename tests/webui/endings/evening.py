"""An evening of several devices at one server, which is ended at random moments in several ways."""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.webui.endings.checks import troubles
from tests.webui.endings.devices import Device, Ledger, Step
from tests.webui.endings.disks import SmallDisk
from tests.webui.endings.page import Page
from tests.webui.helpers.postgres import Cluster
from webui.storage.job_files import JobFiles

_DEVICES = 4
CONFIRMED, REFUSED = "confirmed", "refused in a sentence"
_PATIENCE = 60.0
_LONGEST = 1.6  # seconds until an end


@dataclass(slots=True)
class Evening:
    """What is played on and what came of it."""

    folder: Path
    hand: random.Random
    cluster: Cluster | None = None
    disk: SmallDisk | None = None
    ledger: Ledger = field(default_factory=Ledger)
    devices: list[Device] = field(default_factory=list)
    shared: str = ""
    ends: int = 0
    not_begun: int = 0
    patient: bool = False

    @property
    def address(self) -> str | None:
        return self.cluster.address if self.cluster else None

    @contextmanager
    def playing(self) -> Iterator[Page | None]:
        """Devices play while this lasts; then the page is killed. None where it said that it cannot begin."""
        page = Page(self.folder, self.address)
        if not page.wait():
            self.not_begun += 1
            yield None
            return
        if not self.devices:
            self.devices = [Device(f"d{n}", self.ledger, page.port, 0) for n in range(_DEVICES)]
        over, failed = threading.Event(), list[BaseException]()
        for device in self.devices:
            device.port, device.seed = page.port, self.hand.randrange(10**9)
        if not self.shared:
            self.shared = self.devices[0].begin_shared()

        def play(device: Device) -> None:
            try:
                device.play(self.shared, over)
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=play, args=(device,)) for device in self.devices]
        for thread in threads:
            thread.start()
        try:
            yield page
        finally:
            page.kill()
            over.set()
            for thread in threads:
                thread.join()
        if failed:
            raise failed[0]

    def read_all(self) -> list[str]:
        """Begins the page once more, until all photos that wait are read; what is wrong then."""
        page, ends = Page(self.folder, self.address), time.monotonic() + 3 * _PATIENCE
        found = [] if page.wait() else ["the page does not begin"]
        waits = JobFiles(self.folder)
        while not found and any(waits.all()):
            found = ["photos wait and are not read"] if time.monotonic() > ends else []
            time.sleep(0.05)
        page.kill()
        return found + self.look()

    def wait(self) -> None:
        """Until some moment."""
        time.sleep(self.hand.uniform(0.02, _LONGEST))

    def wait_for(self, what: str) -> None:
        """A patient evening sees one more step end so, however busy the machine is; then until some moment."""
        ends, before = time.monotonic() + _PATIENCE, self.counted()[what]
        while self.patient and self.counted()[what] == before and time.monotonic() < ends:
            time.sleep(0.02)
        self.wait()

    def look(self) -> list[str]:
        """What is wrong with what is kept now."""
        return troubles(self.folder, self.address, self.ledger.steps())

    def said(self) -> Counter[str]:
        return Counter(sentence for device in self.devices for sentence in device.said)

    def counted(self) -> dict[str, int]:
        steps = self.ledger.steps()
        return {
            "ends": self.ends,
            CONFIRMED: sum(step.confirmed for step in steps),
            REFUSED: sum(step.what.startswith("refused") for step in steps),
            "cut off": sum(not step.confirmed and not step.what.startswith("refused") for step in steps),
            "starts refused in a sentence": self.not_begun,
        }


def kill(evening: Evening) -> list[str]:
    """``kill -9`` of the page and, now and then, of the database server."""
    with evening.playing():
        evening.wait_for(CONFIRMED)
        if evening.cluster and evening.hand.random() < 0.3:
            evening.cluster.kill()
    evening.ends += 1
    if evening.cluster:
        evening.cluster.be_there()
    return evening.look()


def fill_disk(evening: Evening) -> list[str]:
    """The disk is full for a while, from some moment on; the page is killed then, or room is made and it goes on."""
    assert evening.disk is not None
    with evening.playing() as page:
        evening.wait_for(CONFIRMED)
        left = evening.hand.choice((0, 0, 4096, 40_000, 200_000))
        evening.disk.fill(left)
        if page and left == 0:
            evening.wait_for(REFUSED)
        elif page:
            evening.wait()
        if evening.hand.random() < 0.5:
            evening.disk.make_room()
            if evening.cluster:
                evening.cluster.be_there()
            evening.wait()
    evening.ends += 1
    if evening.hand.random() < 0.3:  # it is begun on a disk that is still full
        with evening.playing():
            evening.wait()
    evening.disk.make_room()
    if evening.cluster:
        evening.cluster.be_there()
    return evening.look()


def cut_power(evening: Evening) -> list[str]:
    """Everything stands still at one moment; what the files hold then is opened elsewhere, as after a power cut."""
    found: list[str] = []
    with evening.playing() as page:
        assert page is not None
        for _ in range(3):
            evening.wait_for(CONFIRMED)
            steps = evening.ledger.steps()
            copy = Path(tempfile.mkdtemp(prefix="handfoot-cut-", dir=evening.folder.parent))
            try:
                _copy_standing_still(evening, page, copy)
                found += _look_at_copy(evening, copy, steps)
            finally:
                shutil.rmtree(copy, ignore_errors=True)
            evening.ends += 1
    return found + evening.look()


def _copy_standing_still(evening: Evening, page: Page, copy: Path) -> None:
    pids = [page.pid, *(evening.cluster.pids() if evening.cluster else [])]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        shutil.copytree(evening.folder, copy / "data")
        if evening.cluster:
            evening.cluster.copy_files(copy / "server")
    finally:
        for pid in reversed(pids):
            os.kill(pid, signal.SIGCONT)


def _look_at_copy(evening: Evening, copy: Path, steps: list[Step]) -> list[str]:
    if evening.cluster is None:
        return troubles(copy / "data", None, steps)
    copy.chmod(0o755)
    other = Cluster.of_files(copy / "server")
    other.start()
    try:
        return troubles(copy / "data", other.address, steps)
    finally:
        other.stop(signal.SIGQUIT)
