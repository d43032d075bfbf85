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

from tests.webui.crashes.checks import find_errors
from tests.webui.crashes.devices import Device, Step, StepLog
from tests.webui.crashes.server_process import ServerProcess
from tests.webui.crashes.small_disk import SmallDisk
from tests.webui.helpers.postgres import Cluster
from webui.storage.job_files import JobFiles

_DEVICES = 4
CONFIRMED, REFUSED = "confirmed", "refused in a sentence"
_TIMEOUT = 60.0
_MAX_SECONDS = 1.6  # seconds until an end


@dataclass(slots=True)
class CrashRun:
    """What is played on and what came of it."""

    folder: Path
    rng: random.Random
    cluster: Cluster | None = None
    disk: SmallDisk | None = None
    step_log: StepLog = field(default_factory=StepLog)
    devices: list[Device] = field(default_factory=list)
    shared: str = ""
    crashes: int = 0
    refused_starts: int = 0
    patient: bool = False

    @property
    def address(self) -> str | None:
        return self.cluster.address if self.cluster else None

    @contextmanager
    def playing(self) -> Iterator[ServerProcess | None]:
        """Devices play while this lasts; then the page is killed. None where it said that it cannot begin."""
        page = ServerProcess(self.folder, self.address)
        if not page.wait():
            self.refused_starts += 1
            yield None
            return
        if not self.devices:
            self.devices = [Device(f"d{n}", self.step_log, page.port, 0) for n in range(_DEVICES)]
        over, failed = threading.Event(), list[BaseException]()
        for device in self.devices:
            device.port, device.seed = page.port, self.rng.randrange(10**9)
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

    def read_waiting_photos(self) -> list[str]:
        """Begins the page once more, until all photos that wait are read; what is wrong then."""
        page, ends = ServerProcess(self.folder, self.address), time.monotonic() + 3 * _TIMEOUT
        found = [] if page.wait() else ["the page does not begin"]
        waits = JobFiles(self.folder)
        while not found and any(waits.all()):
            found = ["photos wait and are not read"] if time.monotonic() > ends else []
            time.sleep(0.05)
        page.kill()
        return found + self.check()

    def wait(self) -> None:
        """Until some moment."""
        time.sleep(self.rng.uniform(0.02, _MAX_SECONDS))

    def wait_for(self, what: str) -> None:
        """A patient evening sees one more step end so, however busy the machine is; then until some moment."""
        ends, before = time.monotonic() + _TIMEOUT, self.counts()[what]
        while self.patient and self.counts()[what] == before and time.monotonic() < ends:
            time.sleep(0.02)
        self.wait()

    def check(self) -> list[str]:
        """What is wrong with what is kept now."""
        return find_errors(self.folder, self.address, self.step_log.steps())

    def refusals(self) -> Counter[str]:
        return Counter(sentence for device in self.devices for sentence in device.refusals)

    def counts(self) -> dict[str, int]:
        steps = self.step_log.steps()
        return {
            "crashes": self.crashes,
            CONFIRMED: sum(step.confirmed for step in steps),
            REFUSED: sum(step.what.startswith("refused") for step in steps),
            "cut off": sum(not step.confirmed and not step.what.startswith("refused") for step in steps),
            "starts refused in a sentence": self.refused_starts,
        }


def kill(run: CrashRun) -> list[str]:
    """``kill -9`` of the page and, now and then, of the database server."""
    with run.playing():
        run.wait_for(CONFIRMED)
        if run.cluster and run.rng.random() < 0.3:
            run.cluster.kill()
    run.crashes += 1
    if run.cluster:
        run.cluster.ensure_running()
    return run.check()


def fill_disk(run: CrashRun) -> list[str]:
    """The disk is full for a while, from some moment on; the page is killed then, or room is made and it goes on."""
    assert run.disk is not None
    with run.playing() as page:
        run.wait_for(CONFIRMED)
        left = run.rng.choice((0, 0, 4096, 40_000, 200_000))
        run.disk.fill(left)
        if page and left == 0:
            run.wait_for(REFUSED)
        elif page:
            run.wait()
        if run.rng.random() < 0.5:
            run.disk.free_space()
            if run.cluster:
                run.cluster.ensure_running()
            run.wait()
    run.crashes += 1
    if run.rng.random() < 0.3:  # it is begun on a disk that is still full
        with run.playing():
            run.wait()
    run.disk.free_space()
    if run.cluster:
        run.cluster.ensure_running()
    return run.check()


def cut_power(run: CrashRun) -> list[str]:
    """Everything stands still at one moment; what the files hold then is opened elsewhere, as after a power cut."""
    found: list[str] = []
    with run.playing() as page:
        assert page is not None
        for _ in range(3):
            run.wait_for(CONFIRMED)
            steps = run.step_log.steps()
            copy = Path(tempfile.mkdtemp(prefix="handfoot-cut-", dir=run.folder.parent))
            try:
                _copy_while_stopped(run, page, copy)
                found += _check_copy(run, copy, steps)
            finally:
                shutil.rmtree(copy, ignore_errors=True)
            run.crashes += 1
    return found + run.check()


def _copy_while_stopped(run: CrashRun, page: ServerProcess, copy: Path) -> None:
    pids = [page.pid, *(run.cluster.pids() if run.cluster else [])]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        shutil.copytree(run.folder, copy / "data")
        if run.cluster:
            run.cluster.copy_files(copy / "server")
    finally:
        for pid in reversed(pids):
            os.kill(pid, signal.SIGCONT)


def _check_copy(run: CrashRun, copy: Path, steps: list[Step]) -> list[str]:
    if run.cluster is None:
        return find_errors(copy / "data", None, steps)
    copy.chmod(0o755)
    other = Cluster.from_files(copy / "server")
    other.start()
    try:
        return find_errors(copy / "data", other.address, steps)
    finally:
        other.stop(signal.SIGQUIT)
