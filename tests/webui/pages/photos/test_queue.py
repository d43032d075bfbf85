"""The photo queue: order, limits, failing jobs, restarts."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from scorer.errors import UnknownRulesError
from tests.vision.images.photo_files import PLACE, segment
from tests.webui.helpers.drawn import NORTH_TABLE, DrawnReader, marked, photo
from tests.webui.helpers.playing import Person
from vision.values import DEFAULT_HOUSE_RULES, Frame, HouseRules, Reading
from webui.app import create_app
from webui.context.services import services_of
from webui.reading import photo_queue
from webui.reading.reader_service import ReaderService
from webui.settings import Settings
from webui.storage.errors import StorageError
from webui.storage.files.job_files import Job, JobFiles, StoredJob

SIDE = "/game/1/round/1/side/0"
SCRIPT = {"X-Handfoot-Script": "yes"}


class SlowReader(DrawnReader):
    """Reads nothing until it may."""

    def __init__(self) -> None:
        super().__init__()
        self.may, self.at_work = threading.Event(), threading.Semaphore(0)

    def read(self, frame: Frame, house_rules: HouseRules = DEFAULT_HOUSE_RULES, taught: object = None) -> Reading:
        self.at_work.release()
        assert self.may.wait(120)
        return super().read(frame, house_rules)


@pytest.fixture
def reader() -> SlowReader:
    return SlowReader()


@pytest.fixture
def app(tmp_path: Path, reader: SlowReader, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    monkeypatch.setattr(photo_queue, "WAIT_SECONDS", 0.05)
    app = create_app(Settings(tmp_path), ReaderService(lambda: reader))
    Person(app).begin()
    yield app
    reader.may.set()
    services_of(app).photo_queue.close()
    services_of(app).store.close()


def send(person: Person, number: int, **more: Any) -> Any:
    """Sends a photo that no other number gives, as the page's script does."""
    data = marked(photo(NORTH_TABLE), str(number))
    fields = {"token": person.token(), "photos": (io.BytesIO(data), f"{number}.jpg")}
    return person.client.post(f"{SIDE}/photos", data=fields, headers=SCRIPT, **more)


def poll(person: Person, address: str) -> dict[str, Any]:
    answer = person.client.get(address, headers=SCRIPT)
    assert answer.status_code == 200 and answer.json is not None
    return dict(answer.json)


def test_photos_are_read_in_order_and_know_their_place(app: Flask, reader: SlowReader) -> None:
    people = [Person(app) for _ in range(5)]
    first = send(people[0], 0).json
    assert reader.at_work.acquire(timeout=60)
    first = poll(people[0], first["wait"])  # when it was sent, its turn may not have come yet
    waits = [first, *(send(person, number).json for number, person in enumerate(people[1:], 1))]
    assert [wait["before"] for wait in waits] == [0, 1, 2, 3, 4]
    assert "4 photos ahead of yours" in people[4].open(waits[4]["wait"])
    assert 'http-equiv="refresh"' in people[4].page, "it goes on without a script too"
    reader.may.set()
    for person, wait in zip(people, waits, strict=True):
        ticket = services_of(app).photo_queue.find(wait["wait"].rsplit("/", 1)[1])
        assert ticket is not None and ticket.done.wait(60)
        assert poll(person, wait["wait"]) == {"next": f"{SIDE}/"}
    people[0].open(waits[0]["wait"])
    assert people[0].path == f"{SIDE}/" and people[0].page.count('class="photo"') == 5


@pytest.mark.parametrize(("name", "value"), [("MOST_WAITING", 3), ("MOST_BYTES", 3 * 110_000)])
def test_a_full_queue_refuses_with_a_sentence(
    app: Flask, reader: SlowReader, monkeypatch: pytest.MonkeyPatch, name: str, value: int
) -> None:
    size = len(photo(NORTH_TABLE))
    monkeypatch.setattr(photo_queue, name, value if value < 10 else int(3.5 * size))
    person = Person(app)
    for number in range(3):
        assert send(person, number).status_code == 200
    refused = send(person, 3)
    assert refused.status_code == 503 and "Too many photos are waiting" in refused.text
    reader.may.set()
    for _ in range(3):
        assert reader.at_work.acquire(timeout=60)
    desk = services_of(app).photo_queue
    assert wait_until(lambda: desk._bytes == 0 and desk._reserved == 0)
    assert send(person, 4).status_code == 200, "there is room again"


def wait_until(true: Callable[[], bool]) -> bool:
    for _ in range(1200):
        if true():
            return True
        threading.Event().wait(0.05)
    return False


def test_an_interrupted_upload_frees_its_space(app: Flask, tmp_path: Path) -> None:
    desk = services_of(app).photo_queue

    def broken() -> Iterator[tuple[bytes, str]]:
        yield b"a photo", "a.jpg"
        raise OSError("cut off")

    with pytest.raises(StorageError, match="was not saved: cut off"):
        desk.submit(1000, job("any"), broken())
    assert desk._bytes == desk._reserved == 0 and not list((tmp_path / "waiting").iterdir())


def job(kind: str) -> Job:
    return Job(kind, {}, "/rules/", None)


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (UnknownRulesError("there are no such rules", "lost-rules"), "The house rules Lost rules are missing here."),
        (RuntimeError("secret"), "Something went wrong while reading the photos. Send them again."),
    ],
)
def test_a_failing_job_is_reported_and_the_next_is_done(
    app: Flask, job_for: Callable[[photo_queue.JobHandler], Job], error: Exception, sentence: str
) -> None:
    desk = services_of(app).photo_queue

    def fail(_: StoredJob) -> photo_queue.Outcome:
        raise error

    failed = desk.submit(1, job_for(fail))
    done = desk.submit(1, job_for(lambda _: photo_queue.Outcome("/statistics")))
    assert failed.done.wait(60) and done.done.wait(60)
    person = Person(app)
    person.open(f"/waiting/{failed.id}")
    assert person.path == "/rules/" and person.notices() == [sentence]
    person.open(f"/waiting/{failed.id}")
    assert person.notices() == [], "it is said once"
    person.open(f"/waiting/{done.id}")
    assert person.path == "/statistics"


def test_a_job_that_cannot_be_stored_is_refused(
    app: Flask, job_for: Callable[[photo_queue.JobHandler], Job], tmp_path: Path
) -> None:
    def full(_: StoredJob) -> photo_queue.Outcome:
        raise StorageError("the disk is full; free up some space")

    ticket = services_of(app).photo_queue.submit(1, job_for(full))
    assert ticket.done.wait(60)
    assert len(list((tmp_path / "waiting").iterdir())) == 1, "until somebody has heard it"
    person = Person(app)
    person.open(f"/waiting/{ticket.id}")
    assert person.status == 503 and person.notices() == ["the disk is full; free up some space"]
    assert not list((tmp_path / "waiting").iterdir())


def test_uncollected_refused_jobs_do_not_fill_the_disk(
    app: Flask, job_for: Callable[[photo_queue.JobHandler], Job], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: StoredJob) -> photo_queue.Outcome:
        raise StorageError("the disk is full; free up some space")

    monkeypatch.setattr(photo_queue, "_MAX_REFUSED", 2)
    tickets = [services_of(app).photo_queue.submit(1, job_for(full)) for _ in range(5)]
    assert all(ticket.done.wait(60) for ticket in tickets)
    left = sorted(path.name for path in (tmp_path / "waiting").iterdir())
    assert [ticket.id in name for ticket, name in zip(tickets[-2:], left, strict=True)] == [True, True]


def restarted(app: Flask, folder: Path) -> Flask:
    """The page started again, as after a stop with more waiting than could be read."""
    services_of(app).store.close()
    again = create_app(Settings(folder), ReaderService(DrawnReader))
    services_of(again).photo_queue.resume()
    return again


def stop_in_the_middle(app: Flask, reader: SlowReader) -> None:
    """What is being read is read to its end; what waits is not."""
    closing = threading.Thread(target=services_of(app).photo_queue.close)
    closing.start()
    assert wait_until(lambda: services_of(app).photo_queue._closed)
    reader.may.set()
    closing.join(60)
    assert not closing.is_alive()


def test_waiting_jobs_are_done_after_the_next_start(app: Flask, reader: SlowReader, tmp_path: Path) -> None:
    people = [Person(app) for _ in range(4)]
    people[0].send("/game/1/who", who="Ann")
    people[2].send("/game/1/who", who="Cy")
    waits = [send(person, number).json for number, person in enumerate(people[:3])]
    data = marked(photo(NORTH_TABLE), "of a first meld")
    fields = {"token": people[3].token(), "photos": (io.BytesIO(data), "m.jpg"), "round": "1", "side": "0"}
    waits.append(people[3].client.post("/game/1/first-meld/", data=fields, headers=SCRIPT).json)
    assert reader.at_work.acquire(timeout=60)
    stop_in_the_middle(app, reader)
    assert len(list((tmp_path / "waiting").iterdir())) == 3
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in (tmp_path / "waiting").iterdir())
    again = restarted(app, tmp_path)
    phones = [Person(again) for _ in range(4)]
    for phone, wait in zip(phones[1:], waits[1:], strict=True):  # each goes on asking where it asked before
        ticket = services_of(again).photo_queue.find(wait["wait"].rsplit("/", 1)[1])
        assert ticket is not None and ticket.done.wait(60)
        assert "next" in poll(phone, wait["wait"])
    phones[3].open(waits[3]["wait"])
    assert phones[3].path == "/game/1/first-meld/1"
    game = services_of(again).store.game(1)
    assert game is not None and len(game.rounds[0].photos) == 3 and all(held.reading for held in game.rounds[0].photos)
    photos = [entry for entry in services_of(again).store.log(1) if entry.what == "photo"]
    assert [entry.who for entry in photos] == ["Ann", "a device", "Cy"]
    assert not list((tmp_path / "waiting").iterdir())
    services_of(again).photo_queue.close()
    services_of(again).store.close()


def test_a_job_done_in_part_is_not_counted_twice_after_a_restart(
    app: Flask, reader: SlowReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page ends when the photos are kept, and before that is noted."""
    person = Person(app)
    photos = [(io.BytesIO(marked(photo(NORTH_TABLE), name)), f"{name}.jpg") for name in ("one", "two")]
    fields = {"token": person.token(), "photos": photos}
    monkeypatch.setattr(JobFiles, "remove", lambda *_: None)  # it ends before it can
    wait = person.client.post(f"{SIDE}/photos", data=fields, headers=SCRIPT).json
    assert wait is not None
    reader.may.set()
    ticket = services_of(app).photo_queue.find(wait["wait"].rsplit("/", 1)[1])
    assert ticket is not None and ticket.done.wait(60)
    services_of(app).photo_queue.close()
    monkeypatch.undo()
    again = restarted(app, tmp_path)
    ticket = services_of(again).photo_queue.find(ticket.id)
    assert ticket is not None and ticket.done.wait(60)
    asking = Person(again)
    asking.open(wait["wait"])
    assert asking.page.count('class="photo"') == 2 and "not added again" not in asking.text
    services_of(again).photo_queue.close()
    services_of(again).store.close()


def test_a_job_that_crashes_the_page_repeatedly_is_left_alone(tmp_path: Path) -> None:
    room = JobFiles(tmp_path)
    room.add("bad", job("any"), [(b"a photo", "a.jpg")])
    room.add("good", job("any"), [])
    (tmp_path / "waiting" / "rubbish.zip").write_bytes(b"rubbish")
    begun = 0
    while begun < 9 and (held := [waiting for waiting in room.all() if waiting.ticket == "bad"]):
        assert list(room.begin(held[0]).photos()) == [(b"a photo", "a.jpg")]
        begun += 1
    assert begun == 5 and [waiting.ticket for waiting in room.all()] == ["good"]
    assert len(list((tmp_path / "waiting").iterdir())) == 3, "it stays where it is"


def test_an_unknown_ticket_is_reported(app: Flask) -> None:
    person = Person(app)
    person.open("/waiting/AAAA")
    assert person.status == 404 and "no longer waiting" in person.notices()[0]


def test_the_author_of_a_photo_is_logged(app: Flask, reader: SlowReader) -> None:
    reader.may.set()
    person = Person(app)
    person.send("/game/1/who", who="Ann")
    ticket = services_of(app).photo_queue.find(send(person, 1).json.get("wait", "/").rsplit("/", 1)[1])
    assert ticket is None or ticket.done.wait(60)
    assert [entry.who for entry in services_of(app).store.log(1) if entry.what == "photo"] == ["Ann"]


def test_stored_photos_tell_no_place(app: Flask, reader: SlowReader, tmp_path: Path) -> None:
    reader.may.set()
    person = Person(app)
    data = photo(NORTH_TABLE)
    with_comment = data[:2] + segment(0xFE, PLACE) + data[2:] + PLACE
    fields = {"token": person.token(), "photos": (io.BytesIO(with_comment), "../../etc/passwd\0.jpg")}
    person.client.post(f"{SIDE}/photos", data=fields)
    folder = tmp_path / "photos"
    desk = services_of(app).photo_queue
    assert wait_until(lambda: desk._reserved == 0), "until then files are on their way to their names"
    assert len(list(folder.iterdir())) == 2
    for file in folder.iterdir():
        assert PLACE not in file.read_bytes()
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == {"photos", "waiting"}
    assert not list((tmp_path / "waiting").iterdir()), "as it came it is not kept"


def write_stored_job(folder: Path, about: dict[str, Any]) -> None:
    """A job file in the format that earlier versions wrote."""
    document = {"kind": "sent", "about": about, "target": f"{SIDE}/", "author": "Ann", "names": ["table.jpg"]}
    (folder / "waiting").mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / "waiting" / "00001700000000000000-oldticket.0.zip", "w") as file:
        file.writestr("0", photo(NORTH_TABLE))
        file.writestr("job.json", json.dumps(document))


def test_a_job_of_an_earlier_version_is_done_after_an_update(app: Flask, reader: SlowReader, tmp_path: Path) -> None:
    reader.may.set()
    write_stored_job(tmp_path, {"game": 1, "number": 1, "side": 0, "player": None})
    services_of(app).photo_queue.resume()
    ticket = services_of(app).photo_queue.find("oldticket")
    assert ticket is not None and ticket.done.wait(60)
    person = Person(app)
    person.open("/waiting/oldticket")
    assert person.path == f"{SIDE}/" and person.page.count('class="photo"') == 1
    assert not list((tmp_path / "waiting").iterdir())


def test_a_job_whose_round_is_gone_is_one_sentence(app: Flask, reader: SlowReader, tmp_path: Path) -> None:
    reader.may.set()
    write_stored_job(tmp_path, {"game": 7, "number": 1, "side": 0, "player": None})
    services_of(app).photo_queue.resume()
    ticket = services_of(app).photo_queue.find("oldticket")
    assert ticket is not None and ticket.done.wait(60) and ticket.outcome is not None
    gone = "What these photos belong to was removed meanwhile, so they were not kept."
    assert list(ticket.outcome.errors) == [gone]
    assert not list((tmp_path / "waiting").iterdir())
