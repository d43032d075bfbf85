"""What the page needs to know of the machine it runs on."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from webui.storage.backup.photo_retention import PhotoLimit

DEFAULT_RULES = "golden-games"
SAMPLES = Path(__file__).parent / "samples"
MAX_UPLOAD_BYTES = 40 * 1024 * 1024


def default_data_dir() -> Path:
    """Where games are kept when nobody says otherwise: the user's own data folder."""
    return Path(platformdirs.user_data_dir("handfoot", appauthor=False))


def default_database() -> str | None:
    """The address of the database when nobody says otherwise; none for a file in the data folder."""
    return os.environ.get("HANDFOOT_DATABASE") or None


def rules_folder(data_dir: Path) -> Path:
    """Where the user's own rule sets lie in a data folder; it need not be there."""
    return data_dir / "rulesets"


@dataclass(frozen=True, slots=True)
class Settings:
    """How this page was started.

    ``camera`` is what ``vision.cameras.open_camera`` takes, None for the first camera found; ``hosts`` are names that a
    browser may call this machine by, besides plain addresses and ``localhost``; ``host`` is where it answers.
    ``database`` is the address of a PostgreSQL database, None for a file in the data folder; ``table`` the name of this
    table among others that share it; ``photo_limit`` is how old photos may be and what they may take in all.
    """

    data_dir: Path
    rules: str = DEFAULT_RULES
    camera: str | None = None
    samples: Path = SAMPLES
    hosts: tuple[str, ...] = ()
    host: str = "127.0.0.1"
    database: str | None = None
    table: str | None = None
    photo_limit: PhotoLimit = field(default_factory=PhotoLimit)
