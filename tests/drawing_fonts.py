"""The fonts that tests draw cards in: the same on every machine, whatever else is installed."""

from __future__ import annotations

from pathlib import Path

from datasets.decks import signs

TEST_FONT_FOLDERS = tuple(Path("/usr/share/fonts/truetype") / name for name in ("dejavu", "lato", "liberation"))
"""Where Debian installs ``fonts-dejavu``, ``fonts-lato`` and ``fonts-liberation``."""


def use_test_fonts() -> None:
    """Draws in TEST_FONT_FOLDERS from now on; elsewhere than on Debian in whatever is installed."""
    if any(folder.is_dir() for folder in TEST_FONT_FOLDERS):
        signs.FONT_FOLDERS = TEST_FONT_FOLDERS
