"""Keeps the devices that were let in: not what they show at the door, only its hash."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from sqlalchemy import select, update

from webui.storage.db.sessions import Sessions
from webui.storage.db.tables import DeviceRow, utc_text
from webui.storage.errors import StorageError
from webui.storage.records import DeviceRecord

_FRESH = timedelta(minutes=10)
"""How old the note of a device's last visit may be before it is written anew."""


class Devices:
    """Each call is one transaction."""

    def __init__(self, sessions: Sessions) -> None:
        self._session = sessions

    def add(self, name: str) -> str:
        """Lets a device in. Returns the secret that it is known by from now on, which is kept nowhere here."""
        secret = secrets.token_urlsafe(32)
        with self._session.begin() as session:
            session.add(DeviceRow(name=name, secret_hash=_hash(secret), seen_at=utc_text()))
        return secret

    def find(self, secret: str) -> DeviceRecord | None:
        """The device that shows this secret, None where it is unknown or was removed; notes that it was here."""
        with self._session() as session:
            row = session.scalars(select(DeviceRow).where(DeviceRow.secret_hash == _hash(secret))).first()
            found = _device(row) if row else None
        if found and datetime.now(UTC) - datetime.fromisoformat(found.seen_at) > _FRESH:
            with suppress(StorageError):  # a full disk keeps nobody out who is in
                self._note(found.id)
        return found

    def _note(self, device_id: int) -> None:
        with self._session.begin() as session:
            session.execute(update(DeviceRow).where(DeviceRow.id == device_id).values(seen_at=utc_text()))

    def all(self) -> list[DeviceRecord]:
        """The newest first."""
        with self._session() as session:
            return [_device(row) for row in session.scalars(select(DeviceRow).order_by(DeviceRow.id.desc()))]

    def call(self, device_id: int, name: str) -> None:
        """Keeps who holds a device."""
        with self._session.begin() as session:
            if row := session.get(DeviceRow, device_id):
                row.name = name

    def remove(self, device_id: int) -> None:
        """Lets a device in no more; one that is not there is none."""
        with self._session.begin() as session:
            if row := session.get(DeviceRow, device_id):
                session.delete(row)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _device(row: DeviceRow) -> DeviceRecord:
    return DeviceRecord(row.id, row.name, row.came_at, row.seen_at)
