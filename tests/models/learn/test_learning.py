"""Learning a household's decks, in small: what it writes, that it goes on after a stop, and that nothing is lost."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from filelock import FileLock

import models.learn.__main__ as command
from datasets.decks.deck_art import DeckArt
from datasets.decks.drawn_decks import draw_deck
from datasets.decks.pictured_deck import pictured_deck, write_pictures
from datasets.scenes.world import World
from models.learn import comparison, dark_paper, learning
from models.learn.comparison import DrawnReading, ShownDeck
from models.learn.heads import household_vocabulary, widened
from models.learn.learning import FACES, LEARNT, LearnSettings, learn
from models.learn.self_test import SelfTest, is_told_apart, self_test
from models.networks.layers import load_state, save_arrays
from models.networks.roi_head import STATE, RoiHeadNet
from models.pipeline.ring import RingShape
from models.samples.roi_head import NO_RANK, RoiSettings, _classes, draw_block
from models.samples.simulated import NO_SUIT
from models.train.loop import Recipe
from scorer.deck import load_deck, use_deck_folder
from scorer.faces import JOKER, STANDARD_FACES, Face
from vision.crops.batching import SERIAL
from vision.crops.roi_crops import AROUND_SIZE, INDEX_SIZE
from vision.detect.detector import OnnxDetector
from vision.detect.vocabulary import STANDARD_VOCABULARY
from vision.engines.learnt_head import load_learnt_roi_head
from vision.engines.load import onnx_session
from vision.engines.weights import weights_path
from vision.recognise.deck_head import load_deck_head
from vision.recognise.roi_head import ROI_WEIGHTS

LADY, EIGHT = Face("LADY"), Face("8")
SMALL = LearnSettings(
    steps=2, batch=16, shape=RingShape(1, 2, 2), tables=1, test_blocks=1, optimizer=Recipe(1e-4, 0.0, 1.0, 0.9)
)


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(3)
    return save_arrays(RoiHeadNet(), tmp_path_factory.mktemp("start") / "roi_head.npz")


@pytest.fixture(scope="module")
def deck() -> DeckArt:
    return draw_deck("own", 5)


def test_the_process_that_draws_needs_no_pytorch() -> None:
    """It takes a quarter of a gigabyte, on machines that have little."""
    code = "import sys, models.learn.drawing, models.pipeline.ring; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[3], check=False).returncode == 0


class Stopped(Exception):
    """The learning is interrupted from outside."""


def test_a_deck_is_learnt_and_a_stopped_learning_goes_on(start: Path, deck: DeckArt, tmp_path: Path) -> None:
    told: list[tuple[str, float]] = []

    def stop(step: str, share: float, seconds: float) -> None:
        if share > 0.2:
            raise Stopped

    detector = weights_path("detector-int8.onnx")
    with pytest.raises(Stopped):
        learn([deck], start, detector, tmp_path, settings=SMALL, processes=0, progress=stop)
    assert not (tmp_path / LEARNT).exists() and (tmp_path / "work").is_dir()
    result = learn(
        [deck],
        start,
        detector,
        tmp_path,
        settings=SMALL,
        processes=0,
        progress=lambda step, share, seconds: told.append((step, share)),
        notes={"decks": {"own": "1234"}},
    )
    assert told[0] == ("drawing", 0.0) and told[-1] == ("testing", 1.0)
    written = json.loads((tmp_path / LEARNT).read_text())
    assert written["decks"] == {"own": "1234"} and written["self_test"] == result.sentence
    assert set(written["sha256"]) == {ROI_WEIGHTS, FACES} and result.tested > 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([ROI_WEIGHTS, FACES, LEARNT, "work"])
    assert not list((tmp_path / "work").glob("state*")) and not list((tmp_path / "work" / "ring").iterdir())
    load_learnt_roi_head(tmp_path / ROI_WEIGHTS, tmp_path / FACES, SERIAL)
    assert set(load_deck_head(tmp_path / FACES).vocabulary.faces) == set(STANDARD_FACES)


def test_only_the_faces_that_were_shown_count_in_the_self_test(start: Path, deck: DeckArt) -> None:
    detector = OnnxDetector(onnx_session(weights_path("detector-int8.onnx"), 1))
    block = draw_block(RoiSettings(tables=2, taught=1.0, seed=5), 0, [], detector, [deck])
    net = load_state(RoiHeadNet(), start).eval()
    every, jokers = (self_test(net, [block], STANDARD_FACES, shown) for shown in ((), (JOKER,)))
    assert jokers.tested == 1 < every.tested
    assert jokers.closest is not None and JOKER in jokers.closest[:2]


@pytest.mark.parametrize(
    ("better", "counted", "sentence"),
    [
        (False, {JOKER}, "1 of 1 told apart. The camera reads the other 52 cards as it did before"),
        (True, set(STANDARD_FACES), "53 of 53 told apart"),
    ],
)
def test_the_result_is_of_the_cards_that_are_read_by_what_was_learnt(
    better: bool, counted: set[Face], sentence: str, deck: DeckArt, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told_apart(net: object, blocks: object, faces: object, shown: set[Face]) -> SelfTest:
        assert shown == counted
        return SelfTest(len(shown), len(shown), None)

    monkeypatch.setattr(learning, "self_test", told_apart)
    learnt = learning._read_by_learnt([deck], [ShownDeck("own", deck, {})], [DrawnReading("own", better, 8, 8)])
    assert learning._tested(RoiHeadNet(), [], STANDARD_FACES, STANDARD_FACES, learnt).sentence == sentence
    without = learning._tested(RoiHeadNet(), [], STANDARD_FACES, [Face("8", "H")], {JOKER})
    assert without.sentence == "The camera reads these cards as it did before"


def test_cards_of_a_deck_without_suits_are_named_in_words() -> None:
    assert (
        SelfTest(15, 14, (Face("B3"), Face("A"), 0.1)).sentence == "14 of 15 told apart; closest pair black 3 and ace"
    )


def test_the_time_left_counts_from_where_a_stopped_learning_goes_on(
    start: Path, deck: DeckArt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(0, 10**6, 10))
    monkeypatch.setattr(learning, "time", SimpleNamespace(monotonic=lambda: float(next(clock))))
    told: list[tuple[str, float, float]] = []

    def trained(*_given: object, log: Callable[[int, dict[str, float]], None], **_more: object) -> RoiHeadNet:
        for number in (160, 200, 240):
            log(number, {})
        raise Stopped

    (tmp_path / "work").mkdir()
    torch.save({"step": 160}, tmp_path / "work" / "state.pt")
    monkeypatch.setattr(learning, "train_steps", trained)
    settings = replace(SMALL, steps=320)
    with pytest.raises(Stopped):
        learn(
            [deck],
            start,
            weights_path("detector-int8.onnx"),
            tmp_path,
            settings=settings,
            processes=0,
            progress=lambda *given: told.append(given),
        )
    assert [(step, round(share, 2)) for step, share, _ in told[1:]] == [
        ("learning", 0.55),
        ("learning", 0.55),
        ("learning", 0.65),
        ("learning", 0.75),
    ]
    (_, share, left) = told[-1]
    assert left == pytest.approx(30 * (1 - share) / 0.2), "the pace of this run, not of steps done before"


@pytest.mark.parametrize(
    ("named", "apart"), [([3] * 8 + [1, 5], True), ([3] * 7 + [1] * 3, False), ([3] * 4 + [0, 1, 2, 4, 5], False)]
)
def test_a_face_is_told_apart_if_most_pictures_say_so_and_no_other_face_has_many(named: list[int], apart: bool) -> None:
    assert is_told_apart(np.array(named), 3) == apart


def test_a_wider_head_keeps_what_it_knew(start: Path) -> None:
    net = load_state(RoiHeadNet(), start).eval()
    vocabulary = household_vocabulary([LADY, EIGHT])
    wide = widened(net, vocabulary).eval()
    assert vocabulary.ranks == (*STANDARD_VOCABULARY.ranks, "LADY")
    assert vocabulary.faces == (*STANDARD_VOCABULARY.faces, LADY, EIGHT)
    crops = torch.rand(3, 3, *INDEX_SIZE[::-1]), torch.rand(3, 3, *AROUND_SIZE)
    with torch.no_grad():
        before, after = net(*crops), wide(*crops)
    assert after[4].shape == (3, 15)
    assert torch.equal(before[4], after[4][:, :14]) and torch.equal(before[3], after[3])


def test_classes_of_faces_that_a_vocabulary_lacks() -> None:
    vocabulary = household_vocabulary([LADY])
    assert _classes(LADY, vocabulary) == (14, NO_SUIT)
    assert _classes(LADY, STANDARD_VOCABULARY) == _classes(None, vocabulary) == (NO_RANK, NO_SUIT)
    assert _classes(JOKER, vocabulary) == (13, NO_SUIT) and _classes(Face("2", "D"), vocabulary) == (1, 1)


def test_the_command_learns_the_decks_of_a_folder_and_says_how_far_it_is(
    start: Path, deck: DeckArt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pictures = {face: [np.ascontiguousarray(one[:, :, :3]) for one in ones] for face, ones in deck.faces.items()}
    write_pictures(tmp_path / "ours" / "faces", pictures)
    (tmp_path / "ours" / "deck.toml").write_text('id = "ours"\nname = "Ours"\nprofile = "standard"\n')
    monkeypatch.setattr(command, "has_weights", lambda name: name == STATE)
    monkeypatch.setattr(command, "weights_path", lambda name: start if name == STATE else weights_path(name))
    monkeypatch.setattr(command, "learn", partial(learn, settings=SMALL))
    monkeypatch.setattr(comparison, "TABLES", 1)
    monkeypatch.setattr(dark_paper, "TABLES", 1)
    arguments = [str(tmp_path), "--deck", "ours=" + "ab" * 32, "--processes", "0"]
    try:
        assert command.main(arguments) == 0
    finally:
        use_deck_folder(None)
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert said[0] == {"pid": os.getpid()} and said[1]["step"] == "drawing" and "told apart" in said[-1]["told"]
    assert json.loads((tmp_path / "learnt" / LEARNT).read_text())["decks"] == {"ours": "ab" * 32}
    with FileLock(tmp_path / "learnt" / command.LOCK):
        assert command.main(arguments) == 1
    assert json.loads(capsys.readouterr().out) == {"error": "The cards are being learned already."}


def test_the_command_says_what_is_wrong_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for has, expected in ((False, "cannot learn cards"), (True, "expected a deck")):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(command, "has_weights", lambda name, has=has: has)
            assert command.main([str(tmp_path), "--deck", "ours=1"]) == 1
        assert expected in json.loads(capsys.readouterr().out.splitlines()[-1])["error"]
    use_deck_folder(None)


def test_jokers_alone_are_drawn_among_the_cards_of_other_decks(deck: DeckArt, tmp_path: Path) -> None:
    write_pictures(tmp_path, {JOKER: [one[:, :, :3] for one in deck.faces[JOKER][:2]]})
    whole = command.whole_decks(pictured_deck(tmp_path, name="ours"), load_deck("standard"))
    assert len(whole) == command.FILLED_WITH and len({one.name for one in whole}) == len(whole)
    for one in whole:
        assert set(one.faces) == set(STANDARD_FACES) and len(one.faces[JOKER]) == 2
    settings = RoiSettings(World(views={"in_hand": 1.0}), tables=1, taught=1.0)
    detector = OnnxDetector(onnx_session(weights_path("detector-int8.onnx"), 1))
    assert len(draw_block(settings, 0, [], detector, whole))


def test_a_fault_is_told_and_written_down(
    deck: DeckArt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dark_paper, "TABLES", 1)
    monkeypatch.setattr(command, "has_weights", lambda name: True)
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "deck.toml").write_text('id = "ours"\nname = "Ours"\nprofile = "standard"\n')
    write_pictures(tmp_path / "ours" / "faces", {JOKER: [deck.faces[JOKER][0][:, :, :3]]})

    def fails(*given: object, **named: object) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(command, "weights_path", lambda name: tmp_path / name)
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


def test_a_note_of_stopped_work_that_is_half_written_is_none(tmp_path: Path) -> None:
    (tmp_path / "decks.json").write_text('{"ours": "12')
    (tmp_path / "state.pt").write_bytes(b"of other decks")
    command._forget_other_work(tmp_path, {"ours": "1234"})
    assert [path.name for path in tmp_path.iterdir()] == ["decks.json"]
    (tmp_path / "state.pt").write_bytes(b"of these")
    command._forget_other_work(tmp_path, {"ours": "1234"})
    assert (tmp_path / "state.pt").exists()
