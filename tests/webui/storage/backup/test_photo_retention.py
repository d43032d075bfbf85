"""Photo retention, which never trusts one look at the clock."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.webui.helpers.playing import Person
from tests.webui.helpers.set_clock import EVENING, SetClock
from tests.webui.helpers.stored_round import SIDES, play, shown, whole
from webui.context.services import services_of
from webui.storage.backup.photo_retention import leaving_photos
from webui.storage.files.photo_limit import PhotoLimit
from webui.storage.store import Store

HELD_TWO_YEARS = PhotoLimit(days=730, bytes=None)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    return SetClock(monkeypatch, EVENING)


def photos(store: Store) -> list[str]:
    """The names of the photos in their folder."""
    return sorted(path.name for path in store.files.folder.iterdir())


def leaving(store: Store) -> list[str]:
    """The names of the photos that are held to be removed."""
    return sorted(path.name for path in store.files.leaving.glob("*.jpg"))


def test_a_clock_to_which_nothing_can_be_compared_says_no_age(store: Store, clock: SetClock) -> None:
    judged = store.backups.clock()
    assert (judged.clock, judged.believed, judged.contradicted_by) == (clock.time, None, None)


def test_the_limit_removes_the_oldest_photos_and_never_a_score(store: Store, clock: SetClock) -> None:
    done, going = play(store), play(store, agreed=False)
    assert {held.file for held in done.rounds[0].photos} == {held.file for held in going.rounds[0].photos}
    store.change_game(going.id, {"state": "removed"})
    first, second = (held.file for held in done.rounds[0].photos)
    clock.date(store.files, first, 100)
    clock.date(store.files, second, 10)
    before = shown(done), store.log(done.id)
    remove = store.backups.remove_old_photos
    assert remove(PhotoLimit(days=200, bytes=None)) == 0 and leaving(store) == []
    fifty_days = PhotoLimit(days=50, bytes=None)
    assert remove(fifty_days) == 0 and len(leaving(store)) == 2, "a photo and its preview are held first"
    assert store.files.path(first).exists() and store.files.preview_path(first).exists(), "and found there"
    held = leaving_photos(store.files)
    assert held is not None and held.count == 1
    clock.go_on(hours=23)
    assert remove(fifty_days) == 0 and clock.time < held.first, "another look on the same day changes nothing"
    clock.go_on(hours=2)
    assert remove(fifty_days) == 1 and clock.time > held.first
    assert [store.files.path(file).exists() for file in (first, second)] == [False, True]
    assert leaving_photos(store.files) is None
    clock.date(store.files, second, 0.5)
    assert remove(PhotoLimit(days=0.1, bytes=1)) == 0 and leaving(store) == [], "the photos of the last day stay"
    clock.date(store.files, second, 10)
    assert remove(PhotoLimit(days=None, bytes=1)) == 0 and len(leaving(store)) == 2, "nor is room made at once"
    clock.go_on(days=1)
    assert remove(PhotoLimit(days=None, bytes=1)) == 1 and store.files.all_files() == []
    assert (shown(whole(store, done.id)), store.log(done.id)) == before


def test_photos_of_today_and_of_rounds_not_agreed_stay(store: Store, clock: SetClock) -> None:
    files = [held.file for held in play(store, agreed=False).rounds[0].photos]
    other = store.files.add(b"\xff\xd8 of today", b"\xff\xd8 view")
    clock.date(store.files, other, 0)
    for file in files:
        clock.date(store.files, file, 1000)
    for _ in range(3):
        assert store.backups.remove_old_photos(PhotoLimit(days=1, bytes=1)) == 0 and leaving(store) == []
        clock.go_on(hours=10)


@pytest.mark.parametrize("days", [1096, 1096 + 365])
def test_a_clock_that_is_years_ahead_removes_nothing(store: Store, clock: SetClock, days: int) -> None:
    """Neither at once nor later, nor when people play by that clock."""
    for held in play(store).rounds[0].photos:
        clock.date(store.files, held.file, 0.1)
    before = photos(store)
    store.backups.back_up()
    clock.go_on(days=days)
    for _ in range(5):
        assert store.backups.remove_old_photos(HELD_TWO_YEARS) == 0 and photos(store) == before
        store.add_game("golden-games", 4, SIDES)
        store.backups.back_up()
        clock.go_on(days=2)
    clock.go_on(days=-days)
    assert store.backups.remove_old_photos(HELD_TWO_YEARS) == 0 and photos(store) == before


@pytest.mark.parametrize("date", [datetime(1970, 1, 1, tzinfo=UTC), datetime(2025, 5, 5, tzinfo=UTC)])
def test_a_photo_with_an_impossible_date_counts_as_stored_now(store: Store, clock: SetClock, date: datetime) -> None:
    first, second = (held.file for held in play(store).rounds[0].photos)
    for file in (first, second):
        clock.date(store.files, file, 0.1)
    for path in (store.files.path(first), store.files.preview_path(first)):
        os.utime(path, (date.timestamp(),) * 2)
    clock.date(store.files, second, -900)  # stored while the clock was ahead
    for _ in range(3):
        assert store.backups.remove_old_photos(HELD_TWO_YEARS) == 0 and leaving(store) == []
        clock.go_on(days=1)
    assert abs(store.files.path(first).stat().st_mtime - EVENING.timestamp()) < 1
    assert abs(store.files.path(second).stat().st_mtime - EVENING.timestamp()) < 1


def test_a_look_that_says_otherwise_brings_photos_back(store: Store, clock: SetClock) -> None:
    game = play(store)
    for held in game.rounds[0].photos:
        clock.date(store.files, held.file, 800)
    store.backups.remove_old_photos(HELD_TWO_YEARS)
    assert photos(store) == [] and len(leaving(store)) == 4
    file = game.rounds[0].photos[0].file
    store.files.add(store.files.path(file).read_bytes(), b"\xff\xd8 its view")
    clock.date(store.files, file, 0)
    assert len(leaving(store)) == 2, "one that is sent again does not leave"
    clock.go_on(days=2)
    assert store.backups.remove_old_photos(PhotoLimit(days=1000, bytes=None)) == 0
    assert len(photos(store)) == 4 and leaving_photos(store.files) is None


def test_lost_notes_of_the_first_look_make_the_next_one_the_first(store: Store, clock: SetClock) -> None:
    for held in play(store).rounds[0].photos:
        clock.date(store.files, held.file, 800)
    store.backups.remove_old_photos(HELD_TWO_YEARS)
    (store.files.leaving / "looks.json").write_text("[]")
    clock.go_on(days=2)
    assert store.backups.remove_old_photos(HELD_TWO_YEARS) == 0 and len(leaving(store)) == 4
    clock.go_on(days=1)
    assert store.backups.remove_old_photos(HELD_TWO_YEARS) == 2 and leaving(store) == []


def test_photos_stay_while_the_games_are_damaged(tmp_path: Path, clock: SetClock) -> None:
    """Which rounds they belong to is not known then."""
    store = Store(tmp_path)
    for held in play(store).rounds[0].photos:
        clock.date(store.files, held.file, 800)
    store.backups.back_up()
    store.close()
    (tmp_path / "handfoot.db").write_bytes(b"no database" * 1000)
    store = Store(tmp_path)
    assert store.backups.damage
    for _ in range(3):
        assert store.backups.remove_old_photos(HELD_TWO_YEARS) == 0 and leaving(store) == []
        clock.go_on(days=1)
    store.close()


def test_an_export_holds_photos_that_are_leaving(
    store: Store, elsewhere: Store, clock: SetClock, tmp_path: Path
) -> None:
    for held in play(store).rounds[0].photos:
        clock.date(store.files, held.file, 800)
    store.backups.remove_old_photos(HELD_TWO_YEARS)
    assert store.backups.export(tmp_path / "all.zip").photos == 2
    elsewhere.backups.import_games(tmp_path / "all.zip")
    assert len(photos(elsewhere)) == 4


def test_the_page_says_beforehand_what_will_go(person: Person, clock: SetClock) -> None:
    store = services_of(person.client.application).store
    for held in play(store).rounds[0].photos:
        clock.date(store.files, held.file, 800)
    person.open("/safe/")
    assert "will be deleted" not in person.text and "clock" not in person.text.split("Photos")[-1]
    store.backups.remove_old_photos(HELD_TWO_YEARS)
    for path in ("/", "/safe/"):
        person.open(path)
        assert (
            "2 old photos will be deleted after Mar 15, 2031, 8:00 PM to make room. To keep them, export" in person.text
        )
    assert person.client.get("/photo/1/view.jpg").mimetype == "image/jpeg", "it is shown until then"


def test_the_page_says_that_the_clock_is_wrong(person: Person, clock: SetClock) -> None:
    play(services_of(person.client.application).store)
    clock.go_on(days=1096)
    person.open("/safe/")
    assert "This machine's clock says Mar 14, 2034, 8:00 PM, but the last change before that was on" in person.text
    clock.go_on(days=-1500)
    person.open("/safe/")
    assert (
        "but it must be later than Mar 14, 2031, 8:00 PM. Set the clock. Until then, no photos are deleted"
        in person.text
    )
