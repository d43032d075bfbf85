"""Devices that were let in. Only a hash of each device's secret is stored."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import suppress
from datetime import datetime, timedelta

from sqlalchemy import or_, select, update

from webui.storage import clock
from webui.storage.db.row_mapping import record_of
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

    def add(
        self, name: str, key_id: str | None = None, keeper: bool = False, table: tuple[int, int] | None = None
    ) -> str:
        """Adds a device. Returns its secret, which is stored nowhere here.

        Args:
            name: what people call it.
            key_id: identifies the code and QR code by which it came in.
            keeper: whether it may do what else only this machine may.
            table: the event and the table for which it is let in, and for nothing else; None lets it play all games.
        """
        secret = secrets.token_urlsafe(32)
        event_id, event_table = table or (None, None)
        with self._session.begin() as session:
            session.add(
                DeviceRow(
                    name=name,
                    secret_hash=_hash(secret),
                    seen_at=utc_text(),
                    key_id=key_id,
                    keeper=keeper,
                    event_id=event_id,
                    event_table=event_table,
                )
            )
        return secret

    def move_to_table(self, device_id: int, table: tuple[int, int]) -> None:
        """Lets a device of one table score another one instead; does nothing where it was removed."""
        with self._session.begin() as session:
            if row := session.get(DeviceRow, device_id):
                row.event_id, row.event_table = table

    def remove_from_table(self, event_id: int, table: int) -> None:
        """Removes the devices of one table of an event."""
        with self._session() as session:
            where = DeviceRow.event_id == event_id, DeviceRow.event_table == table
            found = list(session.scalars(select(DeviceRow.id).where(*where)))
        self.remove(*found)

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

    def has(self, device_id: int, keeper: bool = False, table: tuple[int, int] | None = None) -> bool:
        """Whether a device is still in; with ``keeper``, whether it still has that right, with ``table`` for it."""
        with self._session() as session:
            row = session.get(DeviceRow, device_id)
            return row is not None and (row.keeper or not keeper) and table in (None, _device(row).table)

    def came_with(self, device_id: int) -> list[DeviceRecord]:
        """The devices that one may have let in, newest first: it knew their way in, the same code or a later one."""
        with self._session() as session:
            row = session.get(DeviceRow, device_id)
            if row is None:
                return []
            known = or_(DeviceRow.id > row.id, DeviceRow.key_id == row.key_id)
            found = select(DeviceRow).where(known, DeviceRow.id != row.id, DeviceRow.event_id.is_(None))
            found = found.order_by(DeviceRow.id.desc())
            return [_device(one) for one in session.scalars(found)]

    def set_keeper(self, device_id: int, keeper: bool) -> None:
        """Gives a device the right to do what else only this machine may, or takes it; nothing where it was removed."""
        with self._session.begin() as session:
            if row := session.get(DeviceRow, device_id):
                row.keeper = keeper

    def remove(self, *device_ids: int) -> None:
        """Removes devices, those that exist: their secrets are no longer accepted."""
        with self._session.begin() as session:
            rows = [row for device_id in device_ids if (row := session.get(DeviceRow, device_id))]
            for row in rows:
                session.delete(row)
        self._out |= {row.secret_hash for row in rows}

    def is_out(self, secret: str) -> bool:
        """Whether the device with this secret was removed here since the start; asks no database."""
        return _hash(secret) in self._out


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _device(row: DeviceRow) -> DeviceRecord:
    at_table = row.event_id is not None and row.event_table is not None
    table = (row.event_id or 0, row.event_table or 0) if at_table else None
    return record_of(DeviceRecord, row, table=table)
