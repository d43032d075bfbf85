"""What is recorded of a watched round: a picture for each change, and a history that outlives the program."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.vision.memory.sequences import card
from tests.webui.watching.tables import EIGHTS, KINGS, RIGHT, Table
from vision.values import DEFAULT_HOUSE_RULES
from webui.storage.clock import Judgement
from webui.storage.errors import StorageError
from webui.storage.files.photo_limit import PhotoLimit
from webui.watching.film import Film


def test_each_change_has_one_picture_and_nothing_in_between_is_kept(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.wait()
    table.lay(*EIGHTS)
    table.wait(40)
    table.lay(*KINGS)
    kept = sorted(path.name for path in (tmp_path / "watched" / "1-1").iterdir())
    assert kept == ["0000.jpg", "0001.jpg", "table.json"] and table.news == 2
    assert [len(shot.outlines) for shot in table.film.shots] == [3, 3]
    found = cv2.imread(str(table.files.picture(1, 1, 0)))
    assert found is not None and found.shape == (360, 640, 3)


def test_each_box_is_a_side_and_what_lies_between_them_is_nobodys(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.wait()
    table.lay(*EIGHTS, *KINGS, card("4S", 300, 60), card("4D", 302, 62))
    groups = table.film.remembered(DEFAULT_HOUSE_RULES).groups()
    assert [(group["rank"], group["side"]) for group in groups] == [("8", 0), ("K", 1)]


def test_where_each_side_lays_its_cards_is_said_later_too(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.film.areas = None
    table.wait()
    table.lay(*EIGHTS)
    assert [group["side"] for group in table.film.remembered(DEFAULT_HOUSE_RULES).groups()] == [None]
    table.recorder.set_areas(RIGHT.boxes)
    assert [group["side"] for group in table.stored().remembered(DEFAULT_HOUSE_RULES).groups()] == [1]


def test_what_cannot_be_stored_is_told_until_it_is(tmp_path: Path) -> None:
    """A file stands in the way of the round's folder."""
    table = Table(tmp_path)
    table.wait()
    (tmp_path / "watched").mkdir()
    way = tmp_path / "watched" / "1-1"
    way.touch()
    with pytest.raises(StorageError):
        table.lay(*EIGHTS)
    assert table.news == 1, "pages show it all the same"
    table.wait(4)
    assert table.recorder.trouble and "What was seen is not saved" in table.recorder.trouble
    way.unlink()
    table.wait(30)
    assert table.recorder.trouble is None and len(table.stored().shots) == 1


def test_after_a_kill_the_history_goes_on(tmp_path: Path) -> None:
    """Nothing is closed; another program begins with what is on the disk, by a clock of its own."""
    before = Table(tmp_path)
    before.wait()
    before.lay(*EIGHTS)
    after = Table(tmp_path, before.stored())
    after.at, after.cards = 5.0, before.cards
    after.wait()
    after.lay(card("8C", 60, 102))
    history = after.film.remembered(DEFAULT_HOUSE_RULES).state.history
    assert [(change.what, change.cards) for change in history] == [("laid", ("8H", "8S", "8D")), ("added", ("8C",))]
    assert history[1].second > history[0].second
    assert len(after.stored().shots) == 2 and len({shot.picture for shot in after.film.shots}) == 2


@pytest.mark.parametrize("document", [None, [], {}, {"shots": 3}, {"shots": [], "cards": {}, "game": 1, "more": 2}])
def test_a_damaged_film_is_none(document: object) -> None:
    with pytest.raises(ValueError):
        Film.of_json(document)


def test_films_stay_within_the_limit_of_photos_and_those_of_today_stay(tmp_path: Path) -> None:
    table = Table(tmp_path)
    for number, days in ((1, 40), (2, 3), (3, 0)):
        table.files.save(1, number, {})
        table.files.add_picture(1, number, 0, bytes(1000))
        for path in (tmp_path / "watched" / f"1-{number}").iterdir():
            stamp = (datetime.now(UTC) - timedelta(days=days)).timestamp()
            os.utime(path, (stamp, stamp))
    now = Judgement(datetime.now(UTC), datetime.now(UTC))
    assert table.files.keep_within(PhotoLimit(None, None), 5000, now) == 0
    assert table.files.keep_within(PhotoLimit(30, None), 5000, now) == 1
    assert table.files.rounds() == [(1, 2), (1, 3)]
    assert table.files.keep_within(PhotoLimit(None, 100), 5000, now) == 1
    assert table.files.rounds() == [(1, 3)], "one of the last day stays"


@pytest.mark.parametrize("date", [datetime(1970, 1, 1, tzinfo=UTC), datetime.now(UTC) + timedelta(days=400)])
def test_a_film_with_an_impossible_date_counts_as_recorded_now(tmp_path: Path, date: datetime) -> None:
    """A machine without a battery for its clock is in 1970 until it has a network."""
    table, now = Table(tmp_path), datetime.now(UTC)
    table.files.add_picture(1, 1, 0, bytes(1000))
    picture = table.files.picture(1, 1, 0)
    os.utime(picture, (date.timestamp(),) * 2)
    assert table.files.keep_within(PhotoLimit(30, 100), 5000, Judgement(now, now)) == 0
    assert abs(picture.stat().st_mtime - now.timestamp()) < 1
    later = now + timedelta(days=31)
    assert table.files.keep_within(PhotoLimit(30, None), 5000, Judgement(later, later)) == 1


def test_a_damaged_film_keeps_no_other_from_its_limit(tmp_path: Path) -> None:
    table, now = Table(tmp_path), datetime.now(UTC)
    table.files.add_picture(1, 1, 0, bytes(1000))
    os.utime(table.files.picture(1, 1, 0), (now.timestamp() - 40 * 86400,) * 2)
    (tmp_path / "watched" / "1-2").write_bytes(b"")
    assert table.files.keep_within(PhotoLimit(30, None), 5000, Judgement(now, now)) == 1


def test_a_film_with_one_odd_value_is_none_or_can_be_told(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.lay(card("8H", 60, 60), card("8S", 75, 60), card("8D", 90, 60))
    document = json.loads(json.dumps(table.film.as_json()))
    refused, values = 0, list[object](([], {}, None, "x", 10**400, 0, [[10**400]]))
    for path in paths_in(document):
        for odd in values:
            try:
                film = Film.of_json(changed(document, path, odd))
            except ValueError:
                refused += 1
                continue
            assert film.remembered(DEFAULT_HOUSE_RULES) and film.pictures is not None
            assert film.areas_now is None or len(film.areas_now.boxes) == 2, (path, odd)
    assert refused > 500


def paths_in(document: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where each value of a document is, but of lists only the first ones."""
    if before:
        yield before
    keys = list(document) if isinstance(document, dict) else range(min(2, len(document)))
    for key in keys:
        if isinstance(document[key], (dict, list)):
            yield from paths_in(document[key], (*before, key))
        else:
            yield (*before, key)


def changed(document: Any, path: tuple[Any, ...], value: object) -> Any:
    """A copy of a document with another value in one place."""
    copied = json.loads(json.dumps(document))
    within = copied
    for key in path[:-1]:
        within = within[key]
    within[path[-1]] = value
    return copied
