"""Styles and scripts: compressed, kept by browsers for good, and never an old one with a new page."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from tests.webui.helpers.playing import Person
from webui.context.responses.static_files import content_hash

STATIC = Path(__file__).parents[3] / "webui" / "static"
MOST_BYTES_OF_SCRIPTS = 37_250
"""All of them, compressed, of which a page loads a part."""


def test_styles_and_scripts_are_kept_for_good_under_the_hash_of_their_content(person: Person) -> None:
    page = person.open("/")
    addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', page)
    assert len(addresses) > 5
    for address in addresses:
        assert re.fullmatch(r"/static/[0-9a-f]{12}/[\w.-]+", address)
        kept = person.client.get(address).cache_control
        assert kept.public and kept.immutable and kept.max_age == 365 * 24 * 3600 and not kept.no_cache, address


def test_a_page_of_an_earlier_start_gets_the_file_of_now_and_does_not_keep_it(person: Person) -> None:
    for address in ("/static/000000000000/base.css", "/static/base.css"):
        answer = person.client.get(address)
        assert answer.status_code == 200 and b"box-sizing" in answer.data
        assert answer.cache_control.no_cache and not answer.cache_control.max_age


def test_the_hash_changes_with_any_file(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("1", encoding="utf-8")
    before = content_hash(tmp_path)
    assert content_hash(tmp_path) == before
    (tmp_path / "b.js").write_text("1", encoding="utf-8")
    after = content_hash(tmp_path)
    (tmp_path / "a.js").write_text("2", encoding="utf-8")
    assert len({before, after, content_hash(tmp_path)}) == 3


def test_pages_styles_and_scripts_are_compressed_where_the_browser_takes_it(person: Person) -> None:
    for address in ("/", "/static/base.css", "/static/upload.js"):
        plain = person.client.get(address)
        small = person.client.get(address, headers={"Accept-Encoding": "gzip, deflate"})
        assert "Content-Encoding" not in plain.headers and "Accept-Encoding" in plain.headers["Vary"]
        assert small.headers["Content-Encoding"] == "gzip" and len(small.data) < len(plain.data) * 0.6, address
        if address != "/":  # each page has a token of its own
            assert gzip.decompress(small.data) == plain.data
    brotli = person.client.get("/static/base.css", headers={"Accept-Encoding": "gzip, br"})
    assert brotli.headers["Content-Encoding"] == "br"


def test_scripts_come_without_comments_and_indents_and_are_the_same_else(person: Person) -> None:
    for script in STATIC.glob("*.js"):
        lines = script.read_text(encoding="utf-8").splitlines()
        assert all(line.count("`") % 2 == 0 for line in lines), (
            f"{script.name}: a text over several lines has its indents"
        )
        code = [line.strip() for line in lines if line.strip() and not line.strip().startswith("//")]
        served = person.client.get(f"/static/{script.name}").text
        assert [line.rstrip() for line in served.splitlines() if line] == code, script.name
    scripts = [gzip.compress(person.client.get(f"/static/{one.name}").data, 9) for one in STATIC.glob("*.js")]
    assert sum(map(len, scripts)) < MOST_BYTES_OF_SCRIPTS
