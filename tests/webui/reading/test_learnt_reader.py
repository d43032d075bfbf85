"""The reader uses what was learnt of the household's decks, and is loaded anew when that changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from filelock import FileLock

import webui.reading.engine_choice as engine_choice
import webui.storage.files.learnt_files as learnt_files
from scorer.deck import use_deck_folder
from scorer.faces import Face
from tests.webui.decks.learnt import FACES, write_learnt
from tests.webui.helpers.drawn import DrawnReader
from vision.errors import WeightsError
from vision.images.decode import load_photo
from vision.images.sandbox import shared_decoder
from vision.reader import LearntDecks
from webui.decks.taught import TaughtDecks
from webui.reading.reader_service import Reader, ReaderService
from webui.settings import SAMPLES


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What readers were loaded with."""
    seen: list[Any] = []

    class Made:
        def warm(self) -> None: ...

    def load(engine: str, made: Path, learnt: LearntDecks | None = None) -> Made:
        seen.append(learnt)
        return Made()

    monkeypatch.setattr("vision.reader.load_reader", load)
    return seen


@pytest.fixture
def decks(tmp_path: Path) -> Iterator[TaughtDecks]:
    yield TaughtDecks(tmp_path, shared_decoder().decode)
    use_deck_folder(None)


def test_what_was_learnt_is_loaded_and_what_is_damaged_is_not(
    decks: TaughtDecks, tmp_path: Path, loaded: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    engine_choice.load_reader("onnx", tmp_path)
    assert loaded == [None] and engine_choice.learnt_state(tmp_path) is None
    write_learnt(decks, {})
    engine_choice.load_reader("onnx", tmp_path)
    folder = decks.folder / "learnt"
    assert loaded[-1].head.vocabulary.faces == FACES and not loaded[-1].decks
    assert engine_choice.learnt_state(tmp_path) is not None
    use_deck_folder(decks.folder)
    ours, ladies = (decks.add(name, kind, []).id for name, kind in (("Ours", "standard"), ("Ladies", "hand-n-foot")))
    write_learnt(decks, dict.fromkeys([ours, ladies], "0" * 64))
    engine_choice.load_reader("onnx", tmp_path)
    assert (loaded[-1].decks, loaded[-1].unlike) == ({ours, ladies}, {ladies})
    write_learnt(decks, dict.fromkeys([ours, ladies], "0" * 64), whole=[ours])
    engine_choice.load_reader("onnx", tmp_path)
    assert loaded[-1].unlike == {ours, ladies}, "the shipped networks do not read it as well"
    (folder / "faces.deck.npz").write_bytes(b"other")
    engine_choice.load_reader("onnx", tmp_path)
    assert loaded[-1] is None, "its hash is not that of the note"


def test_names_that_do_not_load_leave_the_shipped_ones(
    decks: TaughtDecks, tmp_path: Path, loaded: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def bad(path: Path) -> Any:
        raise ValueError("no numbers")

    folder = write_learnt(decks, {})
    monkeypatch.setattr("vision.recognise.deck_head.load_deck_head", bad)
    engine_choice.load_reader("onnx", tmp_path)
    assert loaded == [None] and folder.joinpath("learnt.json").exists()


def test_what_does_not_fit_is_set_aside_by_name_and_reading_goes_on_without_it(
    decks: TaughtDecks, tmp_path: Path, loaded: list[Any]
) -> None:
    folder = write_learnt(decks, {}, faces=[Face("8"), Face("OTHER")])
    with FileLock(folder / learnt_files.LOCK):
        engine_choice.load_reader("onnx", tmp_path)
        assert (folder / "learnt.json").exists(), "it is being learned anew just now"
    engine_choice.load_reader("onnx", tmp_path)
    assert loaded[-1] is not None, "a file that fits"
    note = json.loads((folder / "learnt.json").read_text())
    (folder / "learnt.json").write_text(json.dumps(note | {"faces": ["8"]}))
    engine_choice.load_reader("onnx", tmp_path)
    assert loaded[-1] is None
    told = learnt_files.why_set_aside(folder)
    assert told is not None and told[0] == "faces.deck.npz does not fit: expected cards of its decks, got OTHER"
    assert sorted(path.name for path in (folder / told[1]).iterdir()) == ["faces.deck.npz", "learnt.json"]
    write_learnt(decks, {})
    assert learnt_files.why_set_aside(folder) is None, "it was learned anew"


def test_numbers_that_lead_to_none_are_set_aside_and_reading_goes_on_without_them(
    decks: TaughtDecks, tmp_path: Path
) -> None:
    """Numbers that fit in count and shape, and are so large that probabilities would be none."""
    folder = write_learnt(decks, {"ours": "0" * 64})
    with np.load(folder / "faces.deck.npz") as stored:
        large = {name: np.full_like(stored[name], 3e38) if stored[name].ndim > 1 else stored[name] for name in stored}
    np.savez(folder / "faces.deck.npz", **large)
    note = json.loads((folder / "learnt.json").read_text())
    note["sha256"]["faces.deck.npz"] = sha256((folder / "faces.deck.npz").read_bytes()).hexdigest()
    (folder / "learnt.json").write_text(json.dumps(note))
    reader = engine_choice.load_reader("onnx", tmp_path)
    told = learnt_files.why_set_aside(folder)
    assert told is not None and "expected layers of numbers of 10000 or less, got larger ones" in told[0]
    assert (folder / told[1] / "faces.deck.npz").exists()
    assert reader.read(load_photo(sorted(SAMPLES.glob("*.jpg"))[0])).cards


def test_what_was_learned_on_another_roi_head_is_set_aside(
    decks: TaughtDecks, tmp_path: Path, loaded: list[Any]
) -> None:
    folder = write_learnt(decks, {})
    note = json.loads((folder / "learnt.json").read_text())
    (folder / "learnt.json").write_text(json.dumps(note | {"networks": "0" * 16}))
    engine_choice.load_reader("onnx", tmp_path)
    told = learnt_files.why_set_aside(folder)
    assert told is not None and told[0] == "it was learned by another version of the program" and loaded == [None]


@pytest.mark.parametrize("network", ["roi_head.npz", "roi_head.onnx"])
def test_what_an_earlier_version_learned_is_set_aside(
    network: str, decks: TaughtDecks, tmp_path: Path, loaded: list[Any]
) -> None:
    folder = write_learnt(decks, {})
    (folder / network).write_bytes(b"a network of its own")
    note = json.loads((folder / "learnt.json").read_text())
    note["sha256"][network] = sha256(b"a network of its own").hexdigest()
    (folder / "learnt.json").write_text(json.dumps(note))
    engine_choice.load_reader("onnx", tmp_path)
    told = learnt_files.why_set_aside(folder)
    assert told is not None and told[0] == "it was learned by another version of the program"
    assert (folder / told[1] / network).exists() and loaded == [None]


def test_damage_of_the_shipped_weights_is_none_of_what_was_learnt(
    decks: TaughtDecks, tmp_path: Path, loaded: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_learnt(decks, {})

    def damaged(names: object) -> str:
        raise WeightsError("install the program again")

    monkeypatch.setattr(learnt_files, "networks_hash", damaged)
    engine_choice.load_reader("onnx", tmp_path)
    assert (folder / "learnt.json").exists()


def test_the_reader_is_loaded_anew_when_that_changes_and_stays_if_it_cannot() -> None:
    state, loads = ["first"], list[str]()
    readers: list[Reader] = []

    def load() -> Reader:
        loads.append(state[0])
        if state[0] == "broken":
            raise WeightsError("they are damaged")
        readers.append(DrawnReader())
        return readers[-1]

    service = ReaderService(load, lambda: state[0])
    assert service.get() is service.get() is readers[0] and loads == ["first"]
    state[0] = "second"
    assert service.get() is readers[1], "who asks waits for it"
    state[0] = "broken"
    assert service.get() is service.get() is readers[1] and service.error is None
    assert loads == ["first", "second", "broken"], "each once"
    service.close()
