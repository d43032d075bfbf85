"""Rounds as data: played by the rules, laid where people lay them."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.films.playing.changes import Play
from datasets.films.playing.play import CHANGES, lying_at, play_round
from datasets.films.truth import orders
from scorer.rules.library import load_rules
from scorer.scoring.melds import check_meld

EXTENT, TALL, INDEX = (1300.0, 730.0), 88.0, (0.17, 0.16)
_CENTRE_OUTSIDE = 15.0
"""Millimetres by which a card's middle may lie outside its side's zone."""


@pytest.fixture(scope="module", params=["golden-games", "tournament-play", "hand-n-foot"])
def plays(request: pytest.FixtureRequest) -> list[Play]:
    return [play_round(seed, request.param, EXTENT, TALL, INDEX) for seed in range(6)]


def test_a_film_has_as_many_changes_as_it_should_and_a_length_that_fits(plays: list[Play]) -> None:
    for play in plays:
        assert CHANGES[0] * 0.9 <= len(play.changes) <= CHANGES[1] + 8
        assert 10 <= play.minutes <= 40 and play.ends < play.minutes * 60
        seconds = [change.second for change in play.changes]
        assert seconds == sorted(seconds) and seconds[-1] < play.ends


def test_every_meld_is_legal_at_the_end(plays: list[Play]) -> None:
    for play in plays:
        rules = load_rules(play.rules)
        for group, cards in orders(play).items():
            faces = tuple(play.faces[card] for card in cards)
            if play.groups[group].kind == "threes":
                assert all(map(rules.is_laid, faces))
            else:
                assert not check_meld(faces, rules).violations, faces


def test_groups_lie_in_the_zone_of_their_side(plays: list[Play]) -> None:
    for play in plays:
        lying = lying_at(play, play.ends)
        for group, cards in orders(play).items():
            left, top, right, bottom = play.zones[play.groups[group].side].box
            for card in cards:
                one, far = lying[card], _CENTRE_OUTSIDE
                assert one.up and left - far < one.x < right + far and top - far < one.y < bottom + far


def test_a_pile_is_squared_and_a_meld_is_spread(plays: list[Play]) -> None:
    for play in plays:
        lying = lying_at(play, play.ends)
        piles = {change.group for change in play.changes if change.what == "squared"}
        assert piles
        for group, cards in orders(play).items():
            middles = np.asarray([(lying[card].x, lying[card].y) for card in cards])
            far = np.ptp(middles, axis=0).max()
            assert far < 25 if group in piles else far >= 8 * (len(cards) - 1)


def test_all_that_may_happen_happens() -> None:
    made = [play_round(seed, "golden-games", EXTENT, TALL, INDEX) for seed in range(20)]
    assert {change.what for play in made for change in play.changes} == {
        *("laid", "added", "squared", "moved", "taken-back", "beside")
    }
    assert {cover.kind for play in made for cover in play.covers} == {"cup", "phone", "paper", "arm", "person"}
    assert {shift.kind for play in made for shift in play.shifts} == {"bump", "cloth"}
    assert any(play.lamps for play in made) and any(play.marks for play in made)
    assert any(group.kind == "threes" for play in made for group in play.groups.values())
    turned = [one.turn for play in made for c in play.changes if c.what == "squared" for one in c.lying[:1]]
    on_top = [c.lying[-1].turn for play in made for c in play.changes if c.what == "squared"]
    across = [abs(np.sin(a - b)) > 0.9 for a, b in zip(turned, on_top, strict=True)]
    assert any(across) and not all(across)
