"""The command ``handfoot``. Exit codes: 0 for success, 1 for failure, 2 for wrong usage.

Only the command that is asked for is imported, and within ``main``, as that takes up to a second in which the program
can already be stopped.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from vision.process_limits import limit_malloc_arenas
from webui.commands.machine.supported import why_unsupported
from webui.commands.output import print_message
from webui.server.stop_signals import StopSignals
from webui.shown_line import shown_line

MODULES = {
    "serve": "serve",
    **{name: f"cards.{name}" for name in ("scan", "watch")},
    "score": "score",
    "rules": "rules",
    **{name: f"cards.{name}" for name in ("decks", "learn", "explain")},
    "doctor": "doctor",
    **dict.fromkeys(("backup", "restore", "export", "import"), "backup"),
    "report": "report",
}
"""Which module of ``webui.commands`` makes a command, in the order of the help."""
_ABOUT = "Reads a round of Hand & Foot and scores it. Without a command: starts the page and opens it in the browser."
_SERVING: tuple[list[str], ...] = ([], ["serve"])


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a subcommand, or without one serves the page and shows it; returns its exit code and never raises."""
    if why := why_unsupported():
        print_message(why)
        return 1
    _open_closed_streams()
    words = sys.argv[1:] if argv is None else argv
    stop = StopSignals()
    stop.exit_at_once(0 if words[:1] in _SERVING else 1)  # serving ends by being stopped, the others do their work
    try:
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # names such as North–South must print in every locale
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        limit_malloc_arenas()  # before any thread is started
        return _run(words, stop)
    finally:
        stop.restore()


def _open_closed_streams() -> None:
    """Opens the null device for each standard stream that is closed; a file opened later would get its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123


def _run(argv: Sequence[str], stop: StopSignals) -> int:
    from scorer.rules import RulesError
    from vision.errors import VisionError
    from webui.settings import default_data_dir, use_own_files
    from webui.storage.errors import DISK_REASONS, StorageError, advice, reason

    arguments = _parser(argv[:1] or ["serve"]).parse_args(argv or ["serve"])
    arguments.stop, arguments.words, arguments.alone = stop, argv[1:], not argv
    if argv[:1] in _SERVING:  # it stops between two of its steps, the others wherever they are
        stop.note()
    else:
        stop.restore()
    try:
        use_own_files(getattr(arguments, "data", None) or default_data_dir())
        return int(arguments.run(arguments))
    except (VisionError, RulesError, StorageError) as error:
        print_message(_without_addresses(str(error)))
    except BrokenPipeError:
        # The reader of standard output is gone; Python must not flush it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        print_message("stopped")
    except Exception as error:
        if isinstance(error, OSError) and error.errno in DISK_REASONS:  # of standard output, or of a temporary file
            print_message(f"this was not done to its end: {reason(error)}; {advice(error)}")
            return 1
        print_message(
            f"this should not have happened ({type(error).__name__}: {_without_addresses(str(error))}); "
            "please report it with what you did"
        )
    return 1


class _Parser(argparse.ArgumentParser):
    """Refuses wrong usage without repeating an address, as that may hold a password."""

    def error(self, message: str) -> NoReturn:
        super().error(shown_line(_without_addresses(message)))


def _without_addresses(text: str) -> str:
    from vision.cameras.address import without_addresses  # takes long to import, and is seldom needed

    return without_addresses(text, sys.argv[1:])


def _parser(asked: Sequence[str] = ()) -> argparse.ArgumentParser:
    """The parser of the command that is asked for; of all where none or an unknown one is."""
    parser = _Parser(prog="handfoot", usage="%(prog)s [-h] [COMMAND ...]", description=_ABOUT)
    commands = parser.add_subparsers(prog=parser.prog, title="commands", required=True, metavar="COMMAND")
    for module in dict.fromkeys(MODULES[word] for word in asked if word in MODULES) or dict.fromkeys(MODULES.values()):
        importlib.import_module(f"webui.commands.{module}").add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
