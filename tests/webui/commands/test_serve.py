"""``handfoot serve`` as a process: two on one folder, stopped as soon as it begins, disks that take nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.webui.crashes.small_disk import small_disk
from tests.webui.helpers.served import program, refusal
from tests.webui.test_cli import ROOT, free_port, wait_for
from webui.storage.db.engines import wal_is_safe

posix = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")


def serve(data: Path, *options: str) -> subprocess.Popen[str]:
    """A server on a data folder, at a free port that is its last argument."""
    command = [sys.executable, *options, "-m", "webui.cli", "serve", "--data", str(data), "--port", str(free_port())]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def address(server: subprocess.Popen[str]) -> str:
    assert isinstance(server.args, list)
    return f"http://127.0.0.1:{server.args[-1]!s}/"


@posix
def test_a_second_server_on_a_folder_is_refused_and_an_old_lock_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = serve(tmp_path)
    wait_for(address(first), first)
    port = address(first).rsplit(":", 1)[1].rstrip("/")
    assert refusal(monkeypatch, capsys, "--data", str(tmp_path)) == (
        f"handfoot: the games in {tmp_path} are open already at localhost:{port}; use that page, or stop it "
        "first, or name another folder with --data"
    )
    first.kill()
    first.communicate()
    assert f":{port}" in json.loads((tmp_path / "server.json").read_text())["address"], "left behind, and no hindrance"
    with program(monkeypatch, "serve", "--data", str(tmp_path), "--port", port):
        wait_for(address(first))
    assert not (tmp_path / "server.json").exists()


@posix
@pytest.mark.parametrize("sign", [pytest.param(signal.SIGINT, marks=pytest.mark.by_hand), signal.SIGTERM])
@pytest.mark.parametrize(
    "moment",
    ["import 'pydantic'", "import 'numpy'", "import 'flask'", "import 'webui.commands.serve'", "games are kept in"],
)
def test_a_stop_while_it_begins_ends_cleanly(tmp_path: Path, sign: signal.Signals, moment: str) -> None:
    """Python tells on standard error what it has imported; the signal is sent then."""
    server = serve(tmp_path / "data", "-v") if moment.startswith("import") else serve(tmp_path / "data")
    assert server.stderr is not None
    said = next((line for line in server.stderr if moment in line), None)
    server.send_signal(sign)
    _, rest = server.communicate(timeout=120)
    assert said and server.returncode == 0, rest
    assert "Traceback" not in rest and "terminate called" not in rest


def test_a_disk_that_takes_nothing_is_named_for_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with small_disk(tmp_path / "disk", "8m") as disk:
        if disk is None:
            pytest.skip("only root may mount a small disk")
        data, port = disk.folder / "data", str(free_port())
        for kept in (False, True):
            disk.fill(0)
            if not kept or wal_is_safe():  # which takes room even to be read
                assert "the disk is full; name another folder" in refusal(monkeypatch, capsys, "--data", str(data))
            else:
                with program(monkeypatch, "serve", "--data", str(data), "--port", port):
                    assert "the disk is full" in health(port)["storage"]
            disk.free_space()
            disk.set_read_only(True)
            assert "the disk is read-only; name another folder" in refusal(monkeypatch, capsys, "--data", str(data))
            disk.set_read_only(False)
            with program(monkeypatch, "serve", "--data", str(data), "--port", port):
                wait_for(f"http://127.0.0.1:{port}/")


def health(port: str) -> dict[str, str]:
    """What ``/healthz`` says is wrong."""
    base = f"http://127.0.0.1:{port}/"
    wait_for(base)
    with pytest.raises(HTTPError) as failing:
        urlopen(f"{base}healthz", timeout=60)
    return dict(json.loads(failing.value.read())["wrong"])
