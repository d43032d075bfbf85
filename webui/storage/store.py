"""Every question and order that the page has for the database."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session, selectinload

from webui.storage.backup.backups import Keeping
from webui.storage.change_poller import Follower
from webui.storage.change_signal import Bell
from webui.storage.db.audit_log import GAME_COLUMNS
from webui.storage.db.connect import open_database
from webui.storage.db.row_mapping import game_of, photo_of, round_of, side_documents
from webui.storage.db.sessions import Sessions
from webui.storage.db.stale_edits import (
    UNDONE,
    ChangedMeanwhile,
    entries_of,
    entry,
    hold,
    refuse_stale_cards,
    refuse_stale_facts,
    undoable,
)
from webui.storage.db.tables import CorrectionRow, GameRow, LogRow, PhotoRow, RoundRow, SheetRow
from webui.storage.devices import Devices
from webui.storage.errors import StorageError
from webui.storage.first_melds import FirstMelds
from webui.storage.photo_files import PhotoFiles
from webui.storage.records import GameRecord, LogEntry, PhotoRecord, RoundRecord, SideRecord

_WHOLE_GAME = selectinload(GameRow.rounds).options(
    selectinload(RoundRow.photos), selectinload(RoundRow.corrections), selectinload(RoundRow.sheets)
)


class Store:
    """The games kept in one folder, or in a database elsewhere with their photos in the folder.

    Safe to use from several threads; each call is one transaction, which is kept whole or not at all. ``bell`` rings
    after every change.

    Args:
        folder: the data folder.
        address: of a PostgreSQL database; none for a file in the folder.

    Raises:
        StorageError: the folder or the database cannot be used; so does every call that finds it so later.
    """

    def __init__(self, folder: Path, address: str | None = None) -> None:
        self.folder = folder
        self.engine = open_database(folder, address)
        self.bell = Bell()
        self._session = Sessions(self.engine, self.bell.ring)
        self.files = PhotoFiles(folder)
        self.first_melds = FirstMelds(self._session)
        self.devices = Devices(self._session)
        self.keeping = Keeping(folder, self.engine, self._session, self.files)
        self._games: tuple[object, list[GameRecord]] = (None, [])
        self._follower = None if address is None else Follower(self.newest_change, self.bell)

    def close(self) -> None:
        if self._follower:
            self._follower.close()
        self.engine.dispose()

    def try_writing(self) -> None:
        """Takes the database for writing for a moment, and changes nothing.

        Raises:
            StorageError: it could not be written just now.
        """
        with self._session.begin() as session:
            session.execute(select(1))
            session.rollback()  # so that nobody is told of a change
        if not os.access(self.folder, os.W_OK):
            raise StorageError("the data folder can only be read")

    def kind(self) -> str:
        """Which database it is and of which version, for whoever looks for a fault."""
        with self._session() as session:
            version = session.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
        return f"{self.engine.dialect.name}, version {version}"

    def newest_change(self) -> int:
        """The number of the newest log entry of all."""
        with self._session() as session:
            return session.scalar(select(func.max(LogRow.id))) or 0

    def games(self) -> list[GameRecord]:
        """All games, the newest first, with what was confirmed alone: no photos, corrections and facts.

        They are read anew where anything was changed since, by whomever.
        """
        newest = [select(func.max(table.id)).scalar_subquery() for table in (GameRow, LogRow, SheetRow)]
        with self._session() as session:
            state = tuple(session.execute(select(*newest)).one())
        held_state, games = self._games
        if held_state != state:
            games = self._read_games()
            self._games = (state, games)
        return list(games)

    def _read_games(self) -> list[GameRecord]:
        last = select(func.max(SheetRow.id)).group_by(SheetRow.round_id)
        confirmed = select(SheetRow.round_id, SheetRow.id, SheetRow.sheet).where(SheetRow.id.in_(last))
        with self._session() as session:
            sheets = {round_id: (sheet_id, sheet) for round_id, sheet_id, sheet in session.execute(confirmed)}
            rounds: dict[int, list[RoundRecord]] = {}
            held = select(RoundRow.id, RoundRow.game_id, RoundRow.number).order_by(RoundRow.number)
            for id, game_id, number in session.execute(held):
                sheet_id, sheet = sheets.get(id, (None, None))
                rounds.setdefault(game_id, []).append(RoundRecord(id, number, {}, (), (), sheet, sheet_id))
            rows = session.scalars(select(GameRow).order_by(GameRow.id.desc()))
            return [game_of(row, rounds.get(row.id, ())) for row in rows]

    def game(self, game_id: int) -> GameRecord | None:
        with self._session() as session:
            row = session.get(GameRow, game_id, options=[_WHOLE_GAME])
            return game_of(row, [round_of(held) for held in row.rounds]) if row else None

    def add_game(
        self,
        rules: str,
        players: int,
        sides: Sequence[SideRecord],
        first: str | None = None,
        at_table: str | None = None,
    ) -> int:
        """Returns the new game's id."""
        with self._session.begin() as session:
            row = GameRow(rules=rules, players=players, sides=side_documents(sides), first=first, at_table=at_table)
            session.add(row)
            session.flush()
            return row.id

    def change_game(self, game_id: int, changed: Mapping[str, Any]) -> None:
        """Changes what ``webui.storage.db.audit_log.GAME_COLUMNS`` names of a game.

        Other rules hold for its confirmed sheets too: each is confirmed anew under them, the old ones stay.
        """
        with self._session.begin() as session:
            row = session.get_one(GameRow, game_id)
            other_rules = changed.get("rules", row.rules) != row.rules
            for column in GAME_COLUMNS:
                if column in changed:
                    setattr(row, column, changed[column])
            if other_rules:
                for held in row.rounds:
                    if held.sheets:
                        sheet = {**held.sheets[-1].sheet, "rules": changed["rules"]}
                        session.add(SheetRow(round_id=held.id, sheet=sheet))

    def log(self, game_id: int) -> list[LogEntry]:
        """Every change to a game, the oldest first."""
        with self._session() as session:
            rows = session.scalars(select(LogRow).where(LogRow.game_id == game_id).order_by(LogRow.id))
            return [entry(row) for row in rows]

    def version(self, game_id: int) -> int:
        """The number of a game's last change, 0 where there was none since it began."""
        with self._session() as session:
            return session.scalar(select(func.max(LogRow.id)).where(LogRow.game_id == game_id)) or 0

    def begin_round(self, game_id: int, number: int) -> None:
        """Makes the round where it is not there yet."""
        with self._session.begin() as session:
            if _round_row(session, game_id, number) is None:
                session.add(RoundRow(game_id=game_id, number=number, facts={}))

    def keep_facts(self, round_id: int, facts: dict[str, Any]) -> None:
        self.change_facts(round_id, lambda _: facts)

    def change_facts(
        self,
        round_id: int,
        change: Callable[[dict[str, Any]], dict[str, Any]],
        seen: int | None = None,
        corrections: Mapping[int, Sequence[dict[str, Any]]] = MappingProxyType({}),
        confirmed: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda _: None,
    ) -> None:
        """Changes a round's facts, and with them, in the same step, whatever belongs to it.

        Args:
            round_id: the round's id.
            change: from the facts as they stand to what they shall be.
            seen: the last log entry that the person has seen.
            corrections: of the cards of each side.
            confirmed: from the facts as changed to the sheet that they confirm, None where they do not.

        Raises:
            ChangedMeanwhile: somebody else changed one of the same facts, or the same side's cards, after that.
        """
        with self._session.begin() as session:
            hold(session, round_id)
            for side, changes in corrections.items():
                if changes:
                    refuse_stale_cards(session, round_id, side, seen)
                    session.add_all(CorrectionRow(round_id=round_id, side=side, change=made) for made in changes)
            session.flush()  # what is added first stands first in the log
            row = session.get_one(RoundRow, round_id)
            changed = change(row.facts)
            refuse_stale_facts(session, round_id, seen, row.facts, changed)
            row.facts = changed
            session.flush()
            if (sheet := confirmed(changed)) is not None:
                session.add(SheetRow(round_id=round_id, sheet=sheet))

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
            return photo_of(row) if row else None

    def correct(self, round_id: int, side: int, change: dict[str, Any], seen: int | None = None) -> int:
        """Returns the correction's id, which no other correction ever has.

        Raises:
            ChangedMeanwhile: somebody else changed that side's cards after ``seen``, the last log entry that this
                person has seen.
        """
        return self.correct_all(round_id, side, [change], seen)[0]

    def correct_all(
        self,
        round_id: int,
        side: int,
        changes: Sequence[dict[str, Any]],
        seen: int | None = None,
        then: Callable[[int], Sequence[dict[str, Any]]] = lambda _: (),
    ) -> list[int]:
        """As ``correct``, several at once; ``then`` gives further ones for the id of the first."""
        with self._session.begin() as session:
            hold(session, round_id)
            refuse_stale_cards(session, round_id, side, seen)

            def add(some: Sequence[dict[str, Any]]) -> list[int]:
                rows = [CorrectionRow(round_id=round_id, side=side, change=change) for change in some]
                session.add_all(rows)
                session.flush()
                return [row.id for row in rows]

            ids = add(changes)
            return ids + add(then(ids[0]))

    def last_change(self, round_id: int) -> LogEntry | None:
        """The change of a round that an undo would take back."""
        with self._session() as session:
            return undoable(entries_of(session, round_id))

    def take_back(self, round_id: int, entry_id: int) -> None:
        """Takes back the last change of a round.

        Raises:
            ChangedMeanwhile: ``entry_id`` is not that change (any more).
        """
        with self._session.begin() as session:
            hold(session, round_id)
            entries = entries_of(session, round_id)
            last = undoable(entries)
            if last is None or last.id != entry_id:
                raise ChangedMeanwhile(made for made in entries if made.id > entry_id)
            session.info[UNDONE] = True
            if last.what == "facts":
                session.get_one(RoundRow, round_id).facts = last.before or {}
            elif last.what == "correction":
                session.delete(session.get_one(CorrectionRow, (last.after or {})["id"]))
            else:
                dropped = {"op": "drop-photo", "photo": (last.after or {})["id"]}
                session.add(CorrectionRow(round_id=round_id, side=last.side, change=dropped))

    def confirm(self, round_id: int, sheet: dict[str, Any]) -> None:
        """Keeps the sheet as the round's confirmed one; earlier ones stay in the database."""
        with self._session.begin() as session:
            session.add(SheetRow(round_id=round_id, sheet=sheet))


def _round_row(session: Session, game_id: int, number: int) -> RoundRow | None:
    return session.scalars(select(RoundRow).where(RoundRow.game_id == game_id, RoundRow.number == number)).first()
