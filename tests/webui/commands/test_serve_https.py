"""``handfoot serve --https``."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import urlopen

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.webui.helpers.served import program
from tests.webui.server.tls.test_tls import TRUSTING
from tests.webui.test_cli import free_port, wait_for
from webui.access.certificate import FILE, Certificate
from webui.cli import main
from webui.commands.doctor import _https
from webui.commands.way_in import print_certificate

Captured = pytest.CaptureFixture[str]


def test_both_pages_answer_and_the_way_in_is_encrypted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    plain, port = free_port(), free_port()
    assert _https(tmp_path).ok and "makes a certificate" in _https(tmp_path).message
    ports = ("--port", str(port), "--http-port", str(plain))
    with program(monkeypatch, "serve", "--data", str(tmp_path), "--lan", "--https", "--name", "cards.home", *ports):
        wait_for(f"http://127.0.0.1:{plain}/")
        with urlopen(f"https://127.0.0.1:{port}/", timeout=60, context=TRUSTING) as answer:
            assert answer.status == 200
        shown = ssl.get_server_certificate(("127.0.0.1", port))
    out = capsys.readouterr().out
    assert f"open at http://localhost:{plain}/" in out and f"https://cards.home:{port}/enter/" in out
    assert "Fingerprint of the certificate (SHA-256): " in out and shown.strip() in (tmp_path / FILE).read_text()
    assert "lasts until" in _https(tmp_path).message


def test_a_certificate_that_ended_is_said(tmp_path: Path, capsys: Captured) -> None:
    """The page goes on: this machine itself needs no certificate, and a new file is read when it comes."""
    ended = tmp_path / "ended.pem"
    ended.write_bytes(certificate_that_ends(datetime.now(UTC) - timedelta(days=3)))
    print_certificate(Certificate(tmp_path, given=(ended, ended)))
    said = capsys.readouterr().err
    assert "ended on" in said and "put a new one and its key in the place of these files" in said


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
def test_what_does_not_go_together_is_one_sentence(
    tmp_path: Path, capsys: Captured, options: list[str], code: int, says: str
) -> None:
    assert main(["serve", "--data", str(tmp_path), *options]) == code
    out, said = capsys.readouterr()
    (sentence,) = said.splitlines()
    assert out == "" and says in sentence
