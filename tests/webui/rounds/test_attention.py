"""What needs attention before a round is agreed: in one list, on the steps, and kept with an agreement over it."""

from __future__ import annotations

import html
import re

import pytest

from tests.webui.helpers.drawn import EAST_TABLE, NORTH_LEFT, NORTH_TABLE, marked, photo
from tests.webui.helpers.playing import Person
from webui.context.services import services_of

ROUND = "/game/1/round/1"
NORTH, EAST = f"{ROUND}/side/0", f"{ROUND}/side/1"


@pytest.fixture
def player(person: Person) -> Person:
    person.begin()
    return person


def things(player: Person) -> dict[str, str]:
    """The list on the check page: where each sentence leads, by the sentence."""
    page = player.open(f"{ROUND}/check")
    found = re.search(r'<ul class="attention-list">(.*?)</ul>', page, re.DOTALL)
    links = re.findall(r'<a href="([^"]+)">([^<]+)</a>', found[1]) if found else []
    return {html.unescape(sentence): html.unescape(address) for address, sentence in links}


def marks(player: Person) -> list[str]:
    return re.findall(r'<span class="n" aria-hidden="true">([^<]+)</span>', player.open(f"{ROUND}/check"))


def nothing(player: Person, side: str, *places: int | None) -> None:
    for place in places:
        player.send(f"{side}/nothing", **({} if place is None else {"player": place}))


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (
            {"way": "total", "total": "1237"},
            "the total of 1,237 cannot be right, as all points are multiples of 5; look at it again.",
        ),
        (
            {"way": "counts", "cards": "640", "left": "83"},
            "points left over of 83 cannot be right, as all points are multiples of 5; look at it again.",
        ),
        (
            {"way": "counts", "books-clean": "2", "books-wild": "1", "cards": "200"},
            "3 typed books hold cards of 210 points at least, but 200 were typed.",
        ),
        ({"way": "counts", "books-clean": "2", "books-wild": "1", "cards": "210"}, None),
        ({"way": "total", "total": "-1235"}, None),
    ],
)
def test_typed_points_that_cannot_be(player: Person, typed: dict[str, str], sentence: str | None) -> None:
    player.send(f"{NORTH}/typed/points", **typed)
    about = [thing for thing in things(player) if "typed" in thing or "multiples" in thing]
    assert about == ([f"North–South: {sentence}"] if sentence else [])


def test_unanswered_steps_and_doubts_lead_to_their_places(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_TABLE))
    found = things(player)
    assert found["Who went out: not done yet."] == f"{ROUND}/out"
    assert found["North–South: table: 2 things to look at."] == f"{NORTH}/#doubts"
    assert "North–South: table: not done yet." not in found
    assert marks(player)[:3] == ["1", "!", "3"], "no tick over what needs attention"


def test_invalid_melds_and_too_many_copies(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_TABLE))
    player.send(f"{NORTH}/change", op="accept", group="p1g2")
    for _ in range(8):
        player.send(f"{NORTH}/change", op="add", group="left0", face="KS")
    player.send(f"{NORTH}/change", op="move", card="p1c0", group="p1g1")
    found = things(player)
    assert any("one rank" in sentence and address == f"{NORTH}/#group-p1g1" for sentence, address in found.items())
    assert any("K♠" in sentence and address.startswith(NORTH) for sentence, address in found.items())


def test_going_out_that_cannot_be(player: Person) -> None:
    player.send(f"{ROUND}/facts", went_out="0.0")
    player.photo(NORTH, photo(NORTH_LEFT), player=0)
    found = things(player)
    assert found["North went out but still has 3 cards left."] == f"{NORTH}/left#group-left0"
    assert any("Going out needs" in sentence and address == f"{ROUND}/out" for sentence, address in found.items())
    nothing(player, EAST, 0)
    nothing(player, NORTH, 1)
    found = things(player)
    assert found["East has no cards left, but did not go out."] == f"{EAST}/left#player0"
    assert found["South has no cards left, but did not go out."] == f"{NORTH}/left#player1", "as North’s partner"
    player.send(f"{ROUND}/facts", went_out="1.0")
    told = " ".join(things(player))
    assert "East has no cards left" not in told and "South has no cards left" in told and "North has" not in told


def test_the_same_photo_on_both_sides(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_TABLE))
    assert "The same photo" not in " ".join(things(player))
    player.photo(EAST, photo(EAST_TABLE))
    assert "The same photo" not in " ".join(things(player))
    player.photo(EAST, photo(NORTH_TABLE))
    sentence = "The same photo is used for North–South’s table and East–West’s table. Remove it from one of them."
    assert things(player)[sentence] == f"{EAST}/#photo-3"


def test_another_file_of_the_same_cards_is_the_same_photo(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_TABLE))
    player.photo(EAST, marked(photo(NORTH_TABLE), "another"))
    game = services_of(player.client.application).store.game(1)
    assert game is not None and len({shown.file for shown in game.rounds[0].photos}) == 2
    assert "North–South’s table and East–West’s table" in " ".join(things(player))


def test_agreeing_over_it_asks_and_is_logged(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_TABLE))
    count = len(things(player))
    assert 'name="agree"' not in player.page
    mark = shown(player)
    for unsaid in ({"over": ""}, {}):
        player.send(f"{ROUND}/facts", agree="0", mark=mark, **unsaid)
        assert player.path == f"{ROUND}/anyway" and "Agree anyway?" in player.text
    over = re.search(r'name="over" value="([^"]+)"', player.page)
    assert over
    player.send(f"{ROUND}/facts", agree="0", over=over[1])
    assert "points have changed since you looked" in player.notices()[0], "which the form has to say"
    player.send(f"{ROUND}/facts", agree="0", mark=mark, over=over[1])
    assert "✓ North–South: agreed" in player.text
    player.send(f"{ROUND}/facts", went_out="1.0")
    player.send(f"{ROUND}/facts", agree="1", mark=shown(player), over=over[1])
    assert player.path == f"{ROUND}/anyway", "something else needs attention than was shown"
    player.open("/game/1/log")
    assert f"North–South: agreed anyway, with {count} things to look at" in player.text
    assert "Who went out: not done yet." in player.text


def test_nothing_is_asked_where_nothing_needs_attention(player: Person) -> None:
    player.send(f"{ROUND}/facts", went_out="")
    for side in (NORTH, EAST):
        nothing(player, side, None)
        for seat in (0, 1):
            player.send(f"{side}/change", op="add", group=f"left{seat}", face="4S")
    player.send(f"{ROUND}/facts", unseen="yes")
    assert things(player) == {}
    for side in ("0", "1"):
        player.send(f"{ROUND}/facts", agree=side, mark=shown(player), over="")
    assert player.path == f"{ROUND}/tally"


def shown(player: Person) -> str:
    found = re.search(r'name="mark" value="([^"]+)"', player.open(f"{ROUND}/check"))
    assert found
    return found[1]
