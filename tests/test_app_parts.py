"""What apps share in tests is theirs alone where they differ."""

from __future__ import annotations

from flask import Flask, render_template, url_for
from jinja2 import DictLoader
from sqlalchemy import create_engine, literal, select, text
from werkzeug.routing import BaseConverter

from tests.app_parts import CompiledTemplates, compiled_statements, share_between_apps


class Loud(BaseConverter):
    def to_url(self, value: object) -> str:
        return str(value).upper()


def made(text: str, kind: type[BaseConverter] | None = None) -> Flask:
    app = Flask(__name__)
    app.jinja_loader = DictLoader({"page.html": text})
    if kind:
        app.url_map.converters["default"] = kind
    app.add_url_rule("/of/<name>/", "show", lambda name: render_template("page.html", name=name))
    return app


def test_apps_share_what_is_the_same_and_nothing_else() -> None:
    share_between_apps()
    assert made("{{ name }} is here").test_client().get("/of/ann/").text == "ann is here"
    assert made("{{ name }} has left").test_client().get("/of/ann/").text == "ann has left", "a changed template"
    compiled = Flask.jinja_options["bytecode_cache"]
    assert isinstance(compiled, CompiledTemplates) and len(compiled) == 2
    assert made("{{ name }} is here").test_client().get("/of/bo/").text == "bo is here"
    assert len(compiled) == 2, "compiled once"
    for kind, path in ((Loud, "/of/ANN/?round=1"), (None, "/of/ann/?round=1"), (Loud, "/of/ANN/?round=1")):
        with made("", kind).test_request_context():
            assert url_for("show", name="ann", round=1) == path


def test_databases_share_statements_and_no_content() -> None:
    kept, lengths = compiled_statements(), []
    for name in ("ann", "bo"):
        with create_engine("sqlite://").begin() as connection:
            connection.execute(text("CREATE TABLE person (name TEXT)"))
            connection.execute(text("INSERT INTO person VALUES (:name)"), {"name": name})
            assert connection.scalar(text("SELECT name FROM person")) == name
            assert connection.scalar(select(literal(name))) == name
        lengths.append(len(kept))
    assert lengths[0] == lengths[1] > 0, "compiled once"
