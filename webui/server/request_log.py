"""The request log in the data folder: one JSON object a line, in files that rotate.

It holds no names, no addresses and no photos: a request is logged by its route with the ids in it.
"""

from __future__ import annotations

import json
import logging
import time
from contextlib import suppress
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

from flask import Flask, Response, g, request
from flask.logging import default_handler

from vision.cameras.address import without_addresses
from webui.shown_line import shown_line

FOLDER = "logs"
_FILE = "handfoot.jsonl"
_MAX_BYTES, _MAX_FILES = 1024 * 1024, 5
_OWN_LOGGERS = ("webui", "vision", "scorer")
_EXTRA_KEYS = ("method", "route", "numbers", "status", "ms")
_MANY = frozenset({"static", "phone.frame"})
"""Endpoints of files, and of pictures that come several times a second: logged only where they fail."""
_log = logging.getLogger(__name__)


class TerminalFormatter(logging.Formatter):
    """A record for the terminal, without the addresses, and so the passwords, that libraries may write.

    Names and errors come from anywhere: its lines are only shown, whatever stands in them.
    """

    def __init__(self) -> None:
        super().__init__("handfoot: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(map(shown_line, without_addresses(super().format(record)).split("\n")))


class _JsonFormatter(logging.Formatter):
    """A record as one line of JSON, without the addresses, and so the passwords, that libraries may write."""

    def format(self, record: logging.LogRecord) -> str:
        document: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "said": without_addresses(record.getMessage()),
        }
        document |= {key: value for key in _EXTRA_KEYS if (value := getattr(record, key, None)) is not None}
        if record.exc_info:
            document["trace"] = without_addresses(self.formatException(record.exc_info))
        return json.dumps(document, ensure_ascii=False)


class _QuietFileHandler(RotatingFileHandler):
    """A full disk must not stop the page, nor fill the terminal with tracebacks."""

    def handleError(self, record: logging.LogRecord) -> None:
        pass


def open_log(data_dir: Path) -> logging.Handler | None:
    """Starts to log into the data folder, besides whatever else is logged; None if that is not possible."""
    try:
        (data_dir / FOLDER).mkdir(parents=True, exist_ok=True, mode=0o700)
        handler = _QuietFileHandler(
            data_dir / FOLDER / _FILE, maxBytes=_MAX_BYTES, backupCount=_MAX_FILES, encoding="utf-8"
        )
    except OSError as error:
        _log.info("no log can be kept in %s: %s", data_dir / FOLDER, error.strerror or error)
        return None
    handler.setFormatter(_JsonFormatter())
    handler.setLevel(logging.INFO)
    for terminal in logging.getLogger().handlers:
        terminal.setLevel(max(terminal.level, logging.WARNING))  # only warnings and errors are for the terminal
    for name in _OWN_LOGGERS:
        logging.getLogger(name).setLevel(logging.INFO)
    logging.getLogger().addHandler(handler)
    return handler


def close_log(handler: logging.Handler | None) -> None:
    if handler is not None:
        logging.getLogger().removeHandler(handler)
        with suppress(OSError):  # its last lines did not fit on the disk
            handler.close()


def read_log(data_dir: Path, lines: int) -> list[str]:
    """The last lines of the log, oldest first."""
    found: list[str] = []
    for path in sorted((data_dir / FOLDER).glob(f"{_FILE}*")):  # newest first: handfoot.jsonl, handfoot.jsonl.1, ...
        try:
            found = path.read_text(encoding="utf-8", errors="replace").splitlines() + found
        except OSError:
            continue
        if len(found) >= lines:
            break
    return found[-lines:]


def log_requests(app: Flask) -> None:
    """Logs the pages that are opened, every change and every error; not the pictures and files of a page."""
    app.logger.removeHandler(default_handler)  # whoever starts the app decides what the terminal shows

    @app.before_request
    def begin() -> None:
        g.began = time.monotonic()

    @app.after_request
    def write(response: Response) -> Response:
        is_file = request.method in ("GET", "HEAD") and response.mimetype != "text/html"
        if response.status_code < 400 and (is_file or (request.endpoint is None or request.endpoint in _MANY)):
            return response
        extra = {
            "method": request.method,
            "route": request.url_rule.rule if request.url_rule else "no such page",
            "numbers": {key: value for key, value in (request.view_args or {}).items() if isinstance(value, int)},
            "status": response.status_code,
            "ms": round((time.monotonic() - g.get("began", time.monotonic())) * 1000),
        }
        _log.info("request", extra=extra)
        return response
