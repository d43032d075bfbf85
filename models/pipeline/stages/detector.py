"""Stages of the detector: its training on the drawn world, and its export."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from datasets.assets.manifest import MANIFEST, Part, read_manifest, use_part
from datasets.scenes.world import World
from models.export.quantize import DETECTOR_OPERATORS, FLOAT_LAYERS, PICTURES, quantize
from models.export.storage import store_fp16
from models.networks.detector import build, export_onnx, save_for_export
from models.networks.layers import load_state, save_state
from models.pipeline.ring import BlockRing, DrawBlock, Prefetched, RingShape
from models.pipeline.run_folder import Run
from models.samples.detector import Batch, DetectorSettings, draw_block
from models.train.detector import DetectorAugmentation, detector_step, prepared
from models.train.loop import Recipe, train_steps
from vision.arrays import floats
from vision.detect.yolo_head import HEAD
from vision.engines.weights import INT8

RESULT, NETWORK = "detector.pt", "detector.onnx"
AHEAD = 2
"""Batches prepared before they are needed."""


@dataclass(frozen=True, slots=True)
class DrawDetectorBlocks:
    """Makes, in a drawing process, the function that draws its blocks from the decks and fonts of ``part``; without an
    ``assets`` folder from drawn decks alone, in whatever fonts are installed."""

    settings: DetectorSettings
    assets: Path | None
    part: Part

    def __call__(self) -> DrawBlock:
        torch.set_num_threads(1)
        packaged = use_part(self.assets, self.part, read_manifest(MANIFEST)) if self.assets else []
        return lambda number: draw_block(self.settings, number, packaged)


def _blocks_of(run: Run, **changed: Any) -> DrawDetectorBlocks:
    """Training blocks of a run's settings ``world``, ``blocks`` and ``seed``."""
    settings = run.spec.settings
    given = {**settings.get("blocks", {}), **changed}
    return DrawDetectorBlocks(
        DetectorSettings(World(**settings.get("world", {})), seed=settings["seed"], **given), run.assets, "training"
    )


def train(run: Run) -> list[Path]:
    """Trains the detector, from the parent, a checkpoint, if there is one; makes a checkpoint of the averaged weights.

    Settings: steps, batch, ``optimizer`` (``models.train.loop.Recipe``), ``augmentation``, ``blocks``, ``ring`` and
    ``world``.
    """
    settings: Any = run.spec.settings
    steps, batch, seed = int(settings["steps"]), int(settings["batch"]), int(settings["seed"])
    shape = RingShape(**settings.get("ring", {}))
    ring = BlockRing(run.folder / "ring", _blocks_of(run), shape, steps, run.processes)
    augmentation = DetectorAugmentation(**settings.get("augmentation", {}))
    batches: Prefetched[Batch] = Prefetched(
        lambda number: prepared(ring.blocks(number), batch, augmentation, seed, number), steps, AHEAD
    )

    def saved(average: nn.Module) -> None:
        save_state(average, run.folder / RESULT)
        run.check_time()

    run.continued()
    torch.manual_seed(seed)
    net, over = build(), False
    if run.spec.parents:
        load_state(net, run.parent_file())
    try:
        average = train_steps(
            net.train(),
            detector_step(batches),
            Recipe(**settings["optimizer"]),
            steps,
            run.state,
            seed=seed,
            save_every=int(settings.get("save_every", 200)),
            log_every=int(settings.get("log_every", 25)),
            log=run.log,
            saved=saved,
        )
        over = True
    finally:
        batches.close()
        ring.close(remove=over)
    return [save_state(average, run.folder / RESULT)]


def export(run: Run) -> list[Path]:
    """Exports the parent, a checkpoint, to ONNX in 8 bits, with ranges of drawn tables, and in float beside it.

    Settings: ``tables``, their number, ``world`` and ``blocks``.
    """
    network = run.folder / NETWORK
    with tempfile.TemporaryDirectory() as work:  # ultralytics writes beside what it exports
        opened = Path(work) / RESULT
        save_for_export(load_state(build(), run.parent_file()).eval(), opened)
        export_onnx(opened, network)
    tables = _blocks_of(run, tables=int(run.spec.settings.get("tables", PICTURES)))()(0)["picture"]
    pictures = ({"images": floats(table[None, :, :, ::-1].transpose(0, 3, 1, 2) / 255)} for table in tables)
    eight = network.with_name(network.stem + INT8)
    quantize(network, pictures, eight, DETECTOR_OPERATORS, FLOAT_LAYERS, HEAD)
    store_fp16(network)
    return [eight, network]
