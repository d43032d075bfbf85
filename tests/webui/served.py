"""Serves the page as ``handfoot serve`` does, with a reader of the caller's choice: ``python -m tests.webui.served``.

Arguments: data folder, port, ``drawn`` or ``shipped``, and the camera (default: the first there is).
"""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from scorer.rules import use_folder
from tests.webui.drawn import DrawnReader
from webui.app import create_app
from webui.eyes import Eyes, load_shipped_reader
from webui.server import make_server
from webui.settings import Settings, rules_folder
from webui.warm import warm

if __name__ == "__main__":
    folder, port, reader, *camera = sys.argv[1:]
    eyes = Eyes(DrawnReader if reader == "drawn" else load_shipped_reader)
    use_folder(rules_folder(Path(folder)))
    app = create_app(Settings(Path(folder), camera=camera[0] if camera else None), eyes)
    threading.Thread(target=warm, args=(app,), daemon=True).start()
    make_server(app, "127.0.0.1", int(port)).run()
