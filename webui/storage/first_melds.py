"""Keeps the first melds that were checked: a photo, its reading, and the cards as people mended them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from webui.storage.db.sessions import Sessions
from webui.storage.db.tables import FirstMeldRow
from webui.storage.records import FirstMeldRecord


class FirstMelds:
    """Each call is one transaction."""

    def __init__(self, sessions: Sessions) -> None:
        self._session = sessions

    def add(self, meld: FirstMeldRecord) -> FirstMeldRecord:
        """Keeps one; ``meld.id`` is not looked at. Returns it with its id."""
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

    def mend(self, meld_id: int, faces: Sequence[dict[str, Any]]) -> None:
        """Keeps its cards as they now stand; the reading stays as it was."""
        with self._session.begin() as session:
            session.get_one(FirstMeldRow, meld_id).faces = list(faces)
