"""How another device of the network gets in: the address to type with the access code, and a QR code with both."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace

import segno
from flask import request, url_for
from markupsafe import Markup

from webui.access.addresses import requested_host, requested_port
from webui.access.network import ALL_INTERFACES, is_forwarded, is_ip_address, is_local_request, is_loopback
from webui.access.own_addresses import OwnAddress, own_addresses
from webui.context.services import services
from webui.settings import Commands


@dataclass(frozen=True, slots=True)
class WayIn:
    """``address`` is to be typed; ``link`` lets a device in without the code. ``likely`` as of an own address."""

    address: str
    link: str
    likely: bool

    @property
    def qr_code(self) -> Markup:
        """The link as a QR code (SVG), black on white in every theme."""
        return qr_code(self.link)


@dataclass(frozen=True, slots=True)
class Invitation:
    """``address`` is to be typed and ``code`` entered there; ``link`` lets a device in without the code.

    Where only a proxy reaches this machine, and the visitor came straight, the link is None, and so is the address if
    the proxy's name is not known. ``fingerprint`` is that of a certificate over which browsers warn. ``others`` are
    further addresses of this machine, likely ones first.
    """

    address: str | None
    code: str
    link: str | None
    fingerprint: str | None = None
    others: tuple[WayIn, ...] = ()

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
    settings = services().settings
    if hosts := _reachable_hosts():
        lets_in = url_for("login.enter_by_link", key=key, to=path if path != home else None)
        ways = [WayIn(base_at(host.text) + path, base_at(host.text) + lets_in, host.likely) for host in hosts]
        return Invitation(ways[0].address, code, ways[0].link, own_fingerprint(), tuple(ways[1:]))
    if is_loopback(services().network.host) and (settings.names or settings.prefix):
        return Invitation(settings.names[0] + path if settings.names else None, code, None)
    return None


def reachable_base() -> str | None:
    """Scheme, host and port by which a phone can reach this page; None if it cannot, or only through a proxy.

    With several addresses, that which a phone can most probably use.
    """
    hosts = _reachable_hosts()
    return base_at(hosts[0].text) if hosts else None


def base_at(host: str) -> str:
    """Scheme, host and port of this page by another host name or address (IPv6 in brackets)."""
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
    hosts = _reachable_hosts() if _is_encrypted_elsewhere() else []
    page = request.script_root + request.full_path.removesuffix("?")
    return encrypted_base(hosts[0].text) + page if hosts else None


def shown_commands() -> Commands:
    """What this visitor is told to run: complete on this machine itself, without paths on another device."""
    return services().settings.commands if is_local_request(request, requested_host()) else Commands()


def _is_encrypted_elsewhere() -> bool:
    """Whether this request came without encryption, straight to us, and there is an encrypted page."""
    return services().settings.https_port is not None and not request.is_secure and not is_forwarded(request)


def _reachable_hosts() -> list[OwnAddress]:
    """The host names or addresses (IPv6 in brackets) that a phone can use, likely ones first; none if there is none.

    The one by which the visitor came is the first, and the only one where it is no address of this machine itself.
    """
    requested, settings, listens_at = requested_host(), services().settings, services().network.host
    if is_loopback(listens_at):
        found: list[OwnAddress] = []
    elif settings.https_port and settings.names:
        found = [OwnAddress(settings.names[0], True)]  # a given certificate may be for that name alone
    else:
        found = [own for own in own_addresses(listens_at) if not is_loopback(own.text)]
    if _reaches_others(requested):
        others = [own for own in found if own.text != requested]
        found = [OwnAddress(requested, True), *(others if len(others) < len(found) else [])]
    return [replace(host, text=f"[{host.text}]") if ":" in host.text else host for host in found]


def _reaches_others(host: str) -> bool:
    """Whether the host in the visitor's address leads others here too.

    A plain address does, and so does a name that was given with ``--name`` or by which another machine asked. A name
    by which this machine asks itself may be in its own list of names alone.
    """
    if is_loopback(host) or host in ("", *ALL_INTERFACES):
        return False
    from_elsewhere = is_forwarded(request) or not is_loopback(request.remote_addr or "")
    return from_elsewhere or is_ip_address(host) or host in services().settings.names
