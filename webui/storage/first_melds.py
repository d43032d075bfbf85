"""First melds that were checked: a photo, its reading, and the cards as corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from webui.storage.db.row_mapping import columns_of, record_of
from webui.storage.db.sessions import Sessions
from webui.storage.db.tables import FirstMeldRow
from webui.storage.records import FirstMeldRecord


class FirstMelds:
    """The first melds of the database; each call is one transaction."""

    def __init__(self, sessions: Sessions) -> None:
        self._session = sessions

    def add(self, meld: FirstMeldRecord) -> FirstMeldRecord:
        """Stores a first meld, ignoring ``meld.id``. Returns it with its new id."""
        with self._session.begin() as session:
            row = FirstMeldRow(**columns_of(meld) | {"faces": list(meld.faces)})
            session.add(row)
            session.flush()
            return replace(meld, id=row.id)

    def find(self, meld_id: int) -> FirstMeldRecord | None:
        """The first meld with this id, None where there is none."""
        with self._session() as session:
            row = session.get(FirstMeldRow, meld_id)
            return record_of(FirstMeldRecord, row, faces=tuple(row.faces)) if row else None

    def set_faces(self, meld_id: int, faces: Sequence[dict[str, Any]]) -> None:
        """Stores the corrected cards; the reading does not change."""
        with self._session.begin() as session:
            session.get_one(FirstMeldRow, meld_id).faces = list(faces)
