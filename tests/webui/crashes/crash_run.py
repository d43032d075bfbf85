"""Several devices at one server, which crashes at random moments, in one of three ways."""

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
from webui.storage.files.job_files import JobFiles

_DEVICES = 4
CONFIRMED, REFUSED = "confirmed", "refused in a sentence"
_TIMEOUT = 60.0
_MAX_SECONDS = 1.6  # until a crash


@dataclass(slots=True)
class CrashRun:
    """A data folder with the devices that play on it and everything they asked for.

    ``patient`` makes ``wait_for`` wait for an event, however slow the machine is.
    """

    folder: Path
    rng: random.Random
    cluster: Cluster | None = None
    disk: SmallDisk | None = None
    step_log: StepLog = field(default_factory=StepLog)
    devices: list[Device] = field(default_factory=list)
    shared: str = ""
    patient: bool = False

    @property
    def address(self) -> str | None:
        return self.cluster.address if self.cluster else None

    @contextmanager
    def playing(self) -> Iterator[ServerProcess | None]:
        """Lets devices play during the block, then kills the server; yields None where it refused to start."""
        page = ServerProcess(self.folder, self.address)
        if not page.wait():
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
        """Starts the server once more until the photo queue is empty. Returns the errors found then."""
        page, ends = ServerProcess(self.folder, self.address), time.monotonic() + 3 * _TIMEOUT
        found = [] if page.wait() else ["the page does not begin"]
        waits = JobFiles(self.folder)
        # twice: a job that is given another name while its folder is listed is under neither of the two
        while not found and (any(waits.all()) or any(waits.all())):
            found = ["photos wait and are not read"] if time.monotonic() > ends else []
            time.sleep(0.05)
        page.kill()
        return found + self.check()

    def wait(self) -> None:
        """Waits for a random time."""
        time.sleep(self.rng.uniform(0.02, _MAX_SECONDS))

    def wait_for(self, what: str) -> None:
        """Waits for a random time; a patient run waits for one more step that ends in this way first."""
        ends, before = time.monotonic() + _TIMEOUT, self.counts()[what]
        while self.patient and self.counts()[what] == before and time.monotonic() < ends:
            time.sleep(0.02)
        self.wait()

    def check(self) -> list[str]:
        """The errors in the stored data as it is now."""
        return find_errors(self.folder, self.address, self.step_log.steps())

    def refusals(self) -> Counter[str]:
        return Counter(sentence for device in self.devices for sentence in device.refusals)

    def counts(self) -> dict[str, int]:
        steps = self.step_log.steps()
        return {
            CONFIRMED: sum(step.confirmed for step in steps),
            REFUSED: sum(step.what.startswith("refused") for step in steps),
        }


def kill(run: CrashRun) -> list[str]:
    """Kills the server with SIGKILL, and sometimes the database server too."""
    with run.playing():
        run.wait_for(CONFIRMED)
        if run.cluster and run.rng.random() < 0.3:
            run.cluster.kill()
    if run.cluster:
        run.cluster.ensure_running()
    return run.check()


def fill_disk(run: CrashRun) -> list[str]:
    """Fills the disk for a while; then kills the server, or frees space so that it goes on."""
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
            run.wait()
    if run.rng.random() < 0.3:  # start on a full disk
        with run.playing():
            run.wait()
    run.disk.free_space()
    return run.check()


def cut_power(run: CrashRun) -> list[str]:
    """Stops all processes at one moment and checks a copy of the files, which is what a power cut would leave."""
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
