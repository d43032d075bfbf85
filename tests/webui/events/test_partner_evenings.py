"""An evening of moving partners on the store, counted again from the games' agreed rounds alone."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from math import floor

import pytest

from tests.webui.helpers.evenings import begin, evening, play_stage, played, seat
from webui.events.ranking import RefusedError
from webui.events.steps import actions, draws
from webui.storage.store import Store

EIGHTEEN = tuple(f"P{n:02}, {'woman' if n % 2 else 'man'}" for n in range(18))


def counted_again(store: Store, event_id: int) -> dict[str, int]:
    """Everybody's total from the agreed sheets of the games: who sat where, and the average for those who sat out."""
    sums: Counter[str] = Counter({name.split(",")[0]: 0 for name in EIGHTEEN})
    for stage in evening(store, event_id).stages:
        hands: dict[int, list[int]] = {}
        for game in store.event_games(event_id):
            if game.event is None or game.event.stage != stage.number:
                continue
            for record in game.rounds:
                sheet = json.loads(record.agreed_text or "{}")
                for side, told in zip(game.sides, sheet["sides"], strict=True):
                    hands.setdefault(record.number, []).append(told["typed"]["total"])
                    for player in side.players:
                        sums[player] += told["typed"]["total"]
        for points in hands.values():
            for name in stage.released_out:
                sums[name] += floor(Fraction(sum(points), len(points)) + Fraction(1, 2))
    return dict(sums)


def test_eighteen_people_over_four_sets(store: Store) -> None:
    rng = random.Random(5)
    event_id = begin(store, EIGHTEEN, "tournament-play")
    rested: list[str] = []
    for stage in (1, 2, 3, 4):
        seat(store, event_id, stage, str(stage))
        now = evening(store, event_id).stage(stage)
        assert len(now.tables) == 4 and len(now.released_out) == 2
        rested += now.released_out
        play_stage(store, event_id, stage, lambda *_: rng.randrange(-500, 3000))
    assert len(set(rested)) == 8, "nobody sits out twice"
    expected = counted_again(store, event_id)
    rows = played(store, event_id).standings()
    assert {row.name: row.total for row in rows} == expected
    assert [row.total for row in rows] == sorted(expected.values(), reverse=True)
    men, women = ({n: p for n, p in expected.items() if int(n[1:]) % 2 == odd} for odd in (0, 1))
    assert [(prize.name, prize.total) for prize in played(store, event_id).prizes()] == [
        ("highest man", max(men.values())),
        ("highest woman", max(women.values())),
    ]
    game = store.event_games(event_id)[0]
    assert game.rules == "tournament-play" and all(len(side.players) == 2 for side in game.sides)


def test_winners_move_up_and_the_draft_says_why(store: Store) -> None:
    event_id = begin(store, EIGHTEEN[:8], "tournament-play")
    seat(store, event_id, 1)
    with pytest.raises(RefusedError, match="First set 1 has to end"):
        draws.draw(store, event_id, 2)
    first = evening(store, event_id).stage(1).released
    play_stage(store, event_id, 1, lambda name, _: 900 if name in (first[0][0][0], first[1][1][0]) else 100)
    draws.draw(store, event_id, 2)
    second = evening(store, event_id).stage(2)
    assert {*first[0][0]} <= {name for side in second.tables[1] for name in side}, "table 1's winners sit at table 2"
    assert {*first[1][1]} <= {name for side in second.tables[0] for name in side}, "those of the highest at table 1"
    reason = played(store, event_id).reason(2, second.tables[1])
    assert "won at table 1 and moved up" in reason and "stayed at table 2" in reason


def test_a_tied_set_is_decided_by_a_person(store: Store) -> None:
    event_id = begin(store, EIGHTEEN[:8], "tournament-play")
    seat(store, event_id, 1)
    play_stage(store, event_id, 1, lambda *_: 100)
    asked = played(store, event_id).decisions()
    assert [(one.kind, one.table) for one in asked] == [("winner", 1), ("winner", 2)]
    with pytest.raises(RefusedError, match="Table 1: set 1 is a tie"):
        draws.draw(store, event_id, 2)
    for table in (1, 2):
        actions.decide_winner(store, event_id, 1, table, 1)
    with pytest.raises(RefusedError, match="not tied any more"):
        actions.decide_winner(store, event_id, 1, 1, 1)
    seat(store, event_id, 2)


def test_who_comes_late_plays_from_the_next_set_on(store: Store) -> None:
    event_id = begin(store, EIGHTEEN[:8], "tournament-play")
    seat(store, event_id, 1)
    actions.enter(store, event_id, "\n".join(EIGHTEEN[8:12]))
    with pytest.raises(RefusedError, match="plays from the next set on"):
        draws.draw(store, event_id, 1)
    rng = random.Random(2)
    play_stage(store, event_id, 1, lambda *_: rng.randrange(3000))
    actions.leave(store, event_id, "P00")
    seat(store, event_id, 2)
    now = evening(store, event_id).stage(2)
    assert len(now.tables) == 2 and len(now.out) == 3 and "P00" not in now.names
