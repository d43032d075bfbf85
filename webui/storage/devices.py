"""Devices that were let in. Only a hash of each device's secret is stored."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import select, update

from webui.storage import clock
from webui.storage.db.sessions import Sessions
from webui.storage.db.tables import DeviceRow, utc_text
from webui.storage.errors import StorageError
from webui.storage.records import DeviceRecord

_VISIT_INTERVAL = timedelta(minutes=10)
"""A device's last visit is written at most this often, and where the clock was moved."""


class Devices:
    """The devices of the database; each call is one transaction."""

    def __init__(self, sessions: Sessions) -> None:
        self._session = sessions
        self._out: set[str] = set()

    def add(self, name: str) -> str:
        """Adds a device. Returns its secret, which is stored nowhere here."""
        secret = secrets.token_urlsafe(32)
        with self._session.begin() as session:
            session.add(DeviceRow(name=name, secret_hash=_hash(secret), seen_at=utc_text()))
        return secret

    def find(self, secret: str) -> DeviceRecord | None:
        """The device with this secret, None where it is unknown or was removed; records the visit."""
        with self._session() as session:
            row = session.scalars(select(DeviceRow).where(DeviceRow.secret_hash == _hash(secret))).first()
            device = _device(row) if row else None
        if device and abs(clock.now() - datetime.fromisoformat(device.seen_at)) > _VISIT_INTERVAL:
            with suppress(StorageError):  # a full disk must not lock a device out
                self._record_visit(device.id)
        return device

    def _record_visit(self, device_id: int) -> None:
        with self._session.begin() as session:
            session.execute(update(DeviceRow).where(DeviceRow.id == device_id).values(seen_at=utc_text()))

    def all(self) -> list[DeviceRecord]:
        """All devices, newest first."""
        with self._session() as session:
            return [_device(row) for row in session.scalars(select(DeviceRow).order_by(DeviceRow.id.desc()))]

    def rename(self, device_id: int, name: str) -> None:
        """Changes who holds a device; does nothing where it was removed."""
        with self._session.begin() as session:
            if row := session.get(DeviceRow, device_id):
                row.name = name

    def remove(self, device_id: int) -> None:
        """Removes a device, if it exists: its secret is no longer accepted."""
        with self._session.begin() as session:
            if row := session.get(DeviceRow, device_id):
                session.delete(row)
                self._out.add(row.secret_hash)

    def is_out(self, secret: str) -> bool:
        """Whether the device with this secret was removed here since the start; asks no database."""
        return _hash(secret) in self._out


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _device(row: DeviceRow) -> DeviceRecord:
    return DeviceRecord(row.id, row.name, row.came_at, row.seen_at)
