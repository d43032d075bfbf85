"""The network around this machine: its host names, and where a request comes from."""

from __future__ import annotations

import ipaddress
import re
import socket
from urllib.parse import SplitResult, urlsplit

from werkzeug.wrappers import Request

ALL_INTERFACES = ("0.0.0.0", "::")
_HOME_DOMAINS = ("local", "lan", "home", "home.arpa", "internal", "localdomain")
"""Domains that routers and mDNS append to host names; nobody can register a name in them."""
_FORWARDED = (
    *("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port"),
    *("X-Forwarded-Server", "X-Real-IP", "Via"),
)
_SAYS_WHAT_ASKS = re.compile(r"(?:Chrome|Firefox)/\d{3}")
"""Browsers that send Fetch Metadata to every address that is encrypted or of their own machine, and to no other."""


def own_host_names() -> tuple[str, ...]:
    """The host names by which browsers of the same network may call this machine."""
    name = socket.gethostname().lower()
    first = name.partition(".")[0]
    return (name, first, *(f"{first}.{domain}" for domain in _HOME_DOMAINS))


def is_ip_address(host: str) -> bool:
    """Whether it is a plain IP address; DNS rebinding cannot point one of another site here."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only this machine itself reaches a server that listens at this host."""
    return host == "localhost" or (is_ip_address(host) and ipaddress.ip_address(host).is_loopback)


def is_local_request(request: Request, host: str) -> bool:
    """Whether a request to a host name was made on this machine itself.

    A request that a proxy forwarded was made elsewhere, even if the proxy runs here.
    """
    return is_loopback(request.remote_addr or "") and is_loopback(host) and not _seems_forwarded(request)


def is_encrypted_here(request: Request) -> bool:
    """Whether this server itself encrypts the connection of a request, not a proxy in front of it."""
    asked = request.environ.get("werkzeug.proxy_fix.orig") or request.environ
    return bool(asked.get("wsgi.url_scheme") == "https")


def tells_sender(request: Request) -> bool:
    """Whether a request has a header of a proxy."""
    return any(header in request.headers for header in _FORWARDED)


def is_forwarded(request: Request) -> bool:
    """Whether a proxy surely forwarded a request."""
    return tells_sender(request) or request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"


def _seems_forwarded(request: Request) -> bool:
    """Whether a proxy forwarded a request to a loopback name and adds no header that says so.

    Told from what no browser sends when it asks its own machine. It asks by HTTP/1.1 and keeps the connection; where
    nothing else is said, nginx asks by HTTP/1.0, or from 1.29.7 on by HTTP/1.1. The page from which it asks has a
    loopback name, unless it says that another site asks. And it says what asks (W3C Fetch Metadata, 3).
    """
    headers = request.headers
    if is_forwarded(request):
        return True
    agent = headers.get("User-Agent", "")
    if agent.startswith("Mozilla/") and headers.get("Connection", "").lower() == "close":
        return True
    asks = headers.get("Sec-Fetch-Site")
    pages = (split_url(headers.get(name, "")).hostname for name in ("Origin", "Referer"))
    if asks not in ("cross-site", "same-site") and any(page and not is_loopback(page) for page in pages):
        return True
    return asks is None and _SAYS_WHAT_ASKS.search(agent) is not None


def sender_address(request: Request) -> str:
    """The address that a request was sent from; through a proxy on this machine, the one that the proxy saw."""
    address = request.remote_addr or ""
    forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    return forwarded if is_loopback(address) and is_ip_address(forwarded) else address


def split_url(text: str) -> SplitResult:
    """The parts of a URL from a request; all empty if it is not valid."""
    try:
        return urlsplit(text)
    except ValueError:  # such as a bracket that is never closed
        return urlsplit("")


def client_network(address: str) -> str:
    """What counts as one client: an IPv4 address, or the /64 network of an IPv6 address, as a device has many."""
    if is_ip_address(address) and ":" in address:
        return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))
    return address
