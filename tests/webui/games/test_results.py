"""Results of agreed rounds: no sheet is scored twice, not even by the next start; what has changed is scored anew."""

from __future__ import annotations

import shutil
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

import scorer
from scorer.scoring import score
from tests.webui.helpers.played_games import fill, fill_many
from tests.webui.helpers.playing import Person
from webui.context.services import services_of
from webui.context.warmup import start_warm_up
from webui.games.results import results_file, round_results
from webui.games.results.results_file import FILE_NAME, scoring_version

ALL_GAMES = ("/statistics", "/statistics?by=sides", "/games.csv", "/", "/game/2/", "/game/2/pad", "/game/2/game.csv")


@pytest.fixture(autouse=True)
def scored(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The number of each round that was scored, in a process that has no results yet."""
    numbers: list[int] = []

    def counted(sheet: scorer.sheets.RoundSheet, rules: scorer.rules.RuleSet) -> scorer.scoring.tally.Tally:
        numbers.append(sheet.round)
        return score(sheet, rules)

    monkeypatch.setattr(round_results, "score", counted)
    round_results.forget()
    yield numbers
    round_results.forget()


@pytest.fixture
def app(make_app: Callable[[], Flask]) -> Flask:
    """Three games: of four, four and two agreed rounds."""
    made = make_app()
    fill(services_of(made).store, 3)
    return made


def started_again(make_app: Callable[[], Flask]) -> Flask:
    """The page as a new process serves it once it is warm."""
    round_results.forget()
    app = make_app()
    start_warm_up(app, threading.Event()).join()
    return app


def test_no_page_scores_what_another_has_scored(app: Flask, scored: list[int]) -> None:
    visitor = Person(app)
    visitor.open("/statistics")
    assert len(scored) == 10
    for path in ALL_GAMES:
        visitor.open(path)
        assert visitor.status == 200 and len(scored) == 10, path


def test_a_start_scores_only_what_no_earlier_one_has(
    app: Flask, make_app: Callable[[], Flask], scored: list[int]
) -> None:
    shown = [Person(app).open(path) for path in ALL_GAMES[:3]]
    start_warm_up(app, threading.Event()).join()
    scored.clear()
    again = started_again(make_app)
    assert [Person(again).open(path) for path in ALL_GAMES[:3]] == shown and scored == []
    fill(services_of(app).store, 1, seed=6)
    started_again(make_app)
    assert scored == [1, 2]
    started_again(make_app)
    assert scored == [1, 2]


def test_another_version_of_the_scoring_scores_anew(
    app: Flask, make_app: Callable[[], Flask], scored: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    start_warm_up(app, threading.Event()).join()
    monkeypatch.setattr(results_file, "scoring_version", lambda: "of an update")
    started_again(make_app)
    assert len(scored) == 20
    started_again(make_app)
    assert len(scored) == 20


@pytest.mark.parametrize("changed", ["scoring/points.py", "sheets.py", "decks/standard.toml"])
def test_the_version_follows_everything_that_scores(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, copy = scoring_version(), tmp_path / "scorer"
    shutil.copytree(Path(scorer.__file__).parent, copy)
    monkeypatch.setattr(scorer, "__file__", str(copy / "__init__.py"))
    assert scoring_version() == before
    with (copy / changed).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert scoring_version() != before


@pytest.mark.parametrize("damage", [b"", b"\0" * 4096, b"[]", b'{"scoring": 1}'])
def test_a_damaged_file_is_written_anew(
    damage: bytes, app: Flask, make_app: Callable[[], Flask], scored: list[int]
) -> None:
    start_warm_up(app, threading.Event()).join()
    file = services_of(app).settings.data_dir / FILE_NAME
    whole = file.read_bytes()
    file.write_bytes(damage)
    started_again(make_app)
    assert len(scored) == 20 and file.read_bytes() == whole


def test_without_room_for_the_file_everything_works(app: Flask, scored: list[int]) -> None:
    (services_of(app).settings.data_dir / FILE_NAME).mkdir()
    start_warm_up(app, threading.Event()).join()
    Person(app).open("/statistics")
    assert len(scored) == 10


def test_no_file_from_elsewhere_brings_results(app: Flask, tmp_path: Path) -> None:
    start_warm_up(app, threading.Event()).join()
    assert (services_of(app).settings.data_dir / FILE_NAME).is_file()
    services_of(app).store.backups.export(tmp_path / "everything.zip")
    with zipfile.ZipFile(tmp_path / "everything.zip") as archive:
        assert FILE_NAME not in archive.namelist()


def test_a_table_of_all_games_is_written_while_it_is_sent(make_app: Callable[[], Flask]) -> None:
    app = make_app()
    fill_many(services_of(app).store, 5)
    for path in ("/games.csv", "/games.json"):
        answer = app.test_client().get(path, buffered=False)
        assert answer.is_streamed and answer.content_length is None
        assert sum(bool(part) for part in answer.iter_encoded()) >= 5, "a part for each game"
