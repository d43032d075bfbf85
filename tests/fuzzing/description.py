"""An OpenAPI description of every route, derived from the application itself, with the schemas of JSON responses."""

from __future__ import annotations

import inspect
import re
from typing import Any, get_args

from flask import Flask

from webui.storage.changes import Change

ENDLESS = frozenset({"follow.live", "table_now.live", "camera.live"})
"""Endpoints of streams, which end only when the client disconnects."""
_WHOLE = {"type": "integer", "minimum": 0}
_TEXT = {"type": "string"}
_RESPONSES: dict[str, dict[str, Any]] = {
    "follow.version": {"version": _WHOLE},
    "camera.state": {"trouble": {"type": ["string", "null"]}},
    "camera.reading": {},
    "house_rules.check": {"wrong": {"type": "object", "additionalProperties": _TEXT}},
    "round.sheet": {"rules": _TEXT, "round": _WHOLE, "players": _WHOLE, "sides": {"type": "array"}},
    "export.game_json": {"game": _WHOLE, "rules": _TEXT, "players": _WHOLE, "sheets": {"type": "array"}},
}
"""Members of the JSON responses; more are allowed."""
_EXISTING: dict[str, list[object]] = {
    "game_id": [3],
    "number": [1, 3],
    "side": [0, 1],
    "photo_id": [1],
    "picture": [0, 1],
    "cards": ["0", "0-1"],
    "meld_id": [1],
    "entry_id": [1, 2, 3, 4, 5, 6],
    "device_id": [1],
    "event_id": [1],
    "table": [1, 2],
    "index": [0, 1, 2],
    "place": [0, 1, 2, 3],
    "card_id": ["p1c0", "p1c1", "p1c20"],
    "group_id": ["p1g0", "p1g5", "left0", "laid"],
    "deck_id": ["our-jokers"],
    "face": ["JK", "8H"],
    "variant": [0, 1],
    "rules_id": ["golden-games", "golden-games-doubles-at-our-table"],
    "key": ["x"],
    "what": ["draw", "results"],
    "ticket_id": ["x"],
}
"""Values of path parameters that exist."""
_UNKNOWN: dict[str, list[object]] = {
    "int": [0, 1, 2, 7, 2**31 - 1, 2**31, 2**63, 2**70],
    "default": ["..", "%00", "x", "'; drop table games; --", "<script>", "ü" * 99],
}
_ANYTHING = {
    "anyOf": [
        {"type": "integer"},
        {"type": "number"},
        {"type": "string"},
        {
            "enum": [
                "yes",
                "no",
                "0",
                "1",
                "-1",
                "",
                "p1c0",
                "left0",
                "golden-games",
                "8H",
                "name",
                "add",
                "\u0000",
                "1e999",
            ]
        },
    ]
}
_CHANGE_FIELDS: dict[str, Any] = {
    "card": {"enum": ["p1c0", "p1c3", "p1c20", "n1", "x"]},
    "cards": {"enum": ["p1c0", "p1c3", "p1c20", "n1", "x", "7"]},
    "group": {"enum": ["p1g0", "p1g5", "left0", "left1", "laid", "new-meld", "x"]},
    "into": {"enum": ["p1g1", "p1g3", "left0", "laid", "x"]},
    "face": {"enum": ["8H", "JK", "3D", "2S", "LADY", "11H"]},
    "photo": {"enum": ["1", "2", "99999999999999999999", "x"]},
}


def _change_schema() -> dict[str, Any]:
    """The form fields of any change to a side's cards. Unknown fields are refused, so none are added."""
    forms = []
    for change in get_args(get_args(Change)[0]):
        fields = {name: _CHANGE_FIELDS.get(name, _ANYTHING) for name in change.model_fields if name != "op"}
        fields["op"] = {"const": change.model_fields["op"].default}
        forms.append(
            {"type": "object", "properties": fields, "required": sorted(fields), "additionalProperties": False}
        )
    return {"anyOf": forms}


def describe(app: Flask, unknown: bool) -> dict[str, Any]:
    """An OpenAPI 3.1 document of all routes but streams.

    Path parameters take values that exist or, with ``unknown``, values that do not.
    """
    paths: dict[str, dict[str, Any]] = {}
    for rule in app.url_map.iter_rules():
        if rule.endpoint in ENDLESS or rule.endpoint == "static":
            continue
        source = inspect.getsource(inspect.getmodule(app.view_functions[rule.endpoint]) or describe)
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            paths.setdefault(path, {})[method.lower()] = _operation(rule.rule, rule.endpoint, method, source, unknown)
    return {"openapi": "3.1.0", "info": {"title": "handfoot", "version": "0"}, "paths": paths}


def _operation(rule: str, endpoint: str, method: str, source: str, unknown: bool) -> dict[str, Any]:
    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"enum": _UNKNOWN[kind or "default"] if unknown else _EXISTING[name]},
        }
        for kind, name in re.findall(r"<(?:(\w+):)?(\w+)>", rule)
    ]
    arguments = sorted(set(re.findall(r'request\.args\.get\(\s*"(\w+)"', source)))
    parameters += [{"name": name, "in": "query", "schema": _ANYTHING} for name in arguments]
    operation: dict[str, Any] = {"operationId": f"{method} {endpoint}", "parameters": parameters}
    response: dict[str, Any] = {"description": "a page, a picture or a sentence"}
    if endpoint in _RESPONSES:
        form = {"type": "object", "properties": _RESPONSES[endpoint], "required": sorted(_RESPONSES[endpoint])}
        response["content"] = {"application/json": {"schema": form}}
        operation["responses"] = {"200": response, "default": {"description": "a sentence"}}
    else:
        operation["responses"] = {"default": response}
    if method == "POST":
        names = set(re.findall(r'request\.(?:form|values|files)\.get(?:list)?\(\s*"(\w+)"', source))
        fields: dict[str, Any] = dict.fromkeys(sorted(names | {"seen"}), _ANYTHING)
        kind = "application/x-www-form-urlencoded"
        if "request.files" in source:
            fields["photos"] = {"type": "string", "format": "binary"}
            kind = "multipart/form-data"
        body: dict[str, Any] = {"type": "object", "properties": fields, "additionalProperties": _TEXT}
        body = _change_schema() if endpoint == "corrections.save_change" else body
        operation["requestBody"] = {"content": {kind: {"schema": body}}}
    return operation
