"""How another device of the network gets in: the address to type with the access code, and a QR code with both."""

from __future__ import annotations

import io
from dataclasses import dataclass

import segno
from flask import request, url_for
from markupsafe import Markup

from webui.access.addresses import requested_host, requested_port
from webui.access.network import ALL_INTERFACES, is_forwarded, is_ip_address, is_loopback, network_address
from webui.context.services import services


@dataclass(frozen=True, slots=True)
class Invitation:
    """``address`` is to be typed and ``code`` entered there; ``link`` lets a device in without the code.

    Where only a proxy reaches this machine, and the visitor came straight, the link is None, and so is the address if
    the proxy's name is not known. ``fingerprint`` is that of a certificate over which browsers warn.
    """

    address: str | None
    code: str
    link: str | None
    fingerprint: str | None = None

    @property
    def qr_code(self) -> Markup:
        """The link as a QR code (SVG), black on white in every theme."""
        return qr_code(self.link or "")


def qr_code(link: str) -> Markup:
    """A link as a QR code (SVG), black on white in every theme."""
    svg = io.BytesIO()
    segno.make(link, error="m").save(
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


def invitation(path: str | None = None) -> Invitation | None:
    """An invitation to a page (default: the first); None if no other device can reach this machine."""
    home = url_for("home.show")
    path = path or home
    code, key = services().access_code.code, services().access_code.secrets.key
    base, settings = reachable_base(), services().settings
    if base is not None:
        return Invitation(
            base + path,
            code,
            base + url_for("login.enter_by_link", key=key, to=path if path != home else None),
            own_fingerprint(),
        )
    if is_loopback(settings.host) and (settings.names or settings.prefix):
        return Invitation(settings.names[0] + path if settings.names else None, code, None)
    return None


def reachable_base() -> str | None:
    """Scheme, host and port by which a phone can reach this page; None if it cannot, or only through a proxy."""
    host = _reachable_host()
    if host is None:
        return None
    if _is_encrypted_elsewhere():
        return encrypted_base(host)
    port = requested_port()
    return f"{request.scheme}://{host}{f':{port}' if port else ''}"


def encrypted_base(host: str) -> str:
    """Scheme, host and port of the encrypted page, by a host name or address (IPv6 in brackets)."""
    port = services().settings.https_port
    return f"https://{host}" if port == 443 else f"https://{host}:{port}"


def own_fingerprint() -> str | None:
    """The fingerprint of the certificate over which browsers warn, as it was made here; None if they do not."""
    certificate = services().certificate
    return certificate.fingerprint if certificate and certificate.is_own and not is_forwarded(request) else None


def encrypted_address() -> str | None:
    """The address of this very page with encryption, where it came without and a phone can reach it."""
    host = _reachable_host() if _is_encrypted_elsewhere() else None
    return encrypted_base(host) + request.script_root + request.full_path.removesuffix("?") if host else None


def _is_encrypted_elsewhere() -> bool:
    """Whether this request came without encryption, straight to us, and there is an encrypted page."""
    return services().settings.https_port is not None and not request.is_secure and not is_forwarded(request)


def _reachable_host() -> str | None:
    """The host name or address that a phone can use; None if there is none."""
    requested, bound_to = requested_host(), services().settings.host
    if _reaches_others(requested):
        host: str | None = requested
    elif is_loopback(bound_to):
        host = None
    elif services().settings.https_port and services().settings.names:
        host = services().settings.names[0]  # a given certificate may be for that name alone
    else:
        host = network_address() if bound_to in ALL_INTERFACES else bound_to
    if host is None or is_loopback(host):
        return None
    return f"[{host}]" if ":" in host else host


def _reaches_others(host: str) -> bool:
    """Whether the host in the visitor's address leads others here too.

    A plain address does, and so does a name that was given with ``--name`` or by which another machine asked. A name
    by which this machine asks itself may be in its own list of names alone.
    """
    if is_loopback(host) or host in ("", *ALL_INTERFACES):
        return False
    from_elsewhere = is_forwarded(request) or not is_loopback(request.remote_addr or "")
    return from_elsewhere or is_ip_address(host) or host in services().settings.names
