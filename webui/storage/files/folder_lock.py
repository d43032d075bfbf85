"""The locks of a data folder: one server at a time, none while all games are replaced, and one import at a time.

The operating system holds a lock and frees it with the process, however that ends. So a lock file that was left behind
locks nothing, and it need not be told from one in use by process ids, which are given out anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from webui.storage.errors import StorageError, disk_errors, reason
from webui.storage.files.atomic_files import read_json, replace_file

_LOCK, _ABOUT = "server.lock", "server.json"
_IMPORT_LOCK = "import.lock"


class FolderInUse(StorageError):
    """Another process has the data folder; ``page`` is the address of the page that it serves, if it does."""

    def __init__(self, message: str, page: str | None) -> None:
        super().__init__(message)
        self.page = page


@contextmanager
def locked_folder(folder: Path, address: str | None, instead: str) -> Iterator[None]:
    """A block during which no other process serves a data folder or replaces its games. Creates the folder.

    Args:
        folder: the data folder.
        address: where the page can be opened, for the message that another start gets; None if none is served.
        instead: what to do where a page is served, as a clause.

    Raises:
        FolderInUse: another process has the folder.
        StorageError: nothing can be written there.
    """
    with lock_if_free(folder, address) as is_free:
        if is_free:
            yield
            return
    page = _address_of_holder(folder)
    shown = page and page.partition("://")[2].rstrip("/")  # messages hide addresses with a scheme, as of cameras
    raise FolderInUse(
        f"the games in {folder} are open already at {shown}; {instead}"
        if shown
        else f"the games in {folder} are just being replaced, or brought to this version; wait a moment and try again",
        page,
    )


@contextmanager
def lock_if_free(folder: Path, address: str | None = None) -> Iterator[bool]:
    """Like ``locked_folder``; where another process has the folder, the block gets False instead of True.

    Raises:
        StorageError: nothing can be written there.
    """
    lock = FileLock(folder / _LOCK, timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with suppress(Timeout):
            lock.acquire()
    except OSError as error:
        raise StorageError(
            f"games cannot be kept in {folder}: {reason(error)}; name another folder with --data"
        ) from error
    if not lock.is_locked:
        yield False
        return
    try:
        with suppress(OSError):  # only helps others to find this page
            replace_file(folder / _ABOUT, json.dumps({"address": address}).encode())
        yield True
    finally:
        with suppress(OSError):
            (folder / _ABOUT).unlink()
        lock.release()


@contextmanager
def only_import(folder: Path) -> Iterator[None]:
    """A block during which nobody else brings a file into a data folder, so that many cannot fill memory or disk.

    Raises:
        StorageError: somebody does, or nothing can be written there.
    """
    busy = StorageError("another file is being imported right now; wait until it is done and try again")
    with only_one(folder / _IMPORT_LOCK, f"files cannot be written to {folder}", busy):
        yield


@contextmanager
def only_one(lock: Path, otherwise: str, busy: StorageError) -> Iterator[None]:
    """A block that holds a lock file, which is made in its folder.

    Args:
        lock: the file.
        otherwise: what cannot be done where the disk does not take it, as ``disk_errors`` has it.
        busy: raised where somebody else holds it.
    """
    with disk_errors(otherwise):
        lock.parent.mkdir(parents=True, exist_ok=True)
        try:
            held = FileLock(lock, timeout=0).acquire()
        except Timeout:
            raise busy from None
    with held:
        yield


def _address_of_holder(folder: Path) -> str | None:
    try:
        address = read_json(folder / _ABOUT)["address"]
    except (KeyError, TypeError):
        return None
    return address if isinstance(address, str) else None
