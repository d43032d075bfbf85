"""What was read of a film is kept, and the memory goes on from it as from the film; also after a restart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from datasets.films import film
from models.evaluate.filmed.kept import folder_of, is_kept, keep, kept_looks
from models.evaluate.filmed.rounds import remember
from scorer.faces import Face
from tests.vision.memory.sequences import card, column, picture, reading
from vision.memory.watching import Look
from vision.values import SeenCard

BOOK = column("8H 8C 8D 8S 8H 2S 8C", 100, 100)
UNSURE = replace(card("8D", 102, 120), confidence=0.9, others=((Face.parse("8H"), 0.25),))
PART = (40, 40, 300, 400)


def looks() -> list[Look]:
    """Of a table on which a book is laid, squared, and gets a card."""
    states: list[list[SeenCard]] = [BOOK, BOOK, [BOOK[4]], [BOOK[4]], [UNSURE], [UNSURE]]
    return [Look(1.0 + n, picture(cards), reading(*cards), (PART,)) for n, cards in enumerate(states)]


def test_looks_are_kept_as_they_were(tmp_path: Path) -> None:
    assert not is_kept(tmp_path, 3)
    keep(tmp_path, 3, iter(looks()))
    assert is_kept(tmp_path, 3)
    for before, after in zip(looks(), kept_looks(tmp_path, 3), strict=True):
        assert (after.second, after.parts) == (before.second, before.parts)
        told, kept = (
            [(c.face, c.confidence, c.others, c.quad, [one.box for one in c.corners]) for c in look.reading.cards]
            for look in (before, after)
        )
        assert kept == told
        assert np.abs(after.pixels.astype(int) - before.pixels).mean() < 4


def test_a_film_that_was_cut_off_is_not_taken_for_kept(tmp_path: Path) -> None:
    keep(tmp_path, 3, iter(looks()))
    (folder_of(tmp_path, 3) / "looks.jsonl").unlink()
    assert not is_kept(tmp_path, 3)


def test_a_program_that_is_killed_between_any_two_looks_goes_on() -> None:
    truth = replace(film(0, changes=2).truth, zones=())
    whole = remember(truth, looks()).groups()
    assert sorted(whole[0]["cards"]) == sorted([*(str(one.face) for one in BOOK), "8D"])
    for at in range(1, len(looks())):
        assert remember(truth, looks(), {at}).groups() == whole, f"killed before look {at}"
