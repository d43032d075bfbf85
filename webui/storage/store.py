"""The storage as the page uses it: games and their log here, everything else in the parts that ``Store`` holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Text, case, cast, func, select
from sqlalchemy.orm import joinedload

from scorer.rules import rules_from_text
from webui.storage.backup.backups import Backups
from webui.storage.change_signal import ChangePoller, ChangeSignal
from webui.storage.db.audit_log import GAME_COLUMNS, log_switched
from webui.storage.db.connect import open_database
from webui.storage.db.row_mapping import WHOLE_GAME, game_of, kept_rules_of, record_of, round_of, side_documents
from webui.storage.db.sessions import Sessions
from webui.storage.db.stale_edits import UNDONE, StaleEditError
from webui.storage.db.tables import GameRow, KeptRulesRow, LogRow, RoundRow, SheetRow, VersionRow
from webui.storage.devices import Devices
from webui.storage.errors import StorageError, disk_trouble
from webui.storage.events.event_store import Events
from webui.storage.files.atomic_files import remove_leftovers
from webui.storage.files.look_files import LookFiles
from webui.storage.files.photo_files import PhotoFiles
from webui.storage.first_melds import FirstMelds
from webui.storage.kept_rules import keep_rules
from webui.storage.people import People
from webui.storage.records import GameRecord, KeptRules, LogEntry, RoundRecord, SideRecord
from webui.storage.rounds import Rounds


class Store:
    """The games of one data folder, or of a PostgreSQL database with the photos in the folder.

    Thread-safe. Each call is one transaction, stored completely or not at all. ``change_signal`` is notified after
    every change.

    Args:
        folder: the data folder.
        address: the address of a PostgreSQL database, None for SQLite in the folder.
        served: whether a server works on the folder meanwhile; then it is opened as it is, and nothing in it mended.

    Raises:
        StorageError: the folder or the database cannot be used. Every method raises it too, when that happens later.
    """

    def __init__(self, folder: Path, address: str | None = None, served: bool = False) -> None:
        self.folder = folder
        self.engine = open_database(folder, address, served)
        self.change_signal = ChangeSignal()
        self._session = Sessions(self.engine, self.change_signal.notify)
        self.files = PhotoFiles(folder)
        self.looks = LookFiles(folder)
        self.rounds = Rounds(self._session)
        self.first_melds = FirstMelds(self._session)
        self.devices = Devices(self._session)
        self.events = Events(self._session)
        self.people = People(self._session)
        self.backups = Backups(folder, self.engine, self._session, self.files)
        if not served:
            remove_leftovers(folder)
            with suppress(StorageError):  # a full disk must not prevent looking
                self.backups.continue_log_numbers()
        self._games: tuple[object, list[GameRecord]] = (None, [])
        self._change_poller = None if address is None else ChangePoller(self.newest_change, self.change_signal)

    def close(self) -> None:
        """Stops the poller and closes all connections."""
        if self._change_poller:
            self._change_poller.close()
        self.engine.dispose()

    def check_writable(self) -> None:
        """Opens a writing transaction and rolls it back.

        Raises:
            StorageError: the database or the data folder cannot be written.
        """
        with self._session.begin() as session:
            session.execute(select(1))
            session.rollback()  # a commit would signal a change
        if trouble := disk_trouble(self.folder):  # SQLite itself tells at a commit only
            raise StorageError(trouble)

    def kind(self) -> str:
        """The kind and schema version of the database, for problem reports: ``sqlite, version 0006``."""
        with self._session() as session:
            version = session.scalars(select(VersionRow.version_num)).one()
        return f"{self.engine.dialect.name}, version {version}"

    def newest_change(self) -> int:
        """A number that grows with every change to a game or an event."""
        with self._session() as session:
            return (session.scalar(select(func.max(LogRow.id))) or 0) + self.events.newest_change()

    def games(self) -> list[GameRecord]:
        """All games, newest first. Rounds have their agreed sheets only: no photos, corrections or facts.

        The list is cached until anything changes.
        """
        newest = [select(func.max(table.id)).scalar_subquery() for table in (GameRow, LogRow, SheetRow)]
        newest.append(select(func.count()).select_from(GameRow).scalar_subquery())  # of a rehearsal they are deleted
        with self._session() as session:
            state = tuple(session.execute(select(*newest)).one())
        cached_state, games = self._games
        if cached_state != state:
            games = self._read_games()
            self._games = (state, games)
        return list(games)

    def counted_games(self) -> list[GameRecord]:
        """The games that count, newest first: neither removed, alone or with their event, nor played to practise.

        As ``games`` has them.
        """
        off = self.events.removed()
        kept = (game for game in self.games() if game.state != "removed" and not game.practice)
        return [game for game in kept if game.event is None or game.event.event_id not in off]

    def event_games(self, event_id: int) -> list[GameRecord]:
        """The games of an event's tables that were not removed, by stage and table. As ``games`` has them."""
        found = self._read_games(GameRow.event_id == event_id)
        places = [(game.event.stage, game.event.table, game) for game in found if game.event]
        return [game for *_, game in sorted(places, key=lambda one: one[:2]) if game.state != "removed"]

    def _read_games(self, which: ColumnElement[bool] | None = None) -> list[GameRecord]:
        ids = select(GameRow.id).where(*([] if which is None else [which]))
        rounds_of = select(RoundRow.id).where(RoundRow.game_id.in_(ids))
        newest = select(func.max(SheetRow.id)).where(SheetRow.round_id.in_(rounds_of)).group_by(SheetRow.round_id)
        agreed = select(SheetRow.round_id, SheetRow.id, cast(SheetRow.sheet, Text), SheetRow.rules_hash)
        with self._session() as session:
            kept = {row.hash: kept_rules_of(row) for row in session.scalars(select(KeptRulesRow))}
            sheets = {
                round_id: (sheet, sheet_id, kept.get(rules_hash or ""))
                for round_id, sheet_id, sheet, rules_hash in session.execute(agreed.where(SheetRow.id.in_(newest)))
            }
            rounds: dict[int, list[RoundRecord]] = {}
            query = select(RoundRow.id, RoundRow.game_id, RoundRow.number).where(RoundRow.game_id.in_(ids))
            query = query.order_by(RoundRow.number)
            for id, game_id, number in session.execute(query):
                sheet, sheet_id, rules = sheets.get(id, (None, None, None))
                rounds.setdefault(game_id, []).append(RoundRecord(id, number, {}, (), (), sheet, sheet_id, rules))
            rows = session.scalars(select(GameRow).where(GameRow.id.in_(ids)).order_by(GameRow.id.desc()))
            return [game_of(row, rounds.get(row.id, ())) for row in rows]

    def game(self, game_id: int) -> GameRecord | None:
        """A game with everything that belongs to its rounds, None where there is none."""
        with self._session() as session:
            row = session.get(GameRow, game_id, options=[WHOLE_GAME])
            return game_of(row, [round_of(record) for record in row.rounds]) if row else None

    def add_game(
        self,
        rules: str,
        players: int,
        sides: Sequence[SideRecord],
        first: str | None = None,
        at_table: str | None = None,
        practice: bool = False,
        decks: Sequence[str] = (),
    ) -> int:
        """Adds a game. Returns its id."""
        with self._session.begin() as session:
            row = GameRow(
                rules=rules,
                players=players,
                sides=side_documents(sides),
                first=first,
                at_table=at_table,
                practice=practice,
                decks=",".join(decks) or None,
            )
            session.add(row)
            session.flush()
            return row.id

    def change_game(self, game_id: int, changed: Mapping[str, Any]) -> None:
        """Changes columns of a game, those that ``GAME_COLUMNS`` of the audit log names.

        Agreed rounds keep the rules that they were agreed under; ``change_rules`` scores them anew.
        """
        with self._session.begin() as session:
            row = session.get_one(GameRow, game_id)
            for column in GAME_COLUMNS:
                if column in changed:
                    setattr(row, column, changed[column])

    def change_rules(
        self, game_id: int, rules: str, anew: Mapping[int, str], seen: Mapping[int, int | None], keep: KeptRules | None
    ) -> None:
        """Changes the rules of a game's further rounds, and scores agreed rounds anew, as one change.

        Args:
            game_id: the game's id.
            rules: the id of the rule set of rounds that are not agreed yet.
            anew: the hash of the kept rules by which to score each agreed round anew, by its number.
            seen: the id of the agreed sheet of each of these rounds as the person has seen it, by its number.
            keep: a rule set to keep first, if it is not kept yet.

        Raises:
            StaleEditError: one of these rounds was agreed anew since then.
        """
        with self._session.begin() as session:
            if keep is not None:
                keep_rules(session, keep)
            row = session.get_one(GameRow, game_id)
            sheets = {record.number: record.sheets[-1] for record in row.rounds if record.sheets}
            if any(number not in sheets or sheets[number].id != seen.get(number) for number in anew):
                raise StaleEditError(())
            texts = {kept.hash: kept.text for kept in session.scalars(select(KeptRulesRow))}
            row.rules = rules  # after the queries, which flush: both are one entry of the log
            for number, rules_hash in anew.items():
                agreed = sheets[number]
                if agreed.rules_hash != rules_hash:
                    sheet = {**agreed.sheet, "rules": rules_from_text(texts[rules_hash]).id}
                    session.add(SheetRow(round_id=agreed.round_id, sheet=sheet, rules_hash=rules_hash))

    def agreed_sheets(self, game_id: int) -> list[tuple[int, dict[str, Any], KeptRules | None]]:
        """Every sheet of a game that was ever agreed, oldest first: its round's number, the sheet, and its rules."""
        query = select(SheetRow, RoundRow.number).join(RoundRow, RoundRow.id == SheetRow.round_id)
        query = query.where(RoundRow.game_id == game_id).order_by(SheetRow.id)
        with self._session() as session:
            rows = session.execute(query.options(joinedload(SheetRow.kept_rules))).all()
            return [(number, row.sheet, kept_rules_of(row.kept_rules)) for row, number in rows]

    def touched_since_agreed(self, game_ids: Iterable[int]) -> set[tuple[int, int]]:
        """The agreed rounds of games in which anything was written after their agreement: game id and number.

        That need not have changed their points, such as a doubt that was answered.
        """
        agreed, touched = (
            func.max(case((LogRow.what.in_([*kinds, *(kind + UNDONE for kind in kinds)]), LogRow.id)))
            for kinds in (("confirmed",), ("correction", "facts", "photo", "read"))
        )
        query = select(LogRow.game_id, LogRow.round).where(
            LogRow.game_id.in_(list(game_ids)), LogRow.round.is_not(None)
        )
        with self._session() as session:
            found = session.execute(query.group_by(LogRow.game_id, LogRow.round).having(touched > agreed))
            return {(game_id, number) for game_id, number in found if number is not None}

    def log(self, game_id: int) -> list[LogEntry]:
        """Every change to a game, oldest first."""
        with self._session() as session:
            rows = session.scalars(select(LogRow).where(LogRow.game_id == game_id).order_by(LogRow.id))
            return [record_of(LogEntry, row) for row in rows]

    def log_watching(self, game_id: int, number: int, on: bool) -> None:
        """Logs that a round is watched from now on, or is not any more; nothing else of the game changes."""
        with self._session.begin() as session:
            log_switched(session, game_id, number, on)

    def version(self, game_id: int) -> int:
        """The number of a game's newest log entry, 0 where it has none."""
        with self._session() as session:
            return session.scalar(select(func.max(LogRow.id)).where(LogRow.game_id == game_id)) or 0
