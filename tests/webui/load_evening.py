"""A club evening under load: ``python -m tests.webui.load --evening 40 --minutes 10``.

So many tables of Golden Games on PostgreSQL, which must be installed. At each a phone that was let in for that table
confirms its names, types both sides' totals of a round every minute or so and agrees for both; once all its rounds are
agreed, it corrects one after another in the same way, so that scores keep coming to the end. Two people of each table
look on at the results and one at the table's page, as ``follow.js`` does: they ask for the version every 5 s, and load
the page when it has changed. The coordinator's page is followed too. Printed is what ``tests.webui.load`` prints.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from tests.process_memory import memory
from tests.webui.benchmark import wait
from tests.webui.helpers.evenings import begin, evening, seat
from tests.webui.helpers.postgres import Cluster, missing
from tests.webui.load import BETWEEN_POLLS, Log, Phone, entrance_of
from tests.webui.test_cli import free_port
from webui.storage.store import Store

ONLOOKERS = 3
ROUND_SECONDS = 60.0
"""Mean time from one round of a table to the next."""


@dataclass(frozen=True)
class Form:
    """A form of a page: where it goes and its hidden fields."""

    action: str
    hidden: dict[str, str]


def form_of(page: str, about: str) -> Form | None:
    """The first form of a page that has the text ``about``."""
    for action, inside in re.findall(r'<form[^>]*action="([^"]+)"[^>]*>(.*?)</form>', page, re.DOTALL):
        if about in action + inside:
            fields = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', inside)
            return Form(unescape(action), {name: unescape(value) for name, value in fields})
    return None


class Table(Phone):
    """The phone of a table: types and agrees the rounds of its game."""

    def __init__(self, port: int, number: int, entrance: str, log: Log, path: str, game: int) -> None:
        super().__init__(port, number, entrance, log)
        self.path, self.game, self.rounds = path, game, 0
        threading.Thread(target=self._play, args=(random.Random(number),), daemon=True).start()

    def _play(self, chance: random.Random) -> None:
        time.sleep(chance.uniform(0, ROUND_SECONDS))
        self._send(self.ask("page", "GET", self.path), "/names")
        while self.log.open:
            self._score(self.rounds % 4 + 1, chance)
            if self.log.open:
                self.rounds += 1
            self._pause(chance.uniform(0.6, 1.4) * ROUND_SECONDS)

    def _score(self, number: int, chance: random.Random) -> None:
        page = self.ask("page", "GET", f"/game/{self.game}/")
        if self.rounds < 4:
            self._send(page, f"/round/{number}/begin")
        round_path = f"/game/{self.game}/round/{number}"
        for side in (0, 1):
            page = self.ask("page", "GET", f"{round_path}/side/{side}/typed/points")
            self._pause(chance.uniform(1, 3))
            self._send(page, 'name="way"', way="total", total=str(5 * chance.randrange(400)))
        for side in (0, 1):
            page = self.ask("page", "GET", f"{round_path}/anyway?side={side}")
            self._pause(chance.uniform(1, 3))
            self._send(page, 'name="over"', agree=str(side))

    def _pause(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while self.log.open and time.monotonic() < until:
            time.sleep(0.2)

    def _send(self, page: str, about: str, **fields: str) -> None:
        if not self.log.open:
            return
        form = form_of(page, about)
        if form is None:
            self.log.errors.append(f"table {self.path}: no form with {about}")
        else:
            self.post("edit", form.action, **form.hidden, **fields)


class Onlooker(Phone):
    """A phone that follows a page of the evening by asking for its version."""

    def __init__(self, port: int, number: int, entrance: str, log: Log, path: str) -> None:
        super().__init__(port, number, entrance, log)
        self.path, self.version = path, 0
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        self._look()
        time.sleep(random.uniform(0, BETWEEN_POLLS))
        while self.log.open:
            found = re.search(r'"version":(\d+)', self.ask("poll", "GET", f"{self.path}version"))
            if found and int(found[1]) > self.version:
                self._look()
            time.sleep(BETWEEN_POLLS)

    def _look(self) -> None:
        kind = "results" if "results" in self.path else "page"
        if found := re.search(r'data-version="(\d+)"', self.ask(kind, "GET", self.path)):
            self.version = int(found[1])


def play_evening(minutes: float, tables: int) -> int:
    if why := missing():
        print(why, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # the database server may run as another user
        cluster = Cluster(folder / "server")
        cluster.start()
        try:
            return _serve(folder / "data", cluster, minutes, tables)
        finally:
            cluster.stop()


def _serve(folder: Path, cluster: Cluster, minutes: float, count: int) -> int:
    store = Store(folder, cluster.address)
    begin(store, tuple(f"Team {number}" for number in range(1, 2 * count + 1)))
    seat(store, 1, 1)
    tables = [(f"/t/{store.events.key(1, n)}", store.events.game_at(1, n) or 0) for n in range(1, count + 1)]
    port = free_port()
    arguments = ["serve", "--lan", "--data", str(folder), "--port", str(port), "--camera", "none"]
    command = [sys.executable, "-m", "webui.cli", *arguments, "--database", cluster.address]
    log = Log()
    with subprocess.Popen(command, env={**os.environ, "PYTHONUNBUFFERED": "1"}, stderr=subprocess.DEVNULL) as server:
        try:
            wait(port)
            entrance = entrance_of(folder)
            path = "/evening/1/"
            phones = [Table(port, n, key, log, f"{path}table/{n}/", game) for n, (key, game) in enumerate(tables, 1)]
            looking = [Onlooker(port, 250, entrance, log, path)]
            for n, (key, _) in enumerate(tables, 1):
                ways = [(entrance, f"{path}results/")] * (ONLOOKERS - 1) + [(key, f"{path}table/{n}/")]
                numbers = range(count + ONLOOKERS * (n - 1), count + ONLOOKERS * n)
                looking += [Onlooker(port, at, way, log, to) for at, (way, to) in zip(numbers, ways, strict=True)]
            for minute in range(1, max(round(minutes), 1) + 1):
                time.sleep(min(60.0, 60 * minutes))
                held, rounds = memory(str(server.pid)), sum(phone.rounds for phone in phones)
                print(f"minute {minute}: {held:.0f} MB, {rounds} rounds, {len(log.errors)} errors", flush=True)
            log.open = False
            time.sleep(2)
        finally:
            server.terminate()
    print("\n".join(log.lines()))
    again = store.events.agreed_again(1)
    corrections = len(again) - len({(one.table, one.round) for one in again})
    agreed = sum(len(of) for of in evening(store, 1).results.values()) + corrections
    store.close()
    told = sum(phone.rounds for phone in phones)
    print(f"{len(log.errors)} errors {log.errors[:5]}; {told} rounds sent, {agreed} agreed")
    return 1 if log.errors or not told <= agreed <= told + count else 0
