"""Aiming with the page's own camera: what a live picture lacks, and the photo that is taken there."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.cameras.test_watcher import wait_for
from tests.webui.helpers.browsing import Server, check, expect, fits, leaving
from tests.webui.helpers.drawn import NORTH_TABLE, photo, picture
from tests.webui.helpers.game_pages import begin_round
from vision.images.jpeg import to_jpeg
from vision.values import Pixels

CLOTH = (60, 90, 40)
TAKE = ".next-step .take label"
NEVER = (
    "Object.defineProperty(navigator.mediaDevices, 'getUserMedia', "
    "{ value: () => Promise.reject(new DOMException('no', 'NotAllowedError')) })"
)


def table(width: int = 1720, height: int = 1160) -> Pixels:
    """The first side's table, without its number, with cloth all around."""
    drawn = picture(NORTH_TABLE)[60:]
    pixels = np.full((height, width, 3), CLOTH, np.uint8)
    top, left = (height - drawn.shape[0]) // 2, (width - drawn.shape[1]) // 2
    pixels[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    return pixels


def with_glare() -> Pixels:
    """Paper that is well lit, a lamp's light on one card."""
    pixels = (table() * 0.82).astype(np.float32)
    light = np.zeros(pixels.shape[:2], np.float32)
    cv2.ellipse(light, (440, 180), (34, 44), 0, 0, 360, 120, -1)
    lit = pixels + cv2.GaussianBlur(light, (0, 0), 5)[..., None]
    return np.asarray(np.clip(lit, 0, 255), np.uint8)


PICTURES: dict[str, Callable[[], Pixels]] = {
    "fine": table,
    "closer": lambda: table(3600, 2400),
    "glare": with_glare,
    "edge": lambda: table()[:, 130:],
    "dark": lambda: (table() * 0.2).astype(np.uint8),
    "empty": lambda: np.full((1000, 1600, 3), CLOTH, np.uint8),
}


def said(page: Any, server: Server, pictures: list[Pixels]) -> list[dict[str, Any]]:
    """What the page says of pictures one after the other, as its script does."""
    page.goto(server.url("/camera/"))
    script = page.locator("script[src*='camera.js']").get_attribute("src").replace("camera.js", "aim.js")
    coded = [base64.b64encode(to_jpeg(one, 1600)).decode() for one in pictures]
    answers = page.evaluate(
        """async ([script, pictures]) => {
          const { watcher } = await import(script);
          const look = watcher();
          const answers = [];
          for (const coded of pictures) {
            const bytes = Uint8Array.from(atob(coded), (letter) => letter.charCodeAt(0));
            const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
            answers.push(look(bitmap, bitmap.width, bitmap.height));
          }
          return answers;
        }""",
        [script, coded],
    )
    return list(answers)


def test_what_a_picture_lacks_is_said(visit: Callable[..., Any], serve: Callable[..., Server], samples: Path) -> None:
    server, page = serve("drawn", str(samples)), visit("phone")
    for name, draw in PICTURES.items():
        looks = said(page, server, [draw()] * 5)
        assert looks[-1] == {"says": name, "ready": name in ("fine", "edge")}, name
        assert not looks[2]["ready"], "the first look has none before it, and three have to be well"


def test_a_picture_that_moves_is_not_taken(
    visit: Callable[..., Any], serve: Callable[..., Server], samples: Path
) -> None:
    server, page = serve("drawn", str(samples)), visit("phone")
    moving = [np.roll(table(), 30 * step, axis=1) for step in range(6)]
    assert said(page, server, moving)[-1] == {"says": "move", "ready": False}
    trembling = [np.roll(table(), 5 * (step % 2), axis=1) for step in range(6)]
    assert said(page, server, trembling)[-1] == {"says": "fine", "ready": True}, "as a hand does"


def aiming(visit: Callable[..., Any], serve: Callable[..., Server], samples: Path) -> tuple[Any, Any]:
    """A phone's page of a side's cards, and its dialog that shows what its camera sees."""
    server, page = serve("drawn", str(samples)), visit("phone")
    begin_round(page, server)
    with leaving(page):
        page.get_by_role("button", name="North").click()
    page.locator(f"html.aims {TAKE}").click()
    return page, page.get_by_role("dialog", name="Take a photo")


@pytest.mark.parametrize("by_itself", [False, True])
def test_from_aiming_to_the_cards(
    by_itself: bool, visit: Callable[..., Any], serve: Callable[..., Server], samples: Path
) -> None:
    page, dialog = aiming(visit, serve, samples)
    expect(dialog.get_by_text("Is every card in the picture?")).to_be_visible()  # the drawn cards lie near the edge
    check(page)
    assert fits(page)
    if by_itself:
        dialog.get_by_label("Take it automatically").check()
    else:
        dialog.get_by_role("button", name="Take the picture").click()
    expect(page.locator("figure.photo")).to_have_count(1)
    expect(page.get_by_role("link", name="Change the group Clean book of 8s")).to_be_visible()
    expect(dialog).to_have_count(0)


def test_the_camera_app_is_a_tap_away_and_used_where_the_page_may_use_no_camera(
    visit: Callable[..., Any], serve: Callable[..., Server], samples: Path
) -> None:
    page, dialog = aiming(visit, serve, samples)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)

    page.evaluate(NEVER)
    page.locator(f"html.aims {TAKE}").click()
    expect(dialog.get_by_text("The browser was not allowed to use the camera.")).to_be_visible()
    expect(dialog.get_by_role("button", name="Take the picture")).to_be_disabled()
    check(page)
    with page.expect_file_chooser() as chooser:
        dialog.get_by_role("button", name="Use the camera app").click()
    chooser.value.set_files({"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": photo(NORTH_TABLE)})
    expect(page.locator("figure.photo")).to_have_count(1)


def test_without_encryption_nothing_is_asked(
    visit: Callable[..., Any], serve: Callable[..., Server], samples: Path
) -> None:
    """Browsers give their camera only to pages that came encrypted, or from their own machine."""
    server, page = serve("drawn", str(samples)), visit("phone")
    page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', { value: undefined })")
    begin_round(page, server)
    with leaving(page):
        page.get_by_role("button", name="North").click()
    with page.expect_file_chooser():
        page.locator(TAKE).click()


def test_the_table_cameras_page_says_it_too(
    visit: Callable[..., Any], serve: Callable[..., Server], samples: Path
) -> None:
    server, page = serve("drawn", str(samples)), visit("desk")
    page.goto(server.url("/camera/"))
    hint = page.locator("[data-hint]")
    expect(hint).to_have_text("Is every card in the picture?")
    check(page)
    page.route("**/state.json*", lambda asked: asked.fulfill(json={"live": False, "trouble": "The camera is gone."}))
    wait_for(lambda: hint.inner_text() == "")
