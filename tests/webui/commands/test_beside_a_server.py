"""Commands beside a server on the same data folder: which of them run, and what they leave alone."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.webui.helpers.served import refusal
from tests.webui.pages.games.test_change_log import begun
from tests.webui.storage.db.test_migrations import set_version
from webui.cli import main
from webui.commands.doctor import _storage
from webui.storage.db.connect import FILE_NAME
from webui.storage.files.folder_lock import locked_folder
from webui.storage.store import Store

Captured = pytest.CaptureFixture[str]


def test_all_but_restore_run_beside_a_server(tmp_path: Path, capsys: Captured) -> None:
    folder, other = tmp_path / "data", tmp_path / "other"
    for place in (folder, other):
        store = Store(place)
        begun(store)
        store.close()
    data = ["--data", str(folder)]
    assert main(["export", str(tmp_path / "other.zip"), "--data", str(other)]) == 0
    with locked_folder(folder, "http://localhost:9/", "stop it"), closing(Store(folder)):  # as a server has it
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
    assert said == (
        f"handfoot: the games in {folder} are open already at localhost:9; stop that page first, then restore\n"
    )
    assert main(["restore", *data]) == 0, capsys.readouterr().err


def test_no_server_begins_while_games_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    with locked_folder(tmp_path, None, "wait"):
        said = refusal(monkeypatch, capsys, "--data", str(tmp_path))
        assert "are just being replaced, or brought to this version; wait a moment" in said
        assert main(["restore", "--data", str(tmp_path)]) == 1
        assert "are just being replaced" in capsys.readouterr().err


def test_nothing_is_migrated_under_a_server(tmp_path: Path, capsys: Captured) -> None:
    sentence = "open in a server that is just starting or of another version"
    Store(tmp_path).close()
    set_version(tmp_path, None, "0015")
    before = (tmp_path / FILE_NAME).read_bytes()
    with locked_folder(tmp_path, "http://localhost:1/", "wait"):
        assert main(["backup", "--data", str(tmp_path)]) == 1
        assert sentence in capsys.readouterr().err and sentence in _storage(tmp_path).message
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
