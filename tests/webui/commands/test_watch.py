"""``handfoot watch``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from scorer.faces import Face
from scorer.rules import load_rules
from tests.vision.memory.sequences import card, column, reading
from vision.memory.film_file import film_frames
from vision.memory.table_memory import TableMemory
from webui.cli import main
from webui.commands.cards.watch import as_json, as_text


def test_a_book_that_was_squared_is_told_with_its_cards() -> None:
    memory = TableMemory()
    memory.observe(reading(*column("8H 8C 8D 8S 8H 2S 8C", 100, 100), *column("QH QD QC", 400, 100)), 1.0)
    memory.observe(reading(card("8H", 102, 120), *column("QH QD QC", 400, 100)), 2.0)
    result = as_json(Path("round.avi"), 2.5, memory, load_rules("golden-games"))
    book = next(group for group in result["groups"] if group["rank"] == "8")
    assert (book["kind"], book["book"], len(book["cards"]), book["seen"]) == ("pile", "dirty", 7, [1.0] * 7)
    assert [change["what"] for change in result["history"]] == ["laid", "laid", "squared"]
    assert result["groups"][result["history"][-1]["group"]] == book
    assert as_text(result)[0] == "round.avi: 2 groups, 3 changes"


@pytest.mark.parametrize("content", [None, b"no film"])
def test_what_is_no_film_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None
) -> None:
    film = tmp_path / "round.avi"
    if content is not None:
        film.write_bytes(content)
    assert main(["watch", str(film), "--data", str(tmp_path)]) == 1
    assert "expected a film" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp"])
def test_a_photo_that_is_named_as_a_film_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    film = tmp_path / "round.mp4"
    film.write_bytes(cv2.imencode(suffix, np.full((480, 640, 3), 128, np.uint8))[1].tobytes())
    assert main(["watch", str(film), "--data", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert not said.out and "round.mp4: expected a film, got a photo; read it with 'handfoot scan'" in said.err


def test_a_film_of_which_nothing_can_be_read_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film = tmp_path / "round.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for _ in range(4):  # too short to see that it lies still
        writer.write(np.zeros((48, 64, 3), np.uint8))
    writer.release()
    assert main(["watch", str(film), "--data", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert not said.out and "nothing was read, as the picture never lies still" in said.err


def test_a_film_is_looked_at_four_times_a_second(tmp_path: Path) -> None:
    film = tmp_path / "round.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for value in range(20):
        writer.write(np.full((48, 64, 3), value * 10, np.uint8))
    writer.release()
    frames = list(film_frames(film))
    assert [round(second, 1) for second, _ in frames] == [0.0, 0.2, 0.5, 0.8, 1.0, 1.2, 1.5, 1.8]
    assert abs(int(frames[4][1].mean()) - 100) < 5


def test_a_suit_that_others_covered_is_told_to_be_a_guess() -> None:
    memory, meld = TableMemory(), column("8H 8C 8D", 100, 100)
    unsure = replace(meld[1], corners=meld[1].corners[:1], others=((Face.parse("8S"), 0.45),))
    for second in (1.0, 2.0):
        memory.observe(reading(meld[0], unsure, meld[2]), second)
    result = as_json(Path("round.avi"), 2.5, memory, load_rules("golden-games"))
    assert [(group["cards"], group["guessed"], group["doubt"]) for group in result["groups"]] == [
        (["8H", "8C", "8D"], [1], None)
    ]
    assert "  meld: 8H 8? 8D" in as_text(result)
