"""Stage of the detector: its training on the drawn world."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from datasets.assets.manifest import MANIFEST, Part, read_manifest, use_part
from datasets.scenes.world import World
from models.networks.detector import build
from models.networks.layers import load_state
from models.pipeline.ring import BlockRing, DrawBlock, Prefetched, RingShape
from models.pipeline.run_folder import Run
from models.samples.detector import Batch, DetectorSettings, draw_block
from models.train.detector import DetectorAugmentation, detector_step, prepared, save_checkpoint
from models.train.loop import Recipe, train_steps

RESULT = "detector.pt"
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


def train(run: Run) -> list[Path]:
    """Trains the detector, from the parent, a checkpoint, if there is one.

    Settings: steps, batch, ``optimizer`` (``models.train.loop.Recipe``), ``augmentation``, ``blocks``, ``ring`` and
    ``world``.
    """
    settings: Any = run.spec.settings
    steps, batch, seed = int(settings["steps"]), int(settings["batch"]), int(settings["seed"])
    blocks = DetectorSettings(World(**settings.get("world", {})), seed=seed, **settings.get("blocks", {}))
    shape = RingShape(**settings.get("ring", {}))
    ring = BlockRing(
        run.folder / "ring", DrawDetectorBlocks(blocks, run.assets, "training"), shape, steps, run.processes
    )
    augmentation = DetectorAugmentation(**settings.get("augmentation", {}))
    batches: Prefetched[Batch] = Prefetched(
        lambda number: prepared(ring.blocks(number), batch, augmentation, seed, number), steps, AHEAD
    )

    def saved(number: int, average: nn.Module) -> None:
        save_checkpoint(average, run.folder / RESULT)
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
    return save_checkpoint(average, run.folder / RESULT)
