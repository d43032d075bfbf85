"""The page behind the real nginx: complete with the lines of SECURITY.md; a sentence says which of them is missing."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.nginx import NAME, Caller, changed, documented, nginx
from tests.webui.helpers.served import beside
from webui.context.services import services_of

HOST = "proxy_set_header Host $http_host;"
FOR = "proxy_set_header X-Forwarded-For $remote_addr;"
PROTO = "proxy_set_header X-Forwarded-Proto $scheme;"
HTTP = "proxy_http_version 1.1;"
BARE = ((HOST, ""), (FOR, ""), (PROTO, ""))
AS_IT_COMES = (*BARE, (HTTP, ""))
NEWER = (*BARE, (HTTP, 'proxy_http_version 1.1; proxy_set_header Connection "";'))
"""What nginx does by itself from 1.29.7 on."""
PASS = "proxy_pass http://127.0.0.1:8765;"
UNDER_A_PATH = ("location / {", "location /cards/ {")
BY_NAME: dict[str, Any] = {"hosts": (NAME,), "names": (NAME,)}
STRIPPED = (PASS, "proxy_pass http://127.0.0.1:8765/;")


@contextmanager
def behind_nginx(app: Flask, folder: Path, *changes: tuple[str, str], prefix: str = "") -> Iterator[Caller]:
    with beside(app) as page_port, nginx(folder / "nginx", changed(documented(), *changes), page_port) as port:
        yield Caller(port, prefix)


def let_in(caller: Caller, app: Flask) -> None:
    assert "Six-digit code" in caller.open("/")
    caller.send("/enter", code=services_of(app).access_code.code)
    assert caller.status == 200 and "This device has joined and is remembered." in caller.text


@pytest.mark.parametrize(
    ("prefix", "changes"),
    [("", ()), ("", ((HTTP, ""),)), ("/cards", (UNDER_A_PATH,)), ("/cards", (UNDER_A_PATH, STRIPPED))],
    ids=["whole", "by HTTP/1.0", "under a path", "under a path that is taken off"],
)
def test_the_lines_of_the_document_are_complete(
    make_app: Callable[..., Flask], tmp_path: Path, prefix: str, changes: tuple[tuple[str, str], ...]
) -> None:
    app = make_app(**BY_NAME, prefix=prefix)
    with behind_nginx(app, tmp_path, *changes, prefix=prefix) as phone:
        let_in(phone, app)
        phone.send("/new", side0="Us", side1="Them")
        phone.send("/game/1/round/1/begin")
        assert phone.status == 200 and "Us" in phone.text
        phone.open("/game/1/join")
        assert f"http://{phone.at}{prefix}/game/1/<" in phone.text and 'class="qr"' in phone.text

        large = with_comments(photo(NORTH_TABLE), 24)
        phone.send("/game/1/round/1/side/0/photos", large)
        assert phone.status == 200 and "Clean book of 8s" in phone.text
        phone.send("/game/1/round/1/side/0/photos", with_comments(photo(NORTH_TABLE), 41))
        assert phone.status == 413 and "more than 40 MB at once" in phone.notice

        connection, events = phone.ask("GET", f"/game/1/live?since={services_of(app).store.version(1)}")
        assert events.readline() == b"retry: 2000\n"
        phone.send("/game/1/round/1/facts", went_out="0")
        lines = iter(events.readline, b"")
        assert b"event: change\n" in lines, "it comes while the stream goes on"
        connection.close()

        connection, live = phone.ask("GET", "/camera/live.mjpg")
        assert live.readline().startswith(b"--picture") and b"\xff\xd8" in live.read(4096)
        connection.close()


def with_comments(data: bytes, megabytes: int) -> bytes:
    """A JPEG made so much larger by comments (marker COM) in its head."""
    comment = b"\xff\xfe\xff\xff" + bytes(0xFFFF - 2)
    return data[:2] + comment * (megabytes * 16) + data[2:]


def test_a_port_that_is_not_passed_on_is_named(make_app: Callable[..., Flask], tmp_path: Path) -> None:
    app = make_app(**BY_NAME)
    with behind_nginx(app, tmp_path, (HOST, "proxy_set_header Host $host;")) as phone:
        phone.send("/enter", code=services_of(app).access_code.code)
        assert phone.status == 403
        assert f"sent from {phone.at}, but reached the page as {NAME}, and was not done" in phone.notice
        assert HOST in phone.notice


def test_a_host_that_is_not_passed_on_is_named(make_app: Callable[..., Flask], tmp_path: Path) -> None:
    app = make_app(**BY_NAME)
    with behind_nginx(app, tmp_path, (HOST, "")) as phone:
        assert "Six-digit code" in phone.open("/")
        phone.send("/enter", code=services_of(app).access_code.code)
        assert phone.status == 403
        assert f"sent from {phone.at}, but reached the page as 127.0.0.1:" in phone.notice and HOST in phone.notice


@pytest.mark.parametrize("changes", [AS_IT_COMES, BARE, NEWER], ids=["as it comes", "1.1", "as it comes from 1.29.7"])
def test_a_proxy_that_tells_nothing_lets_nobody_in(
    make_app: Callable[..., Flask], tmp_path: Path, changes: tuple[tuple[str, str], ...]
) -> None:
    app = make_app(**BY_NAME)
    with behind_nginx(app, tmp_path, *changes) as phone:
        for path in ("/", "/new", "/join"):
            phone.open(path)
            assert phone.status == 403 and FOR in phone.notice and HOST in phone.notice, path
        phone.send("/new", side0="Us")
        assert phone.status == 403 and FOR in phone.notice
        assert not services_of(app).store.games()


def test_a_proxy_that_passes_the_host_alone_asks_for_the_code(make_app: Callable[..., Flask], tmp_path: Path) -> None:
    app = make_app(**BY_NAME)
    with behind_nginx(app, tmp_path, (FOR, ""), (PROTO, "")) as phone:
        let_in(phone, app)
        assert f"http://{phone.at}/<" in phone.open("/join")


def test_other_names_are_refused_by_name(make_app: Callable[..., Flask], tmp_path: Path) -> None:
    with behind_nginx(make_app(**BY_NAME), tmp_path) as phone:
        wrong = urllib.request.Request(f"http://127.0.0.1:{phone.port}/", headers={"Host": "evil.example"})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(wrong, timeout=60)
        assert refused.value.code == 400 and "does not answer to the name evil.example" in refused.value.read().decode()
