"""Backups, exports, restores and imports, on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.webui.helpers.played_games import fill
from tests.webui.helpers.stored_round import play, shown, whole
from webui.storage.backup.backups import outdated
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


def test_imported_games_mean_the_same_on_another_machine(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    """Each machine has games of its own; those of the other get new ids, and are imported only once."""
    own = play(elsewhere, agreed=False)
    games = [play(store), play(store, agreed=False)]
    rules = store.folder / "rulesets" / "ours.toml"
    rules.parent.mkdir()
    rules.write_text('id = "ours"')
    info = store.backups.export(tmp_path / "all.zip")
    assert (info.games, info.photos) == (2, 2)
    stood = elsewhere.game(own.id), elsewhere.log(own.id)
    came = elsewhere.backups.import_games(tmp_path / "all.zip")
    assert (came.new, came.known) == (2, 0)
    assert (elsewhere.game(own.id), elsewhere.log(own.id)) == stood, "what was there is not touched"
    for game, there in zip(games, sorted(elsewhere.games(), key=lambda one: one.id)[1:], strict=True):
        found = whole(elsewhere, there.id)
        assert found.id != game.id and shown(found) == shown(game)
        assert [(e.what, e.side, e.made_at) for e in elsewhere.log(found.id)] == [
            (e.what, e.side, e.made_at) for e in store.log(game.id)
        ]
        last = elsewhere.rounds.last_undoable_change(found.rounds[0].id)
        assert last is not None
        elsewhere.rounds.undo(found.rounds[0].id, last.id)  # the log speaks of the numbers there
        for held in found.rounds[0].photos:
            assert elsewhere.files.path(held.file).exists() and elsewhere.files.preview_path(held.file).exists()
    assert (elsewhere.folder / "rulesets" / "ours.toml").read_text() == 'id = "ours"'
    again = elsewhere.backups.import_games(tmp_path / "all.zip")
    assert (again.new, again.known) == (0, 2)


def test_differing_user_rules_are_reported_and_not_replaced(store: Store, elsewhere: Store, tmp_path: Path) -> None:
    for place, text in ((store, "theirs"), (elsewhere, "ours")):
        (place.folder / "rulesets").mkdir()
        (place.folder / "rulesets" / "our-house.toml").write_text(text)
    play(store)
    store.backups.export(tmp_path / "all.zip")
    assert elsewhere.backups.import_games(tmp_path / "all.zip").other_rules == ("our-house",)
    assert (elsewhere.folder / "rulesets" / "our-house.toml").read_text() == "ours"
    elsewhere.backups.restore(tmp_path / "all.zip")
    assert (elsewhere.folder / "rulesets" / "our-house.toml").read_text() == "theirs", "a restore is of everything"


def test_a_backup_is_made_only_after_a_change(store: Store) -> None:
    assert store.backups.back_up_if_changed() is None, "there is nothing yet"
    game = play(store)
    assert store.backups.back_up_if_changed() is not None
    assert store.backups.back_up_if_changed() is None
    store.change_game(game.id, {"state": "ended"})
    assert store.backups.back_up_if_changed() is not None
    assert len(store.backups.all()) == 2 and oct(store.backups.all()[0].path.stat().st_mode)[-3:] == "600"


def test_old_backups_are_rotated_out() -> None:
    now = datetime.now(UTC)
    made = sorted(
        Path(f"handfoot-{now - timedelta(days=day, minutes=minute):%Y%m%d-%H%M%S}-000.zip")
        for day in (0, 1, 2, 20, 29, 40, 400)
        for minute in (1, 2, 3)
    )
    kept = [path for path in made if path not in outdated(made)]
    assert kept[-10:] == made[-10:] and len(kept) == 11
    assert made[0] not in kept and all(path.name[9:17] >= f"{now - timedelta(days=30):%Y%m%d}" for path in kept)
