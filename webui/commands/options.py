"""Options that several subcommands take."""

from __future__ import annotations

import argparse
from pathlib import Path

PORT, HTTPS_PORT = 8765, 8766


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
    parser.add_argument("--port", type=_port, metavar="P", help=usual)
    parser.add_argument(
        "--https", action="store_true", help="encrypt the page for other devices, by a certificate made at first start"
    )
    parser.add_argument("--cert", type=Path, metavar="FILE", help="encrypt it by this certificate (PEM) instead")
    parser.add_argument("--key", type=Path, metavar="FILE", help="the key of that certificate (PEM)")
    parser.add_argument(
        "--http-port",
        type=_port,
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


def _port(text: str) -> int:
    port = int(text)
    if not 1 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 1 to 65535, got {text}")
    return port
