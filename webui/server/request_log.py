"""What happened, for whoever has to find out why something did not work: one JSON object a line, in files that rotate.

No names, no addresses and no photos: a request is written down by its route, with the numbers in it.
"""

from __future__ import annotations

import json
import logging
import time
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

from flask import Flask, Response, g, request
from flask.logging import default_handler

FOLDER = "logs"
_FILE = "handfoot.jsonl"
_LARGEST, _KEPT = 1024 * 1024, 5
_OURS = ("webui", "vision", "scorer")
_ABOUT = ("method", "route", "numbers", "status", "ms")
_log = logging.getLogger(__name__)


class _AsJson(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        document: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "said": record.getMessage(),
        }
        document |= {key: held for key in _ABOUT if (held := getattr(record, key, None)) is not None}
        if record.exc_info:
            document["trace"] = self.formatException(record.exc_info)
        return json.dumps(document, ensure_ascii=False)


class _Journal(RotatingFileHandler):
    """A disk that is full must not stop the page, nor fill the screen."""

    def handleError(self, record: logging.LogRecord) -> None:
        pass


def open_journal(data_dir: Path) -> logging.Handler | None:
    """Begins to write the journal of this data folder, beside whatever else is logged; None where it cannot be."""
    try:
        (data_dir / FOLDER).mkdir(parents=True, exist_ok=True, mode=0o700)
        journal = _Journal(data_dir / FOLDER / _FILE, maxBytes=_LARGEST, backupCount=_KEPT, encoding="utf-8")
    except OSError as error:
        _log.info("no log can be kept in %s: %s", data_dir / FOLDER, error.strerror or error)
        return None
    journal.setFormatter(_AsJson())
    journal.setLevel(logging.INFO)
    for shown in logging.getLogger().handlers:
        shown.setLevel(max(shown.level, logging.WARNING))  # what is no trouble is not for the screen
    for name in _OURS:
        logging.getLogger(name).setLevel(logging.INFO)
    logging.getLogger().addHandler(journal)
    return journal


def close_journal(journal: logging.Handler | None) -> None:
    if journal is not None:
        logging.getLogger().removeHandler(journal)
        journal.close()


def read_journal(data_dir: Path, lines: int) -> list[str]:
    """Its last lines, the oldest first."""
    found: list[str] = []
    for path in sorted((data_dir / FOLDER).glob(f"{_FILE}*")):  # the newest, then the one before it, ...
        try:
            found = path.read_text(encoding="utf-8", errors="replace").splitlines() + found
        except OSError:
            continue
        if len(found) >= lines:
            break
    return found[-lines:]


def write_requests(app: Flask) -> None:
    """Writes down what visitors do: pages they open, whatever they change, and what they were refused."""
    app.logger.removeHandler(default_handler)  # what is logged is shown by whoever started the page

    @app.before_request
    def begin() -> None:
        g.began = time.monotonic()

    @app.after_request
    def write(response: Response) -> Response:
        quiet = request.method in ("GET", "HEAD") and response.mimetype != "text/html"
        if response.status_code < 400 and (quiet or request.endpoint in (None, "static")):
            return response
        numbers = {key: held for key, held in (request.view_args or {}).items() if isinstance(held, int)}
        about = {
            "method": request.method,
            "route": request.url_rule.rule if request.url_rule else "no such page",
            "numbers": numbers,
            "status": response.status_code,
            "ms": round((time.monotonic() - g.get("began", time.monotonic())) * 1000),
        }
        _log.info("request", extra=about)
        return response
