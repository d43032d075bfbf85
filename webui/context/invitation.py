"""How another device of the network gets in: the address to type with the access code, and a QR code with both."""

from __future__ import annotations

import io
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

import segno
from flask import request
from markupsafe import Markup

from webui.access.network import ALL_INTERFACES, is_ip_address, is_loopback, network_address
from webui.context.services import services


@dataclass(frozen=True, slots=True)
class Invitation:
    """``address`` is to be typed and ``code`` entered there; ``link`` lets a device in without the code."""

    address: str
    code: str
    link: str

    @property
    def qr_code(self) -> Markup:
        """The link as a QR code (SVG), black on white in every theme."""
        svg = io.BytesIO()
        segno.make(self.link, error="m").save(
            svg,
            kind="svg",
            xmldecl=False,
            svgns=True,
            omitsize=True,
            border=3,
            dark="#000",
            light="#fff",
            svgclass="qr",
        )
        return Markup(svg.getvalue().decode())  # safe: segno draws modules only, the link's text is not in it


def invitation(path: str = "/") -> Invitation | None:
    """An invitation to a page; None if no other device can reach this machine."""
    host = _reachable_host()
    if host is None:
        return None
    port = requested_port()
    base = f"{request.scheme}://{host}{f':{port}' if port else ''}"
    access_code = services().access_code
    link = f"{base}/enter/{access_code.secrets.key}" + (f"?to={quote(path)}" * (path != "/"))
    return Invitation(base + path, access_code.code, link)


def requested_port() -> int | None:
    """The port in the address by which the visitor opened the page."""
    return urlsplit(f"//{request.host}").port


def _reachable_host() -> str | None:
    """The host name or address that a phone can use; None if there is none."""
    bound_to = services().settings.host
    if is_loopback(bound_to):
        return None
    requested = urlsplit(f"//{request.host}").hostname or ""
    host = (network_address() or requested) if bound_to in ALL_INTERFACES else bound_to
    if not is_loopback(requested) and is_ip_address(requested):
        host = requested  # the visitor came by this address, so others can too
    if is_loopback(host):
        return None
    return f"[{host}]" if ":" in host else host
