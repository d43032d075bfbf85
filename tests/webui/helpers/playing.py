"""A visitor for tests without a browser: a Flask test client that sends CSRF tokens and extracts text from pages."""

from __future__ import annotations

import html
import io
import re
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

TOKEN = re.compile(r'name="token" value="([^"]+)"')


def without_tokens(page: str) -> str:
    """A page without the tokens and keys of its forms, which differ each time."""
    return re.sub(r'name="(token|once)" value="[^"]+"', "", page)


def asked_piles(page: str) -> dict[str, dict[str, str]]:
    """The squared piles that a page asks about: what their forms propose, by where they are sent."""
    forms = re.findall(r'<form [^>]*class="pile-count" action="([^"]+)">(.*?)</form>', page, re.DOTALL)
    return {
        address: dict(re.findall(r'<input type="number"[^>]* name="([^"]+)"[^>]* value="([^"]*)"', form))
        for address, form in forms
    }


class Person:
    """One visitor with cookies, at this machine or at another ``address``."""

    def __init__(self, app: Flask, address: str = "127.0.0.1") -> None:
        self.client = app.test_client()
        self.client.environ_base["REMOTE_ADDR"] = address
        self.page = ""
        self.status = 0
        self.path = "/"

    def open(self, path: str) -> str:
        return self._took(self.client.get(path, follow_redirects=True))

    def send(self, path: str, **fields: Any) -> str:
        """Posts a form with the token that the pages of this visitor carry, and follows to the next page."""
        headers = fields.pop("headers", None)
        if path.startswith("/game/"):
            fields.setdefault("seen", "999999")  # whoever does not say so has seen every change
        if "token" not in fields:
            fields["token"] = self.token()
        answer = self.client.post(
            path, data=fields, headers=headers, follow_redirects=True, content_type="multipart/form-data"
        )
        return self._took(answer)

    def token(self) -> str:
        """The token of the open page, or where it has no form that of the first page."""
        found = TOKEN.search(self.page) or TOKEN.search(self.client.get("/", follow_redirects=True).text)
        assert found
        return found[1]

    @property
    def text(self) -> str:
        """The visible text of the page, with single spaces."""
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", self.page)).split())

    def begin(self, **fields: Any) -> str:
        """Begins a new game and its first round. Returns the URL of the round."""
        self.send("/new", **fields)
        game = self.path.rstrip("/")
        self.send(f"{game}/round/1/begin")
        return f"{game}/round/1"

    def agree(self, round_: str, side: int | None = None) -> str:
        """Agrees to the points that a round has now, whatever needs attention: one side, or with None everybody."""
        shown = dict(re.findall(r'name="(mark|over)" value="(\w*)"', self.open(f"{round_}/anyway")))
        return self.send(f"{round_}/facts", **shown, **({"confirm": "yes"} if side is None else {"agree": side}))

    def rename(self, game: str, **names: str) -> str:
        """Changes names in the form of a game, such as ``side0``, which says what it showed."""
        shown = dict(re.findall(r'name="(was\.[^"]+)" value="([^"]*)"', self.open(f"{game}/names")))
        return self.send(f"{game}/names", **{name: html.unescape(was) for name, was in shown.items()}, **names)

    def photo(
        self, side: str, data: bytes, name: str = "table.jpg", player: int | None = None, counts: bool = True
    ) -> str:
        """Sends a photo; with ``counts``, says of each squared pile in it that it is as it is assumed to be."""
        fields: dict[str, Any] = {"photos": (io.BytesIO(data), name)}
        if player is not None:
            fields["player"] = player
        self.send(f"{side}/photos", **fields)
        if counts:
            self.count_piles()
        return self.page

    def piles(self) -> dict[str, dict[str, str]]:
        return asked_piles(self.page)

    def count_piles(self, **said: str) -> None:
        """Counts the squared piles of the open page as they are assumed to be, but for what is said."""
        for address, fields in self.piles().items():
            self.send(address, **{**fields, "ask": "next", **said})

    def group(self, group_id: str) -> str:
        """The text of one group on a side's page."""
        found = re.search(rf'<section class="group[^"]*" id="group-{group_id}">(.*?)</section>', self.page, re.DOTALL)
        assert found, f"no group {group_id} on {self.path}"
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", found[1])).split())

    def left(self, side: str, player: int = 0) -> str:
        """The text of a player's left-over cards."""
        self.open(f"{side}/left")
        return self.group(f"left{player}")

    def undo(self) -> str:
        """Presses the undo button of the page that is open."""
        entry = re.search(r'name="entry" value="(\d+)"', self.page)
        assert entry, f"nothing to undo on {self.path}"
        round_ = re.match(r"/game/\d+/round/\d+", self.path)
        assert round_
        return self.send(f"{round_[0]}/undo", entry=entry[1], headers={"Referer": f"http://localhost{self.path}"})

    def notices(self) -> list[str]:
        """The texts of all notices on the page."""
        return [
            " ".join(html.unescape(re.sub(r"<[^>]*>", " ", found)).split())
            for found in re.findall(r'<p class="notice[^"]*"[^>]*>(.*?)</p>', self.page, re.DOTALL)
        ]

    def _took(self, answer: TestResponse) -> str:
        self.page, self.status, self.path = answer.text, answer.status_code, answer.request.path
        return self.page
