"""People whose names were written differently: which name is another spelling of which."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import delete, select

from webui.storage.db.audit_log import AUTHOR
from webui.storage.db.sessions import Sessions
from webui.storage.db.tables import OtherNameRow
from webui.wording import name_key


@dataclass(frozen=True, slots=True)
class OtherName:
    """A name and whose it is: ``name`` is what the person is called."""

    written: str
    name: str


class People:
    """The other names of the database; each call is one transaction."""

    def __init__(self, sessions: Sessions) -> None:
        self._session = sessions

    def other_names(self) -> list[OtherName]:
        """All other names, by the alphabet; one that leads to another one leads to the last."""
        with self._session() as session:
            rows = session.scalars(select(OtherNameRow).order_by(OtherNameRow.id)).all()
            found = {row.key: OtherName(row.written, row.name) for row in rows}
        ends = [OtherName(one.written, _end(found, one.name)) for one in found.values()]
        return sorted(ends, key=lambda one: (name_key(one.written), one.written))

    def join(self, written: str, name: str) -> bool:
        """Counts a name as another spelling of a person's name; one that was said before is replaced.

        Returns:
            Whether it could: not where both are one name already.
        """
        with self._session.begin() as session:
            rows = session.scalars(select(OtherNameRow)).all()
            known = {row.key: OtherName(row.written, row.name) for row in rows}
            end, key = _end(known, name), name_key(written)
            if name_key(end) == key:
                return False
            session.execute(delete(OtherNameRow).where(OtherNameRow.key == key))
            session.add(OtherNameRow(key=key, written=written, name=end, who=AUTHOR.get()))
            return True

    def part(self, written: str) -> None:
        """Counts a name by itself again."""
        with self._session.begin() as session:
            session.execute(delete(OtherNameRow).where(OtherNameRow.key == name_key(written)))


def _end(known: dict[str, OtherName], name: str) -> str:
    """What a person is called in the end, where other names lead from one to the next."""
    seen: set[str] = set()
    while (key := name_key(name)) in known and key not in seen:
        seen.add(key)
        name = known[key].name
    return name
