"""The certificate of the encrypted page: what it holds, who may read it, when it is made anew, and given ones."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from flask import Flask

from tests.webui.helpers.networks import on_network
from tests.webui.helpers.set_clock import SetClock
from webui.access import certificate as module
from webui.access.certificate import FILE, Certificate
from webui.commands.doctor import _https
from webui.context.services import services_of
from webui.server.problem_report import ReportOptions, write_report
from webui.storage.clock import FIRST_RELEASE
from webui.storage.errors import StorageError


@pytest.fixture(autouse=True)
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine in a network."""
    move_to("192.168.1.5", monkeypatch)


def move_to(address: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    on_network(monkeypatch, *([address] if address else []))
    monkeypatch.setattr(module, "own_host_names", lambda: ("table", "table.local"))


def names_in(folder: Path) -> set[str]:
    found = x509.load_pem_x509_certificates((folder / FILE).read_bytes())[0]
    held = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(name.value) for name in held}


def split(folder: Path, source: Path) -> tuple[Path, Path]:
    """Files with the certificate and the key that a data folder keeps in one."""
    text = (source / FILE).read_text()
    at = text.index("-----BEGIN CERTIFICATE")
    folder.mkdir()
    (folder / "cert.pem").write_text(text[at:])
    (folder / "key.pem").write_text(text[:at])
    return folder / "cert.pem", folder / "key.pem"


def test_it_holds_every_name_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    own = Certificate(tmp_path, ("0.0.0.0", "cards.home"))
    own_names = {"localhost", "127.0.0.1", "::1", "table", "table.local", "192.168.1.5", "cards.home"}
    assert names_in(tmp_path) == own_names
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    assert own.is_own and len(own.fingerprint.split(":")) == 32


def test_it_stays_until_it_ends_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Certificate(tmp_path).fingerprint
    (tmp_path / FILE).chmod(0o644)
    own = Certificate(tmp_path)
    assert own.fingerprint == first and (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    monkeypatch.setattr(module, "_RENEWED_BEFORE", timedelta(days=396))
    before = own.context
    own.refresh()
    assert own.fingerprint != first and own.context is not before


def test_a_new_address_makes_a_new_one_that_keeps_the_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Certificate(tmp_path)
    first = own.fingerprint
    move_to("10.0.0.7", monkeypatch)
    own.refresh()
    second = own.fingerprint
    assert second != first and {"10.0.0.7", "192.168.1.5"} <= names_in(tmp_path)
    for address in ("192.168.1.5", None):
        move_to(address, monkeypatch)
        own.refresh()
        assert own.fingerprint == second


def test_it_holds_every_address_that_phones_may_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_network(monkeypatch, "192.168.1.5", "10.42.0.1", seldom=("172.17.0.1",))
    Certificate(tmp_path)
    assert {"192.168.1.5", "10.42.0.1"} <= names_in(tmp_path) and "172.17.0.1" not in names_in(tmp_path)


def test_one_that_begins_later_than_today_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    today = datetime.now(UTC)
    clock = SetClock(monkeypatch, today + timedelta(days=365))
    own = Certificate(tmp_path)
    ahead = own.fingerprint
    clock.time = FIRST_RELEASE - timedelta(days=9000)
    own.refresh()
    assert own.fingerprint == ahead, "a clock that is not set says nothing"
    clock.time = today
    assert "made anew at the next start" in _https(tmp_path).message
    own.refresh()
    assert "lasts until" in _https(tmp_path).message
    assert own.fingerprint != ahead and own.begins <= today < own.ends
    assert Certificate(tmp_path).fingerprint == own.fingerprint


@pytest.mark.parametrize("damage", [b"", b"-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n"])
def test_a_damaged_own_one_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / FILE).write_bytes(damage)
    assert Certificate(tmp_path).fingerprint


def test_given_files_are_used_and_read_again(tmp_path: Path) -> None:
    first = Certificate(tmp_path).fingerprint
    files = split(tmp_path / "given", tmp_path)
    (tmp_path / "data").mkdir()
    given = Certificate(tmp_path / "data", given=files)
    assert given.fingerprint == first and not given.is_own and not (tmp_path / "data" / FILE).exists()
    (tmp_path / FILE).unlink()
    second = Certificate(tmp_path).fingerprint
    for old, new in zip(files, split(tmp_path / "renewed", tmp_path), strict=True):
        old.write_bytes(new.read_bytes() + b"\n")
    given.refresh()
    assert given.fingerprint == second


def test_bad_files_are_refused_in_one_sentence(tmp_path: Path) -> None:
    Certificate(tmp_path)
    cert, key = split(tmp_path / "one", tmp_path)
    (tmp_path / FILE).unlink()
    Certificate(tmp_path)
    _, other_key = split(tmp_path / "other", tmp_path)
    text, nothing, locked = tmp_path / "text", tmp_path / "nothing", tmp_path / "locked"
    text.write_text("hello")
    secret = load_pem_private_key(key.read_bytes(), None)
    locked.write_bytes(secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"x")))
    for given, says in (
        ((cert, other_key), "together"),
        ((text, key), "cannot be read"),
        ((cert, text), "together"),
        ((cert, locked), "without a password"),
        ((cert, nothing), "nothing cannot be used"),
        ((nothing, key), "nothing cannot be used"),
        ((cert, tmp_path), "cannot be used"),
    ):
        with pytest.raises(StorageError, match=says):
            Certificate(tmp_path, given=given)


def test_no_backup_export_or_report_holds_it(make_app: Callable[[], Flask]) -> None:
    app = make_app()
    store, folder = services_of(app).store, services_of(app).settings.data_dir
    Certificate(folder)
    secret = (folder / FILE).read_bytes()
    exported = b"".join(store.backups.stream_export())
    store.backups.back_up()
    report = write_report(store, folder, ReportOptions(names=True, photos=True))
    archives: list[Any] = [BytesIO(exported), BytesIO(report), *sorted((folder / "backups").glob("**/*.zip"))]
    assert len(archives) > 2
    for archive in archives:
        with zipfile.ZipFile(archive) as opened:
            assert FILE not in " ".join(opened.namelist())
            assert all(secret not in opened.read(name) for name in opened.namelist())
