"""Backups on PostgreSQL are run by hand: these tests start a process for each import, and each runs on a file too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from webui.storage.store import Store


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        on_postgres = isinstance(item, pytest.Function) and "[server" in item.name
        if on_postgres and Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.by_hand)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Store]:
    """A store without games, in a file."""
    store = Store(tmp_path / "here")
    yield store
    store.close()
