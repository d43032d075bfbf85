"""A tie for the last places of a better half that is an odd number: any even number of teams may be chosen."""

from __future__ import annotations

import pytest

from tests.webui.helpers.evenings import SIXTEEN, begin, evening, play_stage, played, seat
from webui.events.ranking import RefusedError
from webui.events.steps import actions
from webui.storage.store import Store


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
