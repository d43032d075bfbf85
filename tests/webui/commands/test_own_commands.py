"""What the page tells people to run: it is run by a shell, and does what the page says."""

from __future__ import annotations

import html
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.webui.commands.test_start import Browser
from tests.webui.helpers.served import program
from tests.webui.test_cli import ROOT, free_port, wait_for
from webui.cli import _parser
from webui.commands import own_commands as module
from webui.commands.own_commands import own_commands
from webui.settings import Commands

posix = pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_program", lambda: ["/opt/hand foot/handfoot"])
    for name in ("HANDFOOT_DATABASE", "HANDFOOT_TABLE"):
        monkeypatch.delenv(name, raising=False)


def commands(*words: str) -> Commands:
    arguments = _parser(["serve"]).parse_args(["serve", *words])
    arguments.words = words
    return own_commands(arguments)


@posix
@pytest.mark.parametrize(
    ("words", "encrypted"),
    [
        ("", "--lan --https"),
        ("--port 9000", "--lan --https --http-port 9000"),
        ("--port 8766", "--lan --https --port 8767 --http-port 8766"),
        ("--host=127.0.0.1 --rules canasta", "--rules canasta --lan --https"),
        ("--https --port 9443", "--lan --https --port 9443"),
        (
            "--cert c.pem --key k.pem --http-port 80",
            "--cert {here}/c.pem --key {here}/k.pem --lan --http-port 80",
        ),
        ("--lan --open", "--open --lan --https"),
        ("--host 192.168.1.5", "--host 192.168.1.5 --https"),
        (
            "--data games --name den --camera phone",
            "--name den --data {here}/games --camera phone --lan --https",
        ),
    ],
)
def test_everything_that_was_given_is_kept(words: str, encrypted: str) -> None:
    found = commands(*words.split())
    begin = "'/opt/hand foot/handfoot' serve "
    assert found.encrypted == begin + encrypted.format(here=Path.cwd())
    _parser(["serve"]).parse_args(shlex.split(found.encrypted)[1:])


@posix
def test_other_commands_find_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    found = commands("--data", "/den/o'clock games")
    assert found.doctor == """'/opt/hand foot/handfoot' doctor --data '/den/o'"'"'clock games'"""
    assert shlex.split(found.restore)[1:] == ["restore", "--data", "/den/o'clock games"]
    assert shlex.split(found.import_file)[1:] == ["import", "--data", "/den/o'clock games", "FILE"]
    monkeypatch.setenv("HANDFOOT_DATABASE", "postgresql:///cards")
    monkeypatch.setenv("HANDFOOT_TABLE", "Table 3")
    kept = ["--database", "postgresql:///cards", "--table", "Table 3"]
    assert shlex.split(commands().encrypted)[2:6] == kept, "another terminal may not have these"


def test_no_password_is_shown() -> None:
    database = "postgresql://club:tops3cret@db/cards?sslmode=require&password=tops3cret"
    found = commands("--database", database, "--camera", "rtsp://eye:tops3cret@10.0.0.9/live")
    lines = (found.encrypted, found.doctor, found.restore, found.import_file)
    assert not [line for line in lines if "tops3cret" in line]
    assert "***@db/cards?sslmode=require&password=***" in found.encrypted and "'rtsp://***'" in found.encrypted


@posix
def test_the_printed_command_starts_the_same_games_encrypted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a user does: reads the page's command, stops the program, and gives the command to a shell elsewhere."""
    data, port = tmp_path / "my games", free_port()
    monkeypatch.setattr(module, "_program", lambda: [sys.executable, "-m", "webui.cli"])
    words = ("serve", "--camera", "phone", "--data", os.path.relpath(data), "--port", str(port))
    with program(monkeypatch, *words):
        wait_for(f"http://127.0.0.1:{port}/")
        browser = Browser(f"http://127.0.0.1:{port}/")
        browser.send("", "new")
        page = browser.open("game/1/watch/")[2]
    (line,) = [part.split("</code>")[0] for part in page.split('<p class="address"><code>')[1:]]
    again = subprocess.Popen(
        ["sh", "-c", f"exec {html.unescape(line)} --port {free_port()}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert "Devices that have joined" in wait_for(f"http://127.0.0.1:{port}/join", again)
    finally:
        again.send_signal(signal.SIGTERM)
        out, said = again.communicate(timeout=120)
    assert "Code for other devices" in out and str(data) in said
