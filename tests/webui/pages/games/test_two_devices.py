"""The form of names on two devices at once: nobody's change is lost in silence."""

from __future__ import annotations

import re

from tests.webui.helpers.playing import Person
from tests.webui.pages.games.test_games import NAMES, store_of


def names_form(person: Person) -> dict[str, str]:
    """What a browser sends of the form of names."""
    page = person.open("/game/1/names")
    return dict(re.findall(r'name="((?:was\.)?(?:side|player)[\d.]+)"[^>]*value="([^"]*)"', page))


def test_two_devices_that_name_different_players_both_count(person: Person) -> None:
    person.begin(**NAMES)
    one, other = names_form(person), names_form(person)
    person.send("/game/1/names", **(one | {"player0.0": "Anna"}))
    person.send("/game/1/names", **(other | {"player1.1": "Diana"}))
    game = store_of(person).game(1)
    assert game is not None and [side.players for side in game.sides] == [("Anna", "Bo"), ("Cy", "Diana")]


def test_a_name_that_two_devices_change_is_asked_about(person: Person) -> None:
    person.begin(**NAMES)
    one, other = names_form(person), names_form(person)
    person.send("/game/1/names", **(one | {"player0.0": "Anna"}))
    person.send("/game/1/names", **(other | {"player0.0": "Annie"}))
    assert person.status == 409 and "Someone changed “Ann” to “Anna” on another device" in person.text
    assert 'value="Annie"' in person.page, "what was typed is still there"
    game = store_of(person).game(1)
    assert game is not None and game.sides[0].players == ("Anna", "Bo")
