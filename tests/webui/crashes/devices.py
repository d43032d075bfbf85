"""Simulated devices: each plays its own game and a shared one, and remembers what was agreed."""

from __future__ import annotations

import http.client
import random
import re
import threading
import time
import urllib.parse
from dataclasses import dataclass, field, replace
from typing import Any

from tests.webui.helpers.drawn import NO_CARDS, marked, photo
from webui.corrections.side_table import LOOSE

SENT_PHOTO = photo(NO_CARDS)
_TIMEOUT = 120.0


@dataclass(frozen=True, slots=True)
class Step:
    """A request of a device: its kind, a token that identifies it in the stored data, and the game."""

    what: str
    token: str
    game: str = ""
    confirmed: bool = False


class StepLog:
    """What devices asked for, in order, and what the server has confirmed. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._steps: list[Step] = []

    def add(self, step: Step) -> int:
        with self._lock:
            self._steps.append(step)
            return len(self._steps) - 1

    def confirm(self, number: int, **known: str) -> None:
        with self._lock:
            self._steps[number] = replace(self._steps[number], confirmed=True, **known)

    def refuse(self, number: int) -> None:
        """Marks a step as refused, so that it must not be stored; the server may have accepted it before."""
        with self._lock:
            refused = "refused " + self._steps[number].what
            self._steps[number] = replace(self._steps[number], what=refused, confirmed=False)

    def steps(self) -> list[Step]:
        with self._lock:
            return list(self._steps)


class ServerGone(Exception):
    """The server does not answer (any more)."""


class Refused(Exception):
    """The server refused a request with a sentence."""


@dataclass(slots=True)
class Device:
    """A browser with cookies; ``refusals`` collects the sentences with which requests were refused."""

    name: str
    step_log: StepLog
    port: int
    seed: int
    refusals: list[str] = field(default_factory=list)
    cookie: str = ""
    token: str = ""
    _count: int = 0

    def play(self, shared: str, stopped: threading.Event) -> None:
        """Plays random games until the server is gone or ``stopped`` is set."""
        rng = random.Random(self.seed)
        try:
            self._read_token()
            while not stopped.is_set():
                self._game(rng, shared, stopped)
        except ServerGone:
            pass

    def begin_shared(self) -> str:
        """Begins the game that all devices write to. Returns its id."""
        self._read_token()
        where = self._do(Step("game", "shared"), "/new", {"side0": "shared-a", "side1": "shared-b"})
        assert where is not None
        game = where.rstrip("/").rsplit("/", 1)[-1]
        self._do(Step("round", f"{game}/1", game), f"/game/{game}/round/1/begin", {})
        return game

    def _game(self, rng: random.Random, shared: str, stopped: threading.Event) -> None:
        name = self._new_token("g")
        where = self._do(Step("game", name), "/new", {"side0": f"{name}-a", "side1": f"{name}-b"})
        if where is None:
            return
        game = where.rstrip("/").rsplit("/", 1)[-1]
        for number in (1, 2):
            begun = self._do(Step("round", f"{game}/{number}", game), f"/game/{game}/round/{number}/begin", {})
            if begun is None:
                return
            here = f"/game/{game}/round/{number}"
            for _ in range(rng.randint(3, 8)):
                if stopped.is_set():
                    return
                self._random_step(rng, game, here, shared)
            self._agree(game, here)
        names = self._new_token("n")
        self._do(Step("names", names, game), f"/game/{game}/names", {"side0": names})

    def _random_step(self, rng: random.Random, game: str, here: str, shared: str) -> None:
        side = f"{here}/side/{rng.randrange(2)}"
        match rng.randrange(6):
            case 0:
                self.send_photo(game, side)
            case 1:
                count = str(rng.randrange(1, 99))
                self._do(
                    Step("deals", count, f"{game} {here}"), f"{here}/facts", {"exact_deals0": count, "seen": "999999"}
                )
            case 2 if shared:
                self._correct(shared, f"/game/{shared}/round/1/side/0")
            case 3:
                if token := self._correct(game, side):
                    self._undo(game, here, side, token)
            case _:
                self._correct(game, side)

    def _correct(self, game: str, side: str) -> str | None:
        """Adds a card where nobody else does: the place is the token."""
        token = str(float(self._next() * 100 + int(self.name[1:])))
        added = {"op": "add", "group": LOOSE, "face": "8H", "x": token, "seen": "999999"}
        done = self._do(Step("correction", token, game), f"{side}/change", added)
        return token if done is not None else None

    def _undo(self, game: str, here: str, side: str, token: str) -> None:
        entry = re.search(r'name="entry" value="(\d+)"', self.open(f"{side}/"))
        if entry:
            self._do(Step("undo", token, game), f"{here}/undo", {"entry": entry[1]})

    def send_photo(self, game: str, side: str) -> None:
        token = self._new_token("p")
        self._do(Step("photo", token, game), f"{side}/photos", {}, marked(SENT_PHOTO, token), look=True)

    def _agree(self, game: str, here: str) -> None:
        shown = dict(re.findall(r'name="(mark|over)" value="(\w*)"', self.open(f"{here}/anyway")))
        if shown:
            self._do(Step("agreed", shown["mark"], f"{game} {here}"), f"{here}/facts", {"confirm": "yes", **shown})

    def _new_token(self, kind: str) -> str:
        return f"{kind}{self.name}x{self._next()}"

    def _next(self) -> int:
        self._count += 1
        return self._count

    def _read_token(self) -> None:
        found = re.search(r'name="token" value="([^"]+)"', self.open("/"))
        self.token = found[1] if found else self.token

    def _do(
        self, step: Step, path: str, fields: dict[str, str], data: bytes | None = None, look: bool = False
    ) -> str | None:
        """Sends a step. Returns the URL it led to, None where it, or with ``look`` that page, was refused."""
        number = self.step_log.add(step)
        try:
            where = self.post(path, fields, data)
            self.step_log.confirm(
                number, **({"game": where.rstrip("/").rsplit("/", 1)[-1]} if step.what == "game" else {})
            )
            if look and (said := re.search(r'<p class="notice bad">(.*?)</p>', self._final_page(where), re.DOTALL)):
                raise Refused(said[1])
        except Refused as refused:
            if "Check whether this was saved" not in str(refused):
                self.step_log.refuse(number)
            self.refusals.append(str(refused))
            return None
        return where

    def _final_page(self, where: str) -> str:
        """The page at the end of all redirects and waiting pages."""
        for _ in range(1200):
            status, headers, page = self._ask("GET", where, None, {})
            if status == 303:
                where = str(headers["Location"])
            elif status != 200 or "/waiting/" not in where:
                return page
            else:
                time.sleep(0.1)
        raise AssertionError(f"{where} leads nowhere")

    def post(self, path: str, fields: dict[str, str], data: bytes | None = None) -> str:
        fields = {"token": self.token, **fields}
        if data is None:
            kind, body = "application/x-www-form-urlencoded", urllib.parse.urlencode(fields).encode()
        else:
            kind, body = _multipart(fields, data)
        status, headers, page = self._ask("POST", path, body, {"Content-Type": kind})
        if status == 303:
            return str(headers["Location"])
        sentence = re.search(r'role="alert">(.*?)</p>', page, re.DOTALL)
        if status == 500 and sentence and "Something went wrong. Everything" in sentence[1]:
            raise AssertionError(f"{path}: {status} {sentence[1]}")
        assert status >= 400 and sentence, f"{path}: {status} {page[:300]}"
        raise Refused(sentence[1])

    def open(self, path: str) -> str:
        status, _, page = self._ask("GET", path, None, {})
        assert status in (200, 503), f"{path}: {status} {page[:300]}"
        return page

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, Any, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_TIMEOUT)
        try:
            connection.request(method, path, body, {"Cookie": self.cookie, "Connection": "close", **headers})
            answer = connection.getresponse()
            page = answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            raise ServerGone from error
        finally:
            connection.close()
        if baked := answer.headers["Set-Cookie"]:
            self.cookie = baked.split(";")[0]
        return answer.status, answer.headers, page


def _multipart(fields: dict[str, str], data: bytes) -> tuple[str, bytes]:
    edge = "edge-of-a-part"
    parts = [
        f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in fields.items()
    ]
    head = f'--{edge}\r\nContent-Disposition: form-data; name="photos"; filename="table.jpg"\r\n\r\n'.encode()
    return f"multipart/form-data; boundary={edge}", b"".join(parts) + head + data + f"\r\n--{edge}--\r\n".encode()
