"""The certificate of the encrypted page: one made here and kept in the data folder, or one that was given."""

from __future__ import annotations

import hashlib
import ipaddress
import logging
import ssl
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import NoReturn

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from webui.access.network import ALL_INTERFACES, is_ip_address, own_host_names
from webui.access.own_addresses import likely_addresses
from webui.storage import clock
from webui.storage.clock import FIRST_RELEASE
from webui.storage.errors import StorageError, reason
from webui.storage.files.atomic_files import read_file, replace_file

FILE = "https.pem"
"""In the data folder: the own key and certificate, for its owner alone. No backup, export or report takes it."""
_LASTS, _RENEWED_BEFORE, _SLACK = timedelta(days=397), timedelta(days=30), timedelta(days=2)
"""Browsers refuse certificates of more than 398 days; the clocks of phones may be behind."""
_MOST_ADDRESSES = 8
"""Of other networks, kept in a new certificate, so that a machine that comes back to one has not to be trusted anew."""
_REFRESH_SECONDS = 60.0
_MOST_BYTES = 1024 * 1024
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Shown:
    context: ssl.SSLContext
    fingerprint: str
    begins: datetime
    ends: datetime


class Certificate:
    """The certificate that is shown to browsers; ``refresh`` keeps it up to date. Thread-safe.

    Args:
        folder: the data folder, in which an own certificate is kept.
        names: host names and addresses of this machine that a person gave.
        given: files with a certificate and its key, in place of an own one.

    Raises:
        StorageError: the files cannot be used.
    """

    def __init__(self, folder: Path, names: tuple[str, ...] = (), given: tuple[Path, Path] | None = None) -> None:
        self._path, self._given = folder / FILE, given
        self._listens_at = {"0.0.0.0", *(name for name in names if name in ALL_INTERFACES)}
        self._names = {name for name in names if name not in ALL_INTERFACES and is_possible(name)}
        self._seen: list[tuple[int, int]] | None = None
        self.refresh()

    @property
    def is_own(self) -> bool:
        """Whether it was made here, so that browsers warn."""
        return self._given is None

    @property
    def context(self) -> ssl.SSLContext:
        """What new connections are encrypted by."""
        return self._shown.context

    @property
    def fingerprint(self) -> str:
        """Of the certificate, as browsers show it: SHA-256, two hexadecimal digits a byte."""
        return self._shown.fingerprint

    @property
    def begins(self) -> datetime:
        """Since when browsers take it."""
        return self._shown.begins

    @property
    def ends(self) -> datetime:
        """When browsers will no longer take it."""
        return self._shown.ends

    def refresh(self) -> None:
        """Makes an own certificate anew that ends soon, begins later or lacks an address; reads replaced files.

        Raises:
            StorageError: as the class; what was shown before still is.
        """
        files = (self._path, self._path) if self._given is None else self._given
        try:
            if self._given is None:
                self._renew()
            seen = [(status.st_mtime_ns, status.st_size) for status in (path.stat() for path in files)]
            if seen != self._seen:
                self._shown = _load(*files)
                self._seen = seen
        except OSError as error:
            if isinstance(error, ssl.SSLError):
                raise StorageError(f"the certificate and its key cannot be used together: {_WANTED}") from error
            raise StorageError(f"{_named(error, files)} cannot be used: {reason(error)}") from error
        except (ValueError, UnsupportedAlgorithm) as error:
            raise StorageError(f"the certificate cannot be read: {_WANTED}") from error

    def keep_fresh(self) -> threading.Event:
        """Refreshes it once a minute in a thread.

        Returns:
            An event that ends the thread when it is set.
        """
        stop = threading.Event()
        threading.Thread(target=self._keep_fresh, args=(stop,), name="certificate", daemon=True).start()
        return stop

    def _keep_fresh(self, stop: threading.Event) -> None:
        while not stop.wait(_REFRESH_SECONDS):
            try:
                self.refresh()
            except StorageError as error:
                _log.info("the certificate stays as it is: %s", error)

    def _renew(self) -> None:
        addresses = {address for at in self._listens_at for address in likely_addresses(at)}
        names = {"localhost", "127.0.0.1", "::1", *filter(is_possible, own_host_names()), *self._names}
        wanted = [_general_name(name) for name in sorted(names | addresses)]
        kept = _kept(self._path)
        held = _names_of(kept) if kept else []
        if kept and set(wanted) <= set(held) and _is_timely(kept):
            self._path.chmod(0o600)
            return
        others = [name for name in held if isinstance(name, x509.IPAddress) and name not in wanted]
        replace_file(self._path, _make([*wanted, *others[-_MOST_ADDRESSES:]]))


_WANTED = "expected two PEM files that belong together, a certificate and its key without a password"


def is_possible(name: str) -> bool:
    """Whether a certificate can hold a host name or address."""
    return is_ip_address(name) or (name.isascii() and 0 < len(name) < 254 and " " not in name)


def _load(certificate: Path, key: Path) -> _Shown:
    found = x509.load_pem_x509_certificates(read_file(certificate, _MOST_BYTES))[0]
    read_file(key, _MOST_BYTES)  # an error of OpenSSL names no file
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_alpn_protocols(["http/1.1"])
    context.load_cert_chain(certificate, key, _no_password)
    digest = hashlib.sha256(found.public_bytes(serialization.Encoding.DER)).hexdigest().upper()
    shown = ":".join(digest[at : at + 2] for at in range(0, 64, 2))
    return _Shown(context, shown, found.not_valid_before_utc, found.not_valid_after_utc)


def _no_password() -> NoReturn:
    raise ValueError("the key has a password")  # else OpenSSL would ask on the terminal


def _make(names: list[x509.GeneralName]) -> bytes:
    """A new key and a certificate for these names and addresses, as PEM."""
    key, today = ec.generate_private_key(ec.SECP256R1()), clock.now()
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Hand & Foot")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - _SLACK)
        .not_valid_after(today + _LASTS - _SLACK)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    form, no_password = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    secret = key.private_bytes(serialization.Encoding.PEM, form, no_password)
    return secret + certificate.public_bytes(serialization.Encoding.PEM)


def _general_name(name: str) -> x509.GeneralName:
    return x509.IPAddress(ipaddress.ip_address(name)) if is_ip_address(name) else x509.DNSName(name)


def _kept(path: Path) -> x509.Certificate | None:
    """The own certificate that was made before, with its key; None if there is none that can be used."""
    try:
        _load(path, path)
        return x509.load_pem_x509_certificates(read_file(path, _MOST_BYTES))[0]
    except (FileNotFoundError, ssl.SSLError, ValueError, UnsupportedAlgorithm):
        return None


def _is_timely(certificate: x509.Certificate) -> bool:
    """Whether browsers take it today and for a while; one that was made while the clock was ahead begins later.

    A clock that is not yet set, as on a Raspberry Pi that has just started, says nothing of when it begins.
    """
    today = clock.now()
    has_begun = certificate.not_valid_before_utc <= today or today < FIRST_RELEASE
    return has_begun and certificate.not_valid_after_utc - today > _RENEWED_BEFORE


def _names_of(certificate: x509.Certificate) -> list[x509.GeneralName]:
    try:
        return [*certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value]
    except (x509.ExtensionNotFound, ValueError):
        return []


def _named(error: OSError, files: tuple[Path, Path]) -> str:
    return str(error.filename or files[0])
