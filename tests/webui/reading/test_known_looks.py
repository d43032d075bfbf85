"""What agreed rounds teach: by what people made of the cards, and only while that counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

import webui.commands.doctor
from scorer.deck import use_deck_folder
from scorer.sheets import TypedSide
from tests.webui.helpers.drawn import EAST_TABLE, NORTH_TABLE, photo
from tests.webui.helpers.playing import Person
from tests.webui.helpers.seeing import NETWORKS, SeeingReader
from tests.webui.helpers.stored_round import SIDES
from vision.errors import VisionError
from vision.looks.looks import NO_INDEX, Looks
from webui.app import create_app
from webui.cli import main
from webui.context.services import services_of
from webui.corrections.answers import set_typed
from webui.reading.reader_service import ReaderService
from webui.rounds.round_view import view_round
from webui.settings import Settings
from webui.storage.changes import Add, Change, Name, Remove
from webui.storage.kept_rules import kept
from webui.storage.records import GameRecord, RoundRecord


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app(Settings(tmp_path, camera=str(tmp_path / "no")), ReaderService(SeeingReader))
    made.config["WTF_CSRF_ENABLED"] = False
    yield made
    services_of(made).photo_queue.close()
    services_of(made).store.close()


@pytest.fixture(autouse=True)
def no_own_decks() -> Iterator[None]:
    yield
    use_deck_folder(None)


@pytest.fixture
def person(app: Flask) -> Person:
    return Person(app)


def agreed_round(person: Person, **fields: str) -> str:
    """Plays a round of one photo that everybody agrees to."""
    here = person.begin(**fields)
    person.photo(f"{here}/side/0", photo(NORTH_TABLE))
    agree(person)
    return here


def agree(person: Person, number: int = 1) -> None:
    """Stores the sheet of the newest game's round as it stands as the agreed one."""
    store = services_of(person.client.application).store
    game = whole(person)
    record = game.round(number)
    assert record is not None
    view = view_round(game, record)
    store.rounds.change_facts(
        record.id,
        lambda facts: {**facts, "agreed": {"0": view.sheet_hash}},
        agreed_sheet=lambda _: view.sheet,
        rules=kept(view.rules),
    )


def whole(person: Person) -> GameRecord:
    store = services_of(person.client.application).store
    game = store.game(store.games()[0].id)
    assert game is not None
    return game


def the_round(person: Person) -> RoundRecord:
    (record,) = whole(person).rounds
    return record


def correct(person: Person, change: Change) -> int:
    store = services_of(person.client.application).store
    return store.rounds.correct(the_round(person).id, 0, change.model_dump(mode="json"))


def known(person: Person) -> Looks | None:
    return told(person, whole(person))


def told(person: Person, game: GameRecord) -> Looks | None:
    """What a reader is told once all is computed."""
    looks = services_of(person.client.application).looks
    looks.renew(game).result()
    return looks.of(game)


def ranks(looks: Looks | None) -> Counter[str]:
    """How many looks of each rank there are; "" are those of no index."""
    if looks is None:
        return Counter()
    return Counter("" if label == NO_INDEX else looks.ranks[label] for label in looks.labels.tolist())


def cards(person: Person) -> list[dict[str, object]]:
    (kept,) = the_round(person).photos
    assert kept.reading is not None
    return list(kept.reading["cards"])


def test_a_round_teaches_once_it_is_agreed(person: Person) -> None:
    here = person.begin()
    person.photo(f"{here}/side/0", photo(NORTH_TABLE))
    assert known(person) is None
    agree(person)
    found = known(person)
    assert found is not None and found.networks == NETWORKS
    sure = Counter(str(card["face"])[:-1] for card in cards(person) if card["doubt"] is None)
    loose = Counter({"5": 1})  # what lies in no meld was not agreed to
    assert ranks(found) == sure - loose and sure["8"] > 3
    assert known(person) is found, "nothing changed, so nothing is made anew"


def test_the_next_photo_is_read_with_what_was_learned(person: Person) -> None:
    agreed_round(person)
    found = known(person)
    person.photo(f"{person.begin()}/side/0", photo(EAST_TABLE))
    reader = services_of(person.client.application).reader.get()
    assert isinstance(reader, SeeingReader) and found is not None and reader.told[0] is None
    assert all(told is found for told in reader.told[1:]) and len(reader.told) == 2


def test_rounds_count_as_far_as_their_looks_do(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        agreed_round(person)
    found, looks = known(person), services_of(person.client.application).looks
    assert found is not None and len(looks.with_deck("standard")[0]) == 3
    monkeypatch.setattr("webui.reading.known_looks.MOST_LOOKS", len(found) // 3 + 1)
    counting, by_others = looks.with_deck("standard")
    assert [one.game.id for one in counting] == [3, 2] and by_others == 0, "part of the second still counts"


def test_what_came_with_a_deck_counts_until_it_is_forgotten(person: Person) -> None:
    looks, decks = services_of(person.client.application).looks, services_of(person.client.application).decks
    use_deck_folder(decks.folder)
    decks.add("Ours", "standard", [])
    agreed_round(person)
    person.send("/game/1/decks/", deck=["ours"])
    data = looks.of_deck("ours")
    assert data is not None and ranks(Looks.from_bytes(data)) == ranks(known(person))
    decks.add("Theirs", "standard", [])
    (decks.folder / "theirs" / "looks.npz").write_bytes(data)
    person.begin()
    person.send("/game/2/decks/", deck=["theirs"])
    assert ranks(known(person)) == ranks(Looks.from_bytes(data)) and looks.of_deck("theirs") is not None
    assert "on the computer that these cards came from counts too" in person.open("/decks/theirs/rounds")
    person.send("/decks/theirs/rounds/forget", what="deck")
    assert known(person) is None and looks.of_deck("ours") is not None


def test_what_people_correct_is_what_is_learned(person: Person) -> None:
    agreed_round(person)
    (kept,) = the_round(person).photos
    before = ranks(known(person))
    sure = [number for number, card in enumerate(cards(person)) if card["doubt"] is None and "8" in str(card["face"])]
    made = correct(person, Name(card=f"p{kept.id}c{sure[0]}", face="KD"))
    assert ranks(known(person)) - before == Counter(K=1) and before - ranks(known(person)) == Counter({"8": 1})
    services_of(person.client.application).store.rounds.undo(
        the_round(person).id, services_of(person.client.application).store.version(whole(person).id)
    )
    assert made and ranks(known(person)) == before
    correct(person, Remove(card=f"p{kept.id}c{sure[0]}"))
    assert before - ranks(known(person)) == Counter({"8": 1}), "a sure card that was removed may lie there"
    assert ranks(known(person))[""] == before[""]


def test_a_card_that_was_doubted_and_removed_is_none_and_an_open_doubt_teaches_nothing(person: Person) -> None:
    agreed_round(person)
    (kept,) = the_round(person).photos
    (number,) = [number for number, card in enumerate(cards(person)) if card["doubt"] == "odd-one-out"][:1]
    rank = str(cards(person)[number]["face"])[:-1]
    before = ranks(known(person))
    named = correct(person, Name(card=f"p{kept.id}c{number}", face=str(cards(person)[number]["face"])))
    assert named and ranks(known(person)) - before == Counter({rank: 1}), "somebody looked at it"
    correct(person, Remove(card=f"p{kept.id}c{number}"))
    assert ranks(known(person)) - before == Counter({"": 1})


def test_a_card_that_was_added_where_nothing_was_seen_teaches_nothing(person: Person) -> None:
    agreed_round(person)
    (kept,) = the_round(person).photos
    before = ranks(known(person))
    correct(person, Add(group="new-meld", face="JK", photo=kept.id, x=5, y=6))
    assert ranks(known(person)) == before


@pytest.mark.parametrize("why", ["practice", "removed", "counted by people", "imported", "undone"])
def test_what_does_not_count_teaches_nothing(person: Person, why: str) -> None:
    agreed_round(person)
    store, game = services_of(person.client.application).store, whole(person)
    assert known(person) is not None
    if why == "practice":
        other = store.add_game("golden-games", 4, SIDES, practice=True)
        store.rounds.begin(other, 1)
        person.photo(f"/game/{other}/round/1/side/0", photo(EAST_TABLE))
        assert the_round(person).photos and len(store.looks.by_round()) == 1
        return
    if why == "removed":
        store.change_game(game.id, {"state": "removed"})
    elif why == "counted by people":
        store.rounds.change_facts(the_round(person).id, lambda old: set_typed(old, 0, TypedSide(total=500)))
    elif why == "imported":
        for files in store.looks.by_round().values():
            for path in files.values():
                path.rename(path.with_name(path.name.replace("1-", "7-", 1)))
    else:
        store.rounds.undo(the_round(person).id, store.version(game.id))
    assert told(person, game) is None


def test_rounds_with_other_cards_teach_nothing(person: Person) -> None:
    agreed_round(person)
    looks = services_of(person.client.application).looks
    (one,) = looks.rounds(lambda decks: decks == {"standard"})
    assert one.number == 1 and looks.rounds(lambda decks: "hand-n-foot" in decks) == []


@pytest.mark.parametrize("what", ["deck", "all", "1"])
def test_what_is_forgotten_does_not_come_back(person: Person, what: str) -> None:
    agreed_round(person)
    store, game = services_of(person.client.application).store, whole(person)
    assert known(person) is not None
    if what != "1":
        store.change_game(game.id, {"state": "removed"})
    person.send("/decks/hand-n-foot/rounds/forget", what="deck")
    assert len(store.looks.by_round()) == 1, "played with other cards"
    assert person.client.post("/decks/standard/rounds/forget", data={"what": ""}).status_code == 400
    person.send("/decks/standard/rounds/forget", what=what)
    assert store.looks.by_round() == {} and services_of(person.client.application).looks.of(game) is None
    store.change_game(game.id, {"state": "open"})
    agree(person)
    assert known(person) is None


@pytest.mark.parametrize("damage", ["empty", "cut", "folder", "gone", "no folder"])
def test_a_damaged_file_is_set_aside_and_photos_are_read(
    person: Person, damage: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    agreed_round(person)
    store = services_of(person.client.application).store
    (path,) = (path for files in store.looks.by_round().values() for path in files.values())
    data = path.read_bytes()
    path.unlink()
    if damage == "folder":
        path.mkdir()
    elif damage == "no folder":
        path.parent.rmdir()
        path.parent.touch()
    elif damage != "gone":
        path.write_bytes(b"" if damage == "empty" else data[: len(data) // 2])
    services_of(person.client.application).looks._made.clear()  # as after a start
    assert known(person) is None
    here = person.begin()
    person.photo(f"{here}/side/0", photo(EAST_TABLE))
    assert the_round(person).photos[0].reading is not None
    told = f"1 file in looks is damaged ({path.name}): photos are read without what was learned from it; remove it"
    is_told = damage in ("empty", "cut", "folder")
    answer = person.client.get("/healthz")
    assert answer.status_code == 200 and answer.json is not None
    assert answer.json["wrong"] == ({"looks": told} if is_told else {})
    monkeypatch.setattr(webui.commands.doctor, "load_chosen_reader", lambda _: (_ for _ in ()).throw(VisionError("no")))
    main(["doctor", "--data", str(store.folder)])
    assert (told in capsys.readouterr().out) == is_told


def test_the_rounds_that_began_first_go_first(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webui.storage.files.look_files.MOST_ROUNDS", 2)
    files = services_of(person.client.application).store.looks
    for number in (9, 10, 11):
        files.keep(number, f"{number:032x}.jpg", b"x")
    assert sorted(files.by_round()) == [10, 11]
    files.forget([10])
    assert sorted(files.by_round()) == [11]
