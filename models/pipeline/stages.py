"""The kinds of stages: trainings, exports, and the folder of weights. Each takes a ``Run`` and returns its files.

A training takes the settings steps, batch, ``save_every``, ``log_every``, ``optimizer`` (``models.train.loop.Recipe``),
``blocks``, ``ring`` and ``world``, goes on from its last parent, a checkpoint, and makes one of the averaged weights.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import torch
from numpy.typing import NDArray
from torch import nn

from datasets.assets.manifest import Part, read_manifest, use_part
from datasets.decks.deck_art import DeckArt
from datasets.scenes.world import World
from models.export.calibration import fit_certainties
from models.export.manifest import write_fitted
from models.export.quantize import BATCH, BATCHES, DETECTOR_OPERATORS, FLOAT_LAYERS, quantize
from models.export.storage import store_fp16
from models.networks import detector as detector_network
from models.networks import relations as relations_network
from models.networks import roi_head as roi_network
from models.networks.layers import load_state, save_state
from models.pipeline.ring import Block, BlockRing, DrawBlock, Prefetched, RingShape
from models.pipeline.run import Kind, Run
from models.samples import detector as detector_samples
from models.samples import relations as relation_samples
from models.samples import roi_head as roi_samples
from models.train import detector as detector_training
from models.train import relations as relations_training
from models.train import roi_head as roi_training
from models.train.loop import Recipe, Step, best_device, train_steps
from vision.arrays import floats
from vision.detect.detector import OnnxDetector
from vision.detect.yolo_head import HEAD
from vision.engines.kinds.onnx import onnx_session
from vision.engines.load import load_relations
from vision.engines.weights import INT8
from vision.recognise.deck_head import STANDARD, load_deck_head
from vision.recognise.roi_head import INPUTS, ROI_HEAD, OnnxRoiHead
from vision.rescore.relations import RELATIONS

AHEAD = 4
"""Batches prepared before they are needed."""
T = TypeVar("T")
DetectorSettings, RoiSettings = detector_samples.DetectorSettings, roi_samples.RoiSettings


def _settings(run: Run, of: Callable[..., T], **changed: Any) -> T:
    """What a run draws: its settings ``world``, ``blocks`` and ``seed``."""
    given = run.settings
    return of(World(**given.get("world", {})), seed=given["seed"], **{**given.get("blocks", {}), **changed})


def _packaged(assets: Path | None, part: Part = "training") -> Sequence[DeckArt]:
    """The decks of ``part``, whose fonts are in use from now on; without an ``assets`` folder no decks, and whatever
    fonts are installed."""
    torch.set_num_threads(1)
    return use_part(assets, part, read_manifest()) if assets else []


def _detector_blocks(settings: detector_samples.DetectorSettings, assets: Path | None) -> DrawBlock:
    packaged = _packaged(assets)
    return lambda number: detector_samples.draw_block(settings, number, packaged)


def _roi_blocks(settings: roi_samples.RoiSettings, assets: Path | None, detector: Path) -> DrawBlock:
    packaged, found_by = _packaged(assets), OnnxDetector(onnx_session(detector, 1))
    return lambda number: roi_samples.draw_block(settings, number, packaged, found_by)


def _relation_tables(
    settings: roi_samples.RoiSettings, assets: Path | None, part: Part, detector: Path, head: Sequence[Path]
) -> Callable[[int], list[relation_samples.LabelledTable]]:
    """Draws the tables of a block, read by a ``detector``, and a RoI head and deck head."""
    packaged, found_by = _packaged(assets, part), OnnxDetector(onnx_session(detector, 1))
    roi, deck = OnnxRoiHead(onnx_session(head[0], 1)), load_deck_head(head[1])
    return lambda number: relation_samples.draw_tables(settings, number, packaged, found_by, roi, deck)


def _relation_blocks(*given: Any) -> DrawBlock:
    draw = _relation_tables(*given)
    return lambda number: relation_samples.block_of(draw(number))


def _log(number: int, figures: Mapping[str, float]) -> None:
    print(number, *(f"{name} {value:.4f}" for name, value in figures.items()), flush=True)


def _train(
    run: Run,
    net: nn.Module,
    make: Callable[[], DrawBlock],
    batch_of: Callable[[Sequence[Block], int], T],
    step_of: Callable[[Callable[[int], T]], Step],
) -> list[Path]:
    """Trains on the blocks that ``make`` draws; ``batch_of`` makes the batch of a step of its blocks."""
    settings, checkpoint = run.settings, run.parents[-1][0]
    ring = BlockRing(run.folder / "ring", make, RingShape(**settings["ring"]), settings["steps"], run.processes)
    batches = Prefetched(lambda number: batch_of(ring.blocks(number), number), settings["steps"], AHEAD)
    over = False
    try:
        average = train_steps(
            load_state(net, checkpoint).train(),
            step_of(batches),
            Recipe(**settings["optimizer"]),
            settings["steps"],
            run.folder / "state.pt",
            seed=settings["seed"],
            save_every=settings["save_every"],
            log_every=settings["log_every"],
            log=_log,
        )
        over = True
    finally:
        batches.close()
        ring.close(remove=over)
    return [save_state(average, run.folder / checkpoint.name)]


def train_detector(run: Run) -> list[Path]:
    """Trains the detector. Settings beside those of all: ``augmentation``."""
    batch, seed = run.settings["batch"], run.settings["seed"]
    augmentation = detector_training.DetectorAugmentation(**run.settings["augmentation"])

    def batch_of(blocks: Sequence[Block], number: int) -> detector_samples.Batch:
        return detector_training.prepared(blocks, batch, augmentation, seed, number)

    make = partial(_detector_blocks, _settings(run, DetectorSettings), run.assets)
    return _train(run, detector_network.build(), make, batch_of, detector_training.detector_step)


def train_roi_head(run: Run) -> list[Path]:
    """Trains the RoI head on what the first parent, a detector, finds. Settings beside those of all: ``loss`` and
    ``augmentation``."""
    batch, seed, device = run.settings["batch"], run.settings["seed"], best_device()
    augmentation = roi_training.RoiAugmentation(**run.settings["augmentation"])

    def batch_of(blocks: Sequence[Block], number: int) -> roi_training.Batch:
        rows = roi_training.sample_rows(blocks, batch, seed, number)
        return roi_training.prepare(rows, augmentation, device, seed, number)

    make = partial(_roi_blocks, _settings(run, RoiSettings), run.assets, run.parents[0][0])
    weights = roi_training.RoiLossWeights(**run.settings["loss"])
    return _train(run, roi_network.RoiHeadNet(), make, batch_of, partial(roi_training.roi_step, weights=weights))


def train_relations(run: Run) -> list[Path]:
    """Trains the relations on what the parents, a detector and an exported RoI head, see; its batch counts tables."""
    batch, seed = run.settings["batch"], run.settings["seed"]
    (detector, *_), head, _ = run.parents

    def batch_of(blocks: Sequence[Block], number: int) -> list[relation_samples.Rows]:
        return relations_training.sampled(blocks, batch, seed, number)

    make = partial(_relation_blocks, _settings(run, RoiSettings), run.assets, "training", detector, head)
    return _train(run, relations_network.RelationsNet(), make, batch_of, relations_training.relations_step)


def export_detector(run: Run) -> list[Path]:
    """Exports the parent, a checkpoint, to ONNX in 8 bits, with ranges of drawn tables, and in float beside it.

    Settings: ``tables``, their number, ``world`` and ``blocks``.
    """
    network = run.folder / "detector.onnx"
    with tempfile.TemporaryDirectory() as work:  # ultralytics writes beside what it exports
        opened = Path(work) / "detector.pt"
        net = load_state(detector_network.build(), run.parents[0][0]).eval()
        detector_network.save_for_export(net, opened)
        detector_network.export_onnx(opened, network)
    settings = _settings(run, DetectorSettings, tables=run.settings["tables"])
    tables = _detector_blocks(settings, run.assets)(0)["picture"]
    pictures = ({"images": floats(table[None, :, :, ::-1].transpose(0, 3, 1, 2) / 255)} for table in tables)
    eight = network.with_name(network.stem + INT8)
    quantize(network, pictures, eight, DETECTOR_OPERATORS, FLOAT_LAYERS, HEAD)
    store_fp16(network)
    return [eight, network]


def export_roi_head(run: Run) -> list[Path]:
    """Exports the first parent, a checkpoint, to ONNX in 8 bits, its ranges those of what the second, a detector,
    finds; and beside it in float, and the last layers, which know the standard deck.

    Settings: ``count`` of blocks, ``world``, ``blocks``.
    """
    net, deck = roi_network.load(run.parents[0][0]), run.folder / STANDARD
    roi_network.deck_head(net).save(deck)
    network = roi_network.export_onnx(net, run.folder / ROI_HEAD)
    draw = _roi_blocks(_settings(run, RoiSettings), run.assets, run.parents[1][0])
    blocks = [draw(number) for number in range(run.settings["count"])]

    def inputs(number: int) -> dict[str, NDArray[Any]]:
        rows = roi_training.sample_rows(blocks, BATCH, run.settings["seed"], number)
        batch = roi_training.as_tensors(rows, torch.device("cpu"))
        return {name: batch[name].numpy() for name in INPUTS}

    eight = run.folder / f"{network.stem}{INT8}"
    quantize(network, map(inputs, range(BATCHES)), eight)
    return [network, deck, eight]


def weights(run: Run) -> list[Path]:
    """The folder of weights that the reader loads: the detector and the RoI head of the first two parents, the third,
    a checkpoint of the relations, exported, and how sure a name and a card are, fitted to development tables.

    Settings: ``count`` of blocks, ``world``, ``blocks``.
    """
    detector, (_, deck, head), (trained, *_) = run.parents
    for path in (*detector, head, deck):
        shutil.copyfile(path, run.folder / path.name)
    store_fp16(relations_network.export_onnx(trained, run.folder / RELATIONS))
    draw = _relation_tables(_settings(run, RoiSettings), run.assets, "development", detector[0], (head, deck))
    tables = [table for number in range(run.settings["count"]) for table in draw(number)]
    write_fitted(run.folder, fit_certainties([]))
    model = load_relations(run.folder)
    write_fitted(run.folder, fit_certainties([(table, model.score(table.detections)) for table in tables]))
    return sorted(run.folder.iterdir())


KINDS: dict[str, Kind] = {
    "detector": train_detector,
    "roi_head": train_roi_head,
    "relations": train_relations,
    "export_detector": export_detector,
    "export_roi_head": export_roi_head,
    "weights": weights,
}
