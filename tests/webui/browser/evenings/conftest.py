"""A club's machine whose power can be cut, on both databases in turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.webui.browser.evenings.machine import Machine
from webui.storage.store import Store


@pytest.fixture
def machine(tmp_path: Path, address: str | None) -> Iterator[Machine]:
    made = Machine(tmp_path / "data", address)
    yield made
    made.end()


@pytest.fixture
def club(machine: Machine) -> Iterator[Store]:
    """The storage of the machine, to look at."""
    made = Store(machine.folder, machine.database)
    yield made
    made.close()
