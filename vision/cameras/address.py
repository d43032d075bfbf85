"""Addresses of network cameras: taken apart strictly, and never shown.

An address may hold a password anywhere: before the host, in the path, in the query, or, mistyped, where the host should
be. So no message quotes one, not even its host.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

from vision.errors import CameraError

SCHEMES = ("rtsp", "rtsps", "http", "https")
FORM = "a network camera's address that begins with rtsp://, rtsps://, http:// or https://"
CODED = (
    "the camera's address has a sign in its user name or password that must be percent-coded; write # as %23, "
    "% as %25, / as %2F, ? as %3F, @ as %40, [ as %5B and ] as %5D, and an @ or # behind the host as well"
)
_LOGIN = re.compile(r"(?:[^\[\]@%]|%[0-9A-Fa-f]{2})*")
_PLACE = re.compile(r"(?:\[[0-9A-Fa-f:.]+(?:%25\w+)?\]|[^\[\]:@%\s]+)(?::(\d{1,5}))?")
_SAFE = "%-._~!$&'()*+,;=:"
"""What stays as it is in a user name and password (RFC 3986, 3.2.1); spaces, accents and the like are coded."""
_HARMLESS = re.compile(r"(?:\d+:|pi:|[A-Za-z]:(?=[\\/]))?[^:@%?&=#]{1,200}")
_HIDDEN = "***"
_SECRET = re.compile(r"([A-Za-z][\w+.-]+):/+\S*|\S+:\S*@\S*")

_SECRET_WORD = re.compile(r"://|:.*@|%3a|%40", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a network camera.

    ``url`` is without user name and password, ``full_url`` with them, percent-coded; ``user`` and ``password`` are
    decoded, None where there are none. Its text (``repr``) shows none of it but the scheme.
    """

    scheme: str
    url: str = field(repr=False)
    full_url: str = field(repr=False)
    user: str | None = field(repr=False)
    password: str | None = field(repr=False)


def parse_address(spec: str) -> Address | None:
    """Takes an address apart; None where the text is none at all, as it has no ``://``.

    Raises:
        CameraError: an unknown scheme, signs that must be percent-coded, or no host.
    """
    scheme, found, rest = spec.strip().partition("://")
    if not found or not re.fullmatch(r"[\w+.-]*", scheme):
        return None
    scheme = scheme.lower()
    if scheme not in SCHEMES:
        raise CameraError(f"addresses of this kind are not known here; expected {FORM}")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    behind = rest[len(authority) :]
    login, at, place = authority.rpartition("@")
    if "@" in behind or "#" in behind or not _LOGIN.fullmatch(login):
        raise CameraError(CODED)
    port = _PLACE.fullmatch(place)
    if port is None or not 1 <= int(port[1] or 1) <= 65535:
        raise CameraError(
            f"the camera's address names no host, or no port from 1 to 65535; expected it as in {scheme}://HOST:PORT/PATH"
        )
    user, colon, password = login.partition(":")
    behind = quote(behind, safe="%/?" + _SAFE + "[]|")
    return Address(
        scheme,
        f"{scheme}://{place}{behind}",
        f"{scheme}://{quote(login, safe=_SAFE)}{at}{place}{behind}",
        unquote(user) if at else None,
        unquote(password) if colon else "" if at else None,
    )


def shown(spec: str) -> str:
    """A refused spec for messages: in quotes, without its folders, where it cannot hold a password; else "this"."""
    if not _HARMLESS.fullmatch(spec):
        return "this"
    name = re.split(r"[/\\]", spec.rstrip("/"))[-1]
    return f"'{name}'"


def without_addresses(text: str, words: Sequence[str] = ()) -> str:
    """A text in which every address, and everything of the form ``name:password@``, is hidden.

    For messages that others wrote: of libraries, or about an option with which an address was given by mistake. Of a
    database's address, only user name and password are hidden.

    Args:
        words: what the text may quote; those that look like an address are hidden whole, blanks and all.
    """
    for word in words:
        if _SECRET_WORD.search(word):
            text = text.replace(repr(word), _HIDDEN).replace(word, _HIDDEN)
    return _SECRET.sub(_mask, text)


def _mask(found: re.Match[str]) -> str:
    scheme = found[1]
    if scheme is None:
        return _HIDDEN
    if scheme.lower().startswith("postgres"):
        return re.sub(r"(?<=/)[^/]\S*@", f"{_HIDDEN}@", found[0], count=1)
    return f"{scheme}://{_HIDDEN}"
