"""One list of who plays: names, substitutes and who comes back, everywhere at once, and taken back by Undo."""

from __future__ import annotations

from random import Random

import pytest

from tests.webui.events.test_league import found
from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, played, score_round, seat
from webui.events.entry import roster
from webui.events.ranking import RefusedError
from webui.events.shown.exports import card_lines, draw_lines, result_lines, standing_lines
from webui.events.steps import actions, undoing
from webui.rounds.agreement import unsettled_rounds
from webui.storage.store import Store

FOUR = SIXTEEN[:4]


def undo(store: Store, event_id: int) -> None:
    undoing.undo(store, event_id, undoing.last_step(evening(store, event_id).record)[-1].number)


def everywhere(store: Store, event_id: int) -> str:
    now = evening(store, event_id)
    lines = [make(now) for make in (draw_lines, card_lines, standing_lines, result_lines)]
    games = [game.sides for game in store.event_games(event_id)]
    return str((lines, games, played(store, event_id).decisions(), list(found(store)["golden-games"].people.values())))


def test_a_new_name_stands_everywhere_at_once_and_in_the_next_draw(store: Store) -> None:
    event_id = begin(store, FOUR)
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, lambda name, _: 100 - FOUR.index(name))
    before = everywhere(store, event_id)
    roster.rename(store, event_id, FOUR[0], "", ("Anna", "Ao"), None)
    told = everywhere(store, event_id)
    assert "Aa & Ao" not in told and "Aa" not in told and "Anna & Ao" in told and "'Anna'" in told
    assert unsettled_rounds(store, [game.id for game in store.event_games(event_id)]) == {}, "what is agreed stays so"
    seat(store, event_id, 2)
    assert set(evening(store, event_id).stage(2).names) == {"Anna & Ao", FOUR[1]}
    undo(store, event_id)  # the announcement, its confirmation and the draw
    undo(store, event_id)
    undo(store, event_id)
    undo(store, event_id)
    assert everywhere(store, event_id) == before


def test_names_that_would_be_mixed_up_are_refused(store: Store) -> None:
    event_id = begin(store, FOUR)
    for to, players, why in (
        ("Ba & Bo", ("Xa", "Xo"), "takes part already"),
        ("", ("Xa", "bo"), "Bo plays in Ba & Bo already"),
        ("", ("Xa", "xa"), "different name"),
        ("", ("Xa",), "Type both names"),
        ("Eagles", (), "Type both names"),
        ("", ("Aa", "Wes & Vi"), "is more than one person"),
    ):
        with pytest.raises(RefusedError, match=why):
            roster.rename(store, event_id, FOUR[0], to, players, None)
    with pytest.raises(RefusedError, match="Nobody of that name"):
        roster.rename(store, event_id, "Nobody", "X", (), None)


@pytest.mark.parametrize("counts", [True, False])
def test_rounds_of_a_substitute_count_for_the_team_and_in_totals_for_whom_it_was_said(
    store: Store, counts: bool
) -> None:
    event_id = begin(store, FOUR, stages=1)
    seat(store, event_id, 1)
    roster.substitute(store, event_id, FOUR[0], "Ao", "Zoe", 1, 3, counts)
    play_stage(store, event_id, 1, lambda name, round: round if name == FOUR[0] else 0)
    table = evening(store, event_id).table_of(FOUR[0], 1) or 0
    game = evening(store, event_id).games[1, table]
    assert ("Aa", "Zoe") in [side.players for side in game.sides], "the table is told"
    assert {row.name: row.total for row in played(store, event_id).standings()}[FOUR[0]] == 10
    actions.set_state(store, event_id, "finished")
    people = found(store)["golden-games"].people
    rounds = {name: (people[name].rounds, people[name].points) for name in ("aa", "ao", "zoe") if name in people}
    if counts:
        assert rounds == {"aa": (4, 10), "ao": (2, 3), "zoe": (2, 7)}
        assert people["zoe"].prizes == {"gold": 1} and not people["ao"].prizes
    else:
        assert rounds == {"aa": (4, 10), "ao": (4, 10)} and people["ao"].prizes == {"gold": 1}


def test_a_substitute_of_a_person_is_named_as_such_on_the_same_score_card(store: Store) -> None:
    people = tuple(f"P{n}, {'man' if n % 2 else 'woman'}" for n in range(8))
    event_id = begin(store, people, "tournament-play", stages=2)
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, lambda *_: 50)
    roster.substitute(store, event_id, "P3", "P3", "Zoe", 2, 1, True)
    name = "Zoe for P3"
    row = next(row for row in played(store, event_id).standings() if row.name == name)
    assert row.total == 100 and evening(store, event_id).entrants[name].group == "man"
    assert any("P3" in side.players for game in store.event_games(event_id) for side in game.sides), "as it was played"
    for _one in played(store, event_id).decisions():
        actions.decide_winner(store, event_id, 1, _one.table, 0)
    seat(store, event_id, 2)
    second = [
        side.players
        for game in store.event_games(event_id)
        if game.event and game.event.stage == 2
        for side in game.sides
    ]
    assert "Zoe" in [player for side in second for player in side]
    roster.substitute(store, event_id, name, "Zoe", "Max", 2, 2, True)
    assert "Max for P3" in evening(store, event_id).entrants and evening(store, event_id).entrants[
        "Max for P3"
    ].now == ("Max",)
    with pytest.raises(RefusedError, match="Choose a later round"):
        roster.substitute(store, event_id, "Max for P3", "Max", "Leo", 1, 1, True)
    with pytest.raises(RefusedError, match="P4 already plays at table"):
        roster.substitute(store, event_id, "Max for P3", "Max", "P4", 2, 2, True)


def test_who_went_home_comes_back_with_all_points(store: Store) -> None:
    event_id = begin(store, FOUR, cut="all")
    seat(store, event_id, 1)
    score_round(store, event_id, 1, 1, 1, (10, 20))
    (name,) = evening(store, event_id).stage(1).released[0][0]
    actions.leave(store, event_id, name)
    assert next(row for row in played(store, event_id).standings() if row.name == name).gone
    roster.come_back(store, event_id, name)
    play_stage(store, event_id, 1, lambda *_: 7)
    assert next(row for row in played(store, event_id).standings() if row.name == name).total == 28
    seat(store, event_id, 2)
    assert name in evening(store, event_id).stage(2).names
    with pytest.raises(RefusedError, match="takes part already"):
        roster.come_back(store, event_id, name)


@pytest.mark.parametrize("seed", range(3))
def test_names_of_random_evenings_change_no_points(store: Store, seed: int) -> None:
    rng = Random(seed)
    event_id, sums = begin(store, FOUR, cut="all"), dict.fromkeys(FOUR, 0)
    called = {name: name for name in FOUR}
    for stage in (1, 2):
        seat(store, event_id, stage)
        for round in range(1, 5):
            for table, sides in enumerate(evening(store, event_id).stage(stage).released, 1):
                points = (rng.randrange(-400, 3000), rng.randrange(-400, 3000))
                score_round(store, event_id, stage, table, round, points)
                for (name,), of in zip(sides, points, strict=True):
                    sums[next(first for first, last in called.items() if last == name)] += of
            first = rng.choice(FOUR)
            entrant = evening(store, event_id).entrants[called[first]]
            if rng.random() < 0.5:
                new = f"N{stage}{round}"
                roster.rename(store, event_id, entrant.name, new, entrant.players, None)
                called[first] = new
            else:
                by = f"S{stage}{round}"
                roster.substitute(store, event_id, entrant.name, entrant.now[0], by, stage, min(round + 1, 4), True)
    rows = {row.name: row.total for row in played(store, event_id).standings()}
    assert rows == {called[first]: total for first, total in sums.items()}


def test_nobody_is_in_two_teams_before_the_draw_or_by_coming_back(store: Store) -> None:
    event_id = begin(store, FOUR)
    with pytest.raises(RefusedError, match="bo plays in Ba & Bo already"):
        roster.substitute(store, event_id, FOUR[0], "Ao", "bo", 1, 1, True)
    seat(store, event_id, 1)
    actions.leave(store, event_id, FOUR[1])
    roster.substitute(store, event_id, FOUR[0], "Ao", "Bo", 2, 1, True)
    with pytest.raises(RefusedError, match="Bo plays in Aa & Ao already"):
        roster.come_back(store, event_id, FOUR[1])


def test_each_name_is_one_persons(store: Store) -> None:
    event_id = begin(store, FOUR)
    for two in ("Wes & Vi", "Wes and Vi", "Wes/Vi"):
        with pytest.raises(RefusedError, match=f"“{two}” is more than one person. Type one name"):
            roster.substitute(store, event_id, FOUR[0], "Ao", two, 1, 1, True)
    actions.enter(store, event_id, "Owls")
    roster.rename(store, event_id, "Owls", "Hawks", (), None)
    assert evening(store, event_id).entrants["Hawks"].players == (), "its players were never named"
    people = begin(store, ("Ann", "Bo", "Cy", "Di"), "tournament-play", groups=())
    with pytest.raises(RefusedError, match="is more than one person"):
        roster.rename(store, people, "Ann", "Ann & Al", (), None)
