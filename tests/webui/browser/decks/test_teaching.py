"""Teaching a deck in a real browser: by thumb on a phone, by keyboard at a desk, without a script; and learning it."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scorer.faces import JOKER
from tests.webui.decks.learnt import write_learnt
from tests.webui.decks.pictures import pictures
from tests.webui.decks.test_learning import WORK
from tests.webui.helpers.browsing import Server, check, expect, leaving, settle, until
from tests.webui.helpers.teaching import file_of, jokers_photo
from vision.images.sandbox import shared_decoder
from webui.decks.learning import DeckLearning
from webui.decks.taught import TaughtDecks


@pytest.fixture(autouse=True)
def stubbed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """What learns works until a file appears."""
    command = (sys.executable, "-c", textwrap.dedent(WORK))
    monkeypatch.setattr("webui.app.DeckLearning", lambda decks: DeckLearning(decks, command))
    yield
    (tmp_path / "data" / "decks" / "learnt").mkdir(parents=True, exist_ok=True)
    (tmp_path / "data" / "decks" / "learnt" / "go").touch()


def begin(page: Any, server: Server, what: str = "Just the jokers") -> None:
    page.goto(server.url("/decks/"))
    with leaving(page):
        page.get_by_role("link", name="Teach your cards").click()
    page.get_by_role("radio", name=what).check()
    page.get_by_label("What do you call them?").fill("Ours")
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Next: photos of the cards").click()


def send(page: Any, kind: str = "take") -> None:
    file = {"name": "jokers.jpg", "mimeType": "image/jpeg", "buffer": file_of(jokers_photo(3, 2, 0))}
    with leaving(page):
        page.locator(f".next-step .{kind} input[type=file]").set_input_files(file)


def test_jokers_are_taught_by_thumb_on_a_phone(visit: Callable[..., Any], serve: Callable[[str], Server]) -> None:
    page, server = visit("phone"), serve("drawn")
    begin(page, server)
    check(page)
    send(page)
    check(page)
    expect(page.get_by_role("heading", name="Is this the joker?")).to_be_visible()
    yes = page.get_by_role("button", name="Yes", exact=True)
    first = yes.bounding_box()
    seen = page.locator(".asked-card").bounding_box()
    assert first["y"] > 844 / 2 and seen["y"] + seen["height"] < first["y"], "the answer is under the picture, in reach"
    with leaving(page):
        yes.click()
    assert yes.bounding_box()["y"] == pytest.approx(first["y"], abs=60), "the next question is where the thumb is"
    with leaving(page):
        yes.click()
    expect(page.get_by_role("heading", name="Two pictures of the joker")).to_be_visible()
    check(page)
    with leaving(page):
        page.get_by_role("button", name="They are different kinds").click()
    check(page)
    with leaving(page):
        page.reload()
    with leaving(page):
        page.get_by_role("button", name="Save these 2 cards").click()
    expect(page.get_by_text("2 cards are saved.")).to_be_visible()
    expect(page.get_by_text("The camera is getting to know your cards")).to_be_visible()
    check(page)
    expect(page.get_by_role("link", name="Start a game with these cards")).to_be_visible()
    page.locator(".faces a").first.click()
    dialog = page.get_by_role("dialog")
    with leaving(page):
        dialog.get_by_role("button", name="Remove this picture").click()
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Undo").click()
    expect(page.locator(".faces li")).to_have_count(2)
    page.goto(server.url("/decks/"))
    check(page)


def test_a_deck_is_taught_by_keyboard_in_the_dark(visit: Callable[..., Any], serve: Callable[[str], Server]) -> None:
    page, server = visit("desk", color_scheme="dark"), serve("drawn")
    begin(page, server, "All the cards")
    send(page, "choose")
    check(page)
    asked = page.get_by_role("heading", name="Which card is this?")
    expect(asked).to_be_visible()
    page.locator(".next-step .pick").first.focus()
    with leaving(page):
        page.keyboard.press("Enter")
    until(page, "document.activeElement.classList.contains('pick')")  # the next answer has the focus
    page.get_by_text("Another card").focus()
    page.keyboard.press("Enter")
    joker = page.locator(".other-ways").get_by_role("button", name="joker")
    expect(joker).to_be_visible()
    expect(page.locator(".other-ways .likeness img")).to_have_count(1)  # of the card that has its name
    check(page)
    with leaving(page):
        joker.press("Enter")
    expect(page.get_by_role("button", name="Save these 2 cards")).to_be_visible()
    with leaving(page):
        page.get_by_role("button", name="Undo the last answer").press("Enter")
    expect(asked).to_be_visible()
    with leaving(page):
        page.locator(".next-step .pick").nth(1).press("Enter")
    with leaving(page):
        page.get_by_role("button", name="Save these 2 cards").press("Enter")
    page.goto(server.url("/decks/ours/"))
    expect(page.get_by_role("heading", name="Not shown; it reads these by itself")).to_be_visible()
    check(page)
    missing = page.get_by_role("listitem").filter(has_text="king of spades")
    ground = missing.evaluate("one => getComputedStyle(one).backgroundColor")
    assert ground != "rgba(0, 0, 0, 0)", "black ink is legible on the card's own ground alone"


def test_a_card_that_has_its_name_is_changed_to_another_of_the_deck_in_sight_of_it(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    page, server = visit("phone"), serve("drawn")
    begin(page, server, "All the cards")
    send(page)
    with leaving(page):
        page.locator(".next-step .pick").first.click()
    with leaving(page):
        page.locator(".faces .named a").first.click()
    expect(page.locator(".choices > button")).to_have_count(53)
    expect(page.locator(".choices [aria-current] img")).to_be_visible()
    check(page)
    page.locator(".photos-shown .faces").scroll_into_view_if_needed()
    asked, bar = page.locator(".asked-card").bounding_box(), page.locator(".next-step").bounding_box()
    assert asked["y"] >= 0 and asked["y"] + asked["height"] <= bar["y"], "the card stays in sight"
    with leaving(page):
        page.locator(".choices").get_by_role("button", name="3 of hearts").click()
    expect(page.locator(".faces").get_by_text("3♥")).to_be_visible()


def test_it_fits_the_smallest_phone_with_the_largest_type(
    visit: Callable[..., Any], serve: Callable[[str], Server]
) -> None:
    page, server = visit("small-phone"), serve("drawn")
    page.context.add_cookies([{"name": "size", "value": "largest", "url": server.url()}])
    begin(page, server, "All the cards")
    send(page)
    check(page)
    bar = page.locator(".next-step").bounding_box()
    assert bar["height"] <= 640 / 3 + 1, "the bar leaves two thirds of the screen"


def test_without_a_script_photos_are_sent_and_questions_answered(
    visit: Callable[..., Any], serve: Callable[[str], Server], tmp_path: Path
) -> None:
    page, server = visit("desk", java_script_enabled=False), serve("drawn")
    page.goto(server.url("/decks/new"))
    page.locator("input[name=what][value=jokers]").check()
    page.get_by_role("button", name="Next: photos of the cards").click()
    (tmp_path / "jokers.jpg").write_bytes(file_of(jokers_photo(3, 2, 0)))
    page.locator(".choose input[type=file]").set_input_files(str(tmp_path / "jokers.jpg"))
    page.locator(".choose button").click()
    page.get_by_role("heading", name="Is this the joker?").wait_for()
    page.get_by_role("button", name="Yes", exact=True).click()
    page.get_by_text("1 to go").wait_for()


def test_learning_tells_how_far_it_is_and_how_it_ended(
    visit: Callable[..., Any], serve: Callable[[str], Server], tmp_path: Path
) -> None:
    page, server = visit("phone"), serve("drawn")
    decks = TaughtDecks(tmp_path / "data", shared_decoder().decode)
    decks.add("Ours", "standard", pictures([JOKER]))
    page.goto(server.url("/decks/ours/"))
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Learn these cards").click()
    until(page, "document.querySelector('[data-progress]').textContent.startsWith('40 %')")
    check(page)
    page.goto(server.url("/"))
    expect(page.get_by_role("button", name="New game"), "the table stays usable").to_be_visible()
    page.goto(server.url("/decks/ours/"))
    until(page, "document.querySelector('progress').value === 0.4")
    with leaving(page):
        page.get_by_role("button", name="Stop learning").click()
    expect(page.get_by_text("Learning was stopped. 40 % done")).to_be_visible()
    check(page)
    with leaving(page):
        page.get_by_role("button", name="Learn these cards").click()
    write_learnt(decks, {"ours": decks.get("ours").content_hash()})
    (decks.folder / "learnt" / "go").touch()
    page.get_by_role("heading", name="How well it reads them").wait_for()
    expect(page.get_by_role("heading", name="It reads these well")).to_be_visible()
    settle(page)
    check(page)
