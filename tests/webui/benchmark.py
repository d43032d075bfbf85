"""Measures the response time and size of each page with many stored games: ``python -m tests.webui.benchmark``.

For each page: the first response time, the median and the slowest of the others (milliseconds to the first byte), the
median of the whole answer, and its size with everything it loads (kB). Then the pages that go over all games, each
right after a start of its own. Timings depend on the machine; no test asserts them.
"""

from __future__ import annotations

import argparse
import http.client
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.webui.helpers.played_games import fill, fill_many
from tests.webui.test_cli import free_port
from webui.games.results.results_file import FILE_NAME
from webui.storage.store import Store

GAMES = 2000
TIMES = 15
SETTLE = 5  # seconds after the start, for warming up
LONGEST = 600
"""Seconds that the first count of all rounds may take on a busy machine, before something is wrong."""
ALL_GAMES = (
    "/statistics",
    "/statistics?by=sides&rules=golden-games",
    "/games.csv",
    "/games.json",
    "/",
    "/?page=5",
    "/new",
)
"""Pages that go over all games."""
PAGES = (
    *ALL_GAMES,
    "/game/1/",
    "/game/1/pad",
    "/game/1/log",
    "/game/1/game.csv",
    "/game/{last}/",
    "/game/{last}/television",
    "/game/{last}/log",
    "/game/{last}/rules?to=tanglewood",
    "/game/{last}/names",
    "/game/{last}/pad",
    "/game/{last}/join",
    "/game/{last}/first-meld/",
    "/game/{last}/round/1/tally",
    "/game/{last}/round/1/out",
    "/camera/",
    "/safe/",
    "/rules/",
    "/rules/golden-games",
    "/display",
)
"""The last game is the only one that goes on."""


def first_byte(port: int, path: str) -> tuple[float, bytes]:
    """The time to the first byte in milliseconds, and the page."""
    first, _, data = timed(port, path)
    return first, data


def timed(port: int, path: str) -> tuple[float, float, bytes]:
    """The times to the first byte and to the last in milliseconds, and the page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    begun = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    first = (time.perf_counter() - begun) * 1000
    data = answer.read()
    whole = (time.perf_counter() - begun) * 1000
    connection.close()
    assert answer.status == 200, (path, answer.status)
    return first, whole, data


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
                wanted += [
                    f"{path.rpartition('/')[0]}/{name}" for name in re.findall(r'from "\./([^"]+)"', data.decode())
                ]
    return len(page) + sum(loaded.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=GAMES, metavar="N", help="stored games (default: %(default)s)")
    parser.add_argument("--toy", action="store_true", help="three games, each page twice, one more start: in seconds")
    options = parser.parse_args()
    games, times, settle, starts = (
        (3, 1, 0, ALL_GAMES[:1]) if options.toy else (options.games, TIMES, SETTLE, ALL_GAMES)
    )
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder))
        fill_many(store, games - 1)
        fill(store, 1)
        store.close()
        begun = time.perf_counter()
        with served(folder) as port:
            while not (Path(folder) / FILE_NAME).exists():
                time.sleep(0.1)
                if time.perf_counter() - begun > LONGEST:
                    raise AssertionError(f"the rounds were not scored within {LONGEST} s")
            print(f"all rounds were scored {time.perf_counter() - begun:.0f} s after the first start")
            time.sleep(settle)
            print(f"{'page':<42}{'first':>8}{'median':>8}{'slowest':>8}{'whole':>8}{'kB':>7}")
            for path in (path.format(last=games) for path in PAGES):
                measure(port, path, times)
        for path in starts:
            with served(folder) as port:
                print(f"{path:<42}{timed(port, path)[1]:8.0f} ms right after a start", flush=True)


@contextmanager
def served(folder: str) -> Iterator[int]:
    """Serves a data folder until the block ends; yields the port."""
    port = free_port()
    server = subprocess.Popen([sys.executable, "-m", "tests.webui.helpers.served", folder, str(port), "drawn"])
    try:
        wait(port)
        yield port
    finally:
        server.terminate()
        server.wait(20)


def measure(port: int, path: str, times: int) -> None:
    """Prints the line of a page, which is asked for so many times after the first."""
    first, page = first_byte(port, path)
    later = [timed(port, path) for _ in range(times)]
    begins = [begin for begin, _, _ in later]
    whole = statistics.median(whole for _, whole, _ in later)
    shown = f"{path:<42}{first:8.1f}{statistics.median(begins):8.1f}{max(begins):8.1f}{whole:8.1f}"
    print(f"{shown}{weight(port, page) / 1000:7.1f}" if page.startswith(b"<!doctype") else shown, flush=True)


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
