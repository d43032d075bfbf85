"""Commands on files and streams that are none of the usual: pipes, devices, links, closed and full ones."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.webui.commands.test_score import SHEET
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from vision.errors import PhotoError
from vision.images.decode import load_photo
from webui.cli import main

Captured = pytest.CaptureFixture[str]


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Runs ``handfoot`` in a shell, with what follows it there."""
    command = f"{shlex.quote(sys.executable)} -m webui.cli {line}"
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)


def test_a_full_disk_under_the_output_is_not_the_program_s_fault() -> None:
    done = shell("rules > /dev/full")
    assert done.returncode == 1
    assert done.stderr == (
        "handfoot: this was not done to its end: the disk is full; free up some space and try again\n"
    )


@pytest.mark.parametrize("streams", ["<&-", "<&- >&- 2>&-"])
def test_closed_streams_are_empty_ones(streams: str) -> None:
    done = shell(f"score - {streams}")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_sheet_comes_through_a_pipe(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps(SHEET), encoding="utf-8")
    done = shell(f"score <(cat {sheet}) --json")
    assert json.loads(done.stdout)["sides"][0]["total"] == 835, done.stderr


@pytest.mark.parametrize("name", ["huge", "/dev/zero"])
def test_a_text_without_an_end_is_far_too_big(tmp_path: Path, name: str, capsys: Captured) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(5 * 1024**3)
    path = str(tmp_path / name)  # which is that of the device for one with a slash
    assert main(["score", path]) == 1
    assert capsys.readouterr().err == f"handfoot: {path} cannot be read: it is far too big\n"


def test_a_line_without_an_end_is_far_too_big() -> None:
    done = shell("score - < /dev/zero")
    assert done.stderr == "handfoot: standard input, line 1 cannot be read: it is far too big\n"


def test_a_photo_comes_through_a_pipe_and_one_without_an_end_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    sender = threading.Thread(target=pipe.write_bytes, args=(photo(NORTH_TABLE),))
    sender.start()
    assert load_photo(pipe).width > 100
    sender.join()
    with pytest.raises(PhotoError, match="more than the 200 MB"):
        load_photo(Path("/dev/zero"))


def test_a_film_is_a_file(tmp_path: Path, capsys: Captured) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert main(["watch", str(tmp_path / "pipe"), "--data", str(tmp_path)]) == 1
    assert "expected a film" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["backup --to", "export", "report"])
def test_what_is_no_file_is_not_replaced_by_one(tmp_path: Path, command: str, capsys: Captured) -> None:
    """As ``/dev/stdout``, which is a link to a pipe or a terminal."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "out").symlink_to(tmp_path / "pipe")
    assert main([*command.split(), str(tmp_path / "out"), "--data", str(tmp_path / "data")]) == 1
    assert "a pipe or a device lies there" in capsys.readouterr().err
    assert (tmp_path / "out").is_symlink() and (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("command", ["import", "restore"])
def test_an_archive_is_a_file(tmp_path: Path, command: str, capsys: Captured) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert main([command, str(tmp_path / "pipe"), "--data", str(tmp_path / "data")]) == 1
    assert "pipe" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        *(("--photo-days", value, "expected days from 0 to 36500") for value in ("-1", "nan", "inf", "many")),
        *(("--photo-space", value, "expected gigabytes from 0 to 1000000") for value in ("-1", "nan", "1e300")),
        *(("--port", value, "expected a port from 1 to 65535") for value in ("0", "x", "80.5")),
        *(("--name", value, "expected a name without a path") for value in ("a b", "cards.example.org/table", "")),
    ],
)
def test_an_option_out_of_range_is_told_with_its_range(
    option: str, value: str, sentence: str, capsys: Captured, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["serve", f"{option}={value}", "--data", str(tmp_path)])
    assert left.value.code == 2 and sentence in capsys.readouterr().err
