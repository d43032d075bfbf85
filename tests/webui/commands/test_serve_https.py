"""``handfoot serve --https`` as a process."""

from __future__ import annotations

import os
import signal
import ssl
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import urlopen

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

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


@posix
def test_a_certificate_that_ended_is_said(tmp_path: Path) -> None:
    """The page goes on: this machine itself needs no certificate, and a new file is read when it comes."""
    ended, port = tmp_path / "ended.pem", free_port()
    ended.write_bytes(certificate_that_ends(datetime.now(UTC) - timedelta(days=3)))
    plain = free_port()
    options = ["--cert", str(ended), "--key", str(ended), "--port", str(port), "--http-port", str(plain)]
    server = serve(tmp_path / "data", *options)
    wait_for(f"http://127.0.0.1:{plain}/", server)
    server.send_signal(signal.SIGTERM)
    _, said = server.communicate(timeout=120)
    (sentence,) = (line for line in said.splitlines() if "ended on" in line)
    assert server.returncode == 0 and "put a new one and its key in the place of these files" in sentence


def certificate_that_ends(at: datetime) -> bytes:
    """A key and a certificate, as PEM."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - timedelta(days=90))
        .not_valid_after(at)
        .sign(key, SHA256())
    )
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return secret + certificate.public_bytes(Encoding.PEM)


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
