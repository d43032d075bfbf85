"""``handfoot learn``: from photos of cards in rows to a taught deck, and a sentence for what cannot be used."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import webui.commands.cards.learn as command
from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.teaching_photos import TeachingPhoto, deck_cards, draw_teaching_photos
from scorer.deck import own_decks, use_deck_folder
from scorer.faces import JOKER, Face
from scorer.rules import use_folder
from tests.vision.teach.drawn import seen
from vision.images.jpeg import to_jpeg
from vision.images.sandbox import shared_decoder
from vision.values import Frame, Reading
from webui.cli import main
from webui.decks.learning import DeckLearning
from webui.decks.taught import TaughtDecks

Captured = pytest.CaptureFixture[str]
Learn = Callable[..., int]
WORK = 'print(\'{"told": "On practice tables 60 of 64 cards were read right"}\')'
"""Stands for the process that learns."""


class NoReader:
    """Reads no card: the cards are found by their paper alone."""

    def read(self, frame: Frame) -> Reading:
        return Reading(frame.width, frame.height, 0.0, (), (), ())


class SureReader:
    """Is sure of every card of the drawn photos, which it is given in their order."""

    def __init__(self) -> None:
        self._photos = iter(drawn_photos())

    def read(self, frame: Frame) -> Reading:
        cards = tuple(seen(card.face, card.quad) for card in next(self._photos).cards)
        return Reading(frame.width, frame.height, 0.0, cards, (), ())


@cache
def drawn_photos() -> Sequence[TeachingPhoto]:
    """Two photos of six cards each."""
    deck = draw_deck("ours", 5)
    return draw_teaching_photos(np.random.default_rng(4), deck, 2, (1600, 1200), cards=deck_cards(deck)[:12])


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], list[list[str]]]:
    """Two photos of six cards each, and their faces."""
    folder, drawn = tmp_path_factory.mktemp("photos"), drawn_photos()
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
        command,
        "DeckLearning",
        lambda decks, **bound: DeckLearning(decks, (sys.executable, "-X", "utf8", "-c", WORK), **bound),
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


def test_listed_cards_are_kept_and_learned_and_jokers_alone_are_added_to_another_deck(
    photos: tuple[list[Path], list[list[str]]], learn: Learn, tmp_path: Path, capsys: Captured
) -> None:
    assert learn("ours", photos[1]) == 0
    said = capsys.readouterr()
    assert said.out == "On practice tables 60 of 64 cards were read right\n" and "missing" in said.err
    deck = taught(tmp_path).get("ours")
    assert {str(face) for face in deck.faces} == {text for photo in photos[1] for text in photo}
    assert learn("ours", photos[1]) == 0  # the same cards again take the place of the first
    assert len(taught(tmp_path).get("ours").pictures) == 12
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


def test_a_list_of_another_length_teaches_nothing_though_the_reader_is_sure_of_the_cards(
    learn: Learn, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "load_chosen_reader", lambda folder: ("onnx", SureReader()))
    assert learn("ours", [["8H"], ["2C"]]) == 1
    said = capsys.readouterr().err
    assert "Photo 1 shows 6 cards, but 1 is listed for it" in said and "correct the list of cards" in said
    assert own_decks() == {}


@pytest.mark.parametrize("id", ["standard", "Our cards", "../ours"])
def test_a_name_that_no_own_deck_can_have_is_refused_before_anything_is_read(
    id: str, learn: Learn, capsys: Captured
) -> None:
    assert learn(id) == 1
    said = capsys.readouterr()
    assert said.out == "" and f"expected a name of your own, of letters, digits and hyphens, got {id!r}" in said.err


def test_a_list_that_is_not_there_is_told_without_a_number_of_the_system(learn: Learn, capsys: Captured) -> None:
    assert learn("ours", None, "--faces", "/no/such/list.json") == 1
    assert "/no/such/list.json cannot be opened: No such file or directory; check" in capsys.readouterr().err


def test_five_photos_are_too_many(photos: tuple[list[Path], list[list[str]]], learn: Learn, capsys: Captured) -> None:
    assert learn("ours", paths=photos[0][:1] * 5) == 1
    assert "expected one to 4 photos of a deck, got 5" in capsys.readouterr().err
