"""First melds that were checked: a photo, its reading, and the cards as corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

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
            row = FirstMeldRow(
                game_id=meld.game_id,
                round=meld.round,
                side=meld.side,
                file=meld.file,
                width=meld.width,
                height=meld.height,
                reading=meld.reading,
                faces=list(meld.faces),
            )
            session.add(row)
            session.flush()
            return replace(meld, id=row.id)

    def find(self, meld_id: int) -> FirstMeldRecord | None:
        """The first meld with this id, None where there is none."""
        with self._session() as session:
            row = session.get(FirstMeldRow, meld_id)
            if row is None:
                return None
            return FirstMeldRecord(
                id=row.id,
                game_id=row.game_id,
                round=row.round,
                side=row.side,
                file=row.file,
                width=row.width,
                height=row.height,
                reading=row.reading,
                faces=tuple(row.faces),
            )

    def set_faces(self, meld_id: int, faces: Sequence[dict[str, Any]]) -> None:
        """Stores the corrected cards; the reading does not change."""
        with self._session.begin() as session:
            session.get_one(FirstMeldRow, meld_id).faces = list(faces)
