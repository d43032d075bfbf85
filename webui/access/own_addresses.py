"""The addresses of this machine's network interfaces: by which of them others can reach it, likely ones first."""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from pathlib import Path

import ifaddr

_LINUX = Path("/sys/class/net")
_ETHERNET = "1"
"""The type of Ethernet and of Wi-Fi (ARPHRD_ETHER of Linux); tunnels have others."""
_SELDOM = re.compile(
    r"^(docker|podman|cni|br-|virbr|lxc|lxd|incus|veth|vnet|vmnet|vboxnet|tun|tap|wg|ppp|ipsec|utun|zt|tailscale|ham)\d*"
    r"|vethernet|virtualbox|vmware|hyper-v|wireguard|openvpn|vpn",
    re.IGNORECASE,
)
"""Names of interfaces that lead to virtual machines, containers or a VPN."""


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """``text`` is an IP address of this machine; ``likely`` whether other devices in the house probably reach it: it
    belongs to no VPN, no virtual bridge and no interface that is down."""

    text: str
    likely: bool


def own_addresses(listens_at: str) -> tuple[OwnAddress, ...]:
    """The addresses by which others may reach a server, those first that a phone in the house most probably can.

    Nothing is sent, and no route to anywhere is needed: a machine that is a hotspot of its own has none.

    Args:
        listens_at: ``0.0.0.0`` for all IPv4 addresses, ``::`` for all of IPv6 but those of one link; or one address or
            name, which is all that is returned.
    """
    if listens_at not in ("0.0.0.0", "::"):
        return (OwnAddress(listens_at, True),)
    version = 4 if listens_at == "0.0.0.0" else 6
    default = _default_route_address(version)
    found = []
    for adapter in ifaddr.get_adapters():
        likely = _is_likely(adapter.name, adapter.nice_name)
        for held in adapter.ips:
            address = ipaddress.ip_address(held.ip if isinstance(held.ip, str) else held.ip[0])
            if address.version == version and not address.is_loopback and not (version == 6 and address.is_link_local):
                found.append((address, likely and address not in _SHARED))
    found.sort(key=lambda one: (not one[1], one[0].is_link_local, not one[0].is_private, str(one[0]) != default))
    return tuple(OwnAddress(str(address), likely) for address, likely in found)


def likely_addresses(listens_at: str) -> tuple[str, ...]:
    """Those that others in the house can probably use, or all where there is no such one; arguments as above."""
    found = own_addresses(listens_at)
    return tuple(own.text for own in found if own.likely) or tuple(own.text for own in found)


_SHARED = ipaddress.ip_network("100.64.0.0/10")
"""Of providers, and of VPNs such as Tailscale (RFC 6598)."""


def _is_likely(name: str, nice_name: str) -> bool:
    if _SELDOM.search(name) or _SELDOM.search(nice_name):
        return False
    kind, state = _read(_LINUX / name / "type"), _read(_LINUX / name / "operstate")
    return kind in (None, _ETHERNET) and state not in ("down", "lowerlayerdown")


def _read(path: Path) -> str | None:
    """The word in a file of the system; None where there is no such file, as on other systems."""
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return None


def _default_route_address(version: int) -> str | None:
    """The address that packets to elsewhere leave from; None without such a route. Nothing is sent."""
    family, elsewhere = (socket.AF_INET, "192.0.2.1") if version == 4 else (socket.AF_INET6, "2001:db8::1")
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:  # both are reserved for documentation
            probe.connect((elsewhere, 9))
            return str(probe.getsockname()[0])
    except OSError:
        return None
