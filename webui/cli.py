"""The command ``handfoot``: exit code 0 when the work was done, 1 when it could not be, 2 for wrong usage."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence

from scorer.rules import RulesError, use_folder
from vision.errors import VisionError
from webui.commands import backup, doctor, report, rules, scan, score, serve
from webui.commands.output import say
from webui.server.malloc import share_memory
from webui.settings import default_data_dir, rules_folder
from webui.storage.errors import StorageError


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one subcommand; never raises, whatever the input."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name such as North–South must print under any locale
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    share_memory()  # pictures are what takes memory here, in whichever thread
    parser = _parser()
    arguments = parser.parse_args(argv)
    use_folder(rules_folder(default_data_dir()))
    try:
        return int(arguments.run(arguments))
    except (VisionError, RulesError, StorageError) as error:
        say(str(error))
    except BrokenPipeError:
        # The reader of our output has left; nothing more can be said there, and Python must not try at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        say("stopped")
    except Exception as error:
        say(f"this should not have happened ({type(error).__name__}: {error}); please report it with what you did")
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="handfoot", description="Reads a round of Hand & Foot and scores it.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in (serve, scan, score, rules, doctor, backup, report):
        command.add_parser(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
