"""Samples for the detector."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.tables import Table, draw_table
from datasets.scenes.world import World
from models.samples import detector
from models.samples.detector import DetectorSettings, draw_block, labels, rotated
from models.train.detector import DetectorAugmentation, prepared, recoloured
from vision.detect.multi_scale import BEST_CARD_WIDTH


@pytest.fixture(scope="module")
def toy() -> DeckArt:
    return draw_deck("test", 5)


def test_labels_rotate_with_the_picture(toy: DeckArt) -> None:
    table = draw_table(np.random.default_rng(4), [toy], (640, 640), 100)
    boxes, quads = labels(table)
    picture = table.picture
    for _ in range(4):
        picture, quads, boxes = rotated(picture, quads, boxes)
    expected_boxes, expected_quads = labels(table)
    assert np.array_equal(picture, table.picture)
    assert np.allclose(quads, expected_quads, atol=1e-2)
    assert np.allclose(boxes, expected_boxes, atol=1e-2)
    turned_boxes = rotated(picture, quads, boxes)[2]
    assert (turned_boxes[:, 2:] > turned_boxes[:, :2]).all()


def test_a_block_depends_on_its_settings_and_number_alone(toy: DeckArt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detector, "sample_deck", lambda *_: toy)
    settings = DetectorSettings(World({"usual": 1.0, "no_cards": 1.0}), tables=4, decks=1, size=160)
    one, two, other = draw_block(settings, 3, []), draw_block(settings, 3, []), draw_block(settings, 4, [])
    assert np.array_equal(one, two) and not np.array_equal(one["picture"], other["picture"])
    for sample in one:
        count = int(sample["count"])
        assert (sample["boxes"][:count, 2] > sample["boxes"][:count, 0]).all() and not sample["boxes"][count:].any()


def test_a_batch_follows_from_its_number(toy: DeckArt, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detector, "sample_deck", lambda *_: toy)
    block = draw_block(DetectorSettings(tables=3, decks=1, size=160), 0, [])
    how = DetectorAugmentation(0.3, 0.3, 0.3)
    one, two, other = (prepared([block], 3, how, 7, number) for number in (1, 1, 2))
    assert all((one[name] == two[name]).all() for name in one)
    assert one["img"].shape == (3, 3, 160, 160) and not (one["img"] == other["img"]).all()
    assert len(one["bboxes"]) == len(one["keypoints"]) == len(one["batch_idx"])


def test_pictures_are_shown_as_negatives_with_mixed_channels_and_in_grey() -> None:
    picture, rng = np.zeros((4, 4, 3), np.uint8), np.random.default_rng(1)
    picture[:, :, 2] = 200
    assert (recoloured(picture, DetectorAugmentation(), rng) == picture).all()
    assert (recoloured(picture, DetectorAugmentation(negative=1.0), rng) == 255 - picture).all()
    grey = recoloured(picture, DetectorAugmentation(grey=1.0), rng)
    assert (np.ptp(grey, axis=2) == 0).all() and 60 < grey.mean() < 70
    mixed = [recoloured(picture, DetectorAugmentation(mixed=1.0), rng) for _ in range(8)]
    assert any(one[0, 0, :2].max() > one[0, 0, 2] for one in mixed)


def test_most_usual_tables_have_the_usual_card_width(toy: DeckArt, monkeypatch: pytest.MonkeyPatch) -> None:
    widths: list[float | None] = []

    def recorded(
        rng: np.random.Generator, decks: list[DeckArt], size: tuple[int, int], across: float | None, **how: object
    ) -> Table:
        widths.append(across)
        return draw_table(rng, decks, size, across, cards=[])

    monkeypatch.setattr(detector, "draw_table", recorded)
    monkeypatch.setattr(detector, "sample_deck", lambda *_: toy)
    draw_block(DetectorSettings(tables=100, decks=1, size=64, usual=1.0), 0, [])
    usual = [across for across in widths if across is not None]
    assert len(widths) == 100 and len(widths) / 2 < len(usual) < len(widths)
    low, high = detector.USUAL_WIDTHS
    assert all(low <= across <= high for across in usual) and low < BEST_CARD_WIDTH < high
