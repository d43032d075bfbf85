"""Options that several subcommands take."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

PORT, HTTPS_PORT = 8765, 8766

_Number = TypeVar("_Number", int, float)

MAX_TEXT = 4 * 1024 * 1024
"""Bytes of a file of text at most, or of one line of standard input."""


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


def add_port_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say at which ports the page is, and whether it is encrypted."""
    usual = f"port (default: {PORT}, or with --https {HTTPS_PORT})"
    port = number_from(int, 1, 65535, "a port")
    parser.add_argument("--port", type=port, metavar="P", help=usual)
    parser.add_argument(
        "--https", action="store_true", help="encrypt the page for other devices, by a certificate made at first start"
    )
    parser.add_argument("--cert", type=Path, metavar="FILE", help="encrypt it by this certificate (PEM) instead")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the key of that certificate (PEM)")
    parser.add_argument(
        "--http-port",
        type=port,
        default=PORT,
        metavar="P",
        help="with --https: port of the page without encryption, for this machine itself (default: %(default)s)",
    )


def encryption_misuse(arguments: argparse.Namespace) -> str | None:
    """A sentence where the options of ``add_port_options`` do not go together; None if they do."""
    if (arguments.cert is None) != (arguments.key is None):
        return "a certificate and its key go together; give both --cert FILE and --key FILE"
    is_encrypted = arguments.https or arguments.cert is not None
    if is_encrypted and (arguments.port or HTTPS_PORT) == arguments.http_port:
        return "the encrypted page and the other one need ports of their own; choose another --port or --http-port"
    return None


def number_from(kind: type[_Number], least: int, most: int, what: str) -> Callable[[str], _Number]:
    """The type of an option that is a number from ``least`` to ``most``; ``what`` says which, as in ``days``."""

    def read(text: str) -> _Number:
        with suppress(ValueError):
            if least <= (number := kind(text)) <= most:
                return number
        raise argparse.ArgumentTypeError(f"expected {what} from {least} to {most}, got {text}")

    return read


def read_text(path: Path) -> str:
    """The text of a file that was named on the command line.

    Raises:
        OSError: it cannot be opened.
        ValueError: it is far too big or not text in UTF-8; the message says which.
    """
    with path.open("rb") as file:
        data = file.read(MAX_TEXT + 1)  # what is no file tells no size, and may have no end
    if len(data) > MAX_TEXT:
        raise ValueError("it is far too big")
    try:
        return data.decode("utf-8-sig")
    except ValueError:
        raise ValueError("it is not text in UTF-8") from None
