"""The picture of a game's result: what stands on it, that it fits, and that it says no names where none are wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorer.rules import load_rules
from tests.webui.helpers.played_games import play_game
from webui.games.progress import GameProgress, game_progress
from webui.games.result_card import WIDTH, _widths, draw_result, result_text
from webui.storage.store import Store

PAIRS = (("Ann", "Bo"), ("Cy", "Di"))


def progress(folder: Path, *sides: tuple[str, ...], rounds: int = 4, rules: str = "golden-games") -> GameProgress:
    store = Store(folder)
    play_game(store, sides, rounds, rules)
    game = store.game(1)
    store.close()
    assert game is not None
    return game_progress(game, load_rules(rules))


def test_it_has_every_round_and_the_totals_of_every_side(tmp_path: Path) -> None:
    game = progress(tmp_path, *PAIRS)
    card = draw_result(game)
    said = [one.text for one in card.texts]
    first, second = (f"{total:,}" for total in game.totals)
    winner = game.game.sides[game.leaders[0]].name
    assert said[0] == f"Winner: {winner}" and "Golden Games doubles" in said[1] and "4 rounds" in said[1]
    assert said[2:6] == ["Ann", "Bo", "Cy", "Di"], "partners stand below each other"
    assert said[-3:] == ["Total", first, second]
    assert [text for text in said if text.startswith("Round")] == [f"Round {number}" for number in range(1, 5)]
    assert f"Ann & Bo {first}" in result_text(game) and f"Cy & Di {second}" in result_text(game)


def test_a_game_that_goes_on_has_no_winner(tmp_path: Path) -> None:
    game = progress(tmp_path, *PAIRS, rounds=1)
    assert draw_result(game).texts[0].text.startswith("In the lead: ")
    assert "after 1 round." in result_text(game)


def test_it_says_no_names_where_none_are_wanted(tmp_path: Path) -> None:
    game = progress(tmp_path, *PAIRS)
    said = " ".join([*(one.text for one in draw_result(game, named=False).texts), result_text(game, named=False)])
    assert "North–South" in said
    assert not any(name in said.split() for name in ("Ann", "Bo", "Cy", "Di"))


@pytest.mark.parametrize(
    ("sides", "rules"),
    [
        ((("Wilhelmina-Maximiliane of and to the Hill", "Bo"), ("Bartholomew Feather", "李" * 40)), "golden-games"),
        (tuple((f"{'Wide' * 9} {number}",) for number in range(6)), "cutting-22"),
    ],
)  # fmt: skip
def test_names_of_any_length_fit_and_are_read(tmp_path: Path, sides: tuple[tuple[str, ...], ...], rules: str) -> None:
    card = draw_result(progress(tmp_path, *sides, rules=rules))
    for one in card.texts:
        long = _widths(one.text) * one.size
        left = one.x - {"start": 0, "middle": long / 2, "end": long}[one.anchor]
        assert left >= 0 and left + long <= WIDTH + 1, one
        assert one.size >= 24 and one.y < card.height, one
