"""Photos that wait to be read, in files that a failing disk has changed."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from webui.storage.files.atomic_files import new_zip
from webui.storage.files.job_files import FOLDER, Job, JobFiles

JOB = Job("sent", {"game": 1}, "/game/1/", "Ann")


def tickets(folder: Path) -> list[str]:
    return [stored.ticket for stored in JobFiles(folder).all()]


def test_whatever_byte_of_a_waiting_file_is_wrong_the_others_are_read(tmp_path: Path) -> None:
    files = JobFiles(tmp_path)
    stored = files.add("first", JOB, [(b"photo", "t.jpg")])
    files.add("second", JOB, [(b"photo", "t.jpg")])
    whole, skipped = stored.path.read_bytes(), 0
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 0xFF
        stored.path.write_bytes(changed)
        found = tickets(tmp_path)
        assert found[-1:] == ["second"], place
        skipped += len(found) == 1
    assert skipped > 100


@pytest.mark.parametrize("document", [[], 7, None, {}, {"names": 7}, {"names": [], "kind": "sent"}, "nested"])
def test_a_waiting_file_of_another_kind_is_left_where_it_is(tmp_path: Path, document: object) -> None:
    files = JobFiles(tmp_path)
    text = "[" * 100_000 if document == "nested" else json.dumps(document)
    (tmp_path / FOLDER).mkdir()
    with new_zip(tmp_path / FOLDER / "1-first.0.zip") as archive:
        archive.writestr("job.json", text, zipfile.ZIP_DEFLATED)
    files.add("second", JOB, [])
    assert tickets(tmp_path) == ["second"]
    assert (tmp_path / FOLDER / "1-first.0.zip").is_file()
