"""The secret that signs the page's cookies."""

from __future__ import annotations

import secrets
from pathlib import Path

from webui.storage.errors import StorageError, advice, reason
from webui.storage.files.atomic_files import replace_file


def secret_key(data_dir: Path) -> bytes:
    """The 32-byte secret of a data folder, created at its first use and readable by its owner only.

    Raises:
        StorageError: it cannot be read or created.
    """
    path = data_dir / "secret-key"
    try:
        if not path.exists():
            data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_file(path, secrets.token_bytes(32))
        return path.read_bytes()
    except OSError as error:
        raise StorageError(f"{path} cannot be used: {reason(error)}; {advice(error)}") from error
