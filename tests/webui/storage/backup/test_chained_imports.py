"""A game goes from table to table: what was undone at one of them stays in its log and keeps no import from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scorer.sheets import TypedSide
from tests.webui.helpers.played_games import fill
from tests.webui.helpers.stored_round import SIDES, play, shown, whole
from tests.webui.storage.backup.test_import_files import rewrite_tables
from webui.corrections.answers import facts_of, set_starter, set_typed, starter_of
from webui.storage.backup.checks.process import NOTHING_LEFT_OUT
from webui.storage.changes import Add, AddCards, Name
from webui.storage.records import GameRecord
from webui.storage.store import Store


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[tuple[Store, Store, Store, Store]]:
    """Four tables: where a game is played, two with games of their own, and an empty one."""
    first, second, third, empty = (Store(tmp_path / name) for name in ("first", "second", "third", "empty"))
    yield first, second, third, empty
    for store in (first, second, third, empty):
        store.close()


def undo_all_kinds(store: Store) -> GameRecord:
    """A round with cards that were added and undone, some of them after one was named, a photo undone, and facts."""
    game = play(store)
    round_id = game.rounds[0].id

    def undo() -> None:
        store.rounds.undo(round_id, store.rounds.last_undoable_step(round_id)[-1].id)

    for face in ("7H", "9S"):
        added = store.rounds.correct(round_id, 1, Add(group="laid", face=face).model_dump(mode="json"))
        store.rounds.correct(round_id, 1, Name(card=f"a{added}", face="KD").model_dump(mode="json"))
        undo()
        undo()
    typed = store.rounds.correct(round_id, 1, AddCards(group="left0", faces=("7H", "9S")).model_dump(mode="json"))
    store.rounds.correct(round_id, 1, Name(card=f"a{typed}.1", face="KD").model_dump(mode="json"))
    undo()
    undo()
    store.rounds.change_facts(round_id, lambda facts: set_typed(facts, 1, TypedSide(total=5)))
    store.rounds.change_facts(round_id, lambda facts: set_typed(facts, 1, TypedSide(total=65)))
    undo()
    store.rounds.change_facts(round_id, lambda facts: set_starter(facts, 1, 1))
    undo()
    store.rounds.correct(round_id, 0, {"op": "reset"})
    store.rounds.add_photo(round_id, game.rounds[0].photos[0])
    undo()
    return whole(store, game.id)


def log(store: Store, game: GameRecord) -> list[tuple[object, ...]]:
    """The log of a game without its own ids; corrections by the order in which they came."""
    entries = store.log(game.id)
    ids = sorted({doc["id"] for e in entries for doc in (e.before, e.after) if doc and e.what.startswith("correction")})
    corrections = {id: number for number, id in enumerate(ids)}
    assert 0 not in ids

    def numbered(what: str, document: dict[str, object] | None) -> object:
        if document is None or "id" not in document:
            return document
        if not what.startswith("correction"):
            return document.keys()
        number = corrections[document["id"]]
        return number, document["op"], document.get("face"), document.keys()

    return [
        (e.what, e.round, e.side, e.made_at, numbered(e.what, e.before), numbered(e.what, e.after)) for e in entries
    ]


def newest(store: Store) -> GameRecord:
    return whole(store, max(game.id for game in store.games()))


def test_a_game_with_undone_corrections_goes_through_three_tables(
    tables: tuple[Store, Store, Store, Store], tmp_path: Path
) -> None:
    first, *others = tables
    game = undo_all_kinds(first)
    fill(others[0], 2)
    play(others[1])
    play(others[1])
    before, begun, came_from = (shown(game), log(first, game)), first.log(game.id)[0].made_at, first
    for number, store in enumerate(others):
        came_from.backups.export(tmp_path / f"{number}.zip")
        came = store.backups.import_games(tmp_path / f"{number}.zip")
        assert came.checked == NOTHING_LEFT_OUT and came.new == len(came_from.games())
        found = whole(store, next(one.id for one in store.games() if store.log(one.id)[0].made_at == begun))
        assert (shown(found), log(store, found)) == before
        assert facts_of(found.rounds[0].facts, 1).typed == TypedSide(total=5)
        came_from = store


def test_a_number_of_an_undone_correction_is_not_given_again(
    tables: tuple[Store, Store, Store, Store], tmp_path: Path
) -> None:
    first, second, *_ = tables
    game = undo_all_kinds(first)
    play(second)
    first.backups.export(tmp_path / "all.zip")
    second.backups.import_games(tmp_path / "all.zip")
    found = newest(second)
    told = {
        doc["id"]
        for entry in second.log(found.id)
        for doc in (entry.before, entry.after)
        if doc and entry.what.startswith("correction")
    }
    added = second.rounds.correct(found.rounds[0].id, 0, {"op": "reset"})
    assert added > max(told) and len(found.rounds[0].corrections) == len(game.rounds[0].corrections)


def test_a_log_that_an_earlier_version_wrote_with_0_is_taken(
    tables: tuple[Store, Store, Store, Store], tmp_path: Path
) -> None:
    first, second, third, empty = tables
    undo_all_kinds(first)
    play(second)
    first.backups.export(tmp_path / "all.zip")
    changes = "; ".join(
        f"UPDATE log SET {column} = json_set({column}, '$.id', 0) WHERE json_extract({column}, '$.id') IS NOT NULL"
        for column in ("before", "after")
    )
    rewrite_tables(tmp_path / "all.zip", changes)
    for store in (second, empty):
        came = store.backups.import_games(tmp_path / "all.zip")
        assert (came.new, came.checked) == (1, NOTHING_LEFT_OUT)
    second.backups.export(tmp_path / "next.zip")
    came = third.backups.import_games(tmp_path / "next.zip")
    assert (came.new, came.checked) == (2, NOTHING_LEFT_OUT)


def test_what_the_program_may_have_written_is_taken(tables: tuple[Store, Store, Store, Store], tmp_path: Path) -> None:
    """Times of a clock that is wrong, rounds begun out of their order and beyond the planned ones, cards not there."""
    first, second, *_ = tables
    game = play(first)
    first.rounds.begin(game.id, 90)
    for number in range(130, 140):  # rules may plan 135 for four
        first.rounds.begin(game.id, number)
    for card in ("p99c99", "a0", "nowhere"):
        first.rounds.correct(game.rounds[0].id, 0, Name(card=card, face="JK").model_dump(mode="json"))
    first.backups.export(tmp_path / "all.zip")
    wrong = {
        "games SET created_at": "1970-01-01T00:00:07.001+00:00",
        "log SET made_at": "2999-01-01T00:00:00.123456+00:00",
        "sheets SET confirmed_at": "2999-12-31T23:59:59.999+00:00",
        "photos SET taken_at": "2025-02-28T03:04:05+00:00",
    }
    rewrite_tables(tmp_path / "all.zip", "; ".join(f"UPDATE {where} = '{time}'" for where, time in wrong.items()))
    came = second.backups.import_games(tmp_path / "all.zip")
    assert (came.new, came.checked) == (1, NOTHING_LEFT_OUT)
    assert [one.number for one in newest(second).rounds] == [1, 90, *range(130, 140)]


def test_typed_rounds_mean_the_same_on_another_machine(
    tables: tuple[Store, Store, Store, Store], tmp_path: Path
) -> None:
    store, elsewhere, *_ = tables
    play(elsewhere, agreed=False)  # so that everything gets new numbers there
    game_id = store.add_game("tanglewood", 4, SIDES)
    store.rounds.begin(game_id, 1)
    (record,) = whole(store, game_id).rounds
    for group, faces in (("new-meld", ("8H",) * 7), ("buried", ("JK", "4S")), ("left0", ("9C",))):
        typed = store.rounds.correct(record.id, 0, AddCards(group=group, faces=faces).model_dump(mode="json"))
        store.rounds.correct(record.id, 0, Name(card=f"a{typed}.0", face="2S").model_dump(mode="json"))
    store.rounds.change_facts(record.id, lambda facts: set_typed(facts, 1, TypedSide(total=-65)))
    store.rounds.change_facts(record.id, lambda facts: set_starter(facts, 1, 0))
    game = whole(store, game_id)
    store.backups.export(tmp_path / "all.zip")
    came = elsewhere.backups.import_games(tmp_path / "all.zip")
    assert came.new == 1
    found = newest(elsewhere)
    assert shown(found) == shown(game)
    sheet = shown(found)[0][0]
    assert isinstance(sheet, dict)
    assert sheet["sides"][0]["buried"] == ["2S", "4S"] and sheet["sides"][0]["left"][0] == ["2S"]
    assert sheet["sides"][1]["typed"]["total"] == -65 and starter_of(found.rounds[0].facts) == (1, 0)
