"""A filmed round is watched in a real browser, from the switch to the end of the round, over a restart and kills."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.webui.helpers.browsing import Server, check, expect, leaving, press, settle, until
from tests.webui.helpers.filmed import FilmCamera
from tests.webui.helpers.game_pages import name_sides

SEED, FIRST, ALL = 1, 2, 6


@pytest.fixture
def camera(tmp_path: Path) -> Iterator[FilmCamera]:
    """A camera over a round in which both sides lay cards, the first side in the left half."""
    with FilmCamera(tmp_path, SEED, ALL) as camera:
        threading.Thread(target=camera.serve_forever, daemon=True).start()
        yield camera
        camera.unplug()
        camera.shutdown()


@pytest.mark.by_hand
def test_a_filmed_round(visit: Callable[..., Any], serve: Callable[..., Server], camera: FilmCamera) -> None:
    desk, phone = visit("desk"), visit("phone", color_scheme="dark")
    server = serve(str(camera.readings), camera.address("/snapshot"))
    switch_on(desk, phone, server)
    play(camera, desk, server, range(1, FIRST + 1))
    for page in (desk, phone):
        page.goto("about:blank")
    server.stop()
    server.start()
    for change in range(FIRST + 1, FIRST + 3):
        camera.show(change)  # while it is being seen, or just after
        time.sleep((change - FIRST) * 0.7)
        server.kill()
        server.start()
    for page in (desk, phone):
        page.goto(server.url("/game/1/watch/"))
        page.locator(".watching").wait_for()
    wait_for_changes(desk, server, FIRST + 2)
    follow_along(desk, phone, server, camera)
    desk.goto(server.url("/game/1/watch/"))
    with leaving(desk):
        desk.get_by_role("link", name="Round 1: ").click()
    check_film(desk)
    phone.goto(desk.url)
    check_film(phone)
    end_of_round(desk, phone, server)


def switch_on(desk: Any, phone: Any, server: Server) -> None:
    """Switches watching on at the computer; a phone that has any page open shows the sign by itself."""
    desk.goto(server.url())
    press(desk, "New game")
    phone.goto(server.url("/rules/"))
    settle(phone)
    phone.evaluate("document.same = true")
    expect(phone.locator(".watching")).to_have_count(0)
    press(desk, "Watch this round")
    phone.locator(".watching").wait_for()
    press(desk, "Stop watching")
    phone.locator(".watching").wait_for(state="detached")
    until(phone, "document.same")  # by itself, without being loaded again
    desk.goto(server.url("/game/1/"))
    phone.goto(server.url("/game/1/"))
    press(desk, "Watch this round")
    with leaving(desk):
        desk.get_by_role("button", name="The boxes are right").click()
    check(desk)
    phone.locator(".watching").wait_for()
    check(phone)


def play(camera: FilmCamera, page: Any, server: Server, changes: range) -> None:
    """Makes one change after the other, each when the one before was seen."""
    for change in changes:
        camera.show(change)
        wait_for_changes(page, server, change)


def wait_for_changes(page: Any, server: Server, number: int) -> None:
    """Waits until so many changes of round 1 were seen; asks now and then, as watching stands back behind requests."""
    address, text = server.url("/game/1/watch/"), ""
    for _ in range(120):
        text = page.evaluate(f"fetch('{address}').then(answer => answer.text())")
        found = re.search(r"Round 1: (\d+) change", text)
        if found and int(found[1]) >= number:
            return
        page.wait_for_timeout(1000)
    raise AssertionError(f"never {number} changes: {text[text.find('<main') :]}")


def follow_along(desk: Any, phone: Any, server: Server, camera: FilmCamera) -> None:
    """A television and a phone show points and books as cards are laid, by themselves."""
    for page in (desk, phone):
        page.goto(server.url("/game/1/table-now/"))
    play(camera, desk, server, range(FIRST + 3, ALL + 1))
    for page in (desk, phone):
        page.get_by_text("First meld of 60 reached").wait_for()
        until(page, "document.querySelectorAll('.standings section')[1].textContent.includes('100')")
        check(page)


def check_film(page: Any) -> None:
    """Scrubs through the film with keys, buttons and slider."""
    check(page)
    last = page.locator(".shots li").count() - 1
    strip, slider = page.locator(".shots"), page.get_by_role("slider", name="Change")
    shown = "Math.round(document.querySelector('.shots').scrollLeft / document.querySelector('.shots').clientWidth)"
    expect(page.locator("#change-1")).to_contain_text("3♦ laid", use_inner_text=True)
    strip.press("ArrowRight")
    until(page, f"{shown} === 1")
    until(page, "document.querySelector('#change-2 img').naturalWidth === 640")
    expect(slider).to_have_value("2")
    assert "laid" in slider.get_attribute("aria-valuetext")
    slider.press("End")
    until(page, f"{shown} === {last}")
    page.get_by_role("button", name="One change back").click()
    until(page, f"{shown} === {last - 1}")


def end_of_round(desk: Any, phone: Any, server: Server) -> None:
    """The table of each side is filled in, without a question, with the picture of each card."""
    desk.goto(server.url("/game/1/"))
    press(desk, "Score round 1")
    expect(desk.locator(".watching")).to_have_count(0)
    for page in (desk, phone):
        page.goto(server.url("/game/1/round/1/side/0/"))
        page.get_by_text("These cards were seen being laid").wait_for()
        expect(page.locator("#doubts")).to_have_count(0)
        expect(page.locator(".groups .chip:not(.plus)")).to_have_count(1 + 3 + 3 + 5 + 3)
        page.locator(".as-laid summary").first.click()
        until(page, "document.querySelector('.as-laid img').naturalWidth > 0")
        check(page)
    desk.goto(server.url("/game/1/round/1/side/1/"))
    expect(desk.locator(".groups .chip:not(.plus)")).to_have_count(1)


def test_boxes_of_three_teams_are_drawn_by_finger(
    visit: Callable[..., Any], serve: Callable[..., Server], camera: FilmCamera
) -> None:
    """The names are turned, a box is moved by its name and shaped by a corner, and it holds."""
    server = serve(str(camera.readings), camera.address("/snapshot"))
    for size in ("phone", "desk"):
        page = visit(size)
        page.goto(server.url("/new?rules=cutting-22&players=6&seating=1"))
        press(page, "Start the game")
        name_sides(page, "Reds", "Blues", "Greens")
        press(page, "Watch this round")
        if size == "desk":  # the boxes of the game before hold
            page.get_by_text("Each side has its box").click()
            with leaving(page):
                page.get_by_role("link", name="Turn the names around the table").click()
        check(page)
        with leaving(page):
            page.get_by_role("link", name="Turn the names around the table").click()
        check(page)
        before = boxes(page)
        drag(page, page.get_by_role("button", name="Greens", exact=True), 0.05, -0.02)
        moved = boxes(page)
        shift = [round(b - a, 2) for a, b in zip(flat(before[2:]), flat(moved[2:]), strict=True)]
        assert shift == [0.05, -0.02] * 4 and moved[:2] == before[:2]
        drag(page, page.get_by_role("button", name="Greens, corner 1"), 0.04, 0.0)
        page.get_by_role("button", name="Greens, corner 1").press("ArrowDown")
        drawn = boxes(page)
        assert round(drawn[2][0][0] - moved[2][0][0], 2) == 0.04 and drawn[2][0][1] > moved[2][0][1]
        assert drawn[2][1:] == moved[2][1:]
        press(page, "The boxes are right")
        page.get_by_text("It holds for the evening").wait_for()
        check(page)
        page.get_by_text("Each side has its box").click()
        kept = boxes(page)
        assert all(abs(a - b) < 0.01 for a, b in zip(flat(kept), flat(drawn), strict=True))
        check(page)
        press(page, "Stop watching")


def test_a_flick_moves_a_corner_as_far_as_a_slow_drag(
    visit: Callable[..., Any], serve: Callable[..., Server], camera: FilmCamera
) -> None:
    """A finger that is quick moves in one piece, also beyond where the box would fold; the page stays where it is."""
    server = serve(str(camera.readings), camera.address("/snapshot"))
    page = visit("phone")
    page.goto(server.url("/new"))
    press(page, "Start the game")
    press(page, "Watch this round")
    page.locator(".areas .corner").first.wait_for()
    before, stood = boxes(page), page.evaluate("scrollY")
    ends = []
    for steps in (40, 1):
        flick(page, page.get_by_role("button", name="North–South, corner 3"), (-0.7, -0.05), steps)
        ends.append(boxes(page)[0][2])
        page.reload()
        page.locator(".areas .corner").first.wait_for()
    slow, quick = ends
    assert slow[0] < before[0][2][0] - 0.2 and all(abs(a - b) < 0.03 for a, b in zip(slow, quick, strict=True))
    assert page.evaluate("scrollY") == stood


def flick(page: Any, handle: Any, by: tuple[float, float], steps: int) -> None:
    """Moves a handle with a finger by shares of the picture, in so many pieces."""
    picture, box = page.locator(".areas .picture").bounding_box(), handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, steps + 1):
        at = x + by[0] * picture["width"] * step / steps, y + by[1] * picture["height"] * step / steps
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": at[0], "y": at[1]}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def boxes(page: Any) -> list[list[list[float]]]:
    found: list[list[list[float]]] = json.loads(page.locator(".areas [name=boxes]").input_value())
    return found


def flat(boxes: list[list[list[float]]]) -> list[float]:
    return [value for box in boxes for point in box for value in point]


def drag(page: Any, handle: Any, across: float, down: float) -> None:
    """Drags a handle by shares of the picture."""
    handle.scroll_into_view_if_needed()
    picture, box = page.locator(".areas .picture").bounding_box(), handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across * picture["width"], y + down * picture["height"], steps=4)
    page.mouse.up()
