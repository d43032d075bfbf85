"""The commands that the page tells people to run: as this server was started, with what is missing."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from vision.cameras.address import without_addresses
from webui.access.network import is_loopback
from webui.commands.options import HTTPS_PORT, PORT
from webui.settings import Commands, default_database

_IN_QUERY = re.compile(r"(?<=[?&]password=)[^&]*")


def own_commands(arguments: argparse.Namespace) -> Commands:
    """The commands for the shell of this machine, each complete: the program's path, data folder, database, ports.

    What may hold a password is shown without it.

    Args:
        arguments: of ``handfoot serve``, as parsed; ``words`` as they were typed.
    """
    changed = argparse.ArgumentParser(add_help=False)
    for option in ("--host", "--data", "--cert", "--key", "--port", "--http-port", "--camera", "--database", "--table"):
        changed.add_argument(option)
    for option in ("--lan", "--https"):
        changed.add_argument(option, action="store_true")
    _, rest = changed.parse_known_args(arguments.words)
    database = arguments.database or default_database()  # of the environment, which another terminal may lack
    stored = _option("--data", arguments.data) + _option("--database", database)
    files = _option("--cert", arguments.cert) + _option("--key", arguments.key)
    others = _option("--camera", arguments.camera) + _option("--table", arguments.table)
    serve = [*_program(), "serve", *rest, *stored, *files, *others]
    way = ["--host", arguments.host] if arguments.host and not is_loopback(arguments.host) else ["--lan"]
    ports = _option("--port", arguments.port)
    if arguments.http_port != PORT:
        ports += _option("--http-port", arguments.http_port)
    return Commands(
        encrypted=_line([*serve, *way, *_encrypted(arguments, ports)]),
        doctor=_line([*_program(), "doctor", *_option("--data", arguments.data)]),
        restore=_line([*_program(), "restore", *stored]),
        import_file=_line([*_program(), "import", *stored, "FILE"]),
    )


def _encrypted(arguments: argparse.Namespace, ports: list[str]) -> list[str]:
    """The options of ports and encryption that encrypt the page; the one without stays where it was."""
    if arguments.https or arguments.cert:
        return [*(["--https"] if arguments.https else []), *ports]
    plain = arguments.port or PORT
    beside = _option("--port", HTTPS_PORT + 1) if plain == HTTPS_PORT else []
    return ["--https", *beside, *(_option("--http-port", plain) if plain != PORT else [])]


def _program() -> list[str]:
    """The installed command by its whole path, as it need not be among the commands that a shell finds."""
    started = Path(sys.argv[0])
    for path in (started, Path(sys.executable).with_name("handfoot")):
        if path.stem == "handfoot" and path.is_file():
            return [str(path.absolute())]
    return [sys.executable, "-m", "webui.cli"]


def _option(name: str, value: object) -> list[str]:
    """An option with its value, a file or folder by its whole path; nothing where it was not given."""
    if value is None:
        return []
    text = str(value)
    if isinstance(value, Path) or (name == "--camera" and Path(text).exists()):
        return [name, str(Path(text).absolute())]
    return [name, _IN_QUERY.sub("***", without_addresses(text))]


def _line(words: Sequence[str]) -> str:
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
