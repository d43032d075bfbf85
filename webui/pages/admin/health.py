"""``/healthz``: for machines that watch over this one."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from webui.context.request_guard import is_here
from webui.context.services import services

page = Blueprint("health", __name__)


@page.get("/healthz")
def healthz() -> tuple[Response, int]:
    """200 where people can play, 503 where they cannot. What is wrong is for this machine alone; no names, no paths."""
    found = services().look_over()
    return jsonify(found.as_json() if is_here() else {"status": found.status}), 200 if found.ok else 503
