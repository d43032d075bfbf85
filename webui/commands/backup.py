"""``handfoot backup``, ``restore``, ``export`` and ``import``: all games as one file."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from webui.commands.options import add_storage_options
from webui.commands.output import print_lines, print_message
from webui.context.texts.brought_in import brought_in, left_out
from webui.house_rules.unusable import unusable_rules
from webui.settings import default_data_dir, default_database
from webui.storage.backup.archive import read_info
from webui.storage.backup.write_archive import ArchiveInfo
from webui.storage.errors import StorageError
from webui.storage.files.folder_lock import lock_if_free, locked_folder
from webui.storage.store import Store
from webui.wording import count_text


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    backup = commands.add_parser("backup", help="write all games into a file of the folder of backups, or another")
    backup.add_argument("--to", type=Path, metavar="FILE", help="the file (default: a new one among the backups)")
    backup.set_defaults(run=_backup)
    what = "put the games of a backup in the place of all that are here, while no page is served"
    restore = commands.add_parser("restore", help=what)
    which = "a backup or an export (default: the backup with the newest games)"
    restore.add_argument("file", type=Path, nargs="?", metavar="FILE", help=which)
    restore.set_defaults(run=_restore)
    export = commands.add_parser("export", help="write everything, photos too, into one file to take along")
    export.add_argument("file", type=Path, metavar="FILE", help="the file to be written")
    export.set_defaults(run=_export)
    import_parser = commands.add_parser("import", help="add the games of an export or a backup to those that are here")
    import_parser.add_argument("file", type=Path, metavar="FILE", help="the file to be read")
    import_parser.set_defaults(run=_import)
    for parser in (backup, restore, export, import_parser):
        add_storage_options(parser)


@contextmanager
def open_store(arguments: argparse.Namespace) -> Iterator[Store]:
    """Opens the store that the options name, beside a server if one works on it.

    Raises:
        StorageError: it cannot be opened.
    """
    folder = arguments.data or default_data_dir()
    with lock_if_free(folder) as is_free:  # for as long as it takes to bring it to this version
        store = Store(folder, arguments.database or default_database(), served=not is_free)
    with closing(store):
        yield store


def _backup(arguments: argparse.Namespace) -> int:
    with open_store(arguments) as store:
        if arguments.to:
            info, path = store.backups.export(arguments.to, photos=False), arguments.to
        else:
            made = store.backups.back_up()
            info, path = made.info, made.path
    print_lines([f"{_what(info)} written to {path}"])
    return 0


def _restore(arguments: argparse.Namespace) -> int:
    folder = arguments.data or default_data_dir()
    with (
        # pages, waiting photos and forms of a server refer to the games that are replaced
        locked_folder(folder, None, "stop that page first, then restore"),
        closing(Store(folder, arguments.database or default_database())) as store,
    ):
        path = arguments.file
        if path is None:
            newest = store.backups.newest_with_games()
            if newest is None:
                raise StorageError(f"there is no backup in {store.backups.folder}; name a file")
            path = newest.path
        info = read_info(path)
        restored = store.backups.restore(path)
        missing = unusable_rules(store.games(), store.events.all())
    print_lines([f"{_what(info)} restored from {path}"])
    for sentence in (*left_out(restored.left_out, restored.checked), *missing):
        print_message(sentence)
    return 0


def _export(arguments: argparse.Namespace) -> int:
    with open_store(arguments) as store:
        info = store.backups.export(arguments.file)
    print_lines([f"{_what(info)} and {count_text(info.photos, 'photo')} written to {arguments.file}"])
    return 0


def _import(arguments: argparse.Namespace) -> int:
    with open_store(arguments) as store:
        result = store.backups.import_games(arguments.file)
        missing = unusable_rules(store.games(), store.events.all())
    print_lines([f"{count_text(result.new, 'game')} imported, {result.known} already here"])
    for sentence in (*brought_in(result), *missing):
        print_message(sentence)
    return 0


def _what(info: ArchiveInfo) -> str:
    return f"{count_text(info.games, 'game')} with {count_text(info.rounds, 'round')}"
