"""Options that several subcommands take."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_data_option(parser: argparse.ArgumentParser) -> None:
    """Adds the option that names the data folder, with games and the user's own rule sets."""
    what = "where games and your own rule sets are kept (default: your data folder)"
    parser.add_argument("--data", type=Path, metavar="DIR", help=what)


def add_storage_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say where games are stored."""
    add_data_option(parser)
    parser.add_argument(
        "--database",
        metavar="URL",
        help="a PostgreSQL database that keeps them instead, postgresql://user:password@host/database "
        "(default: what HANDFOOT_DATABASE says)",
    )
