"""The crash tests, and tests of their checks."""

from __future__ import annotations

import random
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.webui.crashes.checks import find_errors, photo_file_name
from tests.webui.crashes.crash_run import CONFIRMED, CrashRun, cut_power, fill_disk, kill
from tests.webui.crashes.devices import SENT_PHOTO, Device, ServerGone, Step
from tests.webui.crashes.server_process import ServerProcess
from tests.webui.crashes.small_disk import small_disk
from tests.webui.helpers.drawn import DrawnReader, marked
from tests.webui.helpers.postgres import Cluster, missing
from tests.webui.pages.games.test_change_log import begun
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Reading
from webui.corrections.answers import sheet_hash
from webui.corrections.side_table import LOOSE
from webui.reading import photo_queue
from webui.storage.db.connect import FILE_NAME
from webui.storage.errors import StorageError
from webui.storage.files.job_files import JobFiles
from webui.storage.records import PhotoRecord
from webui.storage.store import Store

MANY = pytest.param(40, marks=pytest.mark.by_hand)


@pytest.fixture
def run(tmp_path: Path) -> CrashRun:
    return CrashRun(tmp_path / "data", random.Random(7), patient=True)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A server that may be killed."""
    if why := missing():
        pytest.skip(why)
    with tempfile.TemporaryDirectory(prefix="handfoot-pg-") as folder:
        Path(folder).chmod(0o755)
        made = Cluster(Path(folder) / "s")
        made.start()
        yield made
        made.kill()


def confirmed(run: CrashRun) -> int:
    return run.counts()["confirmed"]


@pytest.mark.parametrize("times", [4, MANY])
def test_agreed_rounds_survive_kill_9(run: CrashRun, times: int) -> None:
    for _ in range(times):
        assert kill(run) == []
    assert confirmed(run) > 3 and run.refusals() == {} and run.read_waiting_photos() == []


def test_a_waiting_photo_is_read_after_a_crash(run: CrashRun, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is killed each time as soon as it has said that a photo waits."""
    monkeypatch.setattr(photo_queue, "WAIT_SECONDS", 0.05)
    with run.playing():
        run.wait_for(CONFIRMED)
    for number in range(2):
        page = ServerProcess(run.folder, None, SlowReader)
        assert page.wait()
        device = run.devices[number]
        device.port = page.port
        sent = threading.Thread(target=send_until_gone, args=(device, run.shared))
        before = confirmed(run)
        sent.start()
        while confirmed(run) == before:
            time.sleep(0.01)
        page.kill()
        sent.join()
        steps = [step for step in run.step_log.steps() if step.what == "photo" and step.confirmed]
        waiting = {photo_file_name(data) for held in JobFiles(run.folder).all() for data, _ in held.photos()}
        assert steps and photo_file_name(marked(SENT_PHOTO, steps[-1].token)) in waiting
        assert run.check() == []
    assert run.read_waiting_photos() == [] and not list(JobFiles(run.folder).all())


class SlowReader(DrawnReader):
    """Takes longer to read than anybody waits."""

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        time.sleep(60)
        return super().read(frame, house_rules)


def send_until_gone(device: Device, game: str) -> None:
    with suppress(ServerGone):
        device.send_photo(game, f"/game/{game}/round/1/side/0")


@pytest.mark.parametrize("times", [1, MANY])
def test_agreed_rounds_survive_a_power_cut(run: CrashRun, times: int) -> None:
    for _ in range(times):
        assert cut_power(run) == []
    assert confirmed(run) > 3


@pytest.mark.parametrize(
    ("way", "times"), [(kill, 2), *(pytest.param(way, 20, marks=pytest.mark.by_hand) for way in (kill, cut_power))]
)
def test_agreed_rounds_survive_a_crash_of_page_and_server(
    tmp_path: Path, cluster: Cluster, way: Callable[[CrashRun], list[str]], times: int
) -> None:
    run = CrashRun(tmp_path / "data", random.Random(8), cluster, patient=True)
    for _ in range(times):
        assert way(run) == []
    assert confirmed(run) > 3


@pytest.mark.parametrize("times", [2, MANY])
def test_a_full_disk_refuses_with_a_sentence_and_loses_nothing(tmp_path: Path, times: int) -> None:
    with small_disk(tmp_path / "disk", "4m") as disk:
        if disk is None:
            pytest.skip("only root may mount a small disk")
        run = CrashRun(disk.folder / "data", random.Random(9), disk=disk, patient=True)
        for _ in range(times):
            assert fill_disk(run) == []
        assert any("disk is full" in sentence or "make room" in sentence for sentence in run.refusals())
        assert confirmed(run) > 3


def test_a_read_only_disk_is_one_sentence(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "8m") as disk:
        if disk is None:
            pytest.skip("only root may mount a small disk")
        store = Store(disk.folder / "data")
        game, round_id = begun(store)
        store.engine.dispose()  # what is open for writing would stay so
        disk.set_read_only(True)
        for change, sentence in (
            (lambda: store.files.add(b"\xff\xd8 a photo", b"\xff\xd8 view"), "is read-only; make sure"),
            (
                lambda: store.rounds.correct(round_id, 0, {"op": "reset"}),
                "nothing was changed: the disk is read-only",
            ),
            (lambda: store.backups.back_up(), "cannot be written to"),
            (lambda: Store(disk.folder / "data"), "games cannot be kept in .*: the disk is read-only"),
        ):
            with pytest.raises(StorageError, match=sentence) as raised:
                change()
            assert len(str(raised.value).splitlines()) == 1
        disk.set_read_only(False)
        assert len(store.log(game)) == 2, "and it goes on when the disk does"
        store.close()


def statement(text: str) -> Callable[[Path], object]:
    def run(folder: Path) -> None:
        with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
            connection.execute(text)
            connection.commit()

    return run


def remove_photo(folder: Path) -> None:
    for path in (folder / "photos").glob("*.jpg"):
        path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize(
    ("spoil", "found"),
    [
        (statement("DELETE FROM corrections"), "corrections and log differ"),
        (statement("DELETE FROM log WHERE what = 'correction'"), "corrections and log differ"),
        (statement("UPDATE rounds SET facts = '{}'"), "facts and log differ"),
        (statement("DELETE FROM sheets"), "sheet and log differ"),
        (statement("DELETE FROM log WHERE what = 'photo'"), "photos and log differ"),
        (statement("DELETE FROM log WHERE what = 'begun'"), "no beginning"),
        (statement("UPDATE games SET sides = '[]'"), "other names"),
        (statement("DELETE FROM log WHERE what = 'confirmed'"), "all have agreed, and it is not stored"),
        (statement("PRAGMA user_version = 1"), "lost: "),
        (remove_photo, "is not whole"),
        (lambda folder: next((folder / "photos").glob("*-view.jpg")).unlink(), "has no view"),
    ],
)
def test_the_checks_find_lost_and_partial_data(tmp_path: Path, spoil: Callable[[Path], object], found: str) -> None:
    store = Store(tmp_path)
    _, round_id = begun(store)
    file = store.files.add(b"\xff\xd8 a photo", b"\xff\xd8 its view")
    store.rounds.add_photo(
        round_id, PhotoRecord(0, 0, None, file, 4, 3, "t.jpg", "2026-01-02T03:04:05+00:00", {"cards": []})
    )
    store.rounds.correct(round_id, 0, {"op": "add", "group": LOOSE, "face": "8H", "x": 1.0})
    agreed_hash = sheet_hash({"n": 1}, "")
    agreed = {"0": agreed_hash, "1": agreed_hash}
    store.rounds.change_facts(round_id, lambda _: {"agreed": agreed}, agreed_sheet=lambda _: {"n": 1})
    store.close()
    kept = [Step("correction", "1.0", "1", True), Step("names", "Us", "1", True)]
    assert find_errors(tmp_path, None, kept) == []
    lost = [Step("correction", "2.0", "1", True)] if found == "lost: " else []
    spoil(tmp_path)
    assert any(found in line for line in find_errors(tmp_path, None, [*kept, *lost]))


def test_the_checks_find_data_that_was_refused(tmp_path: Path) -> None:
    store = Store(tmp_path)
    _, round_id = begun(store)
    store.rounds.correct(round_id, 0, {"op": "add", "group": LOOSE, "face": "8H", "x": 1.0})
    store.close()
    assert find_errors(tmp_path, None, [Step("correction", "1.0", "1"), Step("correction", "2.0", "1")]) == []
    assert find_errors(tmp_path, None, [Step("refused correction", "1.0", "1")])
