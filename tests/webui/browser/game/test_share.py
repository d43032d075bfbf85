"""The result of a game is shared or saved as a picture, in a real browser whose share sheet is stood in for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from tests.webui.helpers.browsing import Server, check, expect, leaving, until
from tests.webui.helpers.played_games import play_game
from webui.storage.store import Store

# No browser without a screen has a share sheet; this one keeps what it is given.
SHARE_SHEET = """
navigator.canShare = (what) => what.files.every((file) => file.type === "image/png");
navigator.share = async ({ files: [file], text }) => {
  const drawn = await createImageBitmap(file);
  window.given = { name: file.name, text, width: drawn.width, height: drawn.height };
};
"""


def serve_game(tmp_path: Path, serve: Callable[[str], Server], rounds: int = 4) -> Server:
    server = serve("drawn")
    store = Store(tmp_path / "data")
    play_game(store, (("Ann", "李雷"), ("Владимир", "Zoë")), rounds)
    store.close()
    return server


def test_the_result_is_shared_at_one_tap(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server, page = serve_game(tmp_path, serve), visit("phone")
    page.add_init_script(SHARE_SHEET)
    page.goto(server.url("/game/1/"))
    page.get_by_role("link", name="Share the result").click()
    given = until(page, "window.given")
    assert given["width"] == 1080 and given["height"] > 900, given
    assert given["name"].startswith("hand-and-foot-2") and given["name"].endswith(".png")
    assert "Ann & 李雷" in given["text"] and "Владимир & Zoë" in given["text"]
    expect(page).to_have_url(server.url("/game/1/"))
    page.goto(server.url("/game/1/share"))
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Without names").click()
    page.goto(server.url("/game/1/"))
    page.get_by_role("link", name="Share the result").click()
    assert "Ann" not in until(page, "window.given")["text"], "this device keeps that"


def test_the_score_so_far_is_copied_as_text_where_there_is_no_share_sheet(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server, page = serve_game(tmp_path, serve, rounds=2), visit("phone")
    page.goto(server.url("/game/1/share"))
    expect(page.get_by_role("heading", name="Share the score so far")).to_be_visible()
    expect(page.locator(".share .button:not(.quiet)"), "one is the main one").to_have_count(2)
    expect(page.locator(".share .button:not(.quiet):visible")).to_have_count(1)
    check(page)
    page.evaluate(
        "document.addEventListener('copy', () => (window.copied = String(document.getSelection()))); "
        "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
    )
    page.get_by_role("button", name="Copy the text").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    until(page, "window.copied !== undefined")


def test_it_is_saved_where_there_is_no_share_sheet(
    tmp_path: Path, visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    server, page = serve_game(tmp_path, serve, rounds=2), visit("desk")
    page.goto(server.url("/game/1/"))
    with leaving(page):
        page.get_by_role("link", name="Share the score so far").click()
    expect(page.get_by_role("link", name="Share", exact=True)).to_be_hidden()
    expect(page.get_by_role("img", name="Ann & 李雷")).to_be_visible()
    check(page)
    with page.expect_download() as saved:
        page.get_by_role("link", name="Save the picture").click()
    picture = cv2.imdecode(np.frombuffer(Path(saved.value.path()).read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None and picture.shape[1] == 1080
    assert saved.value.suggested_filename.endswith(".png")
    band = picture[60:150, 700:1000].reshape(-1, 3)
    assert np.ptp(band, axis=0).max() > 100, "letters are drawn on the felt"
