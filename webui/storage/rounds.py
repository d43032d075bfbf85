"""Everything that is read and written about one round: photos, corrections, facts, the agreed sheet, undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from webui.storage.db.audit_log import same_facts
from webui.storage.db.row_mapping import columns_of, game_of, record_of, round_of
from webui.storage.db.sessions import Sessions
from webui.storage.db.stale_edits import (
    UNDONE,
    StaleEditError,
    last_undoable,
    lock_round,
    reject_stale_cards,
    reject_stale_facts,
    round_log,
)
from webui.storage.db.tables import CorrectionRow, PhotoRow, RoundRow, SheetRow
from webui.storage.kept_rules import keep_rules
from webui.storage.records import GameRecord, KeptRules, LogEntry, PhotoRecord


class Rounds:
    """The rounds of the database; each call is one transaction."""

    def __init__(self, sessions: Sessions) -> None:
        self._session = sessions

    def begin(self, game_id: int, number: int) -> None:
        """Creates a round, unless it exists."""
        with self._session.begin() as session:
            existing = select(RoundRow).where(RoundRow.game_id == game_id, RoundRow.number == number)
            if session.scalars(existing).first() is None:
                session.add(RoundRow(game_id=game_id, number=number, facts={}))

    def change_facts(
        self,
        round_id: int,
        change: Callable[[dict[str, Any]], dict[str, Any]],
        last_seen_change: int | None = None,
        corrections: Mapping[int, Sequence[dict[str, Any]]] = MappingProxyType({}),
        agreed_sheet: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda _: None,
        rules: KeptRules | None = None,
        check: Callable[[GameRecord], None] | None = None,
    ) -> None:
        """Changes a round's facts, in one transaction with corrections and the agreed sheet that belong to them.

        Args:
            round_id: the round's id.
            change: returns the new facts for the current ones.
            last_seen_change: the newest log entry that this person has seen, None to skip the check.
            corrections: corrections to add, by side.
            agreed_sheet: returns the sheet that the sides agree to with the new facts, None while they do not.
            rules: the rules that they agree to it under, kept with the sheet.
            check: is given the whole game as it is before the change, while nobody else can change it; what it raises
                leaves everything as it was.

        Raises:
            StaleEditError: somebody else changed one of these facts, or the same cards, since then.
        """
        with self._session.begin() as session:
            lock_round(session, round_id)
            if check is not None:
                game = session.get_one(RoundRow, round_id).game
                check(game_of(game, [round_of(row) for row in game.rounds]))
            for side, changes in corrections.items():
                if changes:
                    reject_stale_cards(session, round_id, side, last_seen_change, changes)
                    session.add_all(CorrectionRow(round_id=round_id, side=side, change=made) for made in changes)
            session.flush()  # the log lists corrections before facts, and facts before the agreed sheet
            row = session.get_one(RoundRow, round_id)
            facts = change(row.facts)
            reject_stale_facts(session, round_id, last_seen_change, row.facts, facts)
            row.facts = facts
            session.flush()
            if (sheet := agreed_sheet(facts)) is not None:
                if rules is not None:
                    keep_rules(session, rules)
                session.add(SheetRow(round_id=round_id, sheet=sheet, rules_hash=rules.hash if rules else None))

    def out_players(self, sides: int) -> dict[tuple[int, int, int], int]:
        """Which player of each of so many sides went out, where somebody said it: by game, round's number and side."""
        with self._session() as session:
            found = dict[tuple[int, int, int], int]()
            for side in range(sides):
                player = RoundRow.facts[(str(side), "out_player")].as_integer()
                query = select(RoundRow.game_id, RoundRow.number, player).where(player.is_not(None))
                found |= {(game, number, side): seat for game, number, seat in session.execute(query)}
            return found

    def add_photo(self, round_id: int, photo: PhotoRecord) -> int:
        """Adds a photo, ignoring ``photo.id``. Returns its new id."""
        with self._session.begin() as session:
            row = PhotoRow(round_id=round_id, **columns_of(photo))
            session.add(row)
            session.flush()
            return row.id

    def find_photo(self, photo_id: int) -> PhotoRecord | None:
        """The photo with this id, None where there is none."""
        with self._session() as session:
            row = session.get(PhotoRow, photo_id)
            return record_of(PhotoRecord, row) if row else None

    def find_file(self, round_id: int, side: int, file: str) -> PhotoRecord | None:
        """The photo of a side with this file, None where there is none or it was dropped."""
        photos = select(PhotoRow).where(PhotoRow.round_id == round_id, PhotoRow.side == side, PhotoRow.file == file)
        made = select(CorrectionRow.change).where(CorrectionRow.round_id == round_id, CorrectionRow.side == side)
        with self._session() as session:
            dropped = {change["photo"] for change in session.scalars(made) if change.get("op") == "drop-photo"}
            found = session.scalars(photos.order_by(PhotoRow.id)).all()
            return next((record_of(PhotoRecord, row) for row in found if row.id not in dropped), None)

    def game_of_photo(self, photo_id: int) -> int | None:
        """The id of the game that a photo belongs to, None where there is no such photo."""
        query = select(RoundRow.game_id).join(PhotoRow, PhotoRow.round_id == RoundRow.id)
        with self._session() as session:
            return session.scalar(query.where(PhotoRow.id == photo_id))

    def set_reading(self, photo_id: int, reading: dict[str, Any]) -> None:
        """Adds the reading of a photo that has none; an existing reading never changes."""
        with self._session.begin() as session:
            row = session.get_one(PhotoRow, photo_id)
            if row.reading is None:
                row.reading = reading

    def correct(
        self,
        round_id: int,
        side: int,
        change: dict[str, Any],
        last_seen_change: int | None = None,
        relies_on: Iterable[str] = (),
    ) -> int:
        """Adds a correction to a side's cards.

        Args:
            round_id: the round's id.
            side: the side's index.
            change: the correction, as ``webui.storage.changes`` defines it.
            last_seen_change: the newest log entry that this person has seen, None to skip the check.
            relies_on: the ids of further cards that nobody may have changed since then.

        Returns:
            The correction's id, which is never reused.

        Raises:
            StaleEditError: somebody else changed the same cards or groups since then.
        """
        return self.correct_all(round_id, side, [change], last_seen_change, relies_on=relies_on)[0]

    def correct_all(
        self,
        round_id: int,
        side: int,
        changes: Sequence[dict[str, Any]],
        last_seen_change: int | None = None,
        then: Callable[[int], Sequence[dict[str, Any]]] = lambda _: (),
        relies_on: Iterable[str] = (),
    ) -> list[int]:
        """Like ``correct`` for several corrections; ``then`` returns further ones that refer to the first one's id."""
        with self._session.begin() as session:
            lock_round(session, round_id)
            reject_stale_cards(session, round_id, side, last_seen_change, changes, relies_on)

            def add(documents: Sequence[dict[str, Any]]) -> list[int]:
                rows = [CorrectionRow(round_id=round_id, side=side, change=change) for change in documents]
                session.add_all(rows)
                session.flush()
                return [row.id for row in rows]

            ids = add(changes)
            return ids + add(then(ids[0]))

    def last_undoable_step(self, round_id: int) -> tuple[LogEntry, ...]:
        """The changes that ``undo`` would take back together, oldest first; empty where there are none."""
        with self._session() as session:
            return last_undoable(round_log(session, round_id))

    def undo(self, round_id: int, entry_id: int) -> None:
        """Undoes the last step of a round, all of it. A photo is undone by a correction that drops it.

        A round whose agreement is undone counts as it was agreed before, or no more where it was not.

        Args:
            round_id: the round's id.
            entry_id: the newest log entry of that step.

        Raises:
            StaleEditError: it is not the last step that can be undone (any more).
        """
        with self._session.begin() as session:
            lock_round(session, round_id)
            entries = round_log(session, round_id)
            step = last_undoable(entries)
            if not step or step[-1].id != entry_id:
                raise StaleEditError(entry for entry in entries if entry.id > entry_id)
            session.info[UNDONE] = True
            for entry in reversed(step):
                _undo_entry(session, round_id, entry)
                session.flush()  # the log lists what is undone in this order


def _undo_entry(session: Session, round_id: int, entry: LogEntry) -> None:
    match entry.what:
        case "facts":
            session.get_one(RoundRow, round_id).facts = entry.before or {}
        case "correction":
            session.delete(session.get_one(CorrectionRow, (entry.after or {})["id"]))
        case "confirmed":
            for sheet in reversed(session.get_one(RoundRow, round_id).sheets):
                if not same_facts(sheet.sheet, entry.after or {}):
                    break
                session.delete(sheet)  # and the same facts agreed again, or scored anew, since then
                session.flush()
        case _:
            drop_photo = {"op": "drop-photo", "photo": (entry.after or {})["id"]}
            session.add(CorrectionRow(round_id=round_id, side=entry.side, change=drop_photo))
