"""The league: totals over evenings and partners, counted again from what was typed at the tables."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.webui.events.test_partner_evenings import EIGHTEEN
from tests.webui.helpers.evenings import begin, evening, play_stage, played, score_round, seat
from webui.events.entry import roster
from webui.events.league import League, leagues
from webui.events.steps import actions
from webui.events.stored import all_evenings, counted_seats
from webui.games.progress import GameProgress, listed_game
from webui.games.season.same_people import SamePeople
from webui.games.season.span import Span
from webui.games.season.totals import season
from webui.games.statistics import player_statistics
from webui.storage.people import OtherName
from webui.storage.records import GameRecord
from webui.storage.store import Store

TEAMS = ("Ann & Bo", "Eagles: Cy, Di", "Ed & Flo", "Gus & Hal")


def progress_of(game: GameRecord) -> GameProgress:
    progress = listed_game(game).progress
    assert progress is not None
    return progress


def players(store: Store) -> dict[str, tuple[int, int, int, int]]:
    """Points, rounds, finished games and games won of each person, as the page of players has them."""
    people = season(store.counted_games(), counted=counted_seats(store)).rule_sets[0].people
    return {name: (one.points, one.rounds, one.finished, one.won) for name, one in people.items()}


def found(store: Store, *others: OtherName) -> dict[str, League]:
    return {one.id: one for one in leagues(all_evenings(store)[0], Span(), SamePeople.of(others))}


def test_totals_over_evenings_and_partners_come_from_agreed_rounds_alone(store: Store) -> None:
    rng = random.Random(4)
    points, rounds, pairs = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    for _ in range(2):
        event_id = begin(store, EIGHTEEN, "tournament-play", stages=2)
        for stage in (1, 2):
            seat(store, event_id, stage)
            play_stage(store, event_id, stage, lambda *_: rng.randrange(-500, 3000))
        now = evening(store, event_id)
        for (stage, table), agreed in now.results.items():
            for at, side in enumerate(now.stage(stage).released[table - 1]):
                for name in side:
                    points[name] += sum(of[at] for of in agreed.values())
                    rounds[name] += len(agreed)
                    pairs[name, next(other for other in side if other != name)] += len(agreed)
        actions.set_state(store, event_id, "finished")
    people = found(store)["tournament-play"].people.values()
    assert {one.name: (one.points, one.rounds) for one in people} == {
        name: (points[name], rounds[name]) for name in points
    }
    assert {(one.name, p.name): p.rounds for one in people for p in one.most_together} == pairs
    assert sum(one.prizes.total() for one in people) == 4, "highest man and woman of two evenings"
    assert found(store)["tournament-play"].prizes == ("highest man", "highest woman")
    for one in people:
        assert one.round_average == round(points[one.name] / rounds[one.name])
        assert one.finished == rounds[one.name] / 2 and sum(p.won for p in one.most_together) == one.won
        assert 1 <= len(one.evenings) <= 2
    assert sum(one.won for one in people) * 2 == sum(one.finished for one in people), "no set was tied"


def test_each_player_of_a_team_has_its_points_and_medals(store: Store) -> None:
    event_id = begin(store, TEAMS, cut="all")
    for stage in (1, 2):
        seat(store, event_id, stage)
        if stage == 2:
            score_round(store, event_id, 2, 1, 1, (50, 60))
            assert all(not one.prizes for one in found(store)["golden-games"].people.values())
        play_stage(store, event_id, stage, lambda name, _: 1000 - 100 * TEAMS.index(name) if name in TEAMS else 900)
    assert found(store)["golden-games"].open == 1
    actions.set_state(store, event_id, "finished")
    league = found(store)["golden-games"]
    assert league.people["ann"].points == 8000 and league.people["bo"].prizes == {"gold": 1}
    assert league.people["cy"].points == 7200 and league.people["di"].prizes == {"silver": 1}
    assert [(one.place, one.prizes) for one in league.people["flo"].evenings] == [(3, ("bronze",))]
    assert [one.name for place, one in league.ranking("prizes") if place == 1] == ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]


def test_rehearsals_removed_evenings_and_those_without_scores_do_not_count(store: Store) -> None:
    begin(store, TEAMS)
    for rehearsal in (True, False):
        event_id = begin(store, TEAMS, rehearsal=rehearsal)
        seat(store, event_id, 1)
        score_round(store, event_id, 1, 1, 1, (10, 20))
    assert found(store)["golden-games"].evenings == 1
    assert [game for game in store.counted_games() if game.event]
    actions.set_state(store, event_id, "removed")
    assert not [game for game in store.counted_games() if game.event]
    assert found(store) == {}


def test_one_person_written_twice_counts_once_and_two_at_one_evening_stay_two(store: Store) -> None:
    for names in (("Ann & Bo", "Cy & Di"), ("Anne & Bo", "Cy & Di"), ("Ann & Anne", "Cy & Di")):
        event_id = begin(store, names)
        seat(store, event_id, 1)
        score_round(store, event_id, 1, 1, 1, (100, 100))
    people = found(store, OtherName("anne", "Ann"))["golden-games"].people
    assert people["ann"].points == 300 and people["ann"].partners["bo"].points == 200
    assert people["anne"].points == 100, "they played together, so they are two"
    assert set(people["bo"].partners) == {"ann"}
    assert found(store)["golden-games"].people["anne"].points == 200, "as before, without what was said"
    assert sum(row.total for row in played(store, event_id).standings()) == 200


@pytest.mark.parametrize("counts", [True, False])
def test_players_and_league_give_a_substitutes_rounds_to_the_same_person(store: Store, counts: bool) -> None:
    event_id = begin(store, TEAMS[:2], cut="all", stages=1)
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, lambda name, _: 300 if name == TEAMS[0] else 200)
    roster.substitute(store, event_id, TEAMS[0], "Bo", "Zoe", 1, 3, counts)
    told = players(store)
    assert told["ann"] == (1200, 4, 1, 1) and told["cy"] == (800, 4, 1, 0)
    assert told["bo"] == ((600, 2, 0, 0) if counts else (1200, 4, 1, 1))
    assert told.get("zoe") == ((600, 2, 0, 0) if counts else None)
    league = found(store)["golden-games"].people
    assert {name: (one.points, one.rounds, one.finished, one.won) for name, one in league.items()} == told
    (ann,) = [
        one
        for one in player_statistics(map(progress_of, store.counted_games()), counted=counted_seats(store))
        if one.name == "Ann"
    ]
    assert {one.name: (one.games, one.won, one.rounds) for one in ann.partners.values()} == (
        {"Bo": (1, 0, 2), "Zoe": (1, 0, 2)} if counts else {"Bo": (1, 0, 4)}
    )


def test_a_tied_table_is_won_by_nobody_in_players_and_league(store: Store) -> None:
    event_id = begin(store, TEAMS[:2], cut="all", stages=1)
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, lambda *_: 300)
    league = found(store)["golden-games"].people
    assert {name: (one.points, one.rounds, one.finished, one.won) for name, one in league.items()} == players(store)
    assert {of[2:] for of in players(store).values()} == {(1, 0)}
