"""A whole game under each of the five sheets, entered on a phone 390 px wide without a photo."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.webui.browser.typed.paper_games import (
    CUTTING_22,
    FIRST_SET,
    GOLDEN_GAMES,
    HAND_N_FOOT,
    SECOND_SET,
    TANGLEWOOD,
    Cards,
    Counts,
    Game,
    Round,
)
from tests.webui.helpers.browsing import Server, check, expect, fits, leaving
from tests.webui.helpers.game_pages import all_agree, name_players

Visit = Callable[..., Any]
Serve = Callable[[str], Server]


def press(page: Any, name: str | re.Pattern[str], role: str = "button") -> None:
    """Presses a button, or a link, that leads on."""
    with leaving(page):
        page.get_by_role(role, name=name, exact=True).click()


def press_rarer(page: Any, name: str | re.Pattern[str]) -> None:
    """Follows a link that is folded under other ways where the page shows cards already."""
    if (ways := page.locator(".next-step .other-ways summary")).count():
        ways.click()
    press(page, name, "link")


def shown(points: int) -> str:
    return f"{points:,}".replace("-", "−")


def begin(page: Any, server: Server, game: Game) -> None:
    """Begins a game of the players' names."""
    players = sum(map(len, game.sides))
    page.goto(server.url(f"/new?rules={game.rules}&players={players}"))
    if (alone := page.get_by_role("option", name="each alone")).count():
        with leaving(page):
            page.get_by_label("Sides").select_option(label=alone.inner_text())
    name_players(page, *(name for names in game.sides for name in names))
    assert fits(page)
    press(page, "Start the game")


def enter_cards(page: Any, cards: Cards, seated: tuple[str, ...]) -> None:
    """Types the cards of a side into the one form for them."""
    press_rarer(page, re.compile("^Type .*’s cards$"))
    page.get_by_label("Melds, one line for each").fill(cards.melds)
    if cards.laid:
        page.get_by_label("Laid on the table").fill(cards.laid)
    if cards.buried:
        page.get_by_label("Buried cards").fill(cards.buried)
    for name, left in zip(seated, cards.left, strict=True):
        page.get_by_label(f"Cards left: {name}").fill(left)
    press(page, "Add these cards")


def enter_points(page: Any, told: Counts | int) -> None:
    """Types the points of a side into the one form for them."""
    if isinstance(told, int):
        page.get_by_label("Just the total").check()
        page.get_by_label("Total for this round").fill(str(abs(told)))
        page.get_by_label("Minus").set_checked(told < 0)
    else:
        page.get_by_label("Books and points").check()  # as the side before may have been typed as a total
        for label, value in told.items():
            page.get_by_role("textbox", name=label).fill(value)
    press(page, "Save the points")


def enter(page: Any, told: Cards | Counts | int, seated: tuple[str, ...]) -> None:
    """Enters a side from its own page, or from the form that the side before it led to."""
    if isinstance(told, Cards):
        enter_cards(page, told, seated)
        for name in (name for name, left in zip(seated, told.left, strict=True) if not left):
            if page.get_by_role("heading", name=f"ards {name} has left").count():  # of whoever went out it is known
                press(page, f"{name}: no cards left")
        return
    if not page.get_by_role("button", name="Save the points").count():
        press_rarer(page, re.compile("^Type .*’s points$"))
    enter_points(page, told)


def answer(page: Any, told: Round) -> None:
    """Answers what no camera sees; of a side whose total was typed it is not asked."""
    if page.get_by_role("link", name="Yes, there was").count():
        if not any(map(any, told.asked.values())):
            with leaving(page):
                page.locator(".next-step button:not(.quiet)").click()  # no such thing
            return
        press(page, "Yes, there was", "link")
    for name, counts in told.asked.items():
        box = page.locator("section.box").filter(has=page.get_by_role("heading", name=name))
        asked = [count for count, side in zip(counts, told.sides, strict=True) if not isinstance(side, int)]
        expect(box.locator("fieldset")).to_have_count(len(asked))
        for place, count in enumerate(asked):
            box.locator("fieldset").nth(place).get_by_label(str(count or "None")).check()
    press(page, "Continue")


def play(page: Any, game: Game, number: int, seated: tuple[tuple[str, ...], ...]) -> None:
    """Enters a round, from who went out to its tally; each side that is no cards takes one form."""
    told = game.rounds[number - 1]
    sent: list[str] = []

    def count(asked: Any) -> None:
        if asked.method == "POST":
            sent.append(asked.url.rpartition("/")[2])

    page.on("request", count)
    if told.starter:
        with leaving(page):
            page.locator("#starter").get_by_role("button", name=told.starter, exact=True).click()
        expect(page.get_by_text(f"{told.starter} played first")).to_be_visible()
    with leaving(page):
        page.locator(".answers").get_by_role("button", name=told.out or "Nobody went out", exact=True).click()
    for side, names in zip(told.sides, seated, strict=True):
        enter(page, side, names)
    if told.asked:
        answer(page, told)
    if page.get_by_role("link", name="Next: check and agree").count():
        press(page, "Next: check and agree", "link")
    expect(page.locator(".checking h2 .points")).to_have_text(
        [shown(points) for points in told.points], use_inner_text=True
    )
    all_agree(page)
    page.remove_listener("request", count)
    for at, points in enumerate(told.points):
        expect(page.locator(".totals tbody td").nth(at)).to_have_text(shown(points), use_inner_text=True)
    typed = [side for side in told.sides if not isinstance(side, Cards)]
    assert sent.count("points") == len(typed), "one form a side"
    if len(typed) == len(told.sides):
        assert len(sent) <= len(typed) + 3 + len(seated), "who started and went out, what no camera sees, who agrees"


def total_row(page: Any) -> list[str]:
    return page.locator(".totals tfoot").first.locator("td").all_inner_texts()  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(GOLDEN_GAMES, marks=pytest.mark.by_hand),
        pytest.param(CUTTING_22, marks=pytest.mark.by_hand),
        pytest.param(TANGLEWOOD, marks=pytest.mark.by_hand),
    ],
    ids=lambda game: game.rules,
)
def test_a_whole_game(game: Game, visit: Visit, serve: Serve) -> None:
    page, server = visit("phone"), serve("drawn")
    begin(page, server, game)
    for number in range(1, len(game.rounds) + 1):
        press(page, f"Score round {number}")
        play(page, game, number, game.sides)
        assert fits(page)
    press(page, "Back to the game", "link")
    assert total_row(page) == list(map(shown, game.totals))
    expect(page.get_by_text(f", {max(game.totals):,} points")).to_be_visible()
    check(page)
    told = [side for round in game.rounds for side in round.sides if not isinstance(side, Cards)]
    page.goto(server.url("/game/1/log"))
    for total in (side for side in told if isinstance(side, int)):
        expect(page.get_by_text(f"total {shown(total)}", exact=True), "marked in the log").not_to_have_count(0)
    expect(page.get_by_text(": typed").nth(len(told) - 1)).to_be_attached()
    page.goto(server.url(f"/game/1/round/{len(game.rounds)}/tally"))
    expect(page.get_by_role("heading", name="typed"), "marked in the tally").to_have_count(len(game.sides))


@pytest.mark.by_hand
def test_five_with_a_floater(visit: Visit, serve: Serve) -> None:
    page, server = visit("phone"), serve("drawn")
    begin(page, server, HAND_N_FOOT)
    for number in range(1, 5):
        press(page, f"Score round {number}")
        with_floater = (("Ann", "Bo", "Eve"), ("Cy", "Di"))
        play(page, HAND_N_FOOT, number, with_floater if number in (1, 4) else (("Ann", "Bo"), ("Cy", "Di", "Eve")))
    press(page, "Back to the game", "link")
    assert total_row(page) == list(map(shown, HAND_N_FOOT.totals))
    # Eve: 3,620 and 4,775 with the first side, 70 and 2,355 with the second
    expect(page.get_by_text("Ann 9,605, Bo 9,605, Eve 10,820, Cy 1,855, Di 1,855")).to_be_visible()
    check(page)


@pytest.mark.by_hand
def test_two_sets_of_two_hands_with_other_partners(visit: Visit, serve: Serve) -> None:
    page, server = visit("phone"), serve("drawn")
    for which, game in ((1, FIRST_SET), (2, SECOND_SET)):
        begin(page, server, game)
        for hand, minimum in ((1, 50), (2, 120)):
            press(page, f"Score set 1, hand {hand}")
            expect(page.get_by_text(f"First meld {minimum}")).to_be_visible()
            play(page, game, hand, game.sides)
        sums = " ".join(map(shown, game.totals))
        for place in ("", "pad"):
            page.goto(server.url(f"/game/{which}/{place}"))
            if place == "pad":
                expect(page.get_by_text("first meld 120")).to_be_visible()
            expect(page.get_by_role("row", name=f"Set 1 total {sums}")).to_be_visible()
            for side, names in enumerate(game.sides):
                hands = " ".join(shown(told.points[side]) for told in game.rounds)
                for name in names:
                    row = f"{name} {hands} {shown(game.totals[side])}"
                    expect(page.get_by_role("row", name=row), row).to_be_visible()
            check(page)
