"""What is got ready in the background for the first visitor."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from flask import Flask

from webui.context.warmup import warm_up


def test_pages_are_compiled_before_anyone_asks_for_them_unless_the_page_has_ended(
    make_app: Callable[[], Flask],
) -> None:
    app, ended = make_app(), Event()
    before = len(app.jinja_env.cache or ())
    ended.set()
    warm_up(app, ended)
    assert len(app.jinja_env.cache or ()) == before
    warm_up(app, Event())
    assert len(app.jinja_env.cache or ()) > before + 50
