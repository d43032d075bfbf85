"""Who sends a request, as far as its head tells: the server asks before it takes the body in."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flask import Flask

from webui.access.network import client_network, is_local_request, is_loopback, sender_address, split_url

SESSION_KEY = "device"
"""The key of a device's secret in its signed session."""
_EXTENSION = "handfoot-callers"
_EMPTY = {"REQUEST_METHOD": "GET", "SERVER_NAME": "localhost", "SERVER_PORT": "80", "wsgi.url_scheme": "http"}


@dataclass(frozen=True, slots=True)
class Caller:
    """``client`` is whose share of the server this is, None for this machine itself; ``let_in`` whether it knows the
    code, by the signature of its cookie."""

    client: str | None
    let_in: bool = False


Callers = Callable[[Mapping[str, str]], Caller]
"""Finds the caller from the keys of a WSGI environment that the head of a request gives."""


def install_callers(app: Flask, is_out: Callable[[str], bool]) -> None:
    """Lets the server of an app tell who sends a request. No database is asked, as that could hold up everybody.

    Args:
        app: the app.
        is_out: whether the device with a secret was sent out since the start.
    """

    def find(environ: Mapping[str, str]) -> Caller:
        request = app.request_class({**_EMPTY, "wsgi.input": io.BytesIO(), **environ})
        if is_local_request(request, split_url(f"//{environ.get('HTTP_HOST', '')}").hostname or ""):
            return Caller(None, let_in=True)
        session = app.session_interface.open_session(app, request)
        secret = session.get(SESSION_KEY) if session else None
        if isinstance(secret, str) and not is_out(secret):
            return Caller(f"device {hash(secret)}", let_in=True)
        return Caller(client_network(sender_address(request)))

    app.extensions[_EXTENSION] = find


def callers_of(app: Flask) -> Callers:
    """What tells the callers of an app."""
    find: Callers = app.extensions[_EXTENSION]
    return find


def caller_at(address: str) -> Caller:
    """Who opened a connection, before it says anything."""
    return Caller(None if is_loopback(address) else client_network(address))
