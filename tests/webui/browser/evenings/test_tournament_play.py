"""An evening of Tournament Play in a real browser: a desk and a phone at each table, with power cuts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.webui.browser.evenings.machine import Machine, agree_on, phone_at, type_totals
from tests.webui.browser.evenings.test_sixteen_teams import GONE, shown, shown_standings
from tests.webui.helpers.browsing import expect, leaving, press
from tests.webui.helpers.evenings import evening
from webui.storage.store import Store

PEOPLE = tuple(f"P{at}" for at in range(9))


def play_set(phones: list[Any], base: str, club: Store, number: int, totals: dict[int, tuple[int, int]]) -> None:
    """Each table's phone types both hands of a set with the same totals, and both pairs agree."""
    for table, phone in enumerate(phones, 1):
        game = evening(club, 1).games[number, table]
        for hand in (1, 2):
            phone.goto(f"{base}/game/{game.id}/")
            with leaving(phone):
                phone.locator("main button.big").first.click()
            type_totals(phone, f"{base}/game/{game.id}/round/{hand}", totals[table])
            agree_on(phone, base, game.id, hand, [side.name for side in game.sides])
        assert evening(club, 1).results[number, table] == {1: totals[table], 2: totals[table]}


def announce(desk: Any, number: int) -> None:
    for button in (f"Draw set {number}", "Confirm this draw", "Announce the tables"):
        press(desk, button)


@pytest.mark.by_hand
def test_nine_people_move_from_table_to_table_to_the_highest_man_and_woman(
    machine: Machine, club: Store, visit: Callable[..., Any], problems: list[str]
) -> None:
    base, desk = machine.base, visit("desk")
    desk.goto(f"{base}/evenings/new?how=tournament-play")
    desk.get_by_label("How many sets?").fill("2")
    people = "\n".join(f"{name}, {'woman' if at % 2 else 'man'}" for at, name in enumerate(PEOPLE))
    desk.locator("textarea").fill(people)
    press(desk, "Set up the evening")
    press(desk, "Set up the evening")
    announce(desk, 1)
    first = evening(club, 1).stage(1)
    phones = [phone_at(machine, club, table, visit) for table in (1, 2)]
    play_set(phones, base, club, 1, {1: (800, 200), 2: (500, 500)})
    points = dict.fromkeys(PEOPLE, 0)
    for table, of in ((1, (800, 200)), (2, (500, 500))):
        for pair, each in zip(first.released[table - 1], of, strict=True):
            for name in pair:
                points[name] += 2 * each
    points[first.released_out[0]] += 2 * 500  # the average of 800, 200, 500 and 500
    desk.goto(f"{base}/evening/1/")
    expect(desk.get_by_text("Table 2: set 1 is a tie. Say who won and moves up.")).to_be_visible()
    won, stayed = first.released[1]
    machine.lose_power()
    desk.reload()
    press(desk, f"{won[0]} & {won[1]} won")
    penalised = first.released[0][0][0]
    desk.goto(f"{base}/evening/1/roster/?name={penalised}")
    desk.get_by_label("Points", exact=True).fill("300")
    press(desk, "Save")
    points[penalised] -= 300
    announce(desk, 2)
    second = evening(club, 1).stage(2)
    at = {name: table for table, sides in enumerate(second.released, 1) for pair in sides for name in pair}
    came = dict.fromkeys(won, 1) | dict.fromkeys((*first.released[0][0], *stayed), 2)
    assert all(at[name] == table for name, table in came.items() if name in at), "winners move up, losers stay"
    assert set(second.released_out) != set(first.released_out), "nobody sits out twice"
    for table, phone in enumerate(phones, 1):
        phone.wait_for_url(f"**/evening/1/table/{table}/")  # its page was of the set that is over
        press(phone, "Yes, that is us")
    play_set(phones, base, club, 2, {1: (900, 100), 2: (700, 300)})
    for table, of in ((1, (900, 100)), (2, (700, 300))):
        for pair, each in zip(second.released[table - 1], of, strict=True):
            for name in pair:
                points[name] += 2 * each
    points[second.released_out[0]] += 2 * 500  # the average of 900, 100, 700 and 300
    assert "nothing more is played" in shown(phones[0], f"{base}/evening/1/table/1/")
    desk.goto(f"{base}/evening/1/")
    assert {name.split()[0]: total for name, total in shown_standings(desk).items()} == points
    medals = desk.locator(".medals li").all_inner_texts()
    for group, names in (("man", PEOPLE[::2]), ("woman", PEOPLE[1::2])):
        best = max(points[name] for name in names)
        (told,) = [one for one in medals if one.lower().startswith(f"highest {group}")]
        assert {name for name in names if name in told} == {name for name in names if points[name] == best}
        assert f"{best:,}" in told
    problems[:] = [one for one in problems if not any(gone in one for gone in GONE)]
