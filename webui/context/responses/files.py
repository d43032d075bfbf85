"""Files to save that a page makes: tables for spreadsheets, and data."""

from __future__ import annotations

import json

from flask import Response


def table_file(text: str, name: str) -> Response:
    """A table in CSV; spreadsheets recognise UTF-8 only by a byte order mark."""
    return _file("\ufeff" + text, f"{name}.csv", "text/csv")


def data_file(told: object, name: str) -> Response:
    """Data in JSON."""
    return _file(json.dumps(told, indent=1, ensure_ascii=False) + "\n", f"{name}.json", "application/json")


def _file(text: str, name: str, kind: str) -> Response:
    return Response(text, mimetype=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
