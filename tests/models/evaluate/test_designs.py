"""Single cards of many designs: which are exact, and which are wrong in silence."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from models.evaluate import designs
from models.evaluate.designs import Outcome, main, outcomes, table
from scorer.faces import Face
from vision.values import Frame, PhotoWarning, Reading, SeenCard

KNOWN = {
    "photo": "m.jpg",
    "cards": [
        {"face": "8S", "at": [100, 100], "paper": "dark"},
        {"face": "10H", "at": [300, 100], "paper": "light"},
        {"face": "JK", "at": [500, 100], "paper": "light"},
    ],
}


def seen(face: str, x: float, doubt: str | None = None) -> SeenCard:
    quad = ((x - 30.0, 60.0), (x + 30.0, 60.0), (x + 30.0, 140.0), (x - 30.0, 140.0))
    return SeenCard(Face.parse(face), 0.99, (), quad, doubt)


def reading(*cards: SeenCard, warned: bool = False) -> Reading:
    return Reading(600, 200, 0.1, cards, (), (PhotoWarning("blurred", "Blurred."),) if warned else ())


def test_a_card_is_exact_if_it_is_read_once_with_rank_and_suit() -> None:
    found = outcomes(KNOWN, reading(seen("8S", 110), seen("10H", 290), seen("10H", 310), seen("JK", 500)))
    assert [one.exact for one in found] == [True, False, True]
    assert [one.paper for one in found] == ["dark", "light", "joker"] and found[1].read == ("10H", "10H")
    assert not outcomes(KNOWN, reading(seen("8C", 100)))[0].exact


def test_a_wrong_card_is_silent_without_doubt_and_warning() -> None:
    assert [one.silent for one in outcomes(KNOWN, reading(seen("8C", 100), seen("9H", 300, "unsure")))] == [
        True,
        False,
        True,
    ]
    assert not any(one.silent for one in outcomes(KNOWN, reading(seen("8C", 100), warned=True)))


def test_figures_for_each_paper() -> None:
    def outcome(exact: bool, read: tuple[str, ...]) -> Outcome:
        return Outcome("m.jpg", "10H", "dark", read, exact, not exact)

    first = [outcome(False, ()), outcome(False, ("10D",)), outcome(True, ("10H",))]
    assert "exact 1 of 3" in table(first) and "by rank 2, read twice 0, not read 1, silent 2" in table(first)


def test_the_command_reads_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Reader:
        def read(self, frame: Frame) -> Reading:
            return reading(seen("8S", 100))

    (tmp_path / "truth.jsonl").write_text(json.dumps(KNOWN) + "\n", encoding="utf-8")
    frame = Frame(np.zeros((200, 600, 3), np.uint8), datetime.now(UTC), "m.jpg")
    monkeypatch.setattr(designs, "load_photo", lambda path: frame)
    monkeypatch.setattr(designs, "load_reader", lambda **_: Reader())
    main([str(tmp_path), "--misses"])
    told = capsys.readouterr().out
    assert "m.jpg: light 10H read as nothing, silent" in told and "dark: exact 1 of 1" in told
    with pytest.raises(SystemExit):
        main([str(tmp_path / "none")])
    assert "expected" in capsys.readouterr().err
