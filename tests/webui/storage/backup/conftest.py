"""Fixtures: a second store, which what is sent comes into."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from webui.storage.store import Store


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Store]:
    """A store without games, in a file."""
    store = Store(tmp_path / "here")
    yield store
    store.close()
