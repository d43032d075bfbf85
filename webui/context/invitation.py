"""How another phone of the network comes in: the address, the code to enter there, and the square that is both."""

from __future__ import annotations

import io
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

import segno
from flask import request
from markupsafe import Markup

from webui.access.network import EVERYWHERE, is_address, is_here_alone, network_address
from webui.context.services import services


@dataclass(frozen=True, slots=True)
class Invitation:
    """``address`` is to be typed, and ``code`` entered there; ``link`` lets in who scans it."""

    address: str
    code: str
    link: str

    @property
    def square(self) -> Markup:
        """The link as a QR code, black on white in every theme."""
        drawn = io.BytesIO()
        segno.make(self.link, error="m").save(
            drawn,
            kind="svg",
            xmldecl=False,
            svgns=True,
            omitsize=True,
            border=3,
            dark="#000",
            light="#fff",
            svgclass="qr",
        )
        return Markup(drawn.getvalue().decode())  # drawn by segno from numbers alone, without the text


def invitation(path: str = "/") -> Invitation | None:
    """An invitation that leads to a page; None where no other device reaches this machine."""
    host = _reached_by()
    if host is None:
        return None
    port = asked_port()
    base = f"{request.scheme}://{host}{f':{port}' if port else ''}"
    access_code = services().access_code
    return Invitation(
        base + path,
        access_code.code,
        f"{base}/enter/{access_code.secrets.key}" + (f"?to={quote(path)}" * (path != "/")),
    )


def asked_port() -> int | None:
    """The port that the visitor's address names."""
    return urlsplit(f"//{request.host}").port


def _reached_by() -> str | None:
    """The host name or address that a phone may use; None where there is none."""
    listens = services().settings.host
    if is_here_alone(listens):
        return None
    asked = urlsplit(f"//{request.host}").hostname or ""
    host = (network_address() or asked) if listens in EVERYWHERE else listens
    if not is_here_alone(asked) and is_address(asked):
        host = asked  # the visitor came by this address, so others will too
    if is_here_alone(host):
        return None
    return f"[{host}]" if ":" in host else host
