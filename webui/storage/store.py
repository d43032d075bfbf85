"""Every question and order that the page has for the database."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload, sessionmaker

from webui.storage.database import open_database
from webui.storage.files import PhotoFiles
from webui.storage.records import CorrectionRecord, GameRecord, PhotoRecord, RoundRecord, SideRecord
from webui.storage.tables import CorrectionRow, GameRow, PhotoRow, RoundRow, SheetRow

_WHOLE_GAME = selectinload(GameRow.rounds).options(
    selectinload(RoundRow.photos), selectinload(RoundRow.corrections), selectinload(RoundRow.sheets)
)


class Store:
    """The games kept in one folder. Safe to use from several threads; each call is one transaction.

    ``notice`` is a sentence for a person where a damaged database was moved aside, else None.

    Raises:
        StorageError: the folder cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        engine, self.notice = open_database(folder)
        self._engine = engine
        self._session = sessionmaker(engine, expire_on_commit=False)
        self.files = PhotoFiles(folder)

    def close(self) -> None:
        self._engine.dispose()

    def games(self) -> list[GameRecord]:
        """All games, the newest first."""
        with self._session() as session:
            rows = session.scalars(select(GameRow).order_by(GameRow.id.desc()).options(_WHOLE_GAME))
            return [_game(row) for row in rows]

    def game(self, game_id: int) -> GameRecord | None:
        with self._session() as session:
            row = session.get(GameRow, game_id, options=[_WHOLE_GAME])
            return _game(row) if row else None

    def add_game(self, rules: str, players: int, sides: Sequence[SideRecord]) -> int:
        """Returns the new game's id."""
        with self._session.begin() as session:
            row = GameRow(
                rules=rules,
                players=players,
                sides=[{"name": side.name, "players": list(side.players)} for side in sides],
            )
            session.add(row)
            session.flush()
            return row.id

    def begin_round(self, game_id: int, number: int) -> None:
        """Makes the round where it is not there yet."""
        with self._session.begin() as session:
            if _round_row(session, game_id, number) is None:
                session.add(RoundRow(game_id=game_id, number=number, facts={}))

    def keep_facts(self, round_id: int, facts: dict[str, Any]) -> None:
        with self._session.begin() as session:
            session.get_one(RoundRow, round_id).facts = facts

    def add_photo(self, round_id: int, photo: PhotoRecord) -> int:
        """Adds a photo; ``photo.id`` is not looked at. Returns its id."""
        with self._session.begin() as session:
            row = PhotoRow(
                round_id=round_id,
                side=photo.side,
                player=photo.player,
                file=photo.file,
                width=photo.width,
                height=photo.height,
                source=photo.source,
                taken_at=photo.taken_at,
                reading=photo.reading,
            )
            session.add(row)
            session.flush()
            return row.id

    def keep_reading(self, photo_id: int, reading: dict[str, Any]) -> None:
        """Adds the reading to a photo that has none; one that is there is never changed."""
        with self._session.begin() as session:
            row = session.get_one(PhotoRow, photo_id)
            if row.reading is None:
                row.reading = reading

    def photo(self, photo_id: int) -> PhotoRecord | None:
        with self._session() as session:
            row = session.get(PhotoRow, photo_id)
            return _photo(row) if row else None

    def correct(self, round_id: int, side: int, change: dict[str, Any]) -> int:
        """Returns the correction's id, which no other correction ever has."""
        with self._session.begin() as session:
            row = CorrectionRow(round_id=round_id, side=side, change=change)
            session.add(row)
            session.flush()
            return row.id

    def undo(self, round_id: int, side: int) -> None:
        """Takes back the side's last correction, where there is one."""
        last = (
            select(CorrectionRow)
            .where(CorrectionRow.round_id == round_id, CorrectionRow.side == side)
            .order_by(CorrectionRow.id.desc())
            .limit(1)
        )
        with self._session.begin() as session:
            row = session.scalars(last).first()
            if row is not None:
                session.delete(row)

    def confirm(self, round_id: int, sheet: dict[str, Any]) -> None:
        """Keeps the sheet as the round's confirmed one; earlier ones stay in the database."""
        with self._session.begin() as session:
            session.add(SheetRow(round_id=round_id, sheet=sheet))


def _round_row(session: Session, game_id: int, number: int) -> RoundRow | None:
    return session.scalars(select(RoundRow).where(RoundRow.game_id == game_id, RoundRow.number == number)).first()


def _game(row: GameRow) -> GameRecord:
    return GameRecord(
        id=row.id,
        created_at=row.created_at,
        rules=row.rules,
        players=row.players,
        sides=tuple(SideRecord(side["name"], tuple(side["players"])) for side in row.sides),
        rounds=tuple(_round(held) for held in row.rounds),
    )


def _round(row: RoundRow) -> RoundRecord:
    return RoundRecord(
        id=row.id,
        number=row.number,
        facts=row.facts,
        photos=tuple(_photo(photo) for photo in row.photos),
        corrections=tuple(CorrectionRecord(made.id, made.side, made.change) for made in row.corrections),
        sheet=row.sheets[-1].sheet if row.sheets else None,
    )


def _photo(row: PhotoRow) -> PhotoRecord:
    return PhotoRecord(
        row.id, row.side, row.player, row.file, row.width, row.height, row.source, row.taken_at, row.reading
    )
