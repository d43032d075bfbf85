"""Where this machine stands in its network: its address, its names, and who asks from it or from elsewhere."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import SplitResult, urlsplit

from werkzeug.wrappers import Request

EVERYWHERE = ("0.0.0.0", "::")
_HOME_DOMAINS = ("local", "lan", "home", "home.arpa", "internal", "localdomain")
"""What routers and mDNS put behind a machine's name; none of them can be registered by anybody."""
_FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")


def network_address() -> str | None:
    """The address other machines of the network reach this one by; asking the routing table sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation (RFC 5737)
        except OSError:
            return None
        return str(probe.getsockname()[0])


def own_names() -> tuple[str, ...]:
    """The names by which browsers of the same network call this machine."""
    name = socket.gethostname().lower()
    first = name.partition(".")[0]
    return (name, first, *(f"{first}.{domain}" for domain in _HOME_DOMAINS))


def is_address(host: str) -> bool:
    """Whether it is a plain IP address; no other site can ever answer under one."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_here_alone(host: str) -> bool:
    """Whether nobody but this machine itself reaches a page that answers at that host."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)


def comes_from_here(request: Request, host: str) -> bool:
    """Whether a request to a host name was made on this machine itself.

    What a proxy passes on was made elsewhere, even where the proxy runs here.
    """
    if any(header in request.headers for header in _FORWARDED):
        return False
    return is_here_alone(request.remote_addr or "") and is_here_alone(host)


def split_address(text: str) -> SplitResult:
    """The parts of an address that somebody sent; where it is none, there are none."""
    try:
        return urlsplit(text)
    except ValueError:  # such as a bracket that is never closed
        return urlsplit("")


def neighbour(address: str) -> str:
    """What counts as one guest: an IPv4 address, or the /64 network of an IPv6 address, of which a device has many."""
    if is_address(address) and ":" in address:
        return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))
    return address
