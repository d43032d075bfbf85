"""``handfoot serve --https`` as a process."""

from __future__ import annotations

import os
import signal
import ssl
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.webui.server.tls.test_tls import TRUSTING
from tests.webui.test_cli import ROOT, free_port, wait_for
from webui.access.certificate import FILE
from webui.commands.doctor import _https

posix = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX's")


def serve(data: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "webui.cli", "serve", "--data", str(data), *options]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@posix
def test_both_pages_answer_and_the_way_in_is_encrypted(tmp_path: Path) -> None:
    plain, port = free_port(), free_port()
    assert _https(tmp_path).ok and "makes a certificate" in _https(tmp_path).message
    server = serve(tmp_path, "--lan", "--https", "--name", "cards.home", "--port", str(port), "--http-port", str(plain))
    wait_for(f"http://127.0.0.1:{plain}/", server)
    with urlopen(f"https://127.0.0.1:{port}/", timeout=60, context=TRUSTING) as answer:
        assert answer.status == 200
    shown = ssl.get_server_certificate(("127.0.0.1", port))
    server.send_signal(signal.SIGTERM)
    out, said = server.communicate(timeout=120)
    assert server.returncode == 0 and "Traceback" not in said
    assert f"open at http://localhost:{plain}/" in out and f"https://cards.home:{port}/enter/" in out
    assert "Fingerprint of the certificate (SHA-256): " in out and shown.strip() in (tmp_path / FILE).read_text()
    assert "lasts until" in _https(tmp_path).message


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (["--cert", "cert.pem"], 2, "give both --cert FILE and --key FILE"),
        (["--https", "--port", "8765"], 2, "need ports of their own"),
        (["--cert", "no-such.pem", "--key", "no-such.pem"], 1, "no-such.pem cannot be used"),
        (["--cert", "README.md", "--key", "README.md"], 1, "expected two PEM files"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(tmp_path: Path, options: list[str], code: int, says: str) -> None:
    server = serve(tmp_path, *options)
    out, said = server.communicate(timeout=120)
    (sentence,) = said.splitlines()
    assert (server.returncode, out) == (code, "") and says in sentence
