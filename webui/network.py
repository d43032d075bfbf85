"""The address by which phones of the same network reach this machine."""

from __future__ import annotations

import ipaddress
import socket

EVERYWHERE = ("0.0.0.0", "::")


def network_address() -> str | None:
    """The address other machines of the network reach this one by; asking the routing table sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for documentation (RFC 5737)
        except OSError:
            return None
        return str(probe.getsockname()[0])


def is_here_alone(host: str) -> bool:
    """Whether nobody but this machine itself reaches a page that answers at that host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
