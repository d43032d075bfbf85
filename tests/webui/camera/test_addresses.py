"""Whatever is wrong with a camera's address, no page, JSON, log or report shows a user or a password."""

from __future__ import annotations

import io
import logging
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vision.cameras.network_devices import network_camera
from tests.vision.cameras.test_network_cameras import SPELLINGS
from tests.vision.cameras.test_watcher import wait_for
from tests.webui.helpers.drawn import DrawnReader
from tests.webui.helpers.playing import Person
from webui.app import create_app
from webui.cli import main
from webui.context.services import services_of
from webui.reading.reader_service import ReaderService
from webui.server.problem_report import ReportOptions, write_report
from webui.server.request_log import FOLDER, TerminalFormatter, close_log, open_log
from webui.settings import Settings


@pytest.fixture
def refusing() -> Iterator[str]:
    """The address of a camera that refuses the password."""
    with network_camera() as server:
        yield server.address("/locked", "user:secret")


@pytest.mark.parametrize("name", ["refusing", "capitals", "no scheme", "another scheme", "hash", "bracket", "no at"])
def test_nobody_is_shown_an_address(name: str, refusing: str, tmp_path: Path) -> None:
    spec = refusing if name == "refusing" else SPELLINGS[name]
    log, terminal = open_log(tmp_path), logging.StreamHandler(io.StringIO())
    terminal.setFormatter(TerminalFormatter())
    logging.getLogger().addHandler(terminal)
    app = create_app(Settings(tmp_path, camera=spec), ReaderService(DrawnReader))
    person, desk = Person(app), services_of(app).camera
    here = person.begin()
    shown = [person.client.get("/camera/state.json").text]
    wait_for(lambda: desk.state()["trouble"] is not None)
    person.send(f"{here}/side/0/shoot")
    shown += [person.page, *person.notices()]
    for address in ("/camera/", "/camera/setup", "/camera/reading", "/camera/state.json", "/healthz", here):
        shown.append(person.client.get(address).text)
    person.send("/camera/setup/check")
    shown += [person.page, repr(services_of(app).settings)]
    try:
        raise ValueError(f"no answer from {spec}")
    except ValueError:
        logging.getLogger("vision").exception("a library said %s", refusing)
    close_log(log)
    logging.getLogger().removeHandler(terminal)
    assert "a library said" in terminal.stream.getvalue()
    shown.append(terminal.stream.getvalue())
    shown += [path.read_text(encoding="utf-8") for path in (tmp_path / FOLDER).iterdir()]
    options = ReportOptions(names=True, photos=True)
    report = zipfile.ZipFile(io.BytesIO(write_report(services_of(app).store, tmp_path, options)))
    shown += [report.read(entry).decode() for entry in report.namelist()]
    desk.close()
    services_of(app).store.close()
    text = "\n".join(shown)
    assert "secret" not in text and "user:" not in text and len(text) > 5000


@pytest.mark.parametrize("spec", [spec for name, spec in SPELLINGS.items() if name != "no scheme, no host"])
def test_no_mistyped_command_shows_an_address(
    spec: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = ["--data", str(tmp_path)]
    for words in (
        ["serve", *data, "--camrea", spec],
        ["serve", *data, f"--camrea={spec}"],
        ["serve", *data, spec],
        ["serve", *data, "--port", spec],
        ["serve", *data, "--camera", "0", "--rules", spec],
        ["doctor", "--camera", spec],
        [spec],
    ):
        monkeypatch.setattr("sys.argv", ["handfoot", *words])
        try:
            assert main(words) == 1
        except SystemExit as error:
            assert error.code == 2
    shown = "".join(capfd.readouterr())
    assert "secret" not in shown and "user:" not in shown
