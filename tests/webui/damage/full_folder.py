"""A data folder with every file that the program writes, and what may happen to one of them."""

from __future__ import annotations

import ctypes
import json
import os
import random
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from scorer.deck import use_deck_folder
from scorer.faces import Face
from scorer.rules import use_folder
from tests.vision.looks.test_labelling import seen
from tests.webui.decks.learnt import write_learnt
from tests.webui.decks.pictures import pictures
from tests.webui.decks.test_taught import OWN
from tests.webui.helpers.drawn import NORTH_TABLE, DrawnReader, photo
from tests.webui.helpers.stored_round import play
from tests.webui.house_rules.own import kept_copy
from vision.images.decode import decode_photo
from vision.images.sandbox import shared_decoder
from webui.access.access_code import AccessCode
from webui.access.certificate import Certificate
from webui.decks.learning import FAULTS, PROGRESS
from webui.decks.lesson_files import Lessons
from webui.decks.taught import TaughtDecks
from webui.games.results.results_file import FILE_NAME as RESULTS
from webui.reading.engine_choice import save_engine
from webui.reading.reader_service import ReaderService
from webui.reading.teach_job import TeachJob
from webui.reading.zones import Zones, save_zones
from webui.server.request_log import close_log, open_log
from webui.settings import rules_folder, use_own_files
from webui.storage.files.job_files import Job, JobFiles
from webui.storage.files.learnt_files import LOCK
from webui.storage.files.secret_key import secret_key
from webui.storage.store import Store
from webui.watching.film import Film
from webui.watching.films import Films

FILES = (
    *("handfoot.db", "secret-key", "access.json", "https.pem", "damaged.json", "server.json", "server.lock"),
    *("import.lock", "results.json", "zones.json", "watching.json", "pile.json", "engine.json"),
    *("rulesets/golden-games-doubles-at-our-table.toml", "decks/ours/deck.toml", "decks/ours/faces/8-1.webp"),
    *("decks/ours/teaching/lesson.json", "decks/ours/teaching/photo-1.json", "decks/ours/teaching/photo-1.jpg"),
    *("decks/ours/teaching/card-1-0.webp", "decks/ours/teaching/photo-1-view.jpg", "decks/learnt/learnt.json"),
    *("decks/learnt/faces.deck.npz", "decks/learnt/progress.jsonl", "decks/learnt/learning.lock"),
    *("decks/learnt/faults.txt", "watched/1-1/table.json", "watched/1-1/0000.jpg", "leaving/looks.json"),
    *("logs/handfoot.jsonl", "waiting/JOB.zip", "backups/BACKUP.zip", "photos/PHOTO.jpg", "photos/PHOTO-view.jpg"),
    "looks/LOOKS.npz",
)
"""Every kind of file; capitals stand for what is named by a time or a hash."""
FOLDERS = tuple(sorted({str(Path(name).parent) for name in FILES if "/" in name}))
JSON = {
    "number": b"7",
    "text": b'"7"',
    "list": b"[7]",
    "object": b'{"7": 7}',
    "null": b"null",
    "nested": b"[" * 100_000,
}
"""Documents that are none of ours."""
DAMAGES = ("empty", "zeros", "random", "folder", "unreadable", "pipe", *JSON)


def fill(folder: Path) -> None:
    """Makes each of the files in a data folder."""
    use_own_files(folder)
    store = Store(folder)
    game = play(store)
    store.looks.keep(game.rounds[0].id, game.rounds[0].photos[0].file, seen((100, 100, 0.9, "7")).to_bytes())
    store.backups.back_up()
    for make in (secret_key, AccessCode, Certificate):
        make(folder)
    kept_copy("golden-games", rules_folder(folder))
    save_engine(folder, "onnx")
    save_zones(folder, Zones("left", True))
    taught = TaughtDecks(folder, shared_decoder().decode)
    ours = taught.add("Ours", OWN, pictures([Face("8"), Face("LADY"), Face("WIZARD")]))
    write_learnt(taught, {ours.id: ours.content_hash()})
    for name in (FAULTS, LOCK):
        (taught.folder / "learnt" / name).touch()
    (taught.folder / "learnt" / PROGRESS).write_text(json.dumps({"told": "3 of 3"}) + "\n")
    _teach(Lessons(taught), ours.id)
    films = Films(folder)
    films.set_hints(True)
    films.save(Film(game.id, game.created_at, 1, "Ann", game.created_at, on=False))
    films.files.add_picture(game.id, 1, 0, photo(NORTH_TABLE))
    about = {"game": game.id, "number": 1, "side": 0, "player": None}
    JobFiles(folder).add("1a2b3c", Job("sent", about, "/", None), [(photo(NORTH_TABLE), "t.jpg")])
    (folder / "leaving").mkdir(exist_ok=True)
    for name, document in (
        ("leaving/looks.json", {"0" * 32: "2026-01-02T03:04:05+00:00"}),
        ("damaged.json", {"note": "the games were damaged"}),
        ("pile.json", [["8H", False], None]),
        ("server.json", {"address": None}),
        (RESULTS, {"scoring": "", "results": {}}),
    ):
        (folder / name).write_text(json.dumps(document))
    for name in ("server.lock", "import.lock"):
        (folder / name).touch()
    log = open_log(folder)
    close_log(log)
    store.close()
    use_folder(None)
    use_deck_folder(None)


def _teach(lessons: Lessons, deck: str) -> None:
    """A lesson of one photo."""
    lessons.begin(deck, just_jokers=False)
    data = photo(NORTH_TABLE)
    frame, find = (
        decode_photo(data, "t.jpg"),
        TeachJob(lessons, ReaderService(DrawnReader), shared_decoder().decode).find,
    )
    found = lessons.look_at(deck, frame, data, find, ())
    assert found is not None
    lessons.add(deck, [found], find)


def path_of(folder: Path, name: str) -> Path:
    """Where one of ``FILES`` is."""
    parent, _, last = name.rpartition("/")
    if not last[:3].isupper():
        return folder / name
    places = {"PHOTO.jpg": "*[0-9a-f].jpg", "PHOTO-view.jpg": "*-view.jpg"}
    return min((folder / parent).glob(places.get(last, f"*{Path(last).suffix}")))


@contextmanager
def damaged(path: Path, damage: str) -> Iterator[None]:
    """Damages a file or folder in one of the ways of ``DAMAGES``; unreadable ones are so for the block, to root too."""
    size = 4096 if path.is_dir() else path.stat().st_size
    if damage == "unreadable":
        path.chmod(0)
    else:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        if damage == "folder":
            path.mkdir()
        elif damage == "pipe":
            os.mkfifo(path)
        else:
            content = JSON | {
                "empty": b"",
                "zeros": bytes(size or 64),
                "random": random.Random(5).randbytes(size or 64),
            }
            path.write_bytes(content[damage])
    with _without_rights() if damage == "unreadable" else nullcontext():
        yield
    if damage == "unreadable" and path.exists():
        path.chmod(0o700)


@contextmanager
def _without_rights() -> Iterator[None]:
    """A block in which this thread, and those that it begins, may open only what the files' rights say.

    Root of Linux is let off two of its capabilities (man 7 capabilities): 1, DAC_OVERRIDE, and 2, DAC_READ_SEARCH.
    """
    if sys.platform != "linux" or os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    head, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    assert libc.capget(head, data) == 0
    before = data[0]
    data[0] = before & ~0b110
    assert libc.capset(head, data) == 0
    try:
        yield
    finally:
        data[0] = before
        assert libc.capset(head, data) == 0
