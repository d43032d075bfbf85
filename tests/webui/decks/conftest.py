"""A data folder with own decks in use."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.deck import use_deck_folder
from vision.images.sandbox import shared_decoder
from webui.decks.taught import TaughtDecks
from webui.settings import decks_folder


@pytest.fixture
def decks(tmp_path: Path) -> Iterator[TaughtDecks]:
    use_deck_folder(decks_folder(tmp_path))
    yield TaughtDecks(tmp_path, shared_decoder().decode)
    use_deck_folder(None)
