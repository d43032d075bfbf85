"""Deck heads: files that name embeddings, one for each deck."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scorer.faces import JOKER, STANDARD_FACES, Face
from tests.vision.recognise.heads import head_of
from vision.arrays import Floats, floats
from vision.detect.detections import ROI_EMBEDDING
from vision.detect.vocabulary import STANDARD_VOCABULARY
from vision.errors import WeightsError
from vision.recognise.deck_head import DeckHead, Linear, load_deck_head

SHOWN = [Face("8", "H"), Face("K", "S"), JOKER]


def directions(count: int, seed: int = 0) -> Floats:
    return floats(np.random.default_rng(seed).normal(size=(count, ROI_EMBEDDING)))


def standard() -> DeckHead:
    ranks, suits = (
        Linear(directions(14), floats(np.arange(14))),
        Linear(directions(4, 1), np.zeros(4, np.float32)),
    )
    return DeckHead(STANDARD_VOCABULARY, ranks, suits)


def test_the_standard_deck_has_ranks_and_suits(tmp_path: Path) -> None:
    embeddings = floats(directions(5, 2) / 9)
    standard().save(tmp_path / "standard.deck.npz")
    ranks, suits = load_deck_head(tmp_path / "standard.deck.npz").classify(embeddings)
    expected = embeddings @ directions(14).T + np.arange(14)
    assert np.abs(ranks - np.exp(expected) / np.exp(expected).sum(1, keepdims=True)).max() < 1e-5
    assert suits.shape == (5, 4) and np.abs(suits.sum(1) - 1).max() < 1e-5


def test_a_deck_with_fewer_cards_has_a_head_of_its_own(tmp_path: Path) -> None:
    shown = directions(3)
    again = floats(np.repeat(shown, 4, axis=0) + directions(12, 3) * 0.2)
    head_of([face for face in SHOWN for _ in range(4)], again).save(tmp_path / "ours.deck.npz")
    head = load_deck_head(tmp_path / "ours.deck.npz")
    assert head.vocabulary.faces == tuple(SHOWN) and head.vocabulary.ranks == ("8", "K", "JK")
    ranks, suits = head.classify(floats(shown + directions(3, 4) * 0.2))
    assert ranks.argmax(1).tolist() == [0, 1, 2] and head.vocabulary.suits == ("H", "S")
    assert suits[:2].argmax(1).tolist() == [0, 1]
    assert ranks.max(1).min() > 0.9
    fewer = head.restricted_to(SHOWN[1:])
    assert fewer.vocabulary.faces == (Face("K", "S"), JOKER)
    assert fewer.classify(shown)[0].argmax(1).tolist()[1:] == [0, 1]


def test_only_faces_in_play_are_named() -> None:
    embeddings = floats(directions(6, 2) / 9)
    naturals = [face for face in STANDARD_FACES if face.rank not in ("2", "JK") and face.suit in ("H", "S")]
    head = standard().restricted_to(naturals)
    ranks, suits = head.classify(embeddings)
    whole = standard().classify(embeddings)
    assert set(head.vocabulary.faces) == set(naturals) and ranks.shape == (6, 12) and suits.shape == (6, 2)
    rows = [STANDARD_VOCABULARY.ranks.index(rank) for rank in head.vocabulary.ranks]
    assert np.abs(ranks - whole[0][:, rows] / whole[0][:, rows].sum(1, keepdims=True)).max() < 1e-5
    assert standard().restricted_to([JOKER]).classify(embeddings)[1].shape == (6, 1)


def test_a_head_that_does_not_know_every_face_in_play_stays_whole() -> None:
    assert standard().restricted_to([Face("8"), Face("LADY")]).vocabulary == STANDARD_VOCABULARY
    assert standard().restricted_to(STANDARD_FACES).vocabulary == STANDARD_VOCABULARY


def test_a_deck_without_suits_has_one_that_is_always_right() -> None:
    faces = [Face("8"), Face("R3"), Face("LADY")]
    shown = directions(3)
    head = head_of(faces, shown)
    ranks, suits = head.classify(shown)
    assert suits.shape == (3, 1) and np.abs(suits - 1).max() < 1e-6
    named = head.vocabulary.face_scores(ranks, suits)
    assert [scores[0][0] for scores in named] == faces and all(abs(sum(p for _, p in s) - 1) < 1e-5 for s in named)


def test_a_file_that_is_no_deck_head_is_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.deck.npz").write_bytes(b"no deck")
    narrow = Linear(np.zeros((14, 3), np.float32), np.zeros(14, np.float32))
    DeckHead(STANDARD_VOCABULARY, narrow, standard().suits).save(tmp_path / "other.deck.npz")
    four = Linear(directions(4, 1), np.zeros(4, np.float32))
    DeckHead(STANDARD_VOCABULARY, four, four).save(tmp_path / "short.deck.npz")
    for name in ("broken", "other", "short", "missing"):
        with pytest.raises(WeightsError, match=f"{name}.deck.npz does not fit: "):
            load_deck_head(tmp_path / f"{name}.deck.npz")


def test_a_head_of_anybody_names_its_decks_cards_alone_and_not_millions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "theirs.deck.npz"
    head_of(SHOWN, directions(3)).save(path)
    assert load_deck_head(path, []).vocabulary.faces == tuple(SHOWN)
    head_of([*SHOWN, Face("LADY")], directions(4)).save(path)
    assert Face("LADY") in load_deck_head(path, [Face("LADY")]).vocabulary.faces
    with pytest.raises(WeightsError, match=r"theirs.deck.npz does not fit: expected cards of its decks, got LADY"):
        load_deck_head(path, [Face("LORD")])

    monkeypatch.setattr("vision.stored_arrays._load", lambda *given: pytest.fail("it was loaded"))
    arrays = dict(np.load(path))
    for name, value, sentence in (
        ("faces", np.zeros(40_000, "<U1"), "expected 2000 faces or fewer"),
        ("faces", np.array(["8", "x" * 13]), "of 12 letters at most"),
        ("faces", np.array([1.0, 2.0]), "a list of names faces"),
        ("rank_names", np.array([["8"]]), "a list of names rank_names"),
        ("ranks.weight", directions(5), "as many outputs as there are names"),
        ("prototypes.weight", directions(4), "of ranks and suits, got others"),
    ):
        np.savez(path, **{**arrays, name: value})
        with pytest.raises(WeightsError, match=sentence):
            load_deck_head(path)
