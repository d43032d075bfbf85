"""Measures the response time and size of each page with 200 stored games: ``python -m tests.webui.benchmark``.

Prints for each page the first response time, the median and the slowest of the others (milliseconds to the
first byte), and its size with everything it loads (kB). Timings depend on the machine; no test asserts them.
"""

from __future__ import annotations

import http.client
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.webui.helpers.played_games import fill
from tests.webui.test_cli import free_port
from webui.storage.store import Store

GAMES = 200
TIMES = 15
SETTLE = 5  # seconds after the start, for warming up
PAGES = (
    "/",
    "/?page=5",
    "/new",
    "/game/200/",
    "/game/200/television",
    "/game/200/log",
    "/game/200/rules?to=tanglewood",
    "/game/200/names",
    "/game/200/pad",
    "/game/200/join",
    "/game/200/first-meld/",
    "/game/200/round/1/tally",
    "/game/200/round/1/out",
    "/statistics",
    "/statistics?by=sides&rules=golden-games",
    "/rules/",
    "/rules/golden-games",
    "/display",
    "/games.csv",
)


def first_byte(port: int, path: str) -> tuple[float, bytes]:
    """The time to the first byte in milliseconds, and the page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    begun = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    took = (time.perf_counter() - begun) * 1000
    data = answer.read()
    connection.close()
    assert answer.status == 200, (path, answer.status)
    return took, data


def weight(port: int, page: bytes) -> int:
    """The bytes of a page and everything it loads, scripts loaded by scripts included, photos excluded."""
    wanted = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.decode())
    loaded: dict[str, int] = {}
    while wanted:
        path = wanted.pop()
        if path not in loaded:
            _, data = first_byte(port, path)
            loaded[path] = len(data)
            if path.endswith(".js"):
                wanted += [f"/static/{name}" for name in re.findall(r'from "\./([^"]+)"', data.decode())]
    return len(page) + sum(loaded.values())


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        fill(store, GAMES)
        store.close()
        port = free_port()
        server = subprocess.Popen([sys.executable, "-m", "tests.webui.helpers.served", folder, str(port), "drawn"])
        try:
            wait(port)
            time.sleep(SETTLE)
            print(f"{'page':<42}{'first':>8}{'median':>8}{'slowest':>8}{'kB':>7}")
            for path in PAGES:
                first, page = first_byte(port, path)
                later = [first_byte(port, path)[0] for _ in range(TIMES)]
                shown = f"{path:<42}{first:8.1f}{statistics.median(later):8.1f}{max(later):8.1f}"
                print(
                    f"{shown}{weight(port, page) / 1000:7.1f}" if page.startswith(b"<!doctype") else shown, flush=True
                )
        finally:
            server.terminate()
            server.wait(20)


def wait(port: int) -> None:
    """Waits until the server answers."""
    for _ in range(1200):
        try:
            first_byte(port, "/static/icon.svg")
            return
        except OSError:
            time.sleep(0.1)
    raise AssertionError("nothing answers")


if __name__ == "__main__":
    main()
