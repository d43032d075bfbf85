"""One screen with every round of every table: what is missing, and the way to each round."""

from __future__ import annotations

from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, score_round, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import best_first, store_of
from webui.events.steps import actions


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
    for (stage, table), played in evening(store, 1).games.items():
        for number in evening(store, 1).results[stage, table]:
            assert f'href="/game/{played.id}/round/{number}/tally"' in person.page
    assert person.page.count(">missing<") == 3
    actions.leave(store, 1, evening(store, 1).stage(2).released[0][0][0])
    person.open("/evening/1/rounds")
    assert person.page.count(">not played<") == 3 and "Nothing is missing" in person.text
    game = store.game(1)
    assert game is not None
    store.rounds.change_facts(game.rounds[0].id, lambda facts: {**facts, "typed": {"0": {"total": 5}}})
    person.open("/evening/1/rounds")
    assert "changed" in person.text and "Game 1, table 1: round 1" in person.text
