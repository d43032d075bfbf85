"""What a crash left behind is removed, and nothing that is being written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webui.storage.backup import leftovers
from webui.storage.store import Store

NAMES = (
    ".handfoot.db.part",
    "photos/.abc.jpg.0a1b2c3d",
    "backups/.copy-x_1",
    "decks/.from-0a1b2c3d",
    "decks/ours/.deck.toml.0a1b2c3d",
    "decks/ours/.from-0a1b2c3d",
    "decks/ours/faces/.JK-1.webp.0a1b2c3d",
    "decks/ours/teaching/.lesson.json.0a1b2c3d",
    "decks/learnt/.faces.deck.npz.0a1b2c3d",
)


def test_old_leftovers_of_a_crash_are_removed(elsewhere: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    time = 1000.0
    monkeypatch.setattr("webui.storage.backup.leftovers.time.monotonic", lambda: time)
    paths = [elsewhere.folder / name for name in NAMES]
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if path.name.endswith("_1") else path.write_bytes(b"half")
        os.utime(path, (0, 0))  # a clock that was moved makes nothing old
    other = elsewhere.folder / ".mine"
    other.write_bytes(b"somebody's own")
    for later in (0, 1000):
        time = 1000.0 + later
        elsewhere.backups.remove_leftovers()
        assert all(path.exists() for path in paths), "somebody may be writing it just now"
    (elsewhere.folder / NAMES[2] / "games").write_bytes(b"more")
    time += 300
    elsewhere.backups.remove_leftovers()
    assert [path.exists() for path in paths] == [False, False, True, *[False] * 6], "somebody goes on writing there"
    time += 1200
    elsewhere.backups.remove_leftovers()
    assert not any(path.exists() for path in paths) and other.exists()


def test_a_leftover_that_vanishes_while_it_is_looked_at_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / ".from-x").symlink_to(tmp_path / "gone")
    leftovers.Leftovers(lambda: [tmp_path, tmp_path / "nowhere"]).remove()
