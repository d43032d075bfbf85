"""The result of a game as a picture and a sentence: by address, with and without names, for viewers too."""

from __future__ import annotations

from tests.webui.helpers.played_games import play_game
from tests.webui.helpers.playing import Person
from webui.context.services import services_of


def test_a_result_is_shown_with_or_without_names_as_the_device_chose(person: Person) -> None:
    store = services_of(person.client.application).store
    play_game(store, (("Ann", "<b>&"), ("Cy", "Di")), 4)
    page = person.open("/game/1/share")
    assert 'src="/game/1/result.svg"' in page and "Ann &amp; &lt;b&gt;&amp;" in page
    picture = person.client.get("/game/1/result.svg")
    assert picture.mimetype == "image/svg+xml" and ">Ann</text>" in picture.text and "<b>" not in picture.text
    assert "Ann" not in person.client.get("/game/1/result.svg?names=no").text
    person.open("/game/1/share?names=no")
    assert "Ann" not in person.open("/game/1/share")
    assert "names=no" in person.open("/game/1/")


def test_there_is_nothing_to_share_before_a_round_counts(person: Person) -> None:
    person.begin()
    assert "Share" not in person.open("/game/1/")
    for path in ("share", "result.svg"):
        assert person.client.get(f"/game/1/{path}").status_code == 404
