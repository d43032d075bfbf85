"""Learning a household's decks, in small: what it writes, that it goes on after a stop, and that nothing is lost."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from filelock import FileLock

import models.learn.__main__ as command
from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.pictured_deck import deck_of_pictures, read_pictures, write_pictures
from models.learn import self_test
from models.learn.heads import fitted_head, household_vocabulary
from models.learn.learning import FACES, LEARNT, learn
from models.learn.looks import look_at_table
from models.learn.self_test import DeckToLearn
from models.samples.roi_head import NO_RANK, classes_of
from models.samples.simulated import NO_SUIT
from scorer.deck import load_deck, use_deck_folder
from scorer.faces import JOKER, STANDARD_FACES, Face
from vision.arrays import Floats, floats
from vision.detect.detections import ROI_EMBEDDING
from vision.detect.detector import Detector
from vision.detect.vocabulary import STANDARD_VOCABULARY
from vision.engines.load import load_detector, load_roi_head, load_standard_head
from vision.recognise.deck_head import load_deck_head
from webui.storage.files.learnt_files import LOCK

LADY, EIGHT = Face("LADY"), Face("8")


@pytest.fixture(scope="module")
def detector() -> Detector:
    return load_detector()


@pytest.fixture(scope="module")
def deck() -> DeckArt:
    return draw_deck("own", 5)


def test_learning_needs_no_pytorch() -> None:
    code = "import sys, models.learn.__main__; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False).returncode == 0


class Stopped(Exception):
    """The learning is interrupted from outside."""


def test_a_deck_is_learnt_and_a_stopped_learning_leaves_nothing(
    detector: Detector, deck: DeckArt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares: list[float] = []

    def stop(share: float, seconds: float) -> None:
        if share > 0:
            raise Stopped

    def progress(share: float, seconds: float) -> None:
        shares.append(share)

    monkeypatch.setattr(self_test, "TABLES", 1)
    jokers = {JOKER: [one[:, :, :3] for one in deck.faces[JOKER]]}
    taught = [DeckToLearn("own", jokers, [deck])]
    with pytest.raises(Stopped):
        learn(taught, detector, tmp_path, tables=1, progress=stop)
    assert not list(tmp_path.iterdir())
    told = learn(taught, detector, tmp_path, tables=1, progress=progress, notes={"decks": {"own": "1234"}})
    assert shares == [0.0, 1 / 26, 1.0]
    written = json.loads((tmp_path / LEARNT).read_text())
    assert written["decks"] == {"own": "1234"} and written["self_test"] == told
    assert set(written["tests"]["own"]["type"] + written["tests"]["own"]["check"]) <= {"JK"}, "no other was shown"
    assert set(written["sha256"]) == {FACES} and written["whole"] == []
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([FACES, LEARNT])
    assert (tmp_path / FACES).stat().st_size < 100_000
    assert set(load_deck_head(tmp_path / FACES).vocabulary.faces) == set(STANDARD_FACES)


def test_a_head_learns_what_is_new_and_keeps_what_it_knew() -> None:
    shipped, vocabulary = load_standard_head(), household_vocabulary([LADY, EIGHT])
    assert vocabulary.ranks == (*STANDARD_VOCABULARY.ranks, "LADY")
    assert vocabulary.faces == (*STANDARD_VOCABULARY.faces, LADY, EIGHT)
    assert shipped.ranks is not None
    eight, queen = (shipped.ranks.weight[STANDARD_VOCABULARY.ranks.index(rank)] for rank in ("8", "Q"))
    rng = np.random.default_rng(2)
    shown = floats([eight] * 40 + [-queen] * 40) * 3 + floats(rng.normal(0, 0.3, (80, ROI_EMBEDDING)))
    ranks = np.array([vocabulary.ranks.index("8")] * 40 + [vocabulary.ranks.index("LADY")] * 40, np.int8)
    head = fitted_head(shipped, vocabulary, shown, ranks, np.full(80, NO_SUIT, np.int8))
    named = head.classify(floats([eight, -queen, queen]) * 3)[0].argmax(1)
    assert [vocabulary.ranks[n] for n in named] == ["8", "LADY", "Q"], "the last was not shown"
    assert head.suits is not None and shipped.suits is not None
    assert np.array_equal(head.suits.weight, shipped.suits.weight), "no suits were shown"


def test_what_is_no_index_gets_no_sure_name_and_a_card_does() -> None:
    shipped, vocabulary = load_standard_head(), household_vocabulary([LADY])
    rng = np.random.default_rng(3)
    ace, lady, other = rng.normal(0, 1, (3, ROI_EMBEDDING))

    def shown(*what: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Floats:
        return floats(np.concatenate([one + rng.normal(0, 0.3, (30, ROI_EMBEDDING)) for one in what]))

    classes = [vocabulary.ranks.index("A"), vocabulary.ranks.index("LADY"), NO_RANK]
    suits = np.full(90, NO_SUIT, np.int8)
    seen, ranks = shown(ace, lady, other), np.repeat(np.array(classes, np.int8), 30)
    cards = ranks != NO_RANK
    told, untold = (
        fitted_head(shipped, vocabulary, seen[kept], ranks[kept], suits[kept]).classify(seen[~cards])[0].max(1).mean()
        for kept in (np.full(90, True), cards)
    )
    assert told < 0.7 < 0.9 < untold, "half and half at best"
    sure = fitted_head(shipped, vocabulary, seen, ranks, suits).classify(seen[cards])[0]
    assert sure[np.arange(60), ranks[cards]].min() > 0.95


def test_classes_of_faces_that_a_vocabulary_lacks() -> None:
    vocabulary = household_vocabulary([LADY])
    assert classes_of(LADY, vocabulary) == (14, NO_SUIT)
    assert classes_of(LADY, STANDARD_VOCABULARY) == classes_of(None, vocabulary) == (NO_RANK, NO_SUIT)
    assert classes_of(JOKER, vocabulary) == (13, NO_SUIT) and classes_of(Face("2", "D"), vocabulary) == (1, 1)


def test_the_command_learns_the_decks_of_a_folder_and_says_how_far_it_is(
    deck: DeckArt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = {face: [np.ascontiguousarray(one[:, :, :3]) for one in ones] for face, ones in deck.faces.items()}
    write_pictures(tmp_path / "ours" / "faces", pictures)
    (tmp_path / "ours" / "deck.toml").write_text('id = "ours"\nname = "Ours"\nprofile = "standard"\n')
    monkeypatch.setattr(command, "learn", partial(learn, tables=1))
    monkeypatch.setattr(self_test, "TABLES", 1)
    arguments = [str(tmp_path), "--deck", "ours=" + "ab" * 32]
    try:
        assert command.main(arguments) == 0
    finally:
        use_deck_folder(None)
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert said[0] == {"pid": os.getpid()} and said[1]["share"] == 0 and "cards were read right" in said[-1]["told"]
    assert json.loads((tmp_path / "learnt" / LEARNT).read_text())["decks"] == {"ours": "ab" * 32}
    with FileLock(tmp_path / "learnt" / LOCK):
        assert command.main(arguments) == 1
    assert json.loads(capsys.readouterr().out) == {"error": "The cards are being learned already."}


def test_the_command_says_what_is_wrong_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main([str(tmp_path), "--deck", "ours=1"]) == 1
    assert "expected a deck" in json.loads(capsys.readouterr().out.splitlines()[-1])["error"]
    use_deck_folder(None)


def test_jokers_alone_are_drawn_among_the_cards_of_other_decks(
    detector: Detector, deck: DeckArt, tmp_path: Path
) -> None:
    write_pictures(tmp_path, {JOKER: [one[:, :, :3] for one in deck.faces[JOKER][:2]]})
    whole = command.whole_decks(deck_of_pictures(read_pictures(tmp_path), name="ours"), load_deck("standard"))
    assert len(whole) == command.FILLED_WITH and len({one.name for one in whole}) == len(whole)
    for one in whole:
        assert set(one.faces) == set(STANDARD_FACES) and len(one.faces[JOKER]) == 2
    head = load_roi_head()
    looked = look_at_table(np.random.default_rng(1), whole, detector, head, STANDARD_VOCABULARY)
    assert (looked.ranks != NO_RANK).any()


def test_a_fault_is_told_and_written_down(
    deck: DeckArt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "deck.toml").write_text('id = "ours"\nname = "Ours"\nprofile = "standard"\n')
    write_pictures(tmp_path / "ours" / "faces", {JOKER: [deck.faces[JOKER][0][:, :, :3]]})

    def fails(*given: object, **named: object) -> None:
        raise OSError(errno.ENOSPC, "no space")

    for fault, sentence in ((fails, "the disk is full"), (lambda *given, **named: 1 / 0, command.FAULT)):
        monkeypatch.setattr(command, "learn", fault)
        assert command.main([str(tmp_path), "--deck", "ours=1"]) == 1
        said = capsys.readouterr()
        assert sentence in json.loads(said.out.splitlines()[-1])["error"] and "Traceback" in said.err
    use_deck_folder(None)


def test_a_library_that_does_not_say_that_the_disk_is_full_is_not_blamed_on_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vague = RuntimeError("unexpected pos 64 vs 0")
    assert not command.is_full(vague, tmp_path)
    monkeypatch.setattr("models.learn.__main__.shutil.disk_usage", lambda folder: SimpleNamespace(free=1000))
    assert command.is_full(vague, tmp_path)


def test_learning_ends_with_the_command_that_started_it() -> None:
    """However that ended: a killed one can tell nobody."""
    code = (
        "import time; from threading import Thread; from models.learn.__main__ import _end_with_parent; "
        "Thread(target=_end_with_parent).start(); print('works', flush=True); time.sleep(600)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[3], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert child.stdin and child.stdout and child.stdout.readline() == b"works\n"
    child.stdin.close()
    assert child.wait(60) == 1
