"""Deployment: systemd notifications, the unit file, and the Dockerfile match the program."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.deploy.dockerfile import DOCKERFILE, ROOT, Rehearsal, base, health, steps
from webui.cli import _parser
from webui.commands.options import HTTPS_PORT, PORT
from webui.server.systemd import notify_systemd, start_watchdog


class Systemd:
    """The notification socket of systemd."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(folder / "notify"))

    def receive(self, seconds: float = 60.0) -> str:
        self._socket.settimeout(seconds)
        return self._socket.recv(100).decode()


@pytest.fixture
def systemd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Systemd:
    monkeypatch.setenv("WATCHDOG_USEC", "300000")
    return Systemd(tmp_path, monkeypatch)


def _answering(status: list[int]) -> type[BaseHTTPRequestHandler]:
    """A request handler that always answers with the status currently in the list, and logs nothing."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status[0])
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """No log output."""

    return Handler


def test_systemd_is_notified_while_the_page_answers_and_no_longer_once_it_does_not(systemd: Systemd) -> None:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _answering([404]))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stop = start_watchdog(f"http://127.0.0.1:{server.server_port}/")
    assert [systemd.receive() for _ in range(3)] == ["READY=1", "WATCHDOG=1", "WATCHDOG=1"]
    server.shutdown()
    server.server_close()
    with pytest.raises(TimeoutError):
        for _ in range(100):  # a few may still be queued; more would arrive within ten seconds
            systemd.receive(3)
    stop.set()


def test_nothing_is_sent_without_systemd(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert not notify_systemd("READY=1")


def test_the_unit_starts_the_program_with_valid_options() -> None:
    lines = (ROOT / "deploy" / "handfoot.service").read_text(encoding="utf-8").splitlines()
    settings = dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    assert settings["Type"] == "notify" and settings["Restart"] == "always" and settings["WatchdogSec"] == "60"
    program, *arguments = shlex.split(settings["ExecStart"])
    assert program.endswith("/bin/handfoot")
    assert _parser().parse_args(arguments).lan


def test_the_wheel_has_every_module_with_which_cards_are_learned() -> None:
    told = "import json, sys, models.learn.__main__; print(json.dumps([*sys.modules]))"
    names = json.loads(subprocess.run([sys.executable, "-c", told], cwd=ROOT, check=True, capture_output=True).stdout)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    modules = {name.replace(".", "/") for name in names if name.startswith("models.")} - {"models/samples"}
    missing = {one for one in modules if not {one.rpartition("/")[0], one, f"{one}.py"} & {*included}}
    assert "models/learn/__main__" in modules and not missing
    assert not {"torch", "fontTools"} & {*names}


STEPS = steps(DOCKERFILE.read_text(encoding="utf-8"))


def arguments(instruction: str) -> list[str]:
    """The arguments of every use of an instruction in the Dockerfile."""
    return [argument for word, argument in STEPS if word == instruction]


def test_the_dockerfile_copies_existing_files_and_starts_the_program_with_valid_options() -> None:
    copied = [name for line in arguments("COPY") for name in line.split()[:-1]]
    assert copied and all((ROOT / name).exists() for name in copied)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]) <= set(copied)
    version, _ = base(arguments("FROM")[0])
    assert project["project"]["requires-python"] == f">={version}", (
        "the oldest supported Python, which the tests run on too"
    )
    (command,) = (json.loads(line) for line in arguments("CMD"))
    options = _parser().parse_args(command[1:])
    assert command[0] == "handfoot" and (options.host, str(options.data)) == ("0.0.0.0", arguments("VOLUME")[0])
    assert options.port is None and arguments("EXPOSE") == [f"{PORT} {HTTPS_PORT}"], "the usual ports"
    assert [run.replace("--no-cache-dir ", "") for run in arguments("RUN") if run.startswith("pip ")] == [
        "pip install --require-hashes -r requirements.lock",
        "pip install --no-deps .",
    ], "the same two commands as in README.md"


def test_the_rehearsal_of_the_dockerfile_copies_every_file_and_knows_the_port(tmp_path: Path) -> None:
    rehearsal = Rehearsal(tmp_path)
    for word, argument in STEPS:
        if word in ("WORKDIR", "COPY", "ARG", "USER", "EXPOSE", "HEALTHCHECK"):
            rehearsal.run_step(word, argument)
    assert rehearsal.port == PORT
    for line in arguments("COPY"):
        *_, target = line.split()
        assert (tmp_path / "handfoot" / target).exists(), line


def test_the_health_check_follows_the_health_of_the_page() -> None:
    (line,) = arguments("HEALTHCHECK")
    program, *command = health(line)
    assert program == "python3" and f":{PORT}/healthz" in command[-1]
    status = [503]
    server = ThreadingHTTPServer(("127.0.0.1", 0), _answering(status))
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def healthy() -> bool:
        code = command[-1].replace(f":{PORT}/", f":{server.server_port}/")
        return subprocess.run([sys.executable, *command[:-1], code], capture_output=True, check=False).returncode == 0

    assert not healthy()
    status[0] = 200
    assert healthy()
    server.shutdown()
    server.server_close()
    assert not healthy(), "no server"


def test_debian_has_the_packages_of_the_dockerfile() -> None:
    (line,) = (run for run in arguments("RUN") if "apt-get install" in run)
    names = shlex.split(line.split("--no-install-recommends ")[1].split("&&")[0])
    if not shutil.which("apt-cache") or not arguments("FROM")[0].endswith(_debian()):
        pytest.skip("needs the Debian that the image is made of")
    policy = subprocess.run(["apt-cache", "policy", *names], capture_output=True, text=True, check=True).stdout
    if not policy:
        pytest.skip("needs Debian's package lists: apt-get update")
    assert policy.count("Candidate:") == len(names) and "Candidate: (none)" not in policy


def _debian() -> str:
    release = Path("/etc/os-release")
    text = release.read_text(encoding="utf-8") if release.is_file() else ""
    return next((line.split("=")[1] for line in text.splitlines() if line.startswith("VERSION_CODENAME=")), "none")


@pytest.mark.skipif(not shutil.which("useradd") or os.geteuid() != 0, reason="needs useradd and root")
def test_the_user_of_the_dockerfile_can_be_created(tmp_path: Path) -> None:
    (line,) = (run for run in arguments("RUN") if run.startswith("useradd "))
    make, *others = (shlex.split(part) for part in line.split("&&"))
    for name, text in {"passwd": "", "shadow": "", "group": "video:x:44:\n", "gshadow": ""}.items():
        (tmp_path / "etc").mkdir(exist_ok=True)
        (tmp_path / "etc" / name).write_text(text)
    (tmp_path / "home").mkdir()
    subprocess.run([make[0], "--prefix", str(tmp_path), *make[1:]], check=True, capture_output=True)
    user = arguments("USER")[0]
    assert user in (tmp_path / "etc" / "group").read_text().splitlines()[0].split(":")[3], "the group of camera devices"
    assert (tmp_path / "home" / user).is_dir()
    assert others == [["mkdir", arguments("VOLUME")[0]], ["chown", user, arguments("VOLUME")[0]]]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the C library of Linux")
def test_threads_share_malloc_arenas() -> None:
    code = """
import ctypes, threading
from vision.process_limits import limit_malloc_arenas
limit_malloc_arenas()
meet = threading.Barrier(12)
def take():
    meet.wait()
    held = [bytearray(1000) for _ in range(1000)]
    meet.wait()
threads = [threading.Thread(target=take) for _ in range(12)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
ctypes.CDLL("libc.so.6").malloc_stats()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "Arena 1:" in done.stderr and "Arena 2:" not in done.stderr
