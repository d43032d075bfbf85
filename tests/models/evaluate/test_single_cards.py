"""A card that fills a picture, drawn and read at several sizes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from datasets.decks.drawn_decks import draw_deck
from models.evaluate import single_cards
from tests.drawing_fonts import use_test_fonts
from vision.values import Frame


def test_every_card_is_counted_at_every_size(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use_test_fonts()
    deck, sizes = draw_deck("single", 5), list[int]()

    class Reader:
        def read(self, frame: Frame) -> SimpleNamespace:
            sizes.append(frame.width * frame.height)
            assert frame.pixels.dtype == np.uint8 and frame.pixels.std() > 5
            return SimpleNamespace(cards=())

    monkeypatch.setattr(single_cards, "DRAWN_SIZE", (400, 300))
    monkeypatch.setattr(single_cards, "held_out_decks", lambda: [deck])
    monkeypatch.setattr(single_cards, "load_reader", Reader)
    monkeypatch.setattr("sys.argv", ["single_cards", "--faces", "3", "--megapixels", "0.05", "0.3", "--misses"])
    single_cards.main()
    said = capsys.readouterr().out
    assert sizes == pytest.approx([5e4, 3e5] * 3, rel=0.02)
    assert said.count("read nothing") == 6 and "courts and aces at 0.3 megapixels: 0 of 2 read" in said
    assert "numbers at 0.05 megapixels: 0 of 1 read" in said and said.endswith("all: 0 of 6 read\n")
