"""Names that are one person's: said, taken back, and in backups."""

from __future__ import annotations

from pathlib import Path

from tests.webui.storage.backup.test_import_files import rewrite_tables
from tests.webui.storage.test_events import begun
from webui.storage.people import OtherName
from webui.storage.store import Store


def test_a_name_is_anothers_until_that_is_taken_back(store: Store) -> None:
    assert store.people.join("Anne", "Ann") and not store.people.join("ANN", "Anne"), "they are one already"
    assert store.people.join("Annie", "Anne")
    assert store.people.other_names() == [OtherName("Anne", "Ann"), OtherName("Annie", "Ann")]
    assert store.people.join("Ann", "Hannah"), "who leads on"
    assert store.people.other_names() == [OtherName(name, "Hannah") for name in ("Ann", "Anne", "Annie")]
    store.people.part("ann")
    store.people.part("ann")
    assert store.people.other_names() == [OtherName("Anne", "Ann"), OtherName("Annie", "Ann")]
    assert not store.people.join("Bo", "bo")


def test_other_names_are_in_backups_and_are_added_where_nothing_is_said(tmp_path: Path) -> None:
    one, two = Store(tmp_path / "one"), Store(tmp_path / "two")
    begun(one)
    one.people.join("Anne", "Ann")
    one.people.join("Beau", "Bo")
    begun(two)
    two.people.join("anne", "Anna")
    for target, expected in ((two, ["Anna", "Bo"]), (Store(tmp_path / "new"), ["Ann", "Bo"])):
        one.backups.export(tmp_path / "all.zip", photos=False)
        told = target.backups.import_games(tmp_path / "all.zip").renamed
        assert told == ((("Beau", "Bo"),) if target is two else ()), "of a new list, nothing was counted before"
        assert [other.name for other in target.people.other_names()] == expected
        target.close()
    one.close()


def test_an_archive_with_invalid_other_names_loses_these_alone(tmp_path: Path) -> None:
    one, new = Store(tmp_path / "one"), Store(tmp_path / "new")
    begun(one)
    one.people.join("Anne", "Ann")
    one.people.join("Beau", "Bo")
    one.backups.export(tmp_path / "all.zip", photos=False)
    rewrite_tables(tmp_path / "all.zip", "UPDATE other_names SET name = x'00' WHERE written = 'Beau'")
    new.backups.import_games(tmp_path / "all.zip")
    assert [other.name for other in new.people.other_names()] == ["Ann"] and len(new.events.all()) == 1
    one.close()
    new.close()
