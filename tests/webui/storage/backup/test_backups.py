"""Backups, exports, restores and imports, on SQLite and PostgreSQL."""

from __future__ import annotations

import zipfile
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from pytest import CaptureFixture, MonkeyPatch

from scorer.rules import read_rules
from tests.webui.helpers.played_games import fill, write_rules
from tests.webui.helpers.playing import Person
from tests.webui.helpers.set_clock import EVENING, SetClock
from tests.webui.helpers.stored_round import play, shown, whole
from webui.cli import main
from webui.commands.backup import _what
from webui.context.services import services_of
from webui.storage.backup.backups import Backup, outdated
from webui.storage.backup.write_archive import ArchiveInfo
from webui.storage.db.connect import FILE_NAME
from webui.storage.files.photo_files import PhotoFiles
from webui.storage.store import Store


def test_a_restore_brings_everything_back(store: Store) -> None:
    game = play(store)
    fill(store, 3)
    before = store.games(), game, store.log(game.id), store.first_melds.find(1)
    backup = store.backups.back_up()
    assert (backup.info.games, backup.info.rounds) == (4, 11)
    store.change_game(game.id, {"state": "removed"})
    store.rounds.correct(game.rounds[0].id, 0, {"op": "reset"})
    lost = play(store)
    store.backups.restore(backup.path)
    assert (store.games(), store.game(game.id), store.log(game.id), store.first_melds.find(1)) == before
    assert store.game(lost.id) is None
    assert store.backups.all()[0].info.games == 5, "what was there before was backed up first"
    assert store.rounds.correct(game.rounds[0].id, 0, {"op": "reset"}) > 16, (
        "no correction's number is ever given twice"
    )
    lost_photos = [photo.id for photo in lost.rounds[0].photos]
    assert whole(store, play(store).id).rounds[0].photos[0].id > max(lost_photos), "nor is a photo's"


@pytest.mark.parametrize(
    "name", ["rulesets/ours.toml", "zones.json", "decks/ours/deck.toml", "decks/ours/faces/8-1.webp", "photos/PHOTO"]
)
def test_a_file_that_no_archive_may_hold_keeps_none_from_being_read(
    store: Store, elsewhere: Store, tmp_path: Path, name: str
) -> None:
    game = play(store)
    path = store.files.path(game.rounds[0].photos[0].file) if name == "photos/PHOTO" else store.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(100 * 1024**2)
    backup = store.backups.back_up()
    assert store.backups.restore(backup.path).new == 1 and len(store.games()) == 1
    sent = tmp_path / "sent.zip"
    sent.write_bytes(b"".join(store.backups.stream_export()))
    assert elsewhere.backups.import_games(sent).new == 1
    store.backups.export(tmp_path / "all.zip")
    assert elsewhere.backups.import_games(tmp_path / "all.zip").known == 1


def test_a_photo_that_cannot_be_read_or_goes_meanwhile_breaks_no_export(
    store: Store, elsewhere: Store, tmp_path: Path, monkeypatch: MonkeyPatch
) -> None:
    photos = [photo.file for photo in play(store).rounds[0].photos]
    store.files.path(photos[0]).unlink()
    store.files.path(photos[0]).mkdir()
    gone = store.files.path(photos[1])
    listed = store.files.all_files()
    gone.unlink()
    monkeypatch.setattr(PhotoFiles, "all_files", lambda _: listed)
    store.backups.export(tmp_path / "all.zip")
    (tmp_path / "sent.zip").write_bytes(b"".join(store.backups.stream_export()))
    assert elsewhere.backups.import_games(tmp_path / "all.zip").new == 1
    assert elsewhere.backups.import_games(tmp_path / "sent.zip").known == 1


def test_imported_games_mean_the_same_on_another_machine(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    """Each machine has games of its own; those of the other get new ids, and are imported only once."""
    own = play(elsewhere, agreed=False)
    games = [play(store), play(store, agreed=False)]
    store.add_game("golden-games", 4, games[0].sides, practice=True)
    rules = store.folder / "rulesets" / "ours.toml"
    rules.parent.mkdir()
    write_rules(rules, 700)
    info = store.backups.export(tmp_path / "all.zip")
    assert (info.games, info.photos) == (2, 2)
    stood = elsewhere.game(own.id), elsewhere.log(own.id)
    came = elsewhere.backups.import_games(tmp_path / "all.zip")
    assert (came.new, came.known) == (2, 0)
    assert (elsewhere.game(own.id), elsewhere.log(own.id)) == stood, "what was there is not touched"
    for game, there in zip(games, sorted(elsewhere.counted_games(), key=lambda one: one.id)[1:], strict=True):
        found = whole(elsewhere, there.id)
        assert found.id != game.id and shown(found) == shown(game)
        assert [(e.what, e.side, e.made_at) for e in elsewhere.log(found.id)] == [
            (e.what, e.side, e.made_at) for e in store.log(game.id)
        ]
        last = elsewhere.rounds.last_undoable_step(found.rounds[0].id)[-1]
        elsewhere.rounds.undo(found.rounds[0].id, last.id)  # the log speaks of the numbers there
        for held in found.rounds[0].photos:
            assert elsewhere.files.path(held.file).exists() and elsewhere.files.preview_path(held.file).exists()
    assert (elsewhere.folder / "rulesets" / "ours.toml").read_text() == rules.read_text()
    again = elsewhere.backups.import_games(tmp_path / "all.zip")
    assert (again.new, again.known) == (0, 2)


def test_differing_user_rules_are_reported_and_not_replaced(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    for place, bonus in ((store, 600), (elsewhere, 500)):
        (place.folder / "rulesets").mkdir()
        write_rules(place.folder / "rulesets" / "our-house.toml", bonus)
    play(store)
    store.backups.export(tmp_path / "all.zip")
    assert elsewhere.backups.import_games(tmp_path / "all.zip").other_rules == ("our-house",)
    assert read_rules(elsewhere.folder / "rulesets" / "our-house.toml").books.clean == 500
    elsewhere.backups.restore(tmp_path / "all.zip")
    restored = read_rules(elsewhere.folder / "rulesets" / "our-house.toml")
    assert restored.books.clean == 600, "a restore is of everything"


def test_a_backup_is_made_only_after_a_change(store: Store) -> None:
    assert store.backups.back_up_if_changed() is None, "there is nothing yet"
    game = play(store)
    assert store.backups.back_up_if_changed() is not None
    assert store.backups.back_up_if_changed() is None
    store.change_game(game.id, {"state": "ended"})
    assert store.backups.back_up_if_changed() is not None
    assert len(store.backups.all()) == 2 and oct(store.backups.all()[0].path.stat().st_mode)[-3:] == "600"


def backup(made_at: datetime, newest: int, number: int, games: int = 1) -> Backup:
    info = ArchiveInfo(made_at.isoformat(), "1.0", games, 0, 0, newest, number)
    return Backup(Path(f"handfoot-{made_at:%Y%m%d-%H%M%S}-{number}.zip"), info)


def test_old_backups_are_rotated_out() -> None:
    """Those of each day, the days in the order in which they were made."""
    days = (400, *range(60, 0, -2), 0)
    made = [
        backup(EVENING - timedelta(days=day, minutes=minute), 10 * index, 10 * index - minute)
        for index, day in enumerate(days, 1)
        for minute in (3, 2, 1)
    ]
    kept = [one for one in made if one not in outdated(made)]
    assert kept[-10:] == made[-10:], "the last ten"
    assert kept[:-10] == [one for one in made[:-10] if one.info.number % 10 == 9][-26:], "and the last of each day"
    assert len({one.info.made_at[:10] for one in kept}) == 30, "of thirty days on which there are any"


def test_the_rotation_does_not_depend_on_the_clock() -> None:
    """A clock that is years ahead, or back, drops neither the older days nor the true newest ones."""
    days = [backup(EVENING - timedelta(days=day), 100 - day, 100 - day) for day in range(25, 0, -1)]
    for wrong in (timedelta(days=1096), timedelta(days=-3650), timedelta(hours=-1)):
        since = [backup(EVENING + wrong + timedelta(minutes=n), 100 + n, 100 + n) for n in range(12)]
        assert set(outdated([*days, *since])) <= set(since[:2]), "all but some of this very evening stay"


def test_the_backup_that_holds_most_stays_whatever_was_made_since() -> None:
    best = backup(EVENING - timedelta(days=900), 500, 1)
    empty = backup(EVENING - timedelta(days=900), 900, 2, games=0)
    later = [backup(EVENING - timedelta(days=800 - n), n, 10 + n) for n in range(50)]
    gone = outdated([best, empty, *later])
    assert best not in gone and empty in gone


def test_the_newest_backup_is_the_one_that_holds_the_newest_change(store: Store, monkeypatch: MonkeyPatch) -> None:
    """Made with the clock an hour back, or at the very same time."""
    clock = SetClock(monkeypatch, EVENING)
    fill(store, 1)
    first = store.backups.back_up()
    for hours in (0, -1, -30000, 0):
        clock.go_on(hours=hours)
        fill(store, 1)
        made = store.backups.back_up()
        assert store.backups.newest_with_games() == store.backups.all()[0] == made
        assert made.info.newest == store.newest_change() > first.info.newest
        assert store.backups.back_up_if_changed() is None, "that state is kept"
    assert len(store.backups.all()) == 5, "none took the file of another"
    assert [one.info.number for one in store.backups.all()] == [5, 4, 3, 2, 1]
    for _ in range(12):
        store.backups.back_up()
    assert store.backups.all()[0].info.games == 5


def test_the_page_and_the_commands_take_the_newest_and_say_what_it_holds(
    person: Person, monkeypatch: MonkeyPatch, capsys: CaptureFixture[str], tmp_path: Path
) -> None:
    clock, store = SetClock(monkeypatch, EVENING), services_of(person.client.application).store
    fill(store, 1)
    first = store.backups.back_up()
    clock.go_on(hours=-1)
    fill(store, 1)
    second = store.backups.back_up()
    person.open("/safe/")
    shown = [_what(one.info).replace(" with ", ", ") for one in (first, second)]
    assert person.text.index(shown[1]) < person.text.index(shown[0])
    assert main(["restore", "--data", str(tmp_path / "data")]) == 0
    said = f"{_what(second.info)} restored from {second.path}"
    assert said in capsys.readouterr().out


def test_after_a_restore_of_an_older_state_one_backup_is_made_of_it(store: Store) -> None:
    fill(store, 1)
    old = store.backups.back_up()
    fill(store, 1)
    store.backups.restore(old.path)
    assert store.backups.back_up_if_changed() is not None, "it is what is here now"
    assert store.backups.back_up_if_changed() is None
    fill(store, 1)
    assert store.backups.back_up().info == store.backups.all()[0].info, "what is played on is newer than all before"


def test_a_list_that_is_begun_anew_is_newer_than_the_backups_of_the_old(tmp_path: Path) -> None:
    store = Store(tmp_path)
    fill(store, 3)
    old = store.backups.back_up()
    store.close()
    (tmp_path / FILE_NAME).unlink()
    store = Store(tmp_path)
    fill(store, 1)
    made = store.backups.back_up()
    assert made.info.newest > old.info.newest and store.backups.newest_with_games() == made
    store.close()


@pytest.mark.parametrize(
    "about",
    [
        "null",
        "[]",
        "[" * 100_000,
        '{"made_at": 7}',
        '{"made_at": "", "version": "", "games": "1", "rounds": [], "photos": 0}',
    ],
)
def test_a_description_that_is_none_is_no_backup(store: Store, about: str) -> None:
    store.backups.folder.mkdir()
    with zipfile.ZipFile(store.backups.folder / "handfoot-a-b.zip", "w") as archive:
        archive.writestr("about.json", about)
    assert store.backups.all() == [] and store.backups.newest_with_games() is None
