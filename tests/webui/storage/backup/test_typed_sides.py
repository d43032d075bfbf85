"""Exports and imports of rounds that were typed: cards at a stroke, points, and who played first."""

from __future__ import annotations

from pathlib import Path

from scorer.sheets import TypedSide
from tests.webui.helpers.stored_round import SIDES, new_folder, play, shown, whole
from webui.corrections.answers import set_starter, set_typed, starter_of
from webui.storage.changes import AddCards, Name
from webui.storage.store import Store


def test_typed_rounds_mean_the_same_on_another_machine(elsewhere: Store, tmp_path: Path) -> None:
    store = Store(new_folder(tmp_path / "here"))
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
    found = whole(elsewhere, max(one.id for one in elsewhere.games()))
    assert shown(found) == shown(game)
    sheet = shown(found)[0][0]
    assert isinstance(sheet, dict)
    assert sheet["sides"][0]["buried"] == ["2S", "4S"] and sheet["sides"][0]["left"][0] == ["2S"]
    assert sheet["sides"][1]["typed"]["total"] == -65 and starter_of(found.rounds[0].facts) == (1, 0)
    store.close()
