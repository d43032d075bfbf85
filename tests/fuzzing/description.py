"""Every route of the page as an OpenAPI description, made from the page itself; and what JSON it answers."""

from __future__ import annotations

import inspect
import re
from typing import Any, get_args

from flask import Flask

from webui.corrections.changes import Change

ENDLESS = frozenset({"screens.live", "camera.live"})
"""Streams that only end when their viewer goes."""
_WHOLE = {"type": "integer", "minimum": 0}
_TEXT = {"type": "string"}
_ANSWERS: dict[str, dict[str, Any]] = {
    "screens.version": {"version": _WHOLE},
    "camera.state": {"trouble": {"type": ["string", "null"]}},
    "camera.reading": {},
    "rules.check": {"wrong": {"type": "object", "additionalProperties": _TEXT}},
    "round.export": {"rules": _TEXT, "round": _WHOLE, "players": _WHOLE, "sides": {"type": "array"}},
    "export.as_json_file": {"game": _WHOLE, "rules": _TEXT, "players": _WHOLE, "sheets": {"type": "array"}},
}
"""What the routes that answer JSON give: the members of the object; more may be there."""
_PLACES: dict[str, list[object]] = {
    "game_id": [3],
    "number": [3],
    "side": [0, 1],
    "photo_id": [1],
    "meld_id": [1],
    "entry_id": [1, 2, 3, 4, 5, 6],
    "device_id": [1],
    "index": [0, 1, 2],
    "place": [0, 1, 2, 3],
    "card_id": ["p1c0", "p1c1", "p1c20"],
    "group_id": ["p1g0", "p1g5", "left0", "laid"],
    "rules_id": ["golden-games", "golden-games-doubles-at-our-table"],
    "key": ["x"],
    "ticket_id": ["x"],
}
"""What is there."""
_ASTRAY: dict[str, list[object]] = {
    "int": [0, 1, 2, 7, 2**31 - 1, 2**31, 2**63, 2**70],
    "default": ["..", "%00", "x", "'; drop table games; --", "<script>", "ü" * 99],
}
_SOMETHING = {
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
_OF_A_CHANGE: dict[str, Any] = {
    "card": {"enum": ["p1c0", "p1c3", "p1c20", "n1", "x"]},
    "cards": {"enum": ["p1c0", "p1c3", "p1c20", "n1", "x", "7"]},
    "group": {"enum": ["p1g0", "p1g5", "left0", "left1", "laid", "new-meld", "x"]},
    "into": {"enum": ["p1g1", "p1g3", "left0", "laid", "x"]},
    "face": {"enum": ["8H", "JK", "3D", "2S", "LADY", "11H"]},
    "photo": {"enum": ["1", "2", "99999999999999999999", "x"]},
}


def _a_change() -> dict[str, Any]:
    """The form of any change to a side's cards; one field too many and it is refused."""
    forms = []
    for change in get_args(get_args(Change)[0]):
        fields = {name: _OF_A_CHANGE.get(name, _SOMETHING) for name in change.model_fields if name != "op"}
        fields["op"] = {"const": change.model_fields["op"].default}
        forms.append(
            {"type": "object", "properties": fields, "required": sorted(fields), "additionalProperties": False}
        )
    return {"anyOf": forms}


def describe(app: Flask, astray: bool) -> dict[str, Any]:
    """An OpenAPI 3.1 document of all routes but endless ones, with what is there in their paths, or what is not."""
    paths: dict[str, dict[str, Any]] = {}
    for rule in app.url_map.iter_rules():
        if rule.endpoint in ENDLESS or rule.endpoint == "static":
            continue
        source = inspect.getsource(inspect.getmodule(app.view_functions[rule.endpoint]) or describe)
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for method in sorted((rule.methods or set()) & {"GET", "POST"}):
            paths.setdefault(path, {})[method.lower()] = _operation(rule.rule, rule.endpoint, method, source, astray)
    return {"openapi": "3.1.0", "info": {"title": "handfoot", "version": "0"}, "paths": paths}


def _operation(rule: str, endpoint: str, method: str, source: str, astray: bool) -> dict[str, Any]:
    parameters = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"enum": _ASTRAY[kind or "default"] if astray else _PLACES[name]},
        }
        for kind, name in re.findall(r"<(?:(\w+):)?(\w+)>", rule)
    ]
    asked = sorted(set(re.findall(r'request\.args\.get\(\s*"(\w+)"', source)))
    parameters += [{"name": name, "in": "query", "schema": _SOMETHING} for name in asked]
    operation: dict[str, Any] = {"operationId": f"{method} {endpoint}", "parameters": parameters}
    answer: dict[str, Any] = {"description": "a page, a picture or a sentence"}
    if endpoint in _ANSWERS:
        form = {"type": "object", "properties": _ANSWERS[endpoint], "required": sorted(_ANSWERS[endpoint])}
        answer["content"] = {"application/json": {"schema": form}}
        operation["responses"] = {"200": answer, "default": {"description": "a sentence"}}
    else:
        operation["responses"] = {"default": answer}
    if method == "POST":
        names = set(re.findall(r'request\.(?:form|values|files)\.get(?:list)?\(\s*"(\w+)"', source))
        fields: dict[str, Any] = dict.fromkeys(sorted(names | {"seen"}), _SOMETHING)
        kind = "application/x-www-form-urlencoded"
        if "request.files" in source:
            fields["photos"] = {"type": "string", "format": "binary"}
            kind = "multipart/form-data"
        body: dict[str, Any] = {"type": "object", "properties": fields, "additionalProperties": _TEXT}
        body = _a_change() if endpoint == "mend.change" else body
        operation["requestBody"] = {"content": {kind: {"schema": body}}}
    return operation
