"""The command that draws a data set."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.draw import draw, seeded_table
from datasets.scenes.labels import yolo_lines


def test_same_seed_draws_the_same_table(deck: DeckArt) -> None:
    one, two = (seeded_table([deck], 3, 4, (320, 320)) for _ in range(2))
    assert np.array_equal(one.picture, two.picture)
    assert one.cards[0].face == two.cards[0].face


def test_draw_writes_yolo_layout_and_manifest(tmp_path: Path) -> None:
    draw(tmp_path, tables=2, seed=9, size=(320, 320), held_out=False, workers=1, drawn=2)
    lines = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    assert [line["photo"] for line in lines] == ["images/000000.jpg", "images/000001.jpg"]
    picture = cv2.imread(str(tmp_path / lines[0]["photo"]))
    assert picture is not None
    assert picture.shape == (320, 320, 3)
    for number in range(2):
        for row in (tmp_path / "labels" / f"{number:06d}.txt").read_text().split("\n"):
            assert len(row.split()) in (0, 13)
    decks = json.loads((tmp_path / "manifest.json").read_text())["decks"]
    assert len(decks) >= 2
    assert all(one["source"] and one["licence"] for one in decks)


def test_yolo_boxes_lie_in_the_picture(deck: DeckArt) -> None:
    table = seeded_table([deck], 3, 4, (320, 320))
    for line in yolo_lines(table):
        x, y, width, height = (float(value) for value in line.split()[1:5])
        assert -1e-4 <= x - width / 2 <= x + width / 2 <= 1.0001
        assert -1e-4 <= y - height / 2 <= y + height / 2 <= 1.0001
