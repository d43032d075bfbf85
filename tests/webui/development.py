"""The page for developers, reloaded at each change: ``make page``.

Flask's development server runs this factory twice: in a process that only watches the files, and in one that serves.
Games and photos are kept in ``build/page``, apart from those of an installed program.
"""

from __future__ import annotations

from pathlib import Path

from flask import Flask
from werkzeug.serving import is_running_from_reloader

from scorer.rules import use_folder
from webui.app import create_app as create_page
from webui.reading.engine_choice import load_chosen_reader
from webui.reading.reader_service import ReaderService
from webui.settings import Settings, rules_folder

DATA = Path(__file__).parents[2] / "build" / "page"


def create_app() -> Flask:
    """The page in the serving process; an empty application in the process that watches the files."""
    if not is_running_from_reloader():
        return Flask("watcher")
    use_folder(rules_folder(DATA))
    return create_page(Settings(DATA), ReaderService(lambda: load_chosen_reader(DATA)[1]))
