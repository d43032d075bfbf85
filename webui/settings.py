"""Settings with which the web interface is started, and their defaults."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from scorer.deck import use_deck_folder
from scorer.rules import use_folder
from webui.storage.files.photo_limit import PhotoLimit

DEFAULT_RULES = "golden-games"
SAMPLES = Path(__file__).parent / "samples"
MAX_UPLOAD_BYTES = 40 * 1024 * 1024


def default_data_dir() -> Path:
    """The default data folder: a folder of the user's own."""
    return Path(platformdirs.user_data_dir("handfoot", appauthor=False))


def default_database() -> str | None:
    """The URL in the environment variable HANDFOOT_DATABASE; None for a file in the data folder."""
    return os.environ.get("HANDFOOT_DATABASE") or None


def rules_folder(data_dir: Path) -> Path:
    """The folder of the user's own rule sets in a data folder; it may not exist."""
    return data_dir / "rulesets"


def decks_folder(data_dir: Path) -> Path:
    """The folder of the household's own decks in a data folder; it may not exist."""
    return data_dir / "decks"


def use_own_files(data_dir: Path) -> None:
    """Lists the own rule sets and decks of a data folder beside the shipped ones, in this process."""
    use_folder(rules_folder(data_dir))
    use_deck_folder(decks_folder(data_dir))


@dataclass(frozen=True, slots=True)
class Commands:
    """Command lines that the page tells people to run. ``encrypted`` starts this server again, so that phones reach it
    encrypted; ``***`` stands for a password."""

    encrypted: str = "handfoot serve --lan --https"
    doctor: str = "handfoot doctor"
    restore: str = "handfoot restore"
    import_file: str = "handfoot import FILE"


@dataclass(frozen=True, slots=True)
class Settings:
    """How the web interface is started.

    Attributes:
        data_dir: the data folder.
        rules: id of the default rule set of a new game.
        camera: as ``vision.cameras.open_camera`` takes it; None for the first camera found.
        samples: folder of drawn tables, the cards of practice games.
        hosts: host names that it answers to, besides IP addresses and ``localhost``.
        host: the address that it is started to listen at.
        has_switch: whether a switch on the page lets other devices in.
        names: those of ``hosts`` that a person gave it.
        prefix: the path before all its addresses, such as ``/cards``; empty if there is none.
        database: URL of a PostgreSQL database; None for a file in the data folder.
        table: name of this table among others that share the database.
        https_port: the port at which it is encrypted; None if it is not.
        photo_limit: how old photos may become and how much space they may take.
        commands: what this machine's own browser is told to run, with paths.
    """

    data_dir: Path
    rules: str = DEFAULT_RULES
    camera: str | None = field(default=None, repr=False)  # an address may hold a password
    samples: Path = SAMPLES
    hosts: tuple[str, ...] = ()
    host: str = "127.0.0.1"
    has_switch: bool = False
    names: tuple[str, ...] = ()
    prefix: str = ""
    database: str | None = field(default=None, repr=False)
    table: str | None = None
    https_port: int | None = None
    photo_limit: PhotoLimit = field(default_factory=PhotoLimit)
    commands: Commands = field(default_factory=Commands)
