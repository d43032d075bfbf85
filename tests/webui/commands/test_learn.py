"""``handfoot learn``: from photos of cards in rows to a taught deck, and a sentence for what cannot be used."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import webui.commands.cards.learn as command
from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.teaching_photos import deck_cards, draw_teaching_photos
from scorer.deck import own_decks, use_deck_folder
from scorer.faces import JOKER, Face
from scorer.rules import use_folder
from vision.images.jpeg import to_jpeg
from vision.images.sandbox import shared_decoder
from vision.values import Frame, Reading
from webui.cli import main
from webui.decks.learning import DeckLearning
from webui.decks.taught import TaughtDecks

Captured = pytest.CaptureFixture[str]
Learn = Callable[..., int]
WORK = 'print(\'{"told": "12 of 12 told apart; closest pair A♣ and 4♣"}\')'
"""Stands for the process that learns."""


class NoReader:
    """Reads no card: the cards are found by their paper alone."""

    def read(self, frame: Frame) -> Reading:
        return Reading(frame.width, frame.height, 0.0, (), (), ())


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], list[list[str]]]:
    """Two photos of six cards each, and their faces."""
    folder, deck = tmp_path_factory.mktemp("photos"), draw_deck("ours", 5)
    shown = deck_cards(deck)[:12]
    drawn = draw_teaching_photos(np.random.default_rng(4), deck, 2, (1600, 1200), cards=shown)
    paths = [folder / f"{number}.jpg" for number in range(len(drawn))]
    for path, photo in zip(paths, drawn, strict=True):
        path.write_bytes(to_jpeg(photo.picture, quality=92))
    return paths, [[str(card.face) for card in photo.cards] for photo in drawn]


@pytest.fixture
def learn(
    photos: tuple[list[Path], list[list[str]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Learn]:
    monkeypatch.setattr(command, "load_chosen_reader", lambda folder: ("onnx", NoReader()))
    monkeypatch.setattr(
        command, "DeckLearning", lambda decks: DeckLearning(decks, (sys.executable, "-X", "utf8", "-c", WORK))
    )

    def run(id: str, faces: object = None, *options: str, paths: list[Path] = photos[0]) -> int:
        if faces is not None:
            (tmp_path / "faces.json").write_text(json.dumps(faces), encoding="utf-8")
            options = (*options, "--faces", str(tmp_path / "faces.json"))
        return main(["learn", id, *map(str, paths), "--data", str(tmp_path / "data"), *options])

    yield run
    use_folder(None)
    use_deck_folder(None)


def taught(tmp_path: Path) -> TaughtDecks:
    return TaughtDecks(tmp_path / "data", shared_decoder().decode)


def test_without_faces_the_proposals_are_printed_as_a_list_to_correct(
    photos: tuple[list[Path], list[list[str]]], learn: Learn, capsys: Captured
) -> None:
    assert learn("ours") == 0
    proposed = json.loads(capsys.readouterr().out)
    assert [len(photo) for photo in proposed] == [len(photo) for photo in photos[1]]
    assert own_decks() == {}, "nothing is kept yet"


def test_listed_cards_are_kept_and_learned(
    photos: tuple[list[Path], list[list[str]]], learn: Learn, tmp_path: Path, capsys: Captured
) -> None:
    assert learn("ours", photos[1]) == 0
    said = capsys.readouterr()
    assert said.out == "12 of 12 told apart; closest pair A♣ and 4♣\n" and "missing" in said.err
    deck = taught(tmp_path).get("ours")
    assert {str(face) for face in deck.faces} == {text for photo in photos[1] for text in photo}
    assert learn("ours", photos[1]) == 0  # the same cards again take the place of the first
    assert len(taught(tmp_path).get("ours").pictures) == 12


def test_jokers_alone_are_added_to_another_deck(
    photos: tuple[list[Path], list[list[str]]], learn: Learn, tmp_path: Path
) -> None:
    assert learn("ours", photos[1]) == 0
    jokers = [["JK"] * len(photo) for photo in photos[1]]
    assert learn("wizards", jokers, "--base", "ours") == 0
    deck = taught(tmp_path).get("wizards")
    assert len(deck.faces[JOKER]) == 12 and len(deck.pictures) == 24
    assert Face.parse(photos[1][0][0]) in deck.faces


@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        ("8H", "expected a list of cards for each photo in"),
        ([["8H", "9X"], []], "got '9X'; correct it there"),
        ([["8H"], ["2C"]], "shows"),
    ],
)
def test_a_list_that_does_not_fit_is_told_in_a_sentence(
    faces: object, expected: str, learn: Learn, capsys: Captured
) -> None:
    assert learn("ours", faces) == 1
    assert expected in capsys.readouterr().err
    assert own_decks() == {}


def test_five_photos_are_too_many(photos: tuple[list[Path], list[list[str]]], learn: Learn, capsys: Captured) -> None:
    assert learn("ours", paths=photos[0][:1] * 5) == 1
    assert "expected one to 4 photos of a deck, got 5" in capsys.readouterr().err
