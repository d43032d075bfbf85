"""An evening of teams on the store: from names to medals, with everything that goes otherwise than planned."""

from __future__ import annotations

import pytest

from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, played, score_round, seat
from webui.events.ranking import RefusedError
from webui.events.shown.exports import draw_lines
from webui.events.shown.history import history
from webui.events.steps import actions, draws, undoing
from webui.events.steps.draws import unseated
from webui.storage.events.facts import Enter
from webui.storage.store import Store


def by_number(name: str, round: int) -> int:
    """Aa & Ao have most, and so on down the alphabet."""
    return 1000 - 10 * (ord(name[0]) - ord("A")) + round


def test_the_same_seed_draws_the_same_tables_and_another_one_others(store: Store) -> None:
    event_id = begin(store)
    drawn = []
    for seed in ("42", "42", "43"):
        draws.draw(store, event_id, 1, seed)
        drawn.append(evening(store, event_id).stage(1).tables)
    assert drawn[0] == drawn[1] != drawn[2]
    draws.draw(store, event_id, 1)
    assert evening(store, event_id).stage(1).seed.isdigit(), "a new seed is made up and shown"


def test_a_draft_may_be_changed_by_hand_and_only_what_was_seen_is_confirmed(store: Store) -> None:
    event_id = begin(store)
    draws.draw(store, event_id, 1, "1")
    stage = evening(store, event_id).stage(1)
    one, two = stage.tables[0][0][0], stage.tables[5][1][0]
    draws.swap(store, event_id, 1, one, two)
    changed = evening(store, event_id).stage(1)
    assert changed.tables[0][0] == (two,) and changed.tables[5][1] == (one,) and len(changed.swaps) == 1
    with pytest.raises(RefusedError, match="Someone changed the draw meanwhile"):
        draws.confirm(store, event_id, 1, stage.draft)
    with pytest.raises(RefusedError, match="Confirm the draw first"):
        draws.release(store, event_id, 1, changed.draft)
    draws.confirm(store, event_id, 1, changed.draft)
    draws.release(store, event_id, 1, changed.draft)
    with pytest.raises(RefusedError, match="announced already"):
        draws.swap(store, event_id, 1, one, two)
    with pytest.raises(RefusedError, match="Everyone has a place already"):
        draws.draw(store, event_id, 1)
    assert len(store.event_games(event_id)) == 8, "nobody got a second game"


def test_a_tie_at_the_cut_is_decided_by_a_person_and_asked_again_after_a_correction(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:4])
    seat(store, event_id, 1)
    points = {SIXTEEN[0]: 9, SIXTEEN[1]: 5, SIXTEEN[2]: 5, SIXTEEN[3]: 1}
    play_stage(store, event_id, 1, lambda name, _: points[name])
    (asked,) = played(store, event_id).decisions()
    assert (asked.kind, asked.stage, asked.choose) == ("cut", 2, 1)
    assert set(asked.names) == set(SIXTEEN[1:3]) and asked.sure == (SIXTEEN[0],)
    with pytest.raises(RefusedError, match="tied for the last place in game 2"):
        draws.draw(store, event_id, 2)
    with pytest.raises(RefusedError, match="exactly 1"):
        actions.decide_cut(store, event_id, 2, SIXTEEN[1:3])
    actions.decide_cut(store, event_id, 2, (SIXTEEN[2],))
    assert played(store, event_id).decisions() == []
    table = evening(store, event_id).table_of(SIXTEEN[1], 1)
    assert table is not None
    sides = evening(store, event_id).stage(1).released[table - 1]
    won = tuple(points[name] + 2 * (name == SIXTEEN[1]) for (name,) in sides)
    score_round(store, event_id, 1, table, 1, (won[0], won[1]))
    seat(store, event_id, 2)
    assert set(evening(store, event_id).stage(2).names) == {SIXTEEN[0], SIXTEEN[1]}, "the tie is none any more"


def test_a_draw_does_not_fit_any_more_once_a_score_is_corrected(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:4])
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, by_number)
    draws.draw(store, event_id, 2)
    table = evening(store, event_id).table_of(SIXTEEN[3], 1)
    assert table is not None
    sides = evening(store, event_id).stage(1).released[table - 1]
    new = tuple(9999 if name == SIXTEEN[3] else by_number(name, 1) for (name,) in sides)
    score_round(store, event_id, 1, table, 1, (new[0], new[1]))
    with pytest.raises(RefusedError, match="does not fit any more"):
        draws.confirm(store, event_id, 2, evening(store, event_id).stage(2).draft)


def test_a_tie_for_a_medal_is_decided_by_a_person(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:4])
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, lambda name, round: 10 if name in SIXTEEN[:2] else SIXTEEN.index(name))
    seat(store, event_id, 2)
    play_stage(store, event_id, 2, lambda name, round: 10)
    (asked,) = played(store, event_id).decisions()
    assert asked.kind == "order" and set(asked.names) == set(SIXTEEN[:2])
    with pytest.raises(RefusedError, match="different place"):
        actions.decide_order(store, event_id, (SIXTEEN[0], SIXTEEN[0]))
    actions.decide_order(store, event_id, (SIXTEEN[1], SIXTEEN[0]))
    assert [prize.names for prize in played(store, event_id).prizes()] == [(SIXTEEN[1],), (SIXTEEN[0],), (SIXTEEN[3],)]


@pytest.mark.parametrize("finalists_only", [False, True])
def test_medals_go_by_all_points_unless_the_house_wants_finalists_only(store: Store, finalists_only: bool) -> None:
    event_id = begin(store, SIXTEEN[:4], finalists_only=finalists_only)
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, by_number)
    seat(store, event_id, 2)
    play_stage(store, event_id, 2, lambda name, _: -900 if name == SIXTEEN[1] else 10)
    got = [prize.names for prize in played(store, event_id).prizes()]
    places = [(row.name,) for row in played(store, event_id).standings()]
    assert places == [(SIXTEEN[0],), (SIXTEEN[2],), (SIXTEEN[3],), (SIXTEEN[1],)]
    assert got == ([(SIXTEEN[0],), (SIXTEEN[1],)] if finalists_only else places[:3])


def test_who_goes_home_with_nothing_left_to_play_keeps_place_and_medal(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:4])
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, by_number)
    actions.leave(store, event_id, SIXTEEN[2])
    seat(store, event_id, 2)
    play_stage(store, event_id, 2, by_number)
    actions.leave(store, event_id, SIXTEEN[0])
    assert [(row.place, row.name, row.gone) for row in played(store, event_id).standings()] == [
        (place, name, False) for place, name in enumerate(SIXTEEN[:4], 1)
    ]
    assert [prize.names for prize in played(store, event_id).prizes()] == [(name,) for name in SIXTEEN[:3]]


def test_an_evening_that_breaks_off_is_ended_with_the_prizes_of_its_standings(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:4])
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, by_number)
    assert played(store, event_id).prizes() == ()
    actions.set_state(store, event_id, "finished")
    assert [prize.names for prize in played(store, event_id).prizes()] == [(name,) for name in SIXTEEN[:3]]


def test_teams_that_come_late_or_go_home(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:5])
    seat(store, event_id, 1)
    (rests,) = evening(store, event_id).stage(1).released_out
    actions.enter(store, event_id, "Late & Later")
    seat(store, event_id, 1)
    stage = evening(store, event_id).stage(1)
    assert len(stage.released) == 3 and stage.released_out == ()
    assert {*stage.released[2][0], *stage.released[2][1]} == {rests, "Late & Later"}
    assert len(store.event_games(event_id)) == 3
    play_stage(store, event_id, 1, by_number)
    actions.leave(store, event_id, SIXTEEN[0])
    assert evening(store, event_id).gone == {SIXTEEN[0]: 2}
    with pytest.raises(RefusedError, match="3 teams, and one would have no opponent"):
        draws.draw(store, event_id, 2)
    actions.decide_cut(store, event_id, 2, SIXTEEN[1:3])
    seat(store, event_id, 2)
    assert set(evening(store, event_id).stage(2).names) == set(SIXTEEN[1:3])
    last = played(store, event_id).standings()[-1]
    assert last.name == SIXTEEN[0] and last.gone and last.place == 0
    assert played(store, event_id).standings()[0].place == 1


def test_a_team_that_comes_after_the_last_round_of_game_1_holds_nobody_up(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:4])
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, by_number)
    actions.enter(store, event_id, "Late & Later")
    assert unseated(evening(store, event_id)) == ("Late & Later",)
    with pytest.raises(RefusedError, match=r"Late & Later: no place in game 1 yet. Give them one, or say that they go"):
        draws.draw(store, event_id, 2)
    actions.leave(store, event_id, "Late & Later")
    assert unseated(evening(store, event_id)) == ()
    seat(store, event_id, 2)
    with pytest.raises(RefusedError, match="Game 2 is drawn already"):
        actions.enter(store, event_id, "Latest & Last")


def test_a_team_that_comes_after_the_last_round_of_game_1_may_get_its_average(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:4], cut="all")
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, by_number)
    actions.enter(store, event_id, "Late & Later")
    seat(store, event_id, 1)
    row = next(row for row in played(store, event_id).standings() if row.name == "Late & Later")
    assert row.average == (1,) and row.stages[0] is not None
    seat(store, event_id, 2)


def test_the_last_step_is_taken_back_and_no_other(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:4])
    seat(store, event_id, 1)
    record = evening(store, event_id).record
    newest = undoing.last_step(record)[-1].number
    with pytest.raises(RefusedError, match="Something else was done"):
        undoing.undo(store, event_id, newest - 1)
    undoing.undo(store, event_id, newest)
    assert evening(store, event_id).stage(1).status == "confirmed" and store.event_games(event_id) == []
    stage = evening(store, event_id).stage(1)
    draws.release(store, event_id, 1, stage.draft)
    assert len(store.event_games(event_id)) == 2
    game = store.event_games(event_id)[1]
    newest = undoing.last_step(evening(store, event_id).record)[-1].number
    assert undoing.offered_step(evening(store, event_id))[-1].number == newest
    store.rounds.begin(game.id, 1)
    assert undoing.offered_step(evening(store, event_id)) == (), "what would be refused is not offered"
    with pytest.raises(RefusedError, match="Table 2 has begun"):
        undoing.undo(store, event_id, newest)
    entered = [one for one in evening(store, event_id).record.facts if isinstance(one.fact, Enter)]
    assert len(entered) == 4, "every fact stays"


def test_names_that_were_confirmed_before_an_undo_are_asked_for_again(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:8])
    seat(store, event_id, 1, "1")
    for table in (1, 2):
        actions.say_names(store, event_id, 1, table)
    undoing.undo(store, event_id, undoing.last_step(evening(store, event_id).record)[-1].number)
    assert evening(store, event_id).names_said == set()
    seat(store, event_id, 1, "2")
    actions.say_names(store, event_id, 1, 2)
    assert evening(store, event_id).names_said == {(1, 2)}


def test_what_one_form_entered_is_taken_back_together(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:4])
    actions.enter(store, event_id, "\n".join(SIXTEEN[4:6]))
    step = undoing.last_step(evening(store, event_id).record)
    assert [one.number for one in step] == [5, 6]
    undoing.undo(store, event_id, 6)
    assert list(evening(store, event_id).entrants) == list(SIXTEEN[:4])


def test_who_confirms_names_and_calls_for_help_is_known(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:4])
    with pytest.raises(RefusedError, match="no game at this table"):
        actions.say_names(store, event_id, 1, 1)
    seat(store, event_id, 1)
    actions.say_names(store, event_id, 1, 2)
    actions.say_names(store, event_id, 1, 2)
    actions.call(store, event_id, 1, True)
    now = evening(store, event_id)
    assert now.names_said == {(1, 2)} and now.calls == {1} and len(now.record.facts) == 9
    actions.call(store, event_id, 1, False)
    assert evening(store, event_id).calls == set()


def test_teams_draw_their_tables_from_a_hat(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:5])
    numbers: dict[str, int | None] = dict(zip(SIXTEEN[:5], (2, 1, None, 1, 2), strict=True))
    draws.draw_from_hat(store, event_id, 1, numbers)
    stage = evening(store, event_id).stage(1)
    assert stage.tables == (((SIXTEEN[1],), (SIXTEEN[3],)), ((SIXTEEN[0],), (SIXTEEN[4],)))
    assert stage.out == (SIXTEEN[2],) and stage.status == "draft"
    lines = draw_lines(evening(store, event_id))
    assert [line["why"] for line in lines[:2]] == ["The numbers from the hat decided."] * 2
    assert "Who has no number from the hat sits out." in lines[2]["why"]
    assert history(evening(store, event_id))[0].sentence == ("The tables of game 1 were drawn by numbers from a hat.")
    draws.swap(store, event_id, 1, SIXTEEN[1], SIXTEEN[2])
    lines = draw_lines(evening(store, event_id))
    assert [line["why"] for line in lines[:2]] == ["Changed by hand.", "The numbers from the hat decided."]
    assert "Who sits out was changed by hand." in lines[2]["why"]
    for wrong, why in (
        ({SIXTEEN[1]: 2}, "Number 1 belongs to two teams"),
        ({SIXTEEN[2]: 9}, "1 to 2"),
        ({SIXTEEN[2]: 2}, "two"),
    ):
        with pytest.raises(RefusedError, match=why):
            draws.draw_from_hat(store, event_id, 1, {**numbers, **wrong})


def test_people_draw_seats_from_a_hat_for_the_first_set_alone(store: Store) -> None:
    people = tuple(f"P{n}, {'man' if n % 2 else 'woman'}" for n in range(9))
    event_id = begin(store, people, "tournament-play", stages=2)
    draws.draw_from_hat(store, event_id, 1, {f"P{n}": 8 - n if n < 8 else None for n in range(9)})
    stage = evening(store, event_id).stage(1)
    assert stage.tables[0] == (("P7", "P6"), ("P5", "P4")) and stage.out == ("P8",)
    assert played(store, event_id).reason(1, stage.tables[0]) == "The numbers from the hat decided."
    with pytest.raises(RefusedError, match="have the same number, 1"):
        draws.draw_from_hat(store, event_id, 1, dict.fromkeys((f"P{n}" for n in range(9)), 1))
    draft = stage.draft
    draws.confirm(store, event_id, 1, draft)
    draws.release(store, event_id, 1, draft)
    with pytest.raises(RefusedError, match="cannot be drawn now"):
        draws.draw_from_hat(store, event_id, 2, {})


def test_a_tie_at_an_odd_half_leads_to_a_draw(store: Store) -> None:
    event_id = begin(store, SIXTEEN[:6])
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, lambda name, _: {"A": 9, "B": 8}.get(name[0], 5))
    (asked,) = played(store, event_id).decisions()
    assert asked.sentence.startswith("The better half would be 3 teams, and one would have no opponent.")
    with pytest.raises(RefusedError, match="an even number of teams"):
        actions.decide_cut(store, event_id, 2, SIXTEEN[:3])
    actions.decide_cut(store, event_id, 2, SIXTEEN[:4])
    assert played(store, event_id).decisions() == []
    seat(store, event_id, 2)
    assert set(evening(store, event_id).stage(2).names) == set(SIXTEEN[:4])
