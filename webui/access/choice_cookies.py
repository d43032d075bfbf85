"""What a device chose for itself, such as its colors: kept in its browser, not here."""

from __future__ import annotations

from flask import request
from werkzeug.wrappers import Response

from webui.access.addresses import cookie_path
from webui.access.network import is_encrypted_here

_YEAR = 365 * 24 * 3600


def choice_of_device(name: str) -> str | None:
    """What the device that asks chose; None if it chose nothing."""
    return request.cookies.get(_kept_name(name))


def keep_choice(response: Response, name: str, value: str) -> None:
    """Lets the device that asks keep a choice for a year; an encrypted page's is never sent without encryption."""
    response.set_cookie(
        _kept_name(name),
        value,
        max_age=_YEAR,
        path=cookie_path(),
        secure=is_encrypted_here(request),
        httponly=True,
        samesite="Lax",
    )


def forget_choice(response: Response, name: str) -> None:
    """Lets the device that asks forget a choice."""
    secure = is_encrypted_here(request)
    response.delete_cookie(_kept_name(name), path=cookie_path(), secure=secure, httponly=True, samesite="Lax")


def _kept_name(name: str) -> str:
    """As of the session's cookie: cookies know no ports, so an encrypted page's has a name of its own."""
    return f"__Secure-{name}" if is_encrypted_here(request) else name
