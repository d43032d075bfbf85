"""What keeps a round from being agreed: photos that are not read, and a game that counts no more rounds."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from tests.webui.helpers.drawn import NORTH_TABLE, DrawnReader, marked, photo
from tests.webui.helpers.played_games import agree_round
from tests.webui.helpers.playing import Person
from vision.errors import WeightsError
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Reading
from webui.app import create_app
from webui.context.services import services_of
from webui.reading import photo_queue
from webui.reading.photo_jobs import photos_waiting
from webui.reading.reader_service import ReaderService
from webui.rounds.agreement import unsettled_rounds
from webui.rounds.round_view import view_round
from webui.settings import Settings
from webui.storage.files.job_files import Job

ROUND = "/game/1/round/1"


class HeldReader(DrawnReader):
    """Reads nothing until it may, and nothing at all where it is broken."""

    def __init__(self) -> None:
        super().__init__()
        self.may, self.at_work = threading.Event(), threading.Event()

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        self.at_work.set()
        assert self.may.wait(120)
        return super().read(frame, house_rules)


@pytest.fixture
def reader() -> HeldReader:
    return HeldReader()


@pytest.fixture
def slow(tmp_path: Path, reader: HeldReader, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """A visitor of a page that answers before its photos are read."""
    monkeypatch.setattr(photo_queue, "WAIT_SECONDS", 0.05)
    app = create_app(Settings(tmp_path / "slow"), ReaderService(lambda: reader))
    person = Person(app)
    person.begin()
    yield person
    reader.may.set()
    services_of(app).photo_queue.close()
    services_of(app).store.close()


def is_agreed(person: Person, number: int = 1) -> bool:
    game = services_of(person.client.application).store.game(1)
    assert game is not None
    record = game.round(number)
    return record is not None and record.agreed_sheet is not None


def agree(person: Person, number: int = 1) -> None:
    person.send(f"/game/1/round/{number}/facts", went_out="0")
    person.agree(f"/game/1/round/{number}")


def test_a_round_is_not_agreed_while_its_photos_are_being_read(slow: Person, reader: HeldReader) -> None:
    for number in range(2):  # one at work, one that waits
        picture = io.BytesIO(marked(photo(NORTH_TABLE), str(number)))
        slow.send(f"{ROUND}/side/0/photos", photos=(picture, f"{number}.jpg"))
    assert reader.at_work.wait(60)
    agree(slow)
    assert "A photo of this round is still being read" in slow.notices()[0] and not is_agreed(slow)
    slow.send("/game/1/state", state="remove")
    slow.send("/new")
    slow.send("/game/2/round/1/begin")
    slow.send("/game/2/round/1/facts", went_out="0")
    slow.agree("/game/2/round/1")
    assert slow.path == "/game/2/round/1/tally", "other rounds may be agreed meanwhile"
    slow.send("/game/1/state", state="restore")
    reader.may.set()
    services_of(slow.client.application).photo_queue.close()
    slow.open(f"{ROUND}/side/0/")
    slow.count_piles()
    agree(slow)
    assert is_agreed(slow)


def test_one_side_does_not_agree_before_the_photos_are_read_either(slow: Person, reader: HeldReader) -> None:
    slow.photo(f"{ROUND}/side/0", photo(NORTH_TABLE))
    assert reader.at_work.wait(60)
    slow.agree(ROUND, 0)
    assert "still being read" in slow.notices()[0]


def test_a_first_melds_photo_keeps_no_round_open() -> None:
    of_round = Job("sent", {"game": 1, "number": 1, "side": 0, "player": None}, "/", None)
    first_meld = Job("first-meld", {"game": 1, "number": 1, "side": 0, "shot": False}, "/", None)
    assert photos_waiting([first_meld], 1, 1) == 0
    assert [photos_waiting([of_round, first_meld], *place) for place in ((1, 1), (1, 2), (2, 1))] == [1, 0, 0]


def test_a_photo_that_could_not_be_read_is_read_or_removed_first(tmp_path: Path) -> None:
    def missing() -> DrawnReader:
        raise WeightsError("the weights are missing; install handfoot again")

    app = create_app(Settings(tmp_path / "unread"), ReaderService(missing))
    person = Person(app)
    person.begin()
    person.photo(f"{ROUND}/side/0", photo(NORTH_TABLE))
    agree(person)
    assert "A photo of North–South could not be read. Read or remove it" in person.notices()[0]
    assert not is_agreed(person)
    person.send(f"{ROUND}/side/0/change", op="drop-photo", photo="1")
    agree(person)
    assert is_agreed(person)
    services_of(app).photo_queue.close()
    services_of(app).store.close()


@pytest.mark.parametrize(
    ("state", "sentence", "back"), [("remove", "was removed", "restore"), ("end", "is over", "reopen")]
)
def test_no_round_is_added_to_a_game_that_is_over_or_removed(
    person: Person, state: str, sentence: str, back: str
) -> None:
    person.begin()
    person.send("/game/1/state", state=state)
    agree(person)
    assert any(sentence in notice for notice in person.notices()) and not is_agreed(person)
    person.send("/game/1/state", state=back)
    agree(person)
    assert is_agreed(person)


def test_a_round_of_a_game_that_is_over_is_corrected_all_the_same(person: Person) -> None:
    person.begin()
    agree(person)
    person.send("/game/1/state", state="end")
    person.send(f"{ROUND}/facts", went_out="1")
    person.agree(ROUND)
    game = services_of(person.client.application).store.game(1)
    assert game is not None and game.rounds[0].agreed_sheet is not None
    assert game.rounds[0].agreed_sheet["sides"][1]["went_out"]


def test_cards_that_came_between_look_and_agreement_are_looked_at_first(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another device adds a card after the page has looked at the round, and before the agreement is stored."""
    person.begin()
    other = Person(person.client.application)
    sessions = services_of(person.client.application).store.rounds._session
    begin, added = sessions.begin, threading.Event()

    def begin_after_the_card() -> AbstractContextManager[Session]:
        if not added.is_set():
            added.set()
            other.send(f"{ROUND}/side/0/change", op="add", group="new-meld", face="9D")
        return begin()

    monkeypatch.setattr(sessions, "begin", begin_after_the_card)
    person.agree(ROUND)
    assert "The points have changed since you looked" in person.notices()[0] and not is_agreed(person)


def test_a_round_agreed_on_when_piles_need_not_be_counted_keeps_its_points(person: Person) -> None:
    """A pile that everyone agreed to as it was assumed to be counts, also where another card is corrected later."""
    side = f"{person.begin()}/side/0"
    person.photo(side, photo(NORTH_TABLE), counts=False)
    store = services_of(person.client.application).store
    game = store.game(1)
    assert game is not None
    sheet = view_round(game, game.rounds[0]).sheet
    sheet["sides"][0]["melds"].append({"rank": "K", "cards": 7, "wilds": ["2S"]})
    agree_round(store, game.rounds[0].id, sheet)
    person.open(f"{side}/")
    assert "Everyone agreed on this round." in person.text and not person.piles()
    assert "Dirty book of kings 380" in person.group("p1g4")
    assert unsettled_rounds(store, [1]) == {}
    person.send(f"{side}/change", op="remove", card="p1c0")
    assert "The change counts once everyone agrees again." in person.text and not person.piles()
    agree(person)
    assert person.path == f"{ROUND}/tally"
    person.send(f"{side}/change", op="name", card="p1c23", face="QS")
    assert person.piles(), "of another pile nobody has said how many cards it has"
