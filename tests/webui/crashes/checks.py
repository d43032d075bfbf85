"""Compares what is stored with what was agreed, and looks for partial data."""

from __future__ import annotations

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

from tests.webui.crashes.devices import SENT_PHOTO, Step
from tests.webui.helpers.drawn import marked
from vision.images.decode import decode_photo
from vision.images.sandbox import file_to_store
from webui.corrections.answers import has_agreed, sheet_hash
from webui.storage.db.connect import FILE_NAME
from webui.storage.files.job_files import JobFiles
from webui.storage.records import GameRecord, LogEntry, RoundRecord
from webui.storage.store import Store


class StoredData:
    """Everything that a store has, read once."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.games = [game for listed in store.games() if (game := store.game(listed.id))]
        self.logs = {game.id: store.log(game.id) for game in self.games}
        self.names = {name for log in self.logs.values() for name in _names(log)}
        self.rounds = {(game.id, held.number): held for game in self.games for held in game.rounds}
        self.corrections = {str(made.change.get("x")) for held in self.rounds.values() for made in held.corrections}
        entries = [entry for log in self.logs.values() for entry in log]
        self.undone = {
            str(entry.before.get("x")) for entry in entries if entry.what == "correction-undone" and entry.before
        }
        self.photos = {photo.file for held in self.rounds.values() for photo in held.photos}
        self.waiting = {photo_file_name(data) for held in JobFiles(folder).all() for data, _ in held.photos()}

    def has(self, step: Step) -> bool:
        """Whether a step is stored completely; ``log_differences`` finds steps that are stored in part."""
        match step.what:
            case "game" | "names":
                return step.token in self.names
            case "round":
                game, _, number = step.token.partition("/")
                return (int(game), int(number)) in self.rounds
            case "correction":
                return step.token in self.corrections | self.undone
            case "undo":
                return step.token in self.undone and step.token not in self.corrections
            case "photo":
                # a photo in the queue is confirmed too: it is read now, or after the next start
                sent, stored = photo_file_names(step.token)
                return sent in self.waiting or stored in self.photos
            case "agreed":
                return any(
                    held.agreed_sheet and sheet_hash(held.agreed_sheet, _rules_hash(held)) == step.token
                    for held in self._round(step)
                )
            case "deals":
                entries = [e for held in self._round(step) for e in self._log(step, held) if e.what == "facts"]
                return any(str((e.after or {}).get("0", {}).get("exact_deals")) == step.token for e in entries)
        raise AssertionError(step)

    def _round(self, step: Step) -> list[RoundRecord]:
        game, _, path = step.game.partition(" ")
        found = self.rounds.get((int(game), int(path.rsplit("/", 1)[-1])))
        return [found] if found else []

    def _log(self, step: Step, held: RoundRecord) -> list[LogEntry]:
        return [entry for entry in self.logs[int(step.game.split()[0])] if entry.round == held.number]


def _rules_hash(held: RoundRecord) -> str:
    return held.agreed_rules.hash if held.agreed_rules else ""


def _names(log: Iterable[LogEntry]) -> Iterator[str]:
    for entry in log:
        if entry.what in ("begun", "sides") and entry.after:
            name = str(entry.after["sides"][0]["name"])
            yield name.removesuffix("-a")


@cache
def photo_file_names(token: str) -> tuple[str, str]:
    """The names by their content of the photo that a step sent, and of the file that is stored of it."""
    sent = marked(SENT_PHOTO, token)
    return photo_file_name(sent), photo_file_name(file_to_store(decode_photo(sent, token).pixels))


def photo_file_name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32] + ".jpg"


def find_errors(folder: Path, address: str | None, steps: Iterable[Step]) -> list[str]:
    """The errors in the stored data, in words.

    Args:
        folder: the data folder.
        address: the address of a PostgreSQL database, None for SQLite.
        steps: what devices asked for before the crash. An unconfirmed step may be stored or not, but not in part.
    """
    if address is None:
        with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
            answers = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            broken = connection.execute("PRAGMA foreign_key_check").fetchall()
        if answers != ["ok"] or broken:
            return [f"the database is damaged: {answers} {broken}"]
    store = Store(folder, address)
    try:
        stored = StoredData(store, folder)
        found = [f"damaged: {store.backups.damage}"] if store.backups.damage else []
    finally:
        store.close()
    for step in steps:
        there = stored.has(step) if not step.what.startswith("refused") else None
        if step.confirmed and not there:
            found.append(f"lost: {step}")
        if there is None and step.what != "refused deals" and stored.has(_as_requested(step)):
            found.append(f"there although it was refused: {step}")
    return found + [line for game in stored.games for line in log_differences(game, stored.logs[game.id], folder)]


def _as_requested(step: Step) -> Step:
    return Step(step.what.removeprefix("refused "), step.token, step.game)


def log_differences(game: GameRecord, log: list[LogEntry], folder: Path) -> Iterator[str]:
    """Differences between a game and its log, which must describe each other completely."""
    if not log or log[0].what != "begun":
        yield f"game {game.id} has no beginning in the log"
    sides = [entry.after["sides"] for entry in log if entry.what in ("begun", "sides") and entry.after]
    if sides and sides[-1] != [{"name": side.name, "players": list(side.players)} for side in game.sides]:
        yield f"game {game.id}: the log tells other names"
    begun = Counter(entry.round for entry in log if entry.what == "round-begun")
    if begun != Counter(held.number for held in game.rounds):
        yield f"game {game.id}: rounds {begun} in the log"
    for held in game.rounds:
        yield from _round_differences(game, held, [entry for entry in log if entry.round == held.number], folder)


def _round_differences(game: GameRecord, held: RoundRecord, log: list[LogEntry], folder: Path) -> Iterator[str]:
    where = f"game {game.id} round {held.number}"
    made = Counter(str(entry.after) for entry in log if entry.what == "correction")
    made -= Counter(str(entry.before) for entry in log if entry.what == "correction-undone" and entry.before)
    if made != Counter(str({"id": one.id, **one.change}) for one in held.corrections):
        yield f"{where}: corrections and log differ"
    facts = [entry.after for entry in log if entry.what == "facts"]
    if held.facts != (facts[-1] if facts else {}):
        yield f"{where}: facts and log differ"
    sheets = [entry.after for entry in log if entry.what == "confirmed"]
    if held.agreed_sheet != (sheets[-1] if sheets else None):
        yield f"{where}: sheet and log differ"
    wanted = set(held.facts.get("agreed", {}).values())
    sides = range(len(game.sides))
    by_all = {agreed for agreed in wanted if all(has_agreed(held.facts, side, agreed) for side in sides)}
    if not by_all <= {sheet_hash(sheet, _rules_hash(held)) for sheet in sheets if sheet}:
        yield f"{where}: all have agreed, and it is not stored"
    photos = [entry.after["id"] for entry in log if entry.what == "photo" and entry.after]
    if [photo.id for photo in held.photos] != photos:
        yield f"{where}: photos and log differ"
    for photo in held.photos:
        path = folder / "photos" / photo.file
        if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest()[:32] != path.stem:
            yield f"{where}: the file {photo.file} is not whole"
        if not (folder / "photos" / f"{path.stem}-view.jpg").exists():
            yield f"{where}: {photo.file} has no view"
