"""``handfoot report``: writes a problem report, for when the page cannot be opened."""

from __future__ import annotations

import argparse
from pathlib import Path

from webui.commands.backup import open_store
from webui.commands.options import add_storage_options
from webui.commands.output import print_lines
from webui.server.problem_report import ReportOptions, write_report
from webui.storage.errors import StorageError, reason
from webui.storage.files.atomic_files import replace_file


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("report", help="write a problem report: version, machine, last steps and log")
    parser.add_argument("file", type=Path, metavar="FILE", help="the file to be written, a ZIP")
    parser.add_argument("--names", action="store_true", help="with the names of the players")
    parser.add_argument("--photos", action="store_true", help="with the last photos")
    add_storage_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Writes the report.

    Raises:
        StorageError: the games cannot be read, or the file not written.
    """
    with open_store(arguments) as store:
        data = write_report(store, store.folder, ReportOptions(arguments.names, arguments.photos))
    try:
        replace_file(arguments.file, data)
    except OSError as error:
        raise StorageError(f"the report cannot be written to {arguments.file}: {reason(error)}") from error
    print_lines([f"the report was written to {arguments.file}"])
    return 0
