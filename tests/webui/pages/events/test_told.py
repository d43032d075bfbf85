"""What is explained where it is seen: corrections that wait, opponents who went home, late comers, who sits out."""

from __future__ import annotations

import re
from html import unescape

import pytest

from scorer.sheets import TypedSide
from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, played, score_round, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import best_first, press, set_up, store_of
from webui.corrections.answers import set_typed, set_went_out
from webui.events.steps import actions
from webui.storage.store import Store


def change_agreed(store: Store, game_id: int, total: int) -> None:
    """Types another total for round 1 of a game, which nobody has agreed to yet."""
    game = store.game(game_id)
    assert game is not None
    store.rounds.change_facts(game.rounds[0].id, lambda facts: {**facts, "typed": {"0": {"total": total}}})


def test_a_correction_that_waits_holds_up_the_draw_and_there_are_two_ways_on(person: Person) -> None:
    store = store_of(person)
    begin(store, SIXTEEN[:4])
    seat(store, 1, 1)
    play_stage(store, 1, 1, best_first)
    assert "A correction waits" not in person.open("/evening/1/")
    change_agreed(store, evening(store, 1).games[1, 2].id, 9999)
    person.open("/evening/1/")
    assert "A correction waits Game 1, table 2, round 1" in person.text
    assert "First settle the correction that waits above. Draw without waiting" in person.text
    game = evening(store, 1).games[1, 2].id
    assert f'href="/game/{game}/round/1/check"' in person.page, "one way on: both sides agree"
    press(person, "/evening/1/2/draw")
    assert "If it changes who plays, this draw has to be made again." in person.text, "the other way on"
    (side,) = evening(store, 1).stage(1).released[1][0]
    score_round(store, 1, 1, 2, 1, (9999, 5))
    person.open("/evening/1/")
    assert "A correction waits" not in person.text
    drawn = side in evening(store, 1).stage(2).names
    assert ("This draw does not fit any more" in person.text) == (not drawn)


def test_a_table_whose_opponents_went_home_is_told_what_it_gets(person: Person) -> None:
    store = store_of(person)
    begin(store, SIXTEEN[:8])
    seat(store, 1, 1)
    (gone,), (stays,) = evening(store, 1).stage(1).released[0]
    score_round(store, 1, 1, 1, 1, (10, 20))
    actions.leave(store, 1, gone)
    said = f"{gone} went home. {stays}: what is agreed counts, and for each other round you get the average"
    for path in ("/evening/1/", "/evening/1/table/1/"):
        person.open(path)
        assert said in person.text
    assert f"{stays}: please wait until the tables of game 2 are announced." in person.text
    person.open("/evening/1/results/")
    assert "did not play that game" not in person.text, "they play it, and have no agreed round yet"
    person.open(f"/evening/1/results/card?name={stays.replace('&', '%26')}")
    assert "please wait until the tables of game 2" in person.text
    assert "Game 1: 1 of 13 rounds are in." in person.open("/evening/1/") and person.text


def test_people_whose_partner_went_home_are_told_what_counts(person: Person) -> None:
    store = store_of(person)
    begin(store, tuple(f"P{n}, {'woman' if n % 2 else 'man'}" for n in range(8)), "tournament-play")
    seat(store, 1, 1)
    gone = evening(store, 1).stage(1).released[0][0][0]
    actions.leave(store, 1, gone)
    person.open("/evening/1/table/1/")
    assert f"{gone} went home." in person.text and "unless a substitute plays on" in person.text


def test_missed_sets_and_a_leader_who_sits_out_are_explained(person: Person) -> None:
    store = store_of(person)
    begin(store, tuple(f"P{n}, {'woman' if n % 2 else 'man'}" for n in range(5)), "tournament-play")
    seat(store, 1, 1)
    play_stage(store, 1, 1, lambda name, _: 100 * int(name[1]))
    actions.enter(store, 1, "Late, man")
    person.open("/evening/1/results/card?name=Late")
    assert "Late: you come in with the next set. The sets before it count nothing for you." in person.text
    assert "Not there for this set, so nothing counts for it." in person.text
    person.open("/evening/1/results/")
    assert "Average: sat out that set" in person.text and "–: not there for that set" in person.text
    assert "Set 1: 2 of 2 hands are in." in person.text
    person.open("/evening/1/")
    press(person, "/evening/1/2/draw")
    assert person.text.count("Drawn among those who sat out least, whatever their points.") == 2


def test_the_first_page_counts_the_rounds_of_the_evening(person: Person) -> None:
    store = store_of(person)
    begin(store, SIXTEEN[:4])
    assert "rounds are in" not in person.open("/")
    seat(store, 1, 1)
    score_round(store, 1, 1, 1, 1, (10, 20))
    person.open("/")
    assert "Game 1: 1 of 8 rounds are in." in person.text


def test_more_teams_than_the_printed_rules_have_room_for_are_asked_about(person: Person) -> None:
    set_up(person, 16)
    person.send("/evening/1/people", people="Zed & Zoe")
    assert "That makes more than 16 teams (32 people)" in person.text
    assert len(evening(store_of(person), 1).entrants) == 16, "nothing is kept before the answer"
    press(person, "/evening/1/people", people="Zed & Zoe")
    assert len(evening(store_of(person), 1).entrants) == 17
    person.open("/evenings/new?how=tournament-play")
    person.send("/evenings/new", how="tournament-play", people="\n".join(f"P{n}, man" for n in range(40)))
    assert "That makes more than" not in person.text


def test_a_team_of_one_or_of_three_is_asked_about(person: Person) -> None:
    set_up(person, 2)
    for text in ("Eagles", "Eagles\nGus & Hal"):
        person.send("/evening/1/people", people=text)
        assert "Who plays for Eagles?" in person.text and len(evening(store_of(person), 1).entrants) == 2
    person.send("/evening/1/people", people="Ann & Bo & Cy")
    assert "and here are 3: “Ann & Bo & Cy”. Who comes in later is a substitute." in person.text


def test_ties_for_the_highest_man_and_woman_are_asked_and_decided(person: Person) -> None:
    store = store_of(person)
    begin(store, tuple(f"P{n}, {'woman' if n % 2 else 'man'}" for n in range(8)), "tournament-play", stages=1)
    seat(store, 1, 1)
    play_stage(store, 1, 1, lambda *_: 100)
    person.open("/evening/1/")
    men, women = ({f"P{n}" for n in range(start, 8, 2)} for start in (0, 1))
    assert "P0, P2, P4 and P6 are tied for highest man." in person.text
    assert "P1, P3, P5 and P7 are tied for highest woman." in person.text
    for one in (["P4", "P0", "P6", "P2"], ["P7", "P1", "P3", "P5"]):
        press(person, "/evening/1/order", count="4", **{f"place{at}": name for at, name in enumerate(one)})
    assert "highest man : P4, 200" in person.text and "highest woman : P7, 200" in person.text
    assert "tied for" not in person.text and men | women == set(evening(store, 1).entrants)


def test_the_winners_of_the_highest_table_stay_where_it_was_chosen_so(person: Person) -> None:
    person.open("/evenings/new?how=tournament-play")
    people = "\n".join(f"P{n}, {'woman' if n % 2 else 'man'}" for n in range(8))
    press(person, "/evenings/new", people=people, stages="2", top="stay")
    for one in ("draw", "confirm", "release"):
        press(person, f"/evening/1/1/{one}")
    store = store_of(person)
    (won, lost) = evening(store, 1).stage(1).released[1]
    play_stage(
        store, 1, 1, lambda name, _: 900 if name in (won[0], evening(store, 1).stage(1).released[0][0][0]) else 5
    )
    person.open("/evening/1/")
    press(person, "/evening/1/2/draw")
    told = [" and ".join(sorted(pair)) for pair in (won, lost)]
    assert f"{told[0]} stayed at table 2" in person.text
    assert f"{told[1]} lost at table 2, the highest, and moved to table 1" in person.text


@pytest.mark.parametrize("field", ["top", "ties", "byes", "prizes_for", "format"])
def test_an_answer_that_was_not_offered_is_refused(person: Person, field: str) -> None:
    person.open("/evenings/new")
    person.send("/evenings/new", how="tournament-play", people="Ann, woman", **{field: "elsewhere"})
    assert person.status == 400 and "Choose one of the answers that are offered." in person.text


def test_ties_and_who_sits_out_go_by_what_was_chosen(person: Person) -> None:
    person.open("/evenings/new")
    names = [f"{letter}a & {letter}o" for letter in "ABCDE"]
    press(person, "/evenings/new", people="\n".join(names), cut="all", ties="best", byes="lowest")
    store = store_of(person)
    seat(store, 1, 1)
    (rested,) = evening(store, 1).stage(1).released_out
    (one, two), (low, high) = ([side[0] for side in table] for table in evening(store, 1).stage(1).released)
    by_round = {one: (600, 0, 0, 0), two: (150, 150, 150, 150), low: (9, 9, 9, 9), high: (700, 700, 700, 700)}
    play_stage(store, 1, 1, lambda name, round: by_round[name][round - 1])
    assert [row.name for row in played(store, 1).standings()] == [high, rested, one, two, low]
    person.open("/evening/1/results/")
    assert "Equal totals: the higher score in a single round comes first" in person.text
    person.open("/evening/1/")
    press(person, "/evening/1/2/draw")
    assert evening(store, 1).stage(2).out == (low,)
    assert "The lowest of those who sat out least sits out." in person.text


def test_a_note_about_a_correction_does_not_keep_an_evening_from_its_end(person: Person) -> None:
    store = store_of(person)
    begin(store, SIXTEEN[:4])
    for stage in (1, 2):
        seat(store, 1, stage)
        play_stage(store, 1, stage, best_first)
    table = evening(store, 1).table_of(SIXTEEN[3], 1) or 0
    sides = evening(store, 1).stage(1).released[table - 1]
    one, two = (3000 if name == SIXTEEN[3] else best_first(name, 1) for (name,) in sides)
    score_round(store, 1, 1, table, 1, (one, two))
    person.open("/evening/1/")
    assert f"By the corrected scores {SIXTEEN[3]} would play game 2. It stays as played." in person.text
    assert "The winners so far" not in person.text
    press(person, "/evening/1/state", state="finished")
    assert "The evening is over" in person.text and evening(store, 1).state == "finished"


def test_every_round_of_every_game_is_reached_from_one_page(person: Person) -> None:
    store = store_of(person)
    begin(store, SIXTEEN[:4])
    assert "The tables have not been announced yet." in person.open("/evening/1/rounds")
    seat(store, 1, 1)
    play_stage(store, 1, 1, best_first)
    assert "Nothing is missing" in person.open("/evening/1/rounds")
    seat(store, 1, 2)
    score_round(store, 1, 2, 1, 2, (1615, 980))
    assert 'href="/evening/1/rounds"' in person.open("/evening/1/")
    person.open("/evening/1/rounds")
    assert "Game 2, table 1: round 1, 3 and 4" in person.text and "1,615" in person.text and "980" in person.text
    for (stage, table), of in evening(store, 1).games.items():
        for number in evening(store, 1).results[stage, table]:
            assert f'href="/game/{of.id}/round/{number}/tally"' in person.page
    assert person.page.count(">missing<") == 3
    actions.leave(store, 1, evening(store, 1).stage(2).released[0][0][0])
    person.open("/evening/1/rounds")
    assert person.page.count(">not played<") == 3 and "Nothing is missing" in person.text
    game = store.game(1)
    assert game is not None
    store.rounds.change_facts(game.rounds[0].id, lambda facts: {**facts, "typed": {"0": {"total": 5}}})
    person.open("/evening/1/rounds")
    assert "changed" in person.text and "Game 1, table 1: round 1" in person.text


def test_a_penalty_is_given_beside_a_name_and_everybody_sees_why(person: Person) -> None:
    store, name = store_of(person), SIXTEEN[0]
    begin(store, SIXTEEN[:4])
    seat(store, 1, 1)
    play_stage(store, 1, 1, best_first)
    person.open("/evening/1/roster/?name=Aa+%26+Ao")
    press(
        person,
        "/evening/1/roster/adjust",
        name=name,
        way="off",
        points="1,000",
        stage="1",
        reason="slow play",
        words="",
    )
    assert f"Last: {name}: −1,000 points in game 1 (slow play)." in person.text
    said = f"{name}: −1,000 in game 1, slow play"
    for path in (
        "/evening/1/",
        "/evening/1/results/",
        "/evening/1/results/card?name=Aa+%26+Ao",
        "/evening/1/score-cards",
    ):
        assert person.open(path) and said in person.text, path
    person.open("/evening/1/")
    assert "On to game 2: Ba & Bo and Ca & Co" in person.text and "3,010" in person.text
    assert "1,-1000,slow play" in person.open("/evening/1/results/penalties.csv")
    person.open("/evening/1/roster/?name=Aa+%26+Ao")
    press(person, "/evening/1/roster/take-back", name=name)
    assert said not in person.text
    person.open("/evening/1/roster/?name=Aa+%26+Ao")
    press(
        person, "/evening/1/roster/adjust", name=name, way="off", points="-5", stage="1", reason="slow play", words=""
    )
    assert "Type the points as a whole number from 1 to 20000." in person.text
    assert person.path == "/evening/1/roster/"


def test_each_side_agrees_with_the_score_of_the_other(person: Person) -> None:
    store = store_of(person)
    begin(store, SIXTEEN[:2])
    seat(store, 1, 1)
    (one,), (two,) = evening(store, 1).stage(1).released[0]
    store.rounds.begin(1, 1)
    game = store.game(1)
    assert game is not None

    def typed(facts: dict[str, object]) -> dict[str, object]:
        facts = set_went_out(facts, 2, 0, None)
        for side, total in enumerate((980, 1615)):
            facts = set_typed(facts, side, TypedSide(total=total))
        return facts

    store.rounds.change_facts(game.rounds[0].id, typed)
    person.open("/game/1/round/1/check")
    told = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", person.page)))
    assert f"{one}: we agree with the score of {two} 1,615" in told
    person.agree("/game/1/round/1", 0)
    person.open("/game/1/round/1/check")
    told = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", "", person.page)))
    assert f"{two}: your score, agreed by {one} 1,615" in told and "with the score of" in told


def test_numbers_from_a_hat_are_typed_in_one_field_each(person: Person) -> None:
    store = store_of(person)
    begin(store, SIXTEEN[:4])
    assert "They draw numbers from a hat" in person.open("/evening/1/")
    person.send("/evening/1/1/hat", name=list(SIXTEEN[:4]), drawn=["2", "1", "1", "2"])
    assert "Seated by the numbers that they drew." in person.text
    assert evening(store, 1).stage(1).tables[0] == ((SIXTEEN[1],), (SIXTEEN[2],))
    person.send("/evening/1/1/hat", name=list(SIXTEEN[:4]), drawn=["2", "1", "x", "2"])
    assert "Check the numbers." in person.text
    person.send("/evening/1/1/hat", name=list(SIXTEEN[:4]), drawn=["", "", "", ""])
    assert "Nobody has number 1. Check the numbers." in person.text
