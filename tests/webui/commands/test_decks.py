"""``handfoot decks`` and ``scan --deck``: what can be read, what was taught, and a sentence for what cannot be done."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import webui.commands.cards.explain
import webui.commands.cards.scan
from scorer.deck import load_deck, use_deck_folder
from scorer.faces import Face
from scorer.rules import use_folder
from tests.webui.decks.learnt import write_learnt
from tests.webui.decks.pictures import picture
from tests.webui.decks.test_taught import OWN
from tests.webui.helpers.drawn import NORTH_TABLE, photo
from tests.webui.helpers.teaching import KnowingReader
from vision.detect.trace import Trace
from vision.images.sandbox import shared_decoder
from vision.teach.match.taught_faces import TaughtFaces
from vision.values import Frame, HouseRules
from webui.cli import main
from webui.decks.taught import TaughtDecks
from webui.settings import decks_folder

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def own(tmp_path: Path) -> Iterator[TaughtDecks]:
    """A data folder with a deck of its own faces, of which two have pictures."""
    use_deck_folder(decks_folder(tmp_path))
    decks = TaughtDecks(tmp_path, shared_decoder().decode)
    decks.add("Wizards", OWN, [(Face("8"), picture("8")), (Face("WIZARD"), picture("w"))])
    yield decks
    use_folder(None)
    use_deck_folder(None)


def test_all_decks_are_listed_with_what_can_be_read(own: TaughtDecks, capsys: Captured) -> None:
    assert main(["decks", "--data", str(own.folder.parent)]) == 0
    rows = {row.split()[0]: row for row in capsys.readouterr().out.splitlines()}
    assert list(rows) == ["hand-n-foot", "remastered", "standard", "wizards"]
    assert rows["standard"].endswith("read without teaching") and rows["remastered"].endswith("not taught yet")
    assert rows["wizards"].endswith("taught, not learnt yet")


def test_one_deck_is_shown_with_its_faces_and_what_was_learnt(own: TaughtDecks, capsys: Captured) -> None:
    write_learnt(own, {"wizards": own.get("wizards").content_hash()})
    assert main(["decks", "wizards", "--data", str(own.folder.parent)]) == 0
    said = capsys.readouterr().out
    assert "Wizards (wizards): learnt, but 1 of its cards never shown" in said and "faces: 8×4 LADY×4 WIZARD×2" in said
    assert "no picture of: LADY" in said and "self-test after learning: On practice tables 60 of 64" in said
    assert main(["decks", "wizards", "--json", "--data", str(own.folder.parent)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["readable"] and told["learnt"] and told["missing"] == ["LADY"]
    assert told["faces"][1] == {
        "face": "LADY",
        "copies": 4,
        "name": "lady",
        "plural": "ladys",
        "wild": False,
        "called": None,
    }


def test_a_deck_that_cannot_be_read_is_a_sentence(own: TaughtDecks, capsys: Captured) -> None:
    (own.folder / "wizards" / "deck.toml").write_text("id = 'wizards'", encoding="utf-8")
    assert main(["decks", "--data", str(own.folder.parent)]) == 1
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 3 and "wizards/deck.toml: name: expected this key" in said.err
    assert main(["decks", "wizards", "--data", str(own.folder.parent)]) == 1
    assert main(["decks", "tarot", "--data", str(own.folder.parent)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 2


@pytest.mark.parametrize("command", ["scan", "explain"])
@pytest.mark.parametrize(
    ("decks", "sentence"),
    [
        ("tarot", "expected a deck, one of hand-n-foot, remastered, standard, wizards, got 'tarot'"),
        ("standard,hand-n-foot", "the cards of hand-n-foot were not taught yet, so they cannot be read; teach them"),
        ("wizards", "the cards of wizards were not taught yet"),
        (",", "expected one to 6 decks in play, got none"),
        ("a,b,c,d,e,f,g", "expected one to 6 decks in play, got 7"),
    ],
)
def test_decks_that_cannot_be_read_are_refused(
    own: TaughtDecks, capsys: Captured, command: str, decks: str, sentence: str
) -> None:
    assert main([command, "x.jpg", "--deck", decks, "--data", str(own.folder.parent)]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1 and sentence in said[0]


def test_the_decks_on_the_table_reach_the_reader(
    own: TaughtDecks, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    reader, data_dir = KnowingReader(), own.folder.parent
    monkeypatch.setattr(webui.commands.cards.scan, "load_chosen_reader", lambda _: ("onnx", reader))
    (data_dir / "a.jpg").write_bytes(photo(NORTH_TABLE))
    write_learnt(own, {"wizards": own.get("wizards").content_hash()})
    arguments = ["scan", str(data_dir / "a.jpg"), "--data", str(data_dir)]
    assert main([*arguments, "--deck", "standard, wizards"]) == 0
    assert main([*arguments, "--rules", "hand-n-foot"]) == 0
    (_, both), (_, untaught) = reader.asked
    assert both.faces == {*load_deck("standard").faces, *load_deck("wizards").faces}
    assert untaught.faces == set(load_deck("hand-n-foot").faces)
    assert isinstance(reader.taught[0], TaughtFaces) and reader.taught[1] is None, "the wizard is looked for"
    said = capsys.readouterr().err
    assert "the cards of hand-n-foot were not taught yet: every card is in doubt" in said
    assert "these cards of wizards were never shown, so they cannot be read: LADY" in said


def test_a_photo_is_explained_as_it_is_read_with_the_decks_on_the_table(
    own: TaughtDecks, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    """The page reads with the taught pictures; an explanation without them is of another reading."""
    reader, data_dir = KnowingReader(), own.folder.parent
    asked: list[tuple[object, object]] = []

    class Explained:
        def read_traced(self, frame: Frame, house_rules: HouseRules, taught: object) -> tuple[None, Trace]:
            asked.append((house_rules, taught))
            return None, Trace()

    monkeypatch.setattr(webui.commands.cards.scan, "load_chosen_reader", lambda _: ("onnx", reader))
    monkeypatch.setattr(webui.commands.cards.explain, "load_chosen_reader", lambda _: ("onnx", Explained()))
    (data_dir / "a.jpg").write_bytes(photo(NORTH_TABLE))
    write_learnt(own, {"wizards": own.get("wizards").content_hash()})
    for command in ("scan", "explain"):
        arguments = [command, str(data_dir / "a.jpg"), "--data", str(data_dir), "--deck", "standard,wizards"]
        assert main(arguments) == 0
    ((house, taught),) = asked
    assert house == reader.asked[0][1] and isinstance(taught, TaughtFaces)
    scanned = reader.taught[0]
    assert isinstance(scanned, TaughtFaces) and (taught.decks, taught.faces) == (scanned.decks, scanned.faces)
    assert taught.faces == {Face("WIZARD")} and capsys.readouterr().out.endswith("no cards were read\n")
