"""Stages of the RoI head: its training, its figures on decks that are not trained on, and its export."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from datasets.assets.manifest import MANIFEST, Part, read_manifest, use_part
from datasets.scenes.world import World
from models.export.quantize import BATCH, BATCHES, quantize
from models.networks.layers import load_state, save_state
from models.networks.roi_head import STATE, RoiHeadNet, deck_head, export_onnx, load
from models.pipeline.recipe import RecipeError
from models.pipeline.ring import BlockRing, DrawBlock, Prefetched, RingShape
from models.pipeline.run_folder import Run
from models.samples.roi_head import RoiSettings, draw_block
from models.train.loop import Recipe, best_device, train_steps
from models.train.roi_head import (
    Batch,
    RoiAugmentation,
    RoiLossWeights,
    as_tensors,
    evaluate,
    prepare,
    roi_step,
    sample_rows,
)
from vision.detect.detector import OnnxDetector
from vision.engines.kinds.onnx import onnx_session
from vision.engines.weights import INT8
from vision.recognise.deck_head import STANDARD
from vision.recognise.roi_head import INPUTS, ROI_HEAD

AHEAD = 4
"""Batches prepared before they are needed."""


@dataclass(frozen=True, slots=True)
class DrawRoiBlocks:
    """Makes, in a drawing process, the function that draws its blocks: from the decks and fonts of ``part``.

    Without an ``assets`` folder from whatever is installed, and from drawn decks only.
    """

    settings: RoiSettings
    detector: Path
    assets: Path | None
    part: Part

    def __call__(self) -> DrawBlock:
        torch.set_num_threads(1)
        packaged = use_part(self.assets, self.part, read_manifest(MANIFEST)) if self.assets else []
        detector = OnnxDetector(onnx_session(self.detector, 1))
        return lambda number: draw_block(self.settings, number, packaged, detector)


def blocks_of(run: Run, part: Part, detector: Path) -> DrawRoiBlocks:
    """The blocks of a run's settings ``world``, ``blocks`` and ``seed``, from decks and fonts of a part."""
    if part == "sealed":
        raise RecipeError(f"expected stage {run.spec.name} to draw from any part but the sealed one")
    settings = run.spec.settings
    blocks = RoiSettings(World(**settings.get("world", {})), seed=settings["seed"], **settings.get("blocks", {}))
    return DrawRoiBlocks(blocks, detector, run.assets, part)


def train(run: Run) -> list[Path]:
    """Trains the RoI head on what the parent, a detector, finds, and makes a checkpoint of the averaged weights.

    A second parent is a checkpoint to start from. Settings: steps, batch, ``optimizer`` (``models.train.loop.Recipe``),
    ``loss``, ``augmentation``, ``blocks``, ``ring`` and ``world``.
    """
    settings: Any = run.spec.settings
    steps, batch, seed = int(settings["steps"]), int(settings["batch"]), int(settings["seed"])
    ring = BlockRing(
        run.folder / "ring",
        blocks_of(run, "training", run.parent_file()),
        RingShape(**settings.get("ring", {})),
        steps,
        run.processes,
    )
    augmentation, device = RoiAugmentation(**settings.get("augmentation", {})), best_device()

    def batch_of(number: int) -> Batch:
        return prepare(sample_rows(ring.blocks(number), batch, seed, number), augmentation, device, seed, number)

    batches: Prefetched[Batch] = Prefetched(batch_of, steps, AHEAD)

    def saved(average: nn.Module) -> None:
        save_state(average, run.folder / STATE)
        run.check_time()

    run.continued()
    torch.manual_seed(seed)
    net: nn.Module = load_state(RoiHeadNet(), run.parent_file(1)) if len(run.spec.parents) > 1 else RoiHeadNet()
    over = False
    try:
        average = train_steps(
            net,
            roi_step(batches, RoiLossWeights(**settings.get("loss", {}))),
            Recipe(**settings["optimizer"]),
            steps,
            run.state,
            seed=seed,
            save_every=int(settings.get("save_every", 200)),
            log_every=int(settings.get("log_every", 50)),
            log=run.log,
            saved=saved,
        )
        over = True
    finally:
        batches.close()
        ring.close(remove=over)
    return [save_state(average, run.folder / STATE)]


def check(run: Run) -> list[Path]:
    """Writes figures of the first parent, a network, on what the second, a detector, finds on tables not trained on.

    Settings: ``part`` of the manifest, ``count`` of blocks, ``world``, ``blocks``.
    """
    settings = run.spec.settings
    draw = blocks_of(run, settings.get("part", "development"), run.parent_file(1))()
    device = best_device()
    net = load(run.parent_file()).to(device)
    blocks = [draw(number) for number in range(int(settings["count"]))]
    figures = {"samples": float(sum(map(len, blocks))), **evaluate(net, blocks, device)}
    run.log(0, figures)
    target = run.folder / "figures.json"
    target.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return [target]


def export(run: Run) -> list[Path]:
    """Exports the parent, a network, to ONNX, and its last layers, which know the standard deck, to a file apart."""
    deck = run.folder / STANDARD
    net = load(run.parent_file())
    deck_head(net).save(deck)
    return [export_onnx(net, run.folder / ROI_HEAD), deck]


def export_int8(run: Run) -> list[Path]:
    """Quantizes the first parent, an exported network, on crops of what the second, a detector, finds.

    Settings: ``count`` of blocks, ``world``, ``blocks``.
    """
    draw = blocks_of(run, "training", run.parent_file(1))()
    blocks = [draw(number) for number in range(int(run.spec.settings["count"]))]

    def inputs(number: int) -> dict[str, NDArray[np.float32]]:
        rows = sample_rows(blocks, BATCH, run.spec.settings["seed"], number)
        batch = as_tensors(rows, torch.device("cpu"))
        return {name: batch[name].numpy() for name in INPUTS}

    source = run.parent_file()
    return [quantize(source, map(inputs, range(BATCHES)), run.folder / f"{source.stem}{INT8}")]
