"""In the hall: who is here, the clock of a round, penalties and extra points in totals, the cut, prizes and files."""

from __future__ import annotations

import pytest

from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, played, seat
from webui.events.entry import roster
from webui.events.ranking import RefusedError
from webui.events.shown.exports import adjustment_lines, evening_json, standing_lines
from webui.events.shown.history import history
from webui.events.steps import actions, hall, undoing
from webui.storage.store import Store

FOUR = SIXTEEN[:4]


def totals(store: Store, event_id: int) -> dict[str, int]:
    return {row.name: row.total for row in played(store, event_id).standings()}


def test_a_penalty_counts_for_the_total_the_cut_and_the_files_and_is_taken_back(store: Store) -> None:
    event_id = begin(store, FOUR)
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, lambda name, _: 100 - FOUR.index(name))
    before = totals(store, event_id)
    assert set(played(store, event_id).field(2)) == set(FOUR[:2])
    hall.adjust(store, event_id, FOUR[1], 1, -50, "came late")
    hall.adjust(store, event_id, FOUR[3], 2, 7, "ruling")
    assert totals(store, event_id) == {**before, FOUR[1]: before[FOUR[1]] - 50, FOUR[3]: before[FOUR[3]] + 7}
    assert set(played(store, event_id).field(2)) == {FOUR[0], FOUR[2]}, "what was given in game 2 counts after it"
    now = evening(store, event_id)
    lines = {line["name"]: line for line in standing_lines(now)}
    assert lines[FOUR[1]]["adjusted"] == -50 and lines[FOUR[1]]["game 1"] == before[FOUR[1]]
    assert adjustment_lines(now)[0] == {"name": FOUR[1], "game": 1, "points": -50, "reason": "came late"}
    assert len(evening_json(now)["penalties"]) == 2
    assert f"{FOUR[1]}: −50 points in game 1 (came late)." in [line.sentence for line in history(now)]
    hall.take_back_adjustment(store, event_id, next(iter(now.adjusted)))
    assert totals(store, event_id) == {**before, FOUR[3]: before[FOUR[3]] + 7}
    with pytest.raises(RefusedError, match="taken back already"):
        hall.take_back_adjustment(store, event_id, next(iter(now.adjusted)))


def test_a_penalty_of_a_person_changes_no_winner_of_a_table(store: Store) -> None:
    event_id = begin(store, tuple(f"P{n}, {'woman' if n % 2 else 'man'}" for n in range(8)), "tournament-play")
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, lambda name, _: 100 * (1 + int(name[1])))
    won = max(sides for sides in evening(store, event_id).stage(1).released[0])
    before = totals(store, event_id)
    hall.adjust(store, event_id, won[0], 1, -5000, "conduct")
    assert totals(store, event_id) == {**before, won[0]: before[won[0]] - 5000}
    seat(store, event_id, 2)
    assert played(store, event_id).decisions() == []


def test_a_penalty_follows_a_new_name_and_goes_with_who_is_taken_off(store: Store) -> None:
    event_id = begin(store, FOUR)
    hall.adjust(store, event_id, FOUR[0], 1, -10, "came late")
    roster.rename(store, event_id, FOUR[0], "Eagles", ("Aa", "Ao"), None)
    assert totals(store, event_id)["Eagles"] == -10
    actions.leave(store, event_id, "Eagles")
    assert evening(store, event_id).adjusted == {} and sum(totals(store, event_id).values()) == 0


@pytest.mark.parametrize(
    ("name", "stage", "points", "reason", "why"),
    [
        ("Nobody", 1, -5, "late", "Nobody of that name"),
        (FOUR[0], 3, -5, "late", "Choose a game"),
        (FOUR[0], 1, 0, "late", "whole number from 1"),
        (FOUR[0], 1, None, "late", "whole number from 1"),
        (FOUR[0], 1, -20_001, "late", "whole number from 1"),
        (FOUR[0], 1, -5, "", "Say why"),
    ],
)
def test_what_is_no_penalty_is_refused(
    store: Store, name: str, stage: int, points: int | None, reason: str, why: str
) -> None:
    event_id = begin(store, FOUR)
    with pytest.raises(RefusedError, match=why):
        hall.adjust(store, event_id, name, stage, points, reason)
    assert evening(store, event_id).adjusted == {}


def test_who_is_here_and_who_does_not_come(store: Store) -> None:
    event_id = begin(store, FOUR)
    with pytest.raises(RefusedError, match="Nobody has been checked in"):
        hall.take_off_absent(store, event_id)
    for name in FOUR[:3]:
        hall.check_in(store, event_id, name, True)
    hall.check_in(store, event_id, FOUR[2], False)
    roster.rename(store, event_id, FOUR[0], "Eagles", ("Aa", "Ao"), None)
    assert evening(store, event_id).here == {"Eagles", FOUR[1]}
    hall.take_off_absent(store, event_id)
    assert evening(store, event_id).present == ("Eagles", FOUR[1])
    undoing.undo(store, event_id, undoing.last_step(evening(store, event_id).record)[-1].number)
    assert len(evening(store, event_id).present) == 4, "one step, taken back as one"
    seat(store, event_id, 1)
    with pytest.raises(RefusedError, match="announced already"):
        hall.take_off_absent(store, event_id)


def test_the_clock_of_a_round_is_kept_and_ends_with_the_next_tables(store: Store) -> None:
    event_id = begin(store, FOUR)
    assert evening(store, event_id).clock is None and evening(store, event_id).clock_left == 0
    hall.set_clock(store, event_id, 45, 60)
    now = evening(store, event_id)  # worked out anew from what is stored, as after a restart
    assert now.clock is not None and now.clock.warning == 45 and 45 * 60 - 30 <= now.clock_left <= 45 * 60
    hall.set_clock(store, event_id, 0, 5)
    assert evening(store, event_id).clock is None
    hall.set_clock(store, event_id, 1, 0)
    seat(store, event_id, 1)
    assert evening(store, event_id).clock is None
    assert [line.sentence for line in history(evening(store, event_id))].count("The clock was stopped.") == 1
