"""The machine of a club evening in a process of its own, and what phones at its tables do."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.vision.cameras.test_watcher import wait_for
from tests.webui.helpers.browsing import ROOT, press
from tests.webui.helpers.game_pages import agree
from tests.webui.test_cli import free_port
from webui.storage.store import Store


class Machine:
    """The page in a process of its own, as on a network; its power can be cut.

    A phone of the network is told from this machine by the header that a proxy adds, so that no network is needed.
    """

    def __init__(self, folder: Path, database: str | None = None) -> None:
        self.folder, self.database, self.port = folder, database, free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        served = ["tests.webui.helpers.served", str(self.folder), str(self.port), "drawn", "none", "0.0.0.0"]
        environment = {**os.environ, "HANDFOOT_DATABASE": self.database or ""}
        self._process = subprocess.Popen([sys.executable, "-m", *served], cwd=ROOT, env=environment)
        wait_for(self._answers)

    def _answers(self) -> bool:
        assert self._process.poll() is None, "the page did not start"
        with suppress(OSError), urllib.request.urlopen(f"{self.base}/healthz", timeout=5):
            return True
        return False

    def end(self) -> None:
        """Kills it with SIGKILL."""
        self._process.kill()
        self._process.wait()

    def lose_power(self) -> None:
        """Kills it in the middle of whatever it does, and starts it again."""
        self.end()
        self.start()


def phone_at(machine: Machine, store: Store, table: int, visit: Callable[..., Any]) -> Any:
    """A phone that was pointed at the card of a table, whose people say that it is they."""
    phone = visit("phone", extra_http_headers={"X-Forwarded-For": f"192.168.1.{100 + table}"})
    phone.goto(f"{machine.base}/t/{store.events.key(1, table)}")
    press(phone, "Yes, that is us")
    return phone


def type_totals(phone: Any, round_: str, totals: Iterable[int]) -> None:
    for side, total in enumerate(totals):
        phone.goto(f"{round_}/side/{side}/typed/points")
        phone.get_by_label("Just the total").check()
        phone.locator("input[name=total]").fill(str(total))
        press(phone, "Save the points")


def agree_on(phone: Any, base: str, game: int, number: int, names: Iterable[str]) -> None:
    """Lets these sides agree on a round, each by itself."""
    phone.goto(f"{base}/game/{game}/round/{number}/check")
    for name in names:
        agree(phone, name)
