"""The real nginx in front of the page, with the configuration of SECURITY.md or a wrong one, and one who asks it."""

from __future__ import annotations

import http.client
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.webui.helpers.browsing import ROOT
from tests.webui.test_cli import free_port

NAME = "cards.home"
NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36"
_AROUND = """daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{
    access_log off; sendfile on; gzip on;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
{server}
}}
"""


def documented() -> str:
    """The server block that SECURITY.md gives."""
    (block,) = re.findall(r"```nginx\n(.*?)```", (ROOT / "SECURITY.md").read_text(encoding="utf-8"), re.DOTALL)
    return str(block)


def changed(block: str, *changes: tuple[str, str]) -> str:
    """A server block with texts in it replaced, each of which stands there once."""
    for old, new in changes:
        assert block.count(old) == 1, f"expected {old!r} once in the lines of SECURITY.md"
        block = block.replace(old, new)
    return block


@contextmanager
def nginx(folder: Path, block: str, page_port: int) -> Iterator[int]:
    """Runs nginx with a server block in front of a page; yields its port. Skips the test where it is not installed."""
    if NGINX is None:
        pytest.skip("nginx is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    server = changed(block, ("listen 80;", f"listen 127.0.0.1:{port};"), ("127.0.0.1:8765", f"127.0.0.1:{page_port}"))
    conf = folder / "nginx.conf"
    conf.write_text(_AROUND.format(folder=folder, server=server), encoding="utf-8")
    process = subprocess.Popen([NGINX, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(conf)])
    try:
        for _ in range(600):
            assert process.poll() is None, (folder / "error.log").read_text()
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(60)


class Caller:
    """A browser of the network as far as nginx sees it: it calls the page by its name, keeps cookies and says whence a
    form comes.

    Args:
        port: nginx's.
        prefix: the path before all addresses.
    """

    def __init__(self, port: int, prefix: str = "") -> None:
        self.port, self.prefix, self.at = port, prefix, f"{NAME}:{port}"
        self.cookies: dict[str, str] = {}
        self.status, self.text, self.location = 0, "", ""
        self.headers: dict[str, str] = {}

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        """An answer whose body is yet to be read; it is given up after 60 seconds of silence."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Host": self.at, "User-Agent": CHROME, "Accept": "text/html"}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection.request(method, self.prefix + path, body, {**sent, **headers})
        answer = connection.getresponse()
        for line in answer.msg.get_all("Set-Cookie", []):
            self.cookies.update({name: one.value for name, one in SimpleCookie(line).items()})
        self.status, self.location = answer.status, answer.headers.get("Location", "")
        return connection, answer

    def open(self, path: str) -> str:
        """A page, behind all that leads on to it."""
        for _ in range(5):
            connection, answer = self.ask("GET", path)
            self.text = answer.read().decode("utf-8", "replace")
            self.headers = dict(answer.headers)
            connection.close()
            if not self.location:
                return self.text
            assert self.location.startswith(f"{self.prefix}/"), self.location
            path = self.location.removeprefix(self.prefix)
        raise AssertionError("leads on without end")

    def send(self, path: str, *photos: bytes, **fields: str) -> str:
        """Sends a form with the token of this visitor's pages, and follows to the next page."""
        found = re.search(r'name="token" value="([^"]+)"', self.open("/"))
        values = {"token": found[1] if found else "", **fields}
        kind, body = "application/x-www-form-urlencoded", urlencode(values).encode()
        if photos:
            kind, body = "multipart/form-data; boundary=edge", _multipart(values, photos)
        sent = {"Content-Type": kind, "Origin": f"http://{self.at}", "Referer": f"http://{self.at}{self.prefix}/"}
        connection, answer = self.ask("POST", path, body, **sent)
        self.text = answer.read().decode("utf-8", "replace")
        connection.close()
        if self.status == 303:
            assert self.location.startswith(f"{self.prefix}/"), self.location
            return self.open(self.location.removeprefix(self.prefix))
        return self.text

    @property
    def notice(self) -> str:
        """The first notice on the page."""
        found = re.search(r'<p class="notice[^"]*"[^>]*>(.*?)</p>', self.text, re.DOTALL)
        return " ".join(found[1].split()) if found else ""


def _multipart(fields: dict[str, str], photos: tuple[bytes, ...]) -> bytes:
    parts = [
        f'--edge\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}' for name, value in fields.items()
    ]
    body = "".join(f"{part}\r\n" for part in parts).encode()
    for photo in photos:
        head = '--edge\r\nContent-Disposition: form-data; name="photos"; filename="table.jpg"\r\n'
        body += f"{head}Content-Type: image/jpeg\r\n\r\n".encode() + photo + b"\r\n"
    return body + b"--edge--\r\n"
