"""The lock of a data folder, so that only one server at a time works on it.

The operating system holds the lock and frees it with the process, however that ends. So a lock file that was left
behind locks nothing, and it need not be told from one in use by process ids, which are given out anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from webui.storage.errors import StorageError, reason
from webui.storage.files.atomic_files import replace_file

_LOCK, _ABOUT = "server.lock", "server.json"


@contextmanager
def locked_folder(folder: Path, address: str) -> Iterator[None]:
    """A block during which this process alone serves a data folder. The folder is created if it does not exist.

    Args:
        folder: the data folder.
        address: where the page can be opened, for the message that another start gets.

    Raises:
        StorageError: another process serves it, or nothing can be written there.
    """
    lock = FileLock(folder / _LOCK, timeout=0)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock.acquire()
    except Timeout:
        raise StorageError(
            f"the games in {folder} are open already{_address_of_holder(folder)}; use that page, or stop it first, or "
            "name another folder with --data"
        ) from None
    except OSError as error:
        raise StorageError(
            f"games cannot be kept in {folder}: {reason(error)}; name another folder with --data"
        ) from error
    try:
        with suppress(OSError):  # only helps others to find this page
            replace_file(folder / _ABOUT, json.dumps({"address": address}).encode())
        yield
    finally:
        with suppress(OSError):
            (folder / _ABOUT).unlink()
        lock.release()


def _address_of_holder(folder: Path) -> str:
    try:
        address = str(json.loads((folder / _ABOUT).read_text(encoding="utf-8"))["address"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    return f" at {address.partition('://')[2].rstrip('/')}"  # messages hide addresses with a scheme, as of cameras
