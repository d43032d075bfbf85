"""Each file of the data folder is emptied, overwritten, made a folder or unreadable, and the page is started."""

from __future__ import annotations

import logging
import random
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from scorer.deck import use_deck_folder
from scorer.rules import use_folder
from tests.webui.damage.full_folder import DAMAGES, FILES, FOLDERS, damaged, fill, path_of
from tests.webui.helpers.drawn import DrawnReader
from tests.webui.house_rules.own import Form
from webui.app import create_app
from webui.context.services import services_of
from webui.games.results.results_file import recall_results
from webui.reading.engine_choice import chosen_engine, learnt_state
from webui.reading.reader_service import ReaderService
from webui.server.request_log import close_log, open_log
from webui.settings import Settings, use_own_files
from webui.storage.db.connect import FILE_NAME, open_database
from webui.storage.db.damage import damage_note
from webui.storage.errors import StorageError
from webui.storage.files.folder_lock import locked_folder
from webui.storage.files.secret_key import secret_key

PAGES = (
    *("/", "/join", "/safe/", "/statistics", "/players/", "/evenings/", "/games.csv", "/report/", "/camera/setup"),
    *("/game/1/", "/game/1/log", "/game/1/round/1/", "/game/1/round/1/side/0/", "/game/1/round/1/side/0/photo/1"),
    *("/photo/1/view.jpg", "/photo/1/marked.jpg", "/photo/1/card/1.jpg", "/game/1/round/1/side/0/deal/"),
    *("/game/1/watch/", "/game/1/watch/1/film", "/game/1/watch/1/picture/0.jpg", "/watching", "/camera/"),
    *("/rules/", "/rules/golden-games-doubles-at-our-table", "/new", "/decks/", "/decks/ours/"),
    *("/decks/ours/deck.zip", "/decks/ours/face/8/1", "/decks/ours/face/8/1.webp", "/decks/ours/teach"),
    *("/decks/ours/teach/card/0.webp", "/decks/ours/teach/photo/1.jpg", "/game/1/decks/", "/decks/standard/rounds"),
)
"""Those that need a file besides the database, and the first of each kind."""
FORMS: tuple[tuple[str, dict[str, str] | None], ...] = (
    ("/camera/setup/zones", {"first": "left"}),
    ("/game/1/watch/hints", {"hints": "on"}),
    ("/game/1/round/1/side/0/deal/again", {}),
    ("/devices/code", {}),
    ("/safe/backup", {}),
    ("/safe/everything.zip", {}),
    ("/report/", {}),
    ("/rules/golden-games/copy", None),
    ("/decks/ours/rename", {"name": "Theirs"}),
    ("/decks/ours/teach/begin", {}),
)
"""What writes such a file; None is the form as its page has it."""


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("full") / "data"
    fill(folder)
    return folder


@pytest.fixture
def folder(full: Path, tmp_path: Path) -> Iterator[Path]:
    yield Path(shutil.copytree(full, tmp_path / "data"))
    use_folder(None)
    use_deck_folder(None)


def start_and_look(folder: Path) -> tuple[str | None, dict[str, int], int]:
    """Starts the page as ``handfoot serve`` does and opens every page.

    Returns:
        The sentence with which it does not start, or None; the status of each page; that of ``/healthz``.
    """
    try:
        use_own_files(folder)
        with locked_folder(folder, "http://localhost/", "use that page"):
            log = open_log(folder)
            try:
                return None, *_look(folder)
            finally:
                close_log(log)
    except StorageError as error:
        return str(error), {}, 0


def _look(folder: Path) -> tuple[dict[str, int], int]:
    app = create_app(Settings(folder, camera=str(folder / "no-such")), ReaderService(DrawnReader))
    try:
        services_of(app).photo_queue.resume()
        services_of(app).learning.go_on()
        services_of(app).watch.resume()
        recall_results(folder), chosen_engine(folder), learnt_state(folder)
        client = app.test_client()
        app.config["WTF_CSRF_ENABLED"] = False
        pages = {path: client.get(path, follow_redirects=True).status_code for path in PAGES}
        for path, form in FORMS:
            sent = Form(client.get(path).text, path).sent if form is None else form
            pages[path] = client.post(path, data=sent).status_code
        return pages, client.get("/healthz").status_code
    finally:
        services_of(app).watch.close()
        services_of(app).photo_queue.close()
        services_of(app).camera.close()
        services_of(app).store.close()


def test_every_file_of_the_folder_is_tried(full: Path) -> None:
    known = {path_of(full, name) for name in FILES}
    others = [path for path in full.rglob("*") if path.is_file() and path not in known]
    kinds = {"photos": ".jpg", "faces": ".webp", "teaching": ".webp"}
    assert not [path for path in others if kinds.get(path.parent.name) != path.suffix]


ALONE = (
    *(("handfoot.db",), ("secret-key",), ("server.lock",), ("decks/learnt/learnt.json",)),
    ("decks/ours/deck.toml", "looks/LOOKS.npz"),
    ("decks/ours/teaching/lesson.json", "watched/1-1/table.json", "decks/ours/faces/8-1.webp"),
)
"""What hides other files where it cannot be read, so that the page would not come to ask for them."""


def _cases() -> list[Any]:
    """Every file and folder with every damage, by hand; what found the most is tried with many files at once."""
    hiding = [name for names in ALONE for name in names]
    together = [*ALONE, tuple(name for name in FILES if name not in hiding)]
    usual = [(names, "unreadable") for names in together]
    usual += [(tuple(name for name in FILES if name.endswith(".json")), "nested")]
    each = [
        pytest.param((name,), damage, marks=pytest.mark.by_hand)
        for name in (*FILES, *FOLDERS)
        for damage in DAMAGES
        if not (name in FOLDERS and damage == "folder")
        if damage != "pipe" or name.endswith(".json")
    ]
    return [*usual, *each]


@pytest.mark.parametrize(("names", "damage"), _cases())
def test_a_damaged_file_is_told_in_a_sentence_or_made_anew(
    folder: Path, names: tuple[str, ...], damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    paths = [path_of(folder, name) for name in names]
    with ExitStack() as block:
        for path in paths:
            block.enter_context(damaged(path, damage))
        refusal, pages, health = start_and_look(folder)
    assert not [record for record in caplog.records if record.exc_info], "a traceback"
    failed = {path: status for path, status in pages.items() if status >= 500}
    assert 500 not in failed.values(), failed
    played = {path for path in failed if path in PAGES and not path.endswith((".jpg", ".webp", ".zip"))}
    assert not played or health == 503, played
    assert refusal is None or refusal.count("; ") == 1, "what is wrong and what to do"


@pytest.mark.parametrize("damage", ["empty", "zeros", "random"])
def test_a_key_that_is_none_signs_nothing(tmp_path: Path, damage: str) -> None:
    """Whoever knows that it is empty or all zeros could sign a cookie that lets them in."""
    path = tmp_path / "secret-key"
    path.write_bytes({"empty": b"", "zeros": bytes(32), "random": random.Random(5).randbytes(31)}[damage])
    made = secret_key(tmp_path)
    assert len(made) == 32 and len(set(made)) > 8 and made == path.read_bytes() == secret_key(tmp_path)


def test_an_empty_database_is_told_where_anything_shows_that_it_held_games(full: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / FILE_NAME).touch()
    open_database(alone).dispose()
    assert damage_note(alone) is None, "a first start that was cut off"
    for kept in ("backups", "handfoot.db-wal"):
        folder = tmp_path / kept
        folder.mkdir()
        (folder / FILE_NAME).touch()
        if kept == "backups":
            shutil.copytree(full / kept, folder / kept)
        else:
            (folder / kept).write_bytes(b"changes that SQLite would remove")
        open_database(folder).dispose()
        assert "the file is empty" in (damage_note(folder) or "")
        aside = [path.read_bytes() for path in folder.glob("handfoot-damaged-*.db-wal")]
        assert aside == ([] if kept == "backups" else [b"changes that SQLite would remove"])
