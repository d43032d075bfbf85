"""Archives that are built to fill memory or disk; each test fails without its guard."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.process_memory import memory
from tests.webui.helpers.playing import Person
from webui.storage.backup import archive
from webui.storage.db.connect import FILE_NAME
from webui.storage.errors import StorageError


def zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in files:
            file.writestr(name, data)
    return packed.getvalue()


ZIP_BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "games": (lambda: zipped([("about.json", b"{}"), (FILE_NAME, bytes(100 * 2**20))]), "larger than any export"),
    "rules": (lambda: zipped([(FILE_NAME, b""), ("rulesets/a.toml", bytes(100 * 2**20))]), "larger than any export"),
    "one photo": (lambda: zipped([(FILE_NAME, b""), ("photos/a.jpg", bytes(100 * 2**20))]), "larger than any export"),
    "many photos": (
        lambda: zipped([(FILE_NAME, b""), *((f"photos/{n}.jpg", bytes(10 * 2**20)) for n in range(10))]),
        "photos that are larger than the file itself",
    ),
    "many names": (lambda: zipped((f"photos/{n}", b"") for n in range(40_000)), "lists more files than any export"),
}


@pytest.mark.parametrize("kind", ZIP_BOMBS)
def test_a_zip_bomb_is_not_unpacked(person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """Uploaded as an import: a hundred megabytes of zeros in a hundred kilobytes."""
    monkeypatch.setattr(archive, "_MAX_DATABASE", 10 * 2**20)
    monkeypatch.setattr(archive, "_CHUNK", 2**20)
    make, sentence = ZIP_BOMBS[kind]
    data = make()
    before = memory("self")
    person.send("/safe/import", file=(io.BytesIO(data), "export.zip"))
    assert person.status == 400 and sentence in person.text and memory("self") - before < 30
    assert not list((tmp_path / "data").glob(".from-*")), "nothing of it stays"


def test_an_archive_for_which_there_is_no_room_is_not_unpacked(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    data = person.client.post("/safe/everything.zip", data={"token": person.token()}).data
    monkeypatch.setattr(archive, "SPARE_DISK", 10**18)
    person.send("/safe/import", file=(io.BytesIO(data), "export.zip"))
    assert person.status == 503 and "needs more room than there is" in person.text


def test_the_claimed_size_of_a_description_is_not_trusted(tmp_path: Path) -> None:
    (bomb := tmp_path / "bomb.zip").write_bytes(zipped([("about.json", bytes(100 * 2**20))]))
    before = memory("self")
    with pytest.raises(StorageError, match="is not a handfoot backup"):
        archive.read_info(bomb)
    assert memory("self") - before < 30


def test_a_file_that_is_at_fault_is_no_fault_of_this_machine(person: Person) -> None:
    """A damaged or foreign file is answered as what the visitor sent, not as a storage that fails."""
    person.send("/safe/import", file=(io.BytesIO(b"nonsense"), "export.zip"))
    assert person.status == 400 and "cannot be read and may be damaged" in person.text
