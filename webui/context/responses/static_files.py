"""Styles, scripts and icons: compressed, scripts without their comments.

Their addresses change as they do, so that browsers keep them for good.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from flask import Flask, Response
from flask_compress import Compress

from webui.context.responses.photo_responses import YEAR

_HASH_LENGTH = 12
_FOR_READERS = re.compile(rb"^\s*//.*\n|^[ ]+", re.MULTILINE)
"""What scripts have for people alone, a fifth of them when compressed: lines of comments, and indents."""
_ENCODINGS = ["br", "gzip"]
"""Best first. Browsers take Brotli over HTTPS only; zstd would not be smaller for files of a few kilobytes."""


def install_static_files(app: Flask) -> None:
    """Serves the folder ``static`` under the hash of its whole content, and compresses pages, styles and scripts.

    One hash for all files, as a folder of their addresses: scripts import each other by relative names, and would
    import one that is older than they are if each had its own.
    """
    assert app.static_folder is not None
    current = content_hash(Path(app.static_folder))
    app.add_url_rule("/static/<version>/<path:filename>", endpoint="static")

    def serve(filename: str, version: str | None = None) -> Response:
        """The file as it is now. A page of an earlier start asks by an earlier hash: it may not keep what it gets."""
        response = app.send_static_file(filename)
        if filename.endswith(".js") and response.status_code == 200:
            response.direct_passthrough = False
            response.set_data(_FOR_READERS.sub(b"", response.get_data()))
        if version == current:
            response.cache_control.no_cache = None
            response.cache_control.public = True
            response.cache_control.max_age = YEAR
            response.cache_control.immutable = True
        return response

    @app.url_defaults
    def add_version(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values.setdefault("version", current)

    app.view_functions["static"] = serve
    app.config.update(COMPRESS_ALGORITHM=_ENCODINGS, COMPRESS_ALGORITHM_STREAMING=_ENCODINGS)
    Compress(app)


def content_hash(folder: Path) -> str:
    """The first digits of a SHA-256 over the names and contents of a folder's files."""
    digest = hashlib.sha256()
    for file in sorted(folder.iterdir()):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:_HASH_LENGTH]
