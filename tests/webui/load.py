"""Load test: phones that follow, others that edit, and a scan every few seconds: ``python -m tests.webui.load``.

Serves the page with the shipped reader. Each phone is admitted by the QR code's key as a device of its own. Followers
do what ``follow.js`` does: they hold an event stream, or poll every 5 s where none is free, and load the game's page at
each change. Prints every minute and at the end: response times by kind (milliseconds for the whole answer), errors,
followers that missed the last change, and the memory of the server and of its decoder. The figures depend on the
machine and its load; no test asserts them. The exit code is 1 where there was an error.

With ``--evening``, a club evening in place of single games: see ``tests.webui.load_evening``.
"""

from __future__ import annotations

import argparse
import http.client
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

import cv2
import numpy as np

from tests.process_memory import memory
from tests.webui.benchmark import wait
from tests.webui.helpers.played_games import fill
from tests.webui.test_cli import free_port
from webui.access.access_code import AccessCode
from webui.settings import SAMPLES
from webui.storage.store import Store

TABLES = 8
"""The number of games, each edited by one phone and followed by several."""
BETWEEN_EDITS, BETWEEN_POLLS, BETWEEN_SCANS = 5.0, 5.0, 5.0


@dataclass
class Log:
    """The response times and errors of all devices. Thread-safe."""

    replies: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)
    open: bool = True

    def replied(self, kind: str, begun: float) -> None:
        self.replies[kind].append(1000 * (time.perf_counter() - begun))

    def lines(self) -> list[str]:
        kinds = {kind: list(times) for kind, times in sorted(self.replies.items())}
        kinds["all but scans"] = [one for kind, times in kinds.items() if kind != "scan" for one in times]
        return [
            f"{kind:<14}{len(times):7} replies, median {statistics.median(times):6.0f} ms, "
            f"95 of 100 within {sorted(times)[int(0.95 * len(times))]:6.0f} ms, slowest {max(times):6.0f} ms"
            for kind, times in kinds.items()
            if times
        ]


class Phone:
    """One device of the network, admitted by the address ``entrance``."""

    def __init__(self, port: int, number: int, entrance: str, log: Log) -> None:
        self.port, self.log, self.cookie = port, log, ""
        self._headers = {
            "X-Forwarded-For": f"192.168.7.{number}",
            "Accept": "text/html,*/*",
        }  # as from another machine
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.ask("enter", "GET", entrance)

    @property
    def headers(self) -> dict[str, str]:
        """What makes a request this device's."""
        return {**self._headers, "Cookie": self.cookie}

    def ask(self, kind: str, method: str, path: str, body: bytes = b"", about: str = "") -> str:
        """Sends a request and follows redirects. Returns the page; records errors."""
        begun = time.perf_counter()
        try:
            headers = {**self.headers, **({"Content-Type": about} if about else {})}
            self._line.request(method, path, body or None, headers)
            answer = self._line.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._line.close()
            self.log.errors.append(f"{kind} {path}: {error!r}")
            return ""
        self.log.replied(kind, begun)
        if cookie := answer.getheader("Set-Cookie"):
            self.cookie = cookie.split(";")[0]
        if answer.status in (302, 303):
            return self.ask("page", "GET", str(answer.getheader("Location")))
        if answer.status >= 400:
            self.log.errors.append(f"{kind} {path}: {answer.status}")
        return data.decode("utf-8", "replace")

    def post(self, kind: str, path: str, **fields: str) -> str:
        return self.ask(kind, "POST", path, urlencode(fields).encode(), "application/x-www-form-urlencoded")


class Follower(Phone):
    """Loads a game's page, and loads it again when the game changes."""

    def __init__(self, port: int, number: int, entrance: str, log: Log) -> None:
        super().__init__(port, number, entrance, log)
        self.game, self.version = 1 + number % TABLES, 0
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        self._look()
        while self.log.open:
            if not self._stream():
                until = time.monotonic() + 60
                while self.log.open and time.monotonic() < until:
                    time.sleep(BETWEEN_POLLS)
                    found = re.search(r'"version":(\d+)', self.ask("poll", "GET", f"/game/{self.game}/version"))
                    if found and int(found[1]) > self.version:
                        self._look()

    def _look(self) -> None:
        if found := re.search(r'data-version="(\d+)"', self.ask("page", "GET", f"/game/{self.game}/")):
            self.version = int(found[1])

    def _stream(self) -> bool:
        """Keeps an event stream open until it ends. Returns whether there was one."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            line.request("GET", f"/game/{self.game}/live?since={self.version}", headers=self.headers)
            answer = line.getresponse()
            while self.log.open and (event_line := answer.readline()):
                if event_line.startswith(b"event: full"):
                    return False
                if event_line.startswith(b"event: change"):
                    self._look()
        except OSError as error:
            self.log.errors.append(f"stream: {error!r}")
        finally:
            line.close()
        return True


class Editor(Phone):
    """Adds a card to a side of its game and undoes that, again and again."""

    def __init__(self, port: int, number: int, entrance: str, log: Log, game: int) -> None:
        super().__init__(port, number, entrance, log)
        self.round = f"/game/{game}/round/9"
        threading.Thread(target=self._edit, args=(number % 5,), daemon=True).start()

    def _edit(self, begin: float) -> None:
        time.sleep(begin)
        side = f"{self.round}/side/0"
        while self.log.open:
            page = self.ask("page", "GET", f"{side}/")
            token = re.search(r'name="token" value="([^"]+)"', page)
            entry = re.search(r'name="entry" value="(\d+)"', page)
            if token and entry and "3 of hearts" in page:
                self.post("edit", f"{self.round}/undo", token=token[1], entry=entry[1])
            elif token:
                self.post("edit", f"{side}/change", token=token[1], op="add", group="left0", face="3H")
            time.sleep(BETWEEN_EDITS)


class Scanner(Phone):
    """Sends a photo of a table every few seconds, each to a new game."""

    def __init__(self, port: int, number: int, entrance: str, log: Log) -> None:
        super().__init__(port, number, entrance, log)
        table = cv2.imread(str(SAMPLES / "1-north-south-table.jpg"))
        assert table is not None
        self._table, self._noise = table, np.random.default_rng(1)
        threading.Thread(target=self._scan, daemon=True).start()

    def _scan(self) -> None:
        due = time.monotonic()
        while self.log.open:
            due += BETWEEN_SCANS
            token = re.search(r'name="token" value="([^"]+)"', self.ask("page", "GET", "/new"))
            if token:
                page = self.post("edit", "/new", token=token[1])
                game = re.search(r"/game/(\d+)/round/1/begin", page)
                if game:
                    self.post("edit", game[0], token=token[1])
                    begun = time.perf_counter()
                    page = self._send(f"/game/{game[1]}/round/1/side/0/photos", token[1])
                    while "This page will move on by itself" in page and self.log.open:  # it waits for its turn
                        time.sleep(1)
                        page = self.ask("page", "GET", self._waits)
                    self.log.replied("scan", begun)
                    if 'class="photo"' not in page:
                        self.log.errors.append("a scan gave no cards")
            time.sleep(max(due - time.monotonic(), 0))

    def _send(self, path: str, token: str) -> str:
        self._table[:8, :8] = self._noise.integers(0, 255, (8, 8, 3))  # no two photos are the same
        data = cv2.imencode(".jpg", self._table)[1].tobytes()
        boundary = "----one"
        part = f"--{boundary}\r\nContent-Disposition: form-data; name="
        body = f'{part}"token"\r\n\r\n{token}\r\n{part}"photos"; filename="a.jpg"\r\n\r\n'.encode() + data
        return self.ask(
            "upload",
            "POST",
            path,
            body + f"\r\n--{boundary}--\r\n".encode(),
            f"multipart/form-data; boundary={boundary}",
        )

    def ask(self, kind: str, method: str, path: str, body: bytes = b"", about: str = "") -> str:
        self._waits = path
        return super().ask(kind, method, path, body, about)


def entrance_of(folder: Path) -> str:
    """The address by which phones are let in to the page on a data folder."""
    return f"/enter/{AccessCode(folder).secrets.key}"


def decoder_of(server: subprocess.Popen[bytes]) -> float:
    """The memory of the server's decoder process, in MB."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").parent.parent
    found = {child for task in children.iterdir() for child in (task / "children").read_text().split()}
    return sum(memory(child) for child in found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--followers", type=int, default=50)
    about = "a club evening of so many tables (40 if none is given) on PostgreSQL"
    parser.add_argument("--evening", type=int, nargs="?", const=40, choices=range(1, 101), metavar="TABLES", help=about)
    arguments = parser.parse_args()
    if arguments.evening:
        from tests.webui.load_evening import play_evening

        return play_evening(arguments.minutes, arguments.evening)
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        fill(store, TABLES)
        for game in range(1, TABLES + 1):
            store.rounds.begin(game, 9)
        store.close()
        entrance, port = entrance_of(Path(folder)), free_port()
        server = subprocess.Popen([sys.executable, "-m", "tests.webui.helpers.served", folder, str(port), "shipped"])
        try:
            wait(port)
            return play(port, entrance, server, arguments.minutes, arguments.followers)
        finally:
            server.terminate()
            server.wait(20)


def play(port: int, entrance: str, server: subprocess.Popen[bytes], minutes: float, count: int) -> int:
    log = Log()
    editors = [Editor(port, number, entrance, log, number + 1) for number in range(TABLES)]
    followers = [Follower(port, len(editors) + number, entrance, log) for number in range(count)]
    Scanner(port, 250, entrance, log)
    begun = time.monotonic()
    minute = 0
    while time.monotonic() - begun < 60 * minutes:
        time.sleep(min(60.0, 60 * minutes))
        minute += 1
        held = memory(str(server.pid)), decoder_of(server)
        print(f"minute {minute}: {held[0]:.0f} MB, decoder {held[1]:.0f} MB, {len(log.errors)} errors", flush=True)
    for editor in editors:
        editor.round = "/game/0/round/9"  # no more edits, so that everybody can catch up
    before = len(log.errors)
    time.sleep(2 * BETWEEN_POLLS + 5)
    last = {one.game: max(other.version for other in followers if other.game == one.game) for one in followers}
    late = [one for one in followers if one.version < last[one.game]]
    log.open = False
    del log.errors[before:]
    print("\n".join(log.lines()))
    print(
        f"{len(log.errors)} errors {log.errors[:5]}, {len(late)} of {len(followers)} followers missed the last change"
    )
    return 1 if log.errors or late else 0


if __name__ == "__main__":
    sys.exit(main())
