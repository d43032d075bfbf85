"""Sheets of an evening to print: the draw and everybody's score card."""

from __future__ import annotations

import random

from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, played, score_round, seat
from tests.webui.helpers.playing import Person
from tests.webui.pages.events.test_coordinator import store_of
from webui.events.formats import format_of
from webui.events.shown.cards import score_cards
from webui.events.steps import actions, draws

EIGHTEEN = tuple(f"P{n:02}, {'woman' if n % 2 else 'man'}" for n in range(18))


def test_a_draw_is_printed_ten_tables_to_a_sheet_and_by_names(person: Person) -> None:
    store = store_of(person)
    event_id = begin(store, tuple(f"Team {n:02}" for n in range(80)))
    draws.draw(store, event_id, 1, "4711")
    person.open("/evening/1/1/draw")
    assert "These tables are not announced yet." in person.text and "Drawn with the number 4711." in person.text
    assert person.page.count('<article class="print-sheet') == 4 + 2 and "sheet 4 of 4" in person.text
    assert person.text.count("Team 07") == 2, "once at its table, once by its name"
    assert person.client.get("/evening/1/2/draw").status_code == 404
    assert 'href="/evening/1/1/draw"' in person.open("/evening/1/")


def test_a_card_to_a_page_with_empty_boxes_before_the_scores(person: Person) -> None:
    store = store_of(person)
    event_id = begin(store, SIXTEEN[:5])
    person.open("/evening/1/score-cards")
    assert person.page.count('<article class="print-sheet') == 5 and "place" not in person.text
    seat(store, event_id, 1)
    score_round(store, event_id, 1, 1, 2, (700, -50))
    (one,), (two,) = evening(store, event_id).stage(1).released[0]
    person.open(f"/evening/1/score-cards?name={two.replace('&', '%26')}")
    assert person.page.count('<article class="print-sheet') == 1
    assert f"against {one}" in person.text and "Round 2 −50" in person.text and "Total −50" in person.text
    assert person.client.get("/evening/1/score-cards?name=Nobody").status_code == 404


def test_cards_of_changing_partners_add_up_to_the_standings(person: Person) -> None:
    store, rng = store_of(person), random.Random(3)
    event_id = begin(store, EIGHTEEN, "tournament-play")
    for stage in (1, 2):
        seat(store, event_id, stage)
        play_stage(store, event_id, stage, lambda *_: rng.randrange(-500, 3000))
    now = evening(store, event_id)
    cards = score_cards(now, format_of(now))
    totals = {row.name: row.total for row in played(store, event_id).standings()}
    for name, card in cards.items():
        assert sum(line.total or 0 for line in card.lines) == totals[name]
        for line in card.lines[:2]:
            if line.state == "plays":
                assert (
                    line.total == sum(of or 0 for of in line.rounds)
                    and name in cards[line.partners[0]].lines[line.stage - 1].partners
                )
            else:
                assert line.state == "out" and line.average and name in now.stage(line.stage).released_out
        assert [line.state for line in card.lines[2:]] == ["open", "open"]
    actions.leave(store, event_id, "P03")
    gone = score_cards(evening(store, event_id), played(store, event_id))["P03"]
    assert [line.state for line in gone.lines[2:]] == ["absent", "absent"]
    person.open("/evening/1/score-cards?name=P01")
    assert "with" in person.text and "Hand 2" in person.text
