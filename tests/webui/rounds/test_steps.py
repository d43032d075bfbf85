"""The steps of a round: their order, their forms, agreement, and edits by two people at once."""

from __future__ import annotations

import io
import re

import pytest

from tests.webui.helpers.drawn import EAST_TABLE, NO_CARDS, NORTH_LEFT, NORTH_TABLE, photo
from tests.webui.helpers.playing import Person

ROUND = "/game/1/round/1"
NORTH, EAST = f"{ROUND}/side/0", f"{ROUND}/side/1"


@pytest.fixture
def player(person: Person) -> Person:
    person.begin()
    return person


def seen(person: Person, path: str) -> str:
    """The number of the newest change that a page shows."""
    found = re.search(r'name="seen" value="(\d+)"', person.open(path))
    assert found
    return found[1]


def shown_hash(person: Person) -> str:
    found = re.search(r'name="mark" value="(\w+)"', person.open(f"{ROUND}/check"))
    assert found
    return found[1]


def test_the_steps_of_a_round_in_order(player: Person) -> None:
    assert player.path == f"{ROUND}/out", "a new round begins with who went out"
    player.send(f"{ROUND}/facts", went_out="0.0")
    assert player.path == f"{NORTH}/"
    player.photo(NORTH, photo(EAST_TABLE))
    assert player.path == f"{NORTH}/" and "Next: cards South has left" in player.text, (
        "North went out with nothing left"
    )
    player.photo(NORTH, photo(NORTH_LEFT), player=1)
    assert player.path == f"{NORTH}/left" and "Next: East–West’s cards on the table" in player.text
    player.send(f"{EAST}/nothing")
    assert player.path == f"{EAST}/left" and "Cards East has left" in player.text
    player.send(f"{EAST}/nothing", player="0")
    assert player.path == f"{EAST}/left" and "Cards West has left" in player.text
    player.send(f"{EAST}/nothing", player="1")
    assert player.path == f"{ROUND}/unseen"
    player.send(f"{ROUND}/facts", unseen="yes", exact_deals0="1")
    assert player.path == f"{ROUND}/check" and "not done yet" not in player.text
    player.agree(ROUND, 0)
    assert player.path == f"{ROUND}/check" and "✓ North–South: agreed" in player.text
    player.agree(ROUND, 1)
    # four jacks 40, 4s with a joker 60, going out 100, an exact pickup 100, less South's 65
    assert player.path == f"{ROUND}/tally" and "North–South East–West Round 1 235 0" in player.text


def test_steps_may_be_done_in_any_order_and_repeated(player: Person) -> None:
    player.send(f"{EAST}/nothing", player="1")
    assert "Cards East has left" in player.text
    player.open(f"{ROUND}/check")
    assert "Needs attention Who went out: not done yet. North–South: table: not done yet." in player.text
    player.send(f"{ROUND}/facts", went_out="1.1")
    player.send(f"{ROUND}/facts", went_out="")
    assert "✓ Nobody went out" in player.open(f"{ROUND}/out")


def test_a_photo_without_cards_leaves_its_step_open(player: Person) -> None:
    player.send(f"{ROUND}/facts", went_out="1.0")
    player.photo(NORTH, photo(NO_CARDS))
    assert player.path == f"{NORTH}/" and "No cards found" in player.text
    assert "Nothing on the table" in player.text and "Next: cards North has left" not in player.text
    player.photo(NORTH, photo(NORTH_TABLE))
    assert "Next: cards North has left" in player.text
    player.photo(NORTH, photo(NO_CARDS, ".png"), player=0)
    assert player.path == f"{NORTH}/left" and "No cards found" in player.text
    assert "Cards North has left" in player.text and "Cards South has left" not in player.text
    player.send(f"{NORTH}/nothing", player="0")
    assert "Next: cards South has left" in player.text


def test_the_summary_above_every_step(player: Person) -> None:
    assert "first meld" not in player.text and "plays first" not in player.text, "that of the next round comes later"
    player.send("/game/1/first", first="South")
    player.photo(NORTH, photo(NORTH_TABLE))
    standing = player.text[player.text.index("Round 1 of 4") :]
    assert standing.startswith(
        "Round 1 of 4 Total: North–South 1,535 East–West 0 South played first To go out: 2 clean and 3 dirty books"
    )
    assert "Round 2" not in player.text
    player.open(f"{ROUND}/check")
    assert "To go out:" not in player.text, "what it took is no news once the round is over"
    assert "Next, round 2: first meld 90, West plays first" in player.text


def test_a_squared_pile_is_counted_on_the_spot(player: Person) -> None:
    player.send(f"{ROUND}/facts", went_out="1.0")
    player.photo(NORTH, photo(NORTH_TABLE), counts=False)
    assert player.piles() == {f"{NORTH}/group/p1g4/count": {"cards": "7", "wild-2": "1", "wild-JK": "0"}}
    assert "The black card on top says that it is dirty." in player.text
    assert "Count the closed book of kings" in player.text and "Next: cards North" not in player.text
    player.count_piles(**{"cards": "2", "wild-2": "2"})
    assert player.path == f"{NORTH}/" and "count all the cards again" in player.notices()[0]
    version = seen(player, f"{NORTH}/")
    player.count_piles(seen=version, **{"cards": "8", "wild-2": "0"})
    assert "Clean book of kings 780" in player.group("p1g4") and not player.piles()
    assert "Next: cards North has left" in player.text


def test_a_pile_has_no_points_and_its_step_no_tick_until_it_is_counted(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_TABLE), counts=False)
    for card in ("p1c14", "p1c24"):
        player.send(f"{NORTH}/change", op="remove", card=card)
    without = "without the closed book of kings, not counted yet"
    player.open(f"{NORTH}/")
    assert f"1,150 points this round {without}" in player.text
    assert "Closed book of kings not counted yet" in player.group("p1g4") and "350" not in player.text
    assert re.search(r'>!</span>\s*<span class="t">North–South: table', player.page)
    player.open(f"{ROUND}/check")
    assert "Closed book of kings: not counted yet, so it has no points." in player.text and without in player.text
    assert "Before anyone can agree: North–South: table: Count the closed book of kings" in player.text
    for ask in ({"agree": "0"}, {"confirm": "yes"}, {"agree": "1", "over": "x"}):
        player.send(f"{ROUND}/facts", mark=shown_hash(player), **ask)
        assert player.path == f"{ROUND}/check" and "agreed" not in player.text
    assert 'name="agree"' not in player.page and 'name="confirm"' not in player.page
    assert player.open(f"{ROUND}/anyway?side=0") and player.path == f"{ROUND}/check"
    player.send(f"{NORTH}/group/p1g4/count", rank="K", cards="7", **{"wild-2": "1"})
    player.agree(ROUND)
    assert player.path == f"{ROUND}/tally" and "1,530" in player.text


def test_that_a_side_cannot_go_out_is_not_said_before_its_piles_are_counted(player: Person) -> None:
    player.send(f"{ROUND}/facts", went_out="0.0")
    player.photo(NORTH, photo(NORTH_TABLE), counts=False)
    assert "Going out needs" not in player.open(f"{ROUND}/check")
    player.open(f"{NORTH}/")
    player.count_piles()
    assert "Going out needs" in player.open(f"{ROUND}/check")


def test_a_side_that_people_counted_is_asked_for_no_pile(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_TABLE), counts=False)
    player.send(f"{NORTH}/typed/points", way="total", total="1235")
    assert not player.open(f"{NORTH}/").count("pile-count")
    player.agree(ROUND)
    assert player.path == f"{ROUND}/tally"


def test_agreement_to_changed_points_is_refused(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_TABLE))
    shown = shown_hash(player)
    player.agree(ROUND, 0)
    player.send(f"{NORTH}/change", op="remove", card="p1c0")
    assert "✓ North–South: agreed" not in player.open(f"{ROUND}/check"), "it agreed to other points"
    player.send(f"{ROUND}/facts", agree="1", mark=shown)
    assert "points have changed since you looked" in player.notices()[0]
    player.agree(ROUND)
    assert player.path == f"{ROUND}/tally"


def test_a_line_highlights_its_cards_without_scripts(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_TABLE))

    def lit(line: str) -> tuple[int, int, int]:
        """How many outlines, cards named in at least one layout, and lines are lit."""
        page = player.open(f"{ROUND}/check?lit={line}")
        named = re.findall(r'class="name [^"]* lit"[^>]*data-card="(\w+)"', page)
        outlines, lines = (re.findall(of, page) for of in (r'class="outline [^"]* lit"', r"<li[^>]* lit"))
        return len(outlines), len(set(named)), len(lines)

    assert lit("0-p1g1-1") == (3, 3, 1), "three queens"
    assert lit("0-p1g1") == (4, 4, 1)
    for nothing in ("9-p1g1", "0-nobody", "x"):
        assert lit(nothing) == (0, 0, 0)


def test_a_stale_correction_shows_the_changes_and_can_be_repeated(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_TABLE))
    version = seen(player, f"{NORTH}/")
    player.send("/game/1/who", who="Ann")
    player.send(f"{NORTH}/change", op="name", card="p1c14", face="9D", seen=version)
    player.send("/game/1/who", who="Bo")
    player.send(f"{NORTH}/change", op="name", card="p1c14", face="8D", seen=version)
    assert "Someone else changed this first" in player.text
    assert "Ann: Round 1, North–South: Card changed: 6 of diamonds → 9 of diamonds" in player.text
    again = dict(re.findall(r'<input type="hidden" name="(op|card|face|seen)" value="([^"]+)"', player.page))
    assert again["seen"] != version
    player.send(f"{NORTH}/change", **again)
    assert "This one has 9s and an 8" in player.text
    player.open("/game/1/log")
    assert "Bo Round 1, North–South Card changed 9 of diamonds 8 of diamonds" in player.text


def test_conflicting_answers_are_not_overwritten(player: Person) -> None:
    version = seen(player, f"{ROUND}/out")
    player.send(f"{ROUND}/facts", went_out="0.1", seen=version)
    player.send(f"{ROUND}/facts", went_out="1.0", seen=version)
    assert "Someone else changed this first" in player.text and "Who went out: South" in player.text
    assert "✓ South" in player.open(f"{ROUND}/out")


def test_an_undo_names_its_change_and_reverts_nothing_else(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_TABLE))
    player.send(f"{NORTH}/change", op="remove", card="p1c0")
    assert "Card removed: 8 of hearts. Undo" in player.text
    stale = re.search(r'name="entry" value="(\d+)"', player.page)
    assert stale
    player.send(f"{ROUND}/facts", went_out="0.0")
    player.send(f"{ROUND}/undo", entry=stale[1])
    assert "Someone else changed this first" in player.text and "Who went out: North" in player.text
    player.open(f"{ROUND}/out")
    assert "Undo Round 1: Who went out: North" in player.text
    player.undo()
    assert "✓" not in player.text.split("Who went out?")[1]
    player.open(f"{NORTH}/")
    player.undo()
    assert "Clean book of 8s 770" in player.group("p1g0")
    player.open("/game/1/log")
    assert "Undone: card removed" in player.text and "Undone: who went out" in player.text


def test_groups_are_split_and_joined_and_all_of_it_undone(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_TABLE))
    player.send(f"{NORTH}/change", op="regroup", cards=["p1c0", "p1c1", "p1c2"], group="new-meld")
    assert "Meld of 8s 40" in player.group("p1g0") and player.page.count("Meld of 8s") >= 2
    player.send(f"{NORTH}/change", op="regroup", group="new-meld")
    assert "No cards were chosen" in player.notices()[0]
    player.send(f"{NORTH}/change", op="join", group="p1g3", into="p1g1")
    assert "queens and aces" in player.group("p1g1")
    player.send(f"{NORTH}/change", op="reset")
    assert "Clean book of 8s 770" in player.group("p1g0") and "Meld of aces 60" in player.group("p1g3")


def test_corrections_of_left_over_cards_lead_back_to_them(player: Person) -> None:
    player.photo(NORTH, photo(NORTH_LEFT), player=0)
    player.send(f"{NORTH}/change", op="remove", card="p1c0")
    assert player.path == f"{NORTH}/left" and "Cards North has left −60" in player.text
    came = {"Referer": f"http://localhost{NORTH}/left"}
    player.send(f"{NORTH}/change", op="reset", headers=came)
    assert player.path == f"{NORTH}/left" and "Cards North has left −65" in player.text
    player.send(f"{NORTH}/change", op="drop-photo", photo="1", headers=came)
    assert player.path == f"{NORTH}/left" and "Cards North has left" in player.text


def test_a_script_that_sends_a_photo_gets_the_next_url(player: Person) -> None:
    fields = {"photos": (io.BytesIO(photo(NORTH_TABLE)), "a.jpg"), "token": player.token()}
    answer = player.client.post(f"{NORTH}/photos", data=fields, headers={"X-Handfoot-Script": "yes"})
    assert answer.json == {"next": f"{NORTH}/"}


def test_who_went_out_is_not_doubted_before_the_books_are_told(player: Person) -> None:
    player.send(f"{ROUND}/facts", went_out="0.0")
    assert 'aria-hidden="true">✓' in player.page and 'aria-hidden="true">!' not in player.page
    player.send(f"{NORTH}/nothing")
    assert 'aria-hidden="true">!' in player.page, "without a book they cannot"
