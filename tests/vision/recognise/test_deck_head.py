"""Deck heads: files that name embeddings, one for each deck."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scorer.faces import JOKER, RANKS, SUITS, Face
from vision.arrays import Floats, floats
from vision.detect.detections import ROI_EMBEDDING
from vision.errors import WeightsError
from vision.recognise.deck_head import DeckHead, Linear, load_deck_head, taught

SHOWN = [Face("8", "H"), Face("K", "S"), JOKER]


def directions(count: int, seed: int = 0) -> Floats:
    return floats(np.random.default_rng(seed).normal(size=(count, ROI_EMBEDDING)))


def standard() -> DeckHead:
    return DeckHead(Linear(directions(14), floats(np.arange(14))), Linear(directions(4, 1), np.zeros(4, np.float32)))


def test_the_standard_deck_has_ranks_and_suits(tmp_path: Path) -> None:
    embeddings = floats(directions(5, 2) / 9)
    standard().save(tmp_path / "standard.deck.npz")
    ranks, suits = load_deck_head(tmp_path / "standard.deck.npz").classify(embeddings)
    expected = embeddings @ directions(14).T + np.arange(14)
    assert np.abs(ranks - np.exp(expected) / np.exp(expected).sum(1, keepdims=True)).max() < 1e-5
    assert suits.shape == (5, 4) and np.abs(suits.sum(1) - 1).max() < 1e-5


def test_a_deck_that_was_shown_is_named_by_its_nearest_face(tmp_path: Path) -> None:
    shown = directions(3)
    again = floats(np.repeat(shown, 4, axis=0) + directions(12, 3) * 0.2)
    taught([face for face in SHOWN for _ in range(4)], again).save(tmp_path / "ours.deck.npz")
    head = load_deck_head(tmp_path / "ours.deck.npz")
    assert head.faces == tuple(SHOWN)
    ranks, suits = head.classify(floats(shown + directions(3, 4) * 0.2))
    assert ranks.argmax(1).tolist() == [RANKS.index("8"), RANKS.index("K"), len(RANKS)]
    assert suits[:2].argmax(1).tolist() == [SUITS.index("H"), SUITS.index("S")]
    assert ranks.max(1).min() > 0.9 and np.abs(suits[2] - 0.25).max() < 0.05


def test_a_file_that_is_no_deck_head_is_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.deck.npz").write_bytes(b"no deck")
    DeckHead(Linear(np.zeros((14, 3), np.float32), np.zeros(14, np.float32)), standard().suits).save(
        tmp_path / "other.deck.npz"
    )
    for name in ("broken", "other", "missing"):
        with pytest.raises(WeightsError, match=f"expected the names of a deck in {name}.deck.npz"):
            load_deck_head(tmp_path / f"{name}.deck.npz")
