"""Commands beside a server on the same data folder: which of them run, and what they leave alone."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.webui.commands.test_serve import address, posix, refusal, serve
from tests.webui.pages.games.test_change_log import begun
from tests.webui.storage.db.test_migrations import set_version
from tests.webui.test_cli import wait_for
from webui.cli import main
from webui.storage.db.connect import FILE_NAME
from webui.storage.files.folder_lock import locked_folder
from webui.storage.store import Store

Captured = pytest.CaptureFixture[str]


@posix
def test_all_but_restore_run_beside_a_server(tmp_path: Path, capsys: Captured) -> None:
    folder, other = tmp_path / "data", tmp_path / "other"
    for place in (folder, other):
        store = Store(place)
        begun(store)
        store.close()
    data = ["--data", str(folder)]
    assert main(["export", str(tmp_path / "other.zip"), "--data", str(other)]) == 0
    server = serve(folder)
    wait_for(address(server), server)
    for words in (
        ["backup"],
        ["export", str(tmp_path / "all.zip")],
        ["import", str(tmp_path / "other.zip")],
        ["report", str(tmp_path / "report.zip")],
    ):
        assert main([*words, *data]) == 0, capsys.readouterr().err
    assert "1 game imported" in capsys.readouterr().out
    assert main(["restore", *data]) == 1
    said = capsys.readouterr().err
    where = address(server).removeprefix("http://127.0.0.1").rstrip("/")
    assert said == (
        f"handfoot: the games in {folder} are open already at localhost{where}; stop that page first, then restore\n"
    )
    server.send_signal(signal.SIGTERM)
    server.communicate(timeout=120)
    assert main(["restore", *data]) == 0, capsys.readouterr().err


@posix
def test_no_server_begins_while_games_are_replaced(tmp_path: Path, capsys: Captured) -> None:
    with locked_folder(tmp_path, None, "wait"):
        assert "are just being replaced, or brought to this version; wait a moment" in refusal(tmp_path)
        assert main(["restore", "--data", str(tmp_path)]) == 1
        assert "are just being replaced" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["backup"], "open in a server that is just starting or of another version"),
        (["doctor", "--json"], "open in a server that is just starting or of another version"),
    ],
)
def test_nothing_is_migrated_under_a_server(tmp_path: Path, capsys: Captured, words: list[str], sentence: str) -> None:
    Store(tmp_path).close()
    set_version(tmp_path, None, "0015")
    before = (tmp_path / FILE_NAME).read_bytes()
    with locked_folder(tmp_path, "http://localhost:1/", "wait"):
        assert main([*words, "--data", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert sentence in out + err
    assert (tmp_path / FILE_NAME).read_bytes() == before
    assert not list(tmp_path.glob("handfoot-before-*"))


def test_a_damaged_file_is_not_moved_from_under_a_server(tmp_path: Path, capsys: Captured) -> None:
    Store(tmp_path).close()
    file = tmp_path / FILE_NAME
    file.write_bytes(b"no database at all" * 400)
    with locked_folder(tmp_path, "http://localhost:1/", "wait"):
        assert main(["backup", "--data", str(tmp_path)]) == 1
        assert "the games are damaged" in capsys.readouterr().err
        assert file.exists() and not list(tmp_path.glob("handfoot-damaged-*"))
    assert main(["backup", "--data", str(tmp_path)]) == 0
    assert list(tmp_path.glob("handfoot-damaged-*"))
