"""Serves the page as ``handfoot serve`` does, with a reader of the caller's choice: ``python -m tests.webui.served``.

Arguments: data folder, port, and ``drawn`` or ``shipped``.
"""

from __future__ import annotations

import sys
from pathlib import Path

import waitress  # type: ignore[import-untyped]

from tests.webui.drawn import DrawnReader
from webui.app import create_app
from webui.eyes import Eyes, load_shipped_reader
from webui.settings import Settings

if __name__ == "__main__":
    folder, port, reader = sys.argv[1:]
    eyes = Eyes(DrawnReader if reader == "drawn" else load_shipped_reader)
    waitress.serve(create_app(Settings(Path(folder)), eyes), host="127.0.0.1", port=int(port), threads=16)
