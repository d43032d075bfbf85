"""The backup page in a real browser, and restoring games after damage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.webui.helpers.browsing import Server, check, expect, leaving
from tests.webui.helpers.played_games import fill
from tests.webui.pages.admin.test_backups import damaged
from webui.storage.store import Store


def test_damage_is_explained_and_games_are_restored(
    visit: Callable[..., Any], serve: Callable[..., Server], tmp_path: Path
) -> None:
    store = Store(tmp_path / "data")
    fill(store, 2)
    store.backups.back_up()
    store.close()
    damaged(tmp_path / "data")
    server, page = serve("drawn"), visit("small-phone")
    page.goto(server.url())
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Restore these games").click()
    expect(page.get_by_text("2 games imported.")).to_be_visible()
    for path in ("/safe/", "/report/"):
        page.goto(server.url(path))
        check(page)
    page.get_by_label("What went wrong?").fill("The page was slow.")
    with page.expect_download() as kept:
        page.get_by_role("button", name="Save the file").click()
    assert kept.value.suggested_filename.startswith("handfoot-report-")
    page.goto(server.url("/safe/"))
    with page.expect_download() as kept:
        page.get_by_role("button", name="Export everything").click()
    page.locator("#file").set_input_files(str(kept.value.path()))
    with leaving(page):
        page.get_by_role("button", name="Import").click()
    expect(page.get_by_text("0 games imported; 2 were already here.")).to_be_visible()
