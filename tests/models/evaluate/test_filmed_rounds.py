"""What is known of a film at its end, held against the truth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from datasets.films import film
from datasets.films.truth import TrueGroup
from models.evaluate.filmed import judge, watch_film
from vision.values import Frame, Reading


@pytest.mark.parametrize(
    ("cards", "guessed", "counts"),
    [
        ("8H 8C 8D 2S", [1], (1, 0, 0)),
        ("8H 8S 8D 2S", [1], (0, 1, 0)),
        ("8H 8S 8D 2S", [], (0, 0, 1)),
        ("8H 8S 8D 2H", [1], (0, 0, 1)),
        ("8H 9S 8D 2S", [1], (0, 0, 1)),
    ],
)
def test_a_suit_told_to_be_a_guess_is_not_wrong(cards: str, guessed: list[int], counts: tuple[int, ...]) -> None:
    group = TrueGroup(0, 0, "pile", ("8H", "8C", "8D", "2S"))
    truth = replace(film(0, changes=2).truth, groups=(group,))
    found = {"side": 0, "kind": "pile", "cards": cards.split(), "guessed": guessed, "doubt": None}
    result = judge(truth, [found])
    assert (result.right, result.guessed, result.wrong) == counts


def test_a_film_is_watched_to_its_end() -> None:
    def blind(frame: Frame, /) -> Reading:
        return Reading(frame.width, frame.height, 0.1, (), (), ())

    made = film(0, (320, 180), changes=2)
    result = watch_film(made, blind)
    assert result.looks > 0 and result.reader_seconds == pytest.approx(0.1 * result.looks, abs=0.06)
    assert (result.groups, result.groups_right) == (len(made.truth.groups), 0)
    assert len(result.faults) == len(made.truth.groups) and result.faults[0].endswith(": nothing")
