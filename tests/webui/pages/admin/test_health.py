"""Health, the request log, the problem report, shutdown and crashes."""

from __future__ import annotations

import io
import json
import logging
import multiprocessing
import re
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.webui.access.test_access_code import PHONE, let_in
from tests.webui.crashes.devices import Device, ServerGone, StepLog
from tests.webui.crashes.server_process import ServerProcess
from tests.webui.helpers.drawn import NO_CARDS, NORTH_TABLE, DrawnReader, photo
from tests.webui.helpers.networks import on_the_network
from tests.webui.helpers.playing import Person, without_tokens
from vision.errors import WeightsError
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Reading
from webui.app import create_app
from webui.context.services import services_of
from webui.reading.reader_service import Reader, ReaderService
from webui.server import health
from webui.server.request_log import close_log, open_log, read_log
from webui.settings import Settings
from webui.storage.errors import StorageError
from webui.storage.store import Store


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Path]:
    """The data folder of ``make_app``, with its log being written."""
    opened = open_log(tmp_path / "data")
    assert opened is not None
    yield tmp_path / "data"
    close_log(opened)


def written(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in read_log(folder, 1000)]


def test_health_is_ok_if_people_can_play(person: Person) -> None:
    answer = person.client.get("/healthz")
    assert answer.status_code == 200 and answer.json is not None
    assert (answer.json["status"], answer.json["wrong"]) == ("ok", {})
    assert "Set-Cookie" not in answer.headers and "/" not in json.dumps(answer.json), "it tells nobody a path"


def test_health_reports_what_is_wrong(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(_: Store) -> None:
        raise StorageError("the disk is full")

    with monkeypatch.context() as changed:
        changed.setattr(Store, "check_writable", cannot)
        answer = person.client.get("/healthz")
    assert answer.status_code == 503 and answer.json is not None
    assert (answer.json["status"], answer.json["wrong"]) == ("failing", {"storage": "the disk is full"})
    monkeypatch.setattr(health, "_MAX_AGE", 0.0)
    monkeypatch.setattr(health, "_MIN_FREE_BYTES", 10**18)
    answer = person.client.get("/healthz")
    assert answer.status_code == 200 and answer.json is not None and "MB free" in answer.json["wrong"]["disk"]


def test_health_does_not_wait_for_a_hanging_disk(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else those who ask would take all of the page's threads. What was known holds for some seconds, and no longer."""
    assert person.client.get("/healthz").status_code == 200
    monkeypatch.setattr(health, "_MAX_AGE", 0.0)
    monkeypatch.setattr(health, "_PATIENCE", 600.0)
    hangs, goes_on = threading.Event(), threading.Event()

    def hang(_: Store) -> None:
        hangs.set()
        assert goes_on.wait(120)

    monkeypatch.setattr(Store, "check_writable", hang)
    first = threading.Thread(target=Person(person.client.application).client.get, args=("/healthz",))
    first.start()
    assert hangs.wait(60)
    answers = [person.client.get("/healthz").status_code for _ in range(3)]
    monkeypatch.setattr(health, "_PATIENCE", 0.0)
    answers.append(person.client.get("/healthz").status_code)
    goes_on.set()
    first.join()
    assert answers == [200, 200, 200, 503] and not first.is_alive()


def test_who_asks_seldom_is_told_of_now_and_not_of_the_last_time(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check may be slow on a busy machine: nobody gets what an hour ago was found instead, good or bad."""
    check, asked = services_of(person.client.application).health_check, person.client.get
    slow = threading.Event()
    found = [StorageError("the disk is full"), None]

    def look(_: Store) -> None:
        slow.wait(1.0)
        if found and (error := found.pop(0)):
            raise error

    assert asked("/healthz").status_code == 200
    monkeypatch.setattr(Store, "check_writable", look)
    monkeypatch.setattr(health, "_PATIENCE", 60.0)
    for expected in (503, 200):
        assert check._last is not None
        check._last = (check._last[0] - 3600, check._last[1])
        assert asked("/healthz").status_code == expected


@pytest.mark.parametrize("enters", [False, True])
def test_a_remote_monitor_gets_the_status_only(
    make_app: Callable[[], Flask], monkeypatch: pytest.MonkeyPatch, enters: bool
) -> None:
    app = make_app()
    on_the_network(app)
    monitor = let_in(app, PHONE) if enters else Person(app, PHONE)
    monkeypatch.setattr(health, "_MAX_AGE", 0.0)
    answer = monitor.client.get("/healthz", headers={"Accept": "*/*", "Host": "192.168.1.20:8765"})
    assert (answer.status_code, answer.json) == (200, {"status": "ok"}) and "Set-Cookie" not in answer.headers
    monkeypatch.setattr("webui.server.health._storage", lambda _: "the folder /home/ann can only be read")
    answer = monitor.client.get("/healthz")
    assert (answer.status_code, answer.json) == (503, {"status": "failing"})
    assert monitor.client.get("/healthz", headers={"Host": "evil.example"}).status_code == 400
    assert monitor.client.post("/healthz").status_code != 200
    proxied = Person(app).client.get("/healthz", headers={"X-Forwarded-For": PHONE})
    assert proxied.json == {"status": "failing"}, "who comes through a proxy is not this machine"


def test_a_reader_that_cannot_be_loaded_is_unhealthy(tmp_path: Path) -> None:
    def none() -> Reader:
        raise WeightsError("the weights are missing")

    reader = ReaderService(none)
    app = create_app(Settings(tmp_path), reader)
    with pytest.raises(WeightsError):
        reader.get()
    answer = app.test_client().get("/healthz")
    assert answer.status_code == 503 and answer.json is not None
    assert answer.json["wrong"] == {"reader": "the weights are missing"}
    services_of(app).store.close()


def test_the_log_has_requests_and_no_names(journal: Path, person: Person) -> None:
    person.begin(side0="Aurelia & Bo", **{"player0.0": "Aurelia"})
    person.client.get("/static/base.css")
    person.open("/game/99/?name=Aurelia")
    logged = [
        (one["method"], one["route"], one["numbers"], one["status"]) for one in written(journal) if "route" in one
    ]
    assert ("POST", "/new", {}, 303) in logged
    assert ("POST", "/game/<int:game_id>/round/<int:number>/begin", {"game_id": 1, "number": 1}, 303) in logged
    assert ("GET", "/game/<int:game_id>/", {"game_id": 99}, 404) in logged
    assert all("static" not in route for _, route, _, _ in logged)
    assert "Aurelia" not in "\n".join(read_log(journal, 1000))


def test_unexpected_errors_are_logged_with_a_traceback(
    journal: Path, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webui.pages.games.statistics.render_template", lambda *_, **__: 1 / 0)
    person.open("/statistics")
    (failed,) = [one for one in written(journal) if "trace" in one]
    assert person.status == 500 and "ZeroDivisionError" in failed["trace"] and "Traceback" not in person.page


def test_the_log_rotates_and_a_full_disk_does_not_stop_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.server.request_log._MAX_BYTES", 2000)
    opened = open_log(tmp_path)
    log = logging.getLogger("webui.test")
    for number in range(200):
        log.info("line %d", number)
    files = list((tmp_path / "logs").iterdir())
    assert 1 < len(files) <= 6 and all(path.stat().st_size <= 2100 for path in files)
    assert written(tmp_path)[-1]["said"] == "line 199" and len(read_log(tmp_path, 20)) == 20

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("logging.handlers.RotatingFileHandler.shouldRollover", full)
    log.info("lost")
    close_log(opened)
    (tmp_path / "file").write_text("")
    assert open_log(tmp_path / "file") is None


def report_of(person: Person, **ticked: str) -> tuple[zipfile.ZipFile, str]:
    """The report, and all that is text in it."""
    answer = person.client.post("/report/", data={"token": person.token(), **ticked})
    assert answer.status_code == 200 and answer.mimetype == "application/zip"
    report = zipfile.ZipFile(io.BytesIO(answer.data))
    return report, "".join(report.read(name).decode() for name in report.namelist() if "photos" not in name)


def test_a_report_has_names_and_photos_only_if_ticked(journal: Path, person: Person) -> None:
    here = person.begin(side0="Zoë’s side", **{"player0.0": "Zoë", "player0.1": "Ann-Kathrin"})
    person.photo(f"{here}/side/0", photo(NORTH_TABLE), name="Zoë at the table.jpg", counts=False)
    logging.getLogger("webui.test").error("it failed for Zoë, and %s", journal / "photos")
    report, text = report_of(person, words="it went wrong")
    assert set(report.namelist()) == {"about.json", "log.jsonl", "steps.jsonl"}
    assert "Zo" not in text.replace("Zone", "") and "Ann-Kathrin" not in text and str(journal) not in text
    about = json.loads(report.read("about.json"))
    assert about["says"] == "it went wrong" and about["handfoot"] and about["machine"]["python"]
    assert about["health"]["status"] == "ok" and about["database"].startswith("sqlite")
    steps = [json.loads(line) for line in report.read("steps.jsonl").decode().splitlines()]
    assert [step["what"] for step in steps] == ["begun", "round-begun", "photo"]
    report, text = report_of(person, names="yes", photos="yes")
    assert "Zo\\u00eb" in text or "Zoë" in text
    kept = services_of(person.client.application).store.files.all_files()
    assert {f"photos/{path.name}" for path in kept if "view" not in path.name} < set(report.namelist())


def test_a_report_names_no_folder(journal: Path, person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.pages.games.statistics.render_template", lambda *_, **__: json.loads("{"))
    person.open("/statistics")
    log = logging.getLogger("webui.test")
    log.error("'/srv/our games/a b.jpg' and D:\\cards\\d.png; and/or 1/2, POST /game/1/ failed")
    log.error("%s and %s", Path(sys.prefix) / "bin" / "python", Path(__file__))
    with (journal / "logs" / "handfoot.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"said": "cut off at /srv/our/e.jpg\n')
    report, text = report_of(person)
    for folder in (Path(sys.prefix), Path(sys.base_prefix), Path(__file__).parents[4], journal, Path.home()):
        assert f"{folder}/" not in text, folder
    lines = report.read("log.jsonl").decode().splitlines()
    told = [json.loads(line) for line in lines if line.endswith("}")]
    (trace,) = [one["trace"] for one in told if "trace" in one]
    files = re.findall(r'File "([^"]+)"', trace)
    assert {name.split("/")[0] for name in files} <= {"PROGRAM", "LIBRARIES", "PYTHON"}, files
    assert "PROGRAM/webui/pages/games/statistics.py" in files and "LIBRARIES/flask/app.py" in files
    said = [one["said"] for one in told]
    assert "'a b.jpg' and d.png; and/or 1/2, POST /game/1/ failed" in said
    assert "PYTHON/bin/python and PROGRAM/tests/webui/pages/admin/test_health.py" in said
    assert '{"said": "cut off at e.jpg' in lines
    assert "/statistics" in {one.get("route") for one in told}, "an address of the page is no path"


def test_the_report_page_says_what_will_be_in_it(person: Person) -> None:
    person.open("/report/")
    assert "Unless you check these, the file has no names or photos" in person.text


class SlowReader(DrawnReader):
    """Says that it is at work, over the border of its process."""

    def __init__(self) -> None:
        super().__init__()
        self.at_work = multiprocessing.get_context("fork").Event()

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        self.at_work.set()
        time.sleep(1.5)
        return super().read(frame, house_rules)


def test_shutdown_finishes_requests_and_accepts_none(tmp_path: Path) -> None:
    reader = SlowReader()
    page = ServerProcess(tmp_path, None, lambda: reader)
    assert page.wait()
    device = Device("d", StepLog(), page.port, 1)
    game = device.begin_shared()
    side, answers = f"/game/{game}/round/1/side/0", list[str]()
    sending = threading.Thread(target=lambda: answers.append(device.post(f"{side}/photos", {}, photo(NO_CARDS))))
    sending.start()
    assert reader.at_work.wait(60)
    assert page.stop() == 0
    sending.join(60)
    assert answers == [f"{side}/"], "the phone got its answer"
    with pytest.raises(ServerGone):
        device.open("/")
    store = Store(tmp_path)
    found = store.game(int(game))
    store.close()
    assert found is not None and len(found.rounds[0].photos) == 1


def test_a_round_continues_after_a_restart(tmp_path: Path) -> None:
    """The same phone, with the page that it has open, takes the next step after a restart as if nothing had been."""
    page = ServerProcess(tmp_path, None)
    assert page.wait()
    device = Device("d", StepLog(), page.port, 1)
    game = device.begin_shared()
    here = f"/game/{game}/round/1"
    device.post(f"{here}/facts", {"went_out": "0.1"})
    device.post(f"{here}/side/0/photos", {}, photo(NORTH_TABLE))
    device.post(f"{here}/side/0/change", {"op": "remove", "card": "p1c0"})
    assert "Card removed" in device.open(f"{here}/side/0/"), "what was just done is said once"
    before = without_tokens(device.open(f"{here}/side/0/"))
    page.kill()
    page = ServerProcess(tmp_path, None)
    assert page.wait()
    device.port = page.port
    assert f'href="/game/{game}/"' in device.open("/"), "the game is offered to go on with"
    assert without_tokens(device.open(f"{here}/side/0/")) == before
    device.post(f"{here}/side/1/photos", {}, photo(NO_CARDS))
    device.post(f"{here}/undo", {"entry": str(_newest(device.open(f"{here}/side/1/")))})
    page.kill()


def _newest(page: str) -> int:
    return int(page.split('name="entry" value="')[1].split('"')[0])


def test_a_full_disk_is_one_sentence(make_app: Callable[[], Flask], monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person(make_app())
    here = person.begin()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("webui.storage.files.atomic_files.os.fsync", full)
    person.photo(f"{here}/side/0", photo(NORTH_TABLE))
    assert person.status == 503 and "The photo was not saved: the disk is full; free up some space" in person.text
    assert services_of(person.client.application).store.files.all_files() == []
    data_dir = services_of(person.client.application).settings.data_dir
    assert not [path for name in ("photos", "waiting") for path in data_dir.glob(f"{name}/*")], "no half of it is left"
