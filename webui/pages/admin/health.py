"""``/healthz`` for monitoring."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from webui.context.guard.devices import is_local
from webui.context.guard.rights import public
from webui.context.services import services

page = Blueprint("health", __name__)


@page.get("/healthz")
@public
def healthz() -> tuple[Response, int]:
    """Answers 200 if people can play, else 503. Details are for this machine only, as they may name paths."""
    found = services().health()
    return jsonify(found.as_json() if is_local() else {"status": found.status}), 200 if found.ok else 503
