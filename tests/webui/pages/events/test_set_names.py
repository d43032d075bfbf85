"""What the sets of an evening of changing partners are called on the pages of their tables' games."""

from __future__ import annotations

from tests.webui.helpers.evenings import begin, play_stage, score_round, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import store_of


def test_a_later_set_is_called_by_its_own_number_on_every_page(person: Person) -> None:
    store = store_of(person)
    begin(store, tuple(f"P{at}, {'woman' if at % 2 else 'man'}" for at in range(8)), "tournament-play")
    seat(store, 1, 1)
    play_stage(store, 1, 1, lambda name, _: 100 + ord(name[1]))
    seat(store, 1, 2)
    game = store.events.game_at(1, 1)
    score_round(store, 1, 2, 1, 1, (100, 200))
    score_round(store, 1, 2, 1, 2, (100, 250))
    for path in ("", "round/1/tally", "round/2/tally", "television", "pad", "log", "first-meld/", "round/1/check"):
        person.open(f"/game/{game}/{path}")
        assert person.status == 200 and "Set 1" not in person.text and "set 1" not in person.text, path
    assert "Set 2, hand 2" in person.open(f"/game/{game}/television")
    assert "Set 2 total" in person.open(f"/game/{game}/")
    first = store.event_games(1)[0].id
    assert "Set 1 total" in person.open(f"/game/{first}/") and "Set 2" not in person.text


def test_what_is_played_at_a_table_is_called_a_hand(person: Person) -> None:
    """As the printed rules of Tournament Play call it: a set has two hands."""
    store = store_of(person)
    begin(store, tuple(f"P{at}, {'woman' if at % 2 else 'man'}" for at in range(8)), "tournament-play")
    seat(store, 1, 1)
    assert "0 of 2 hands" in person.open("/evening/1/")
    score_round(store, 1, 1, 1, 1, (100, 200))
    assert "Playing hand 2 of 2." in person.open("/evening/1/table/1/") and "Hand 1" in person.text
    for path in ("", "table/1/", "results/", "score-cards", "1/draw"):
        person.open(f"/evening/1/{path}")
        assert person.status == 200 and "1 of 2 rounds" not in person.text, path
        assert "Round" not in person.text.replace("Only rounds", ""), path
    score_round(store, 1, 1, 1, 2, (100, 200))
    person.open("/evening/1/table/1/")
    assert "All hands are agreed." in person.text and "round" not in person.text.casefold()
