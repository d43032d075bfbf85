"""Which addresses of this machine are offered to phones, in networks that are made for it."""

from __future__ import annotations

import json

import pytest

from tests.webui.helpers.networks import in_own_network
from webui.access import own_addresses as module

PRINT = """
import json
from webui.access.own_addresses import own_addresses, likely_addresses
print(json.dumps({at: [[own.text, own.likely] for own in own_addresses(at)] for at in ("0.0.0.0", "::")}))
"""
LINK = "ip link add {0} type veth peer name to-{0} && ip link set {0} up && ip link set to-{0} up"
"""An interface as of a network card or Wi-Fi, with somebody at its other end."""
BRIDGE = "ip link add {0} type bridge && ip link set {0} up"
TUNNEL = "ip tuntap add dev {0} mode tun && ip link set {0} up"


def addresses(*setup: str) -> dict[str, list[tuple[str, bool]]]:
    found = json.loads(in_own_network("\n".join(setup), PRINT))
    return {at: [(text, likely) for text, likely in ways] for at, ways in found.items()}


def test_a_hotspot_of_its_own_has_an_address_without_any_route() -> None:
    found = addresses(LINK.format("wlan0"), "ip addr add 10.42.0.1/24 dev wlan0", 'test -z "$(ip route show default)"')
    assert found["0.0.0.0"] == [("10.42.0.1", True)]


def test_a_vpn_that_holds_the_default_route_comes_last_whatever_its_name() -> None:
    found = addresses(
        TUNNEL.format("home"),
        "ip addr add 10.8.0.2/24 dev home && ip route add default dev home",
        LINK.format("eth0"),
        "ip addr add 192.168.1.5/24 dev eth0",
    )
    assert found["0.0.0.0"] == [("192.168.1.5", True), ("10.8.0.2", False)]


def test_private_ones_come_first_and_virtual_bridges_last() -> None:
    found = addresses(
        BRIDGE.format("docker0"),
        "ip addr add 172.17.0.1/16 dev docker0",
        LINK.format("eth0"),
        "ip addr add 1.2.3.4/24 dev eth0",
        "ip addr add 100.80.1.2/32 dev eth0",
        LINK.format("eth1"),
        "ip addr add 169.254.7.7/16 dev eth1",
        LINK.format("wlan0"),
        "ip addr add 10.42.0.1/24 dev wlan0",
        LINK.format("eth2"),
        "ip addr add 192.168.1.5/24 dev eth2 && ip route add default dev eth2",
        LINK.format("eth3"),
        "ip addr add 192.168.9.9/24 dev eth3 && ip link set to-eth3 down",
    )
    likely, last = (
        [text for text, is_likely in found["0.0.0.0"] if is_likely],
        {text for text, is_likely in found["0.0.0.0"] if not is_likely},
    )
    assert likely == ["192.168.1.5", "10.42.0.1", "1.2.3.4", "169.254.7.7"]
    assert last == {"172.17.0.1", "100.80.1.2", "192.168.9.9"}
    assert [text for text, _ in found["0.0.0.0"]][: len(likely)] == likely


def test_of_ipv6_those_of_one_link_are_left_out_and_only_its_own_kind_is_named() -> None:
    found = addresses(
        LINK.format("eth0"),
        "ip addr add fd00::5/64 dev eth0 nodad && ip addr add fe80::5/64 dev eth0 nodad",
        "ip addr add 192.168.1.5/24 dev eth0",
    )
    assert found == {"0.0.0.0": [("192.168.1.5", True)], "::": [("fd00::5", True)]}


def test_without_a_network_there_is_none() -> None:
    assert addresses("ip link set lo up") == {"0.0.0.0": [], "::": []}


@pytest.mark.parametrize(
    ("name", "nice_name"),
    [("tailscale0", "tailscale0"), ("utun3", "utun3"), ("{8F-1}", "vEthernet (WSL)"), ("{9}", "VirtualBox Host-Only")],
)
def test_vpns_and_virtual_machines_of_other_systems_are_told_by_name(name: str, nice_name: str) -> None:
    assert not module._is_likely(name, nice_name)
    assert module._is_likely("{1}", "Intel(R) Wi-Fi 6 AX201") and module._is_likely("en0", "en0")


def test_where_only_a_vpn_is_left_that_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "own_addresses", lambda _: (module.OwnAddress("10.8.0.2", False),))
    assert module.likely_addresses("0.0.0.0") == ("10.8.0.2",)
