"""Networks of tests: addresses that this machine seems to have, and interfaces of its own in a network of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from flask import Flask

from webui.access.network_switch import NetworkSwitch
from webui.access.own_addresses import OwnAddress
from webui.context.services import services_of


def on_network(monkeypatch: pytest.MonkeyPatch, *addresses: str, seldom: tuple[str, ...] = ()) -> None:
    """Lets this machine seem to have these IPv4 addresses, likely ones first; none if there are none."""
    found = (*(OwnAddress(text, True) for text in addresses), *(OwnAddress(text, False) for text in seldom))

    def own(listens_at: str) -> tuple[OwnAddress, ...]:
        return found if listens_at == "0.0.0.0" else () if listens_at == "::" else (OwnAddress(listens_at, True),)

    for module in ("access.own_addresses", "context.invitation"):
        monkeypatch.setattr(f"webui.{module}.own_addresses", own)


def on_the_network(app: Flask) -> None:
    """Lets a page be one that the network reaches."""
    kept = services_of(app)
    app.extensions["handfoot"] = replace(kept, network=NetworkSwitch("0.0.0.0", kept.access_code))


def in_own_network(setup: str, program: str) -> str:
    """What a Python program prints where only the interfaces exist that a shell script makes; skips where none may."""
    if sys.platform != "linux" or os.geteuid() != 0 or not shutil.which("unshare") or not shutil.which("ip"):
        pytest.skip("only root of a Linux may make network interfaces")
    # the system's own folders show the interfaces of the network in which they were mounted
    script = f'set -e\nmount -t sysfs sysfs /sys\n{setup}\necho made >&2\nexec {sys.executable} -c "$PROGRAM"'
    made = subprocess.run(
        ["unshare", "--net", "--mount", "sh", "-c", script],
        env={**os.environ, "PROGRAM": program},
        capture_output=True,
        text=True,
        check=False,
    )
    if "made" not in made.stderr.splitlines():
        pytest.skip(f"no network of its own can be made here: {made.stderr.strip()[-200:]}")
    assert made.returncode == 0, made.stderr
    return made.stdout
