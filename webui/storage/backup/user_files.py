"""The user's own files that go into backups and exports beside the games."""

from __future__ import annotations

import logging
from pathlib import Path

_PATTERNS = ("rulesets/*.toml", "zones.json")
_log = logging.getLogger(__name__)


def user_files(folder: Path) -> list[Path]:
    """The user's own rule sets and table zones in a data folder."""
    return [path for pattern in _PATTERNS for path in sorted(folder.glob(pattern))]


def is_readable(path: Path) -> bool:
    """Whether a user's file can be read; one that cannot does not keep the games out of a backup."""
    try:
        path.open("rb").close()
    except OSError as error:
        _log.warning("%s is left out of a backup, as it cannot be read: %s", path.name, error.strerror)
        return False
    return True
