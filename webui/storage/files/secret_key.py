"""The secret that signs the page's cookies."""

from __future__ import annotations

import logging
import secrets
from pathlib import Path

from webui.storage.errors import disk_errors
from webui.storage.files.atomic_files import read_file, replace_file

_BYTES, _LEAST_DIFFERENT, _MOST = 32, 8, 4096
"""32 random bytes have more different values, always; what is left of a file after a power cut has one."""
_log = logging.getLogger(__name__)


def secret_key(data_dir: Path) -> bytes:
    """The 32-byte secret of a data folder, created at its first use and readable by its owner only.

    One that is damaged is made anew, so that devices enter the code once more: whoever knows the zeros that a power cut
    leaves behind could sign cookies by them.

    Raises:
        StorageError: it cannot be read or created.
    """
    path = data_dir / "secret-key"
    with disk_errors(f"the file {path} cannot be used"):
        key = read_file(path, _MOST) if path.exists() else None
        if key is None or len(key) != _BYTES or len(set(key)) < _LEAST_DIFFERENT:
            if key is not None:
                _log.warning("%s was damaged and is made anew; devices enter the code once more", path.name)
            data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
            key = secrets.token_bytes(_BYTES)
            replace_file(path, key)
        return key
