"""Learns the decks of a household, from the reader that is shipped or from what was learnt before."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch

from datasets.decks.deck_art import DeckArt
from datasets.scenes.world import World
from models.learn.comparison import DrawnReading, ShownDeck, read_drawn
from models.learn.drawing import DrawHouseholdBlocks
from models.learn.heads import fit_heads, household_vocabulary, widened
from models.learn.self_test import SelfTest, self_test
from models.networks.layers import load_state
from models.networks.roi_head import RoiHeadNet, deck_head, save_weights
from models.pipeline.ring import BlockRing, Prefetched, RingShape
from models.samples.roi_head import RoiSettings, Samples
from models.train.loop import Recipe, remove_training, steps_done, train_steps
from models.train.roi_head import Batch, RoiAugmentation, RoiLossWeights, prepare, roi_step, sample_rows
from scorer.faces import STANDARD_FACES, Face, is_picture_card
from vision.recognise.roi_head import ROI_WEIGHTS
from webui.storage.files.atomic_files import replace_file

FACES, LEARNT = "faces.deck.npz", "learnt.json"
"""File names beside ROI_WEIGHTS of what was learnt."""
Progress = Callable[[str, float, float], None]
"""Told the step of the work (``drawing``, ``learning``, ``testing``), the share done 0..1, and the seconds left."""
DRAWN, TESTED = 0.15, 0.05
"""Shares of the time before the first step, and after the last."""
VIEWS = {"usual": 0.7, "straight_down": 0.08, "oblique": 0.07, "fan": 0.05, "in_hand": 0.05, "filling": 0.05}


@dataclass(frozen=True, slots=True)
class LearnSettings:
    """How a household's decks are learnt.

    Attributes:
        steps, batch: of the training.
        optimizer: its hyper-parameters.
        shape: how many blocks of tables there are for each step.
        taught: share of tables with the household's decks; the others keep all other decks from being forgotten.
        tables: tables in a block.
        test_blocks: blocks drawn for the self-test.
        seed: of everything random.
    """

    steps: int = 320
    batch: int = 96
    optimizer: Recipe = field(default_factory=lambda: Recipe(3.5e-4, 0.02, 5.0, 0.99))
    shape: RingShape = field(default_factory=lambda: RingShape(first=6, window=24, steps_per_block=12))
    taught: float = 0.65
    tables: int = 12
    test_blocks: int = 2
    seed: int = 1


def learn(
    decks: Sequence[DeckArt],
    start: Path,
    detector: Path,
    out: Path,
    *,
    shown: Collection[Face] = (),
    whole: Sequence[ShownDeck] = (),
    dark: Collection[str] = (),
    settings: LearnSettings | None = None,
    processes: int = 1,
    progress: Progress = lambda step, share, seconds: None,
    notes: dict[str, object] | None = None,
) -> SelfTest:
    """Learns ``decks``; goes on where it was stopped.

    Args:
        decks: the decks of the household as pictures.
        start: the state of the shipped RoI head (``models.networks.layers.load_state``).
        detector: the shipped detector.
        out: folder of the result: ROI_WEIGHTS, FACES and LEARNT, written when all is learnt; state and drawn tables lie
            in ``out/work`` until then.
        shown: the faces that the self-test tells of, where the decks have others that the household never showed.
        whole: decks that were shown whole: LEARNT names those that are read better by what was learnt alone, and the
            self-test tells if few of their cards are found on drawn tables.
        dark: names of decks that are learned, and then read, on negatives.
        settings: how to learn.
        processes: processes that draw.
        progress: called now and then.
        notes: further entries of LEARNT, such as the hashes of the decks.
    """
    chosen = settings or LearnSettings()
    begun, work = time.monotonic(), out / "work"
    work.mkdir(parents=True, exist_ok=True)
    faces = tuple(dict.fromkeys(face for deck in decks for face in deck.faces))
    vocabulary = household_vocabulary(faces)
    blocks = RoiSettings(World(views=VIEWS), seed=chosen.seed, tables=chosen.tables, decks=3, taught=chosen.taught)
    make = DrawHouseholdBlocks(blocks, detector, tuple(decks), vocabulary, frozenset(dark))
    ring = BlockRing(work / "ring", make, chosen.shape, chosen.steps, processes)

    pace: list[tuple[float, float]] = []  # time and share since which steps are counted: of this run alone

    def tell(step: str, share: float) -> None:
        now = time.monotonic()
        if step == "learning" and not pace:
            pace.append((now, share))
        done = share - pace[0][1] if pace else 0.0
        progress(step, share, (now - pace[0][0]) * (1 - share) / done if done > 0 else float("nan"))

    def learning(steps: int) -> None:
        tell("learning", DRAWN + (1 - DRAWN - TESTED) * steps / chosen.steps)

    def batch_of(number: int) -> Batch:
        rows = sample_rows(ring.blocks(number), chosen.batch, chosen.seed, number)
        return prepare(rows, RoiAugmentation(), torch.device("cpu"), chosen.seed, number)

    batches: Prefetched[Batch] = Prefetched(batch_of, chosen.steps, 1)
    state, over = work / "state.pt", False
    try:
        tell("drawing", 0.0)
        torch.manual_seed(chosen.seed)
        net = widened(load_state(RoiHeadNet(), start), vocabulary)
        if not (done := steps_done(state)):
            fit_heads(net, ring.blocks(0))
        learning(done)
        trained = train_steps(
            net,
            roi_step(batches, RoiLossWeights()),
            chosen.optimizer,
            chosen.steps,
            state,
            seed=chosen.seed,
            save_every=40,
            log_every=10,
            log=lambda number, figures: learning(number),
        )
        over = True
    finally:
        batches.close()
        ring.close(remove=over)
    assert isinstance(trained, RoiHeadNet)
    new = _export(trained, work)
    readings = read_drawn(whole, *new)
    result = _tested(trained, _test_blocks(make, chosen), faces, shown, _read_by_learnt(decks, whole, readings))
    result = replace(result, read=sum(one.read for one in readings), there=sum(one.there for one in readings))
    told = {
        "faces": [str(face) for face in faces],
        "seconds": round(time.monotonic() - begun),
        "self_test": result.sentence,
        "whole": [one.id for one in readings if one.by_itself],
        **(notes or {}),
    }
    _put_in_place(new, out, told)
    remove_training(state)
    tell("testing", 1.0)
    return result


def _read_by_learnt(
    decks: Sequence[DeckArt], whole: Sequence[ShownDeck], readings: Sequence[DrawnReading]
) -> set[Face]:
    """The faces that are read by what was learned: those of decks that the shipped networks do not know, or read worse.

    Of other decks only jokers are; their numbers and court cards are read as they were before.
    """
    better = {one.id for one in readings if one.by_itself}
    found = {face for deck in decks for face in deck.faces if is_picture_card(face)}
    found |= {face for deck in decks if not set(deck.faces) <= set(STANDARD_FACES) for face in deck.faces}
    return found | {face for deck in whole if deck.id in better for face in deck.art.faces}


def _tested(
    net: RoiHeadNet, blocks: Sequence[Samples], faces: Collection[Face], shown: Collection[Face], learnt: set[Face]
) -> SelfTest:
    """Tests the faces ``shown`` that are read by what was learned; all ``faces`` where none are said to be shown."""
    if not shown:
        return self_test(net, blocks, faces)
    counted = learnt.intersection(shown)
    result = self_test(net, blocks, faces, counted) if counted else SelfTest(0, 0, None)
    return replace(result, as_before=len(set(shown)) - len(counted))


def _test_blocks(make: DrawHouseholdBlocks, settings: LearnSettings) -> list[Samples]:
    """Tables with the household's decks alone, of another seed than those that were learnt from."""
    drawn = RoiSettings(World(), seed=settings.seed + 7919, tables=settings.tables, decks=1, taught=1.0)
    draw = replace(make, settings=drawn)()
    return [np.asarray(draw(number)) for number in range(settings.test_blocks)]


def _export(net: RoiHeadNet, work: Path) -> tuple[Path, Path]:
    """Writes the network's weights and its names; returns their files."""
    names = work / FACES
    deck_head(net).save(names)
    return save_weights(net, work / ROI_WEIGHTS), names


def _put_in_place(new: Sequence[Path], out: Path, told: Mapping[str, object]) -> None:
    hashes = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in new}
    for path in new:
        replace_file(out / path.name, path.read_bytes())
        path.unlink()
    note = json.dumps({"sha256": hashes, **told}, indent=1) + "\n"
    replace_file(out / LEARNT, note.encode())  # last: its hashes say whether the others are whole
