"""Files of the data folder: read whatever lies there, and written without harm to what is no file."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from webui.storage.files.atomic_files import new_zip, read_json, replace_file
from webui.storage.store import Store


@pytest.mark.parametrize("text", [b"", b"{", b"[" * 100_000, b"\xff\xfe", b"9" * 5000])
def test_a_damaged_document_is_none(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "zones.json"
    path.write_bytes(text)
    assert read_json(path) is None


def test_what_is_no_document_is_neither_waited_for_nor_read_to_its_end(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(5 * 1024**3)
    assert [read_json(tmp_path / name) for name in ("pipe", "folder", "huge", "missing")] == [None] * 4


def write(path: Path) -> None:
    replace_file(path, b"new")


def pack(path: Path) -> None:
    with new_zip(path) as archive:
        archive.writestr("1", b"new")


@pytest.mark.parametrize("make", [write, pack])
def test_a_pipe_or_a_device_is_never_replaced_by_a_file(tmp_path: Path, make: Callable[[Path], None]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="pipe or a device"):
        make(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode) and list(tmp_path.iterdir()) == [pipe]


@pytest.mark.parametrize("make", [write, pack])
def test_a_link_stays_one_and_the_file_at_its_end_is_replaced(tmp_path: Path, make: Callable[[Path], None]) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()
    link, file = tmp_path / "link", stick / "file"
    file.write_bytes(b"old")
    link.symlink_to(file)
    make(link)
    assert link.is_symlink() and file.read_bytes() not in (b"old", b"")
    assert list(stick.iterdir()) == [file]


def test_what_a_crash_left_goes_at_the_next_start_and_not_beside_a_server(tmp_path: Path) -> None:
    names = (
        *(".handfoot.db.part", "photos/.abc.jpg.0a1b2c3d", "backups/.copy-x_1", "watched/1-1/.table.json.0a1b2c3d"),
        *("decks/.from-0a1b2c3d", "decks/ours/.deck.toml.0a1b2c3d", "decks/ours/faces/.JK-1.webp.0a1b2c3d"),
    )
    paths = [tmp_path / name for name in names]
    Store(tmp_path).close()
    for path in (*paths, other := tmp_path / ".mine"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if path.name.endswith("_1") else path.write_bytes(b"half")
    (paths[2] / "games").write_bytes(b"half")
    Store(tmp_path, served=True).close()
    assert all(path.exists() for path in paths)
    Store(tmp_path).close()
    assert not any(path.exists() for path in paths) and other.exists()
