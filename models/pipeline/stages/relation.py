"""Stages of the relations network: its training, its export, and the folder of weights of all three networks."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from datasets.assets.manifest import MANIFEST, Part, read_manifest, use_part
from datasets.scenes.world import World
from models.export.calibration import fit_certainties
from models.export.manifest import write_fitted
from models.export.storage import store_fp16
from models.networks.layers import load_state, save_state
from models.networks.relations import RelationsNet, export_onnx, load
from models.pipeline.ring import BlockRing, DrawBlock, Prefetched, RingShape
from models.pipeline.run_folder import Run
from models.samples.relations import LabelledTable, Rows, block_of, draw_tables
from models.samples.roi_head import RoiSettings
from models.train.loop import Recipe, steps_done, train_steps
from models.train.relations import evaluate, relations_step, sampled, standardise
from vision.detect.detector import OnnxDetector
from vision.engines.kinds.onnx import onnx_session
from vision.engines.load import load_relations
from vision.recognise.deck_head import load_deck_head
from vision.recognise.roi_head import OnnxRoiHead
from vision.rescore.relations import RELATIONS

RESULT = "relations.pt"
KEPT = (".onnx", ".npz", ".json")
"""Endings of the files of a folder of weights."""
NOTES = ("config.json", "environment.json")
"""Files of a run's folder that are no weights."""
AHEAD = 4
"""Batches gathered before they are needed."""


@dataclass(frozen=True, slots=True)
class DrawRelationBlocks:
    """Makes, in a drawing process, the function that draws its blocks; as ``DrawRoiBlocks``, and with the RoI head and
    deck head that read the tables."""

    settings: RoiSettings
    detector: Path
    head: Sequence[Path]
    assets: Path | None
    part: Part

    def __call__(self) -> DrawBlock:
        draw = self.tables()
        return lambda number: block_of(draw(number))

    def tables(self) -> Any:
        """The function that draws and reads the tables of a block."""
        torch.set_num_threads(1)
        packaged = use_part(self.assets, self.part, read_manifest(MANIFEST)) if self.assets else []
        detector, head = OnnxDetector(onnx_session(self.detector, 1)), OnnxRoiHead(onnx_session(self.head[0], 1))
        deck = load_deck_head(self.head[1])
        return lambda number: draw_tables(self.settings, number, packaged, detector, head, deck)


def _drawn(run: Run, part: Part, head: Sequence[Path] = ()) -> DrawRelationBlocks:
    """Draws tables of ``part``, read by the RoI head and deck ``head``; by default those of the second parent."""
    settings = run.spec.settings
    blocks = RoiSettings(World(**settings.get("world", {})), seed=settings["seed"], **settings.get("blocks", {}))
    return DrawRelationBlocks(blocks, run.parent_file(), head or run.parents[run.spec.parents[1]], run.assets, part)


def train(run: Run) -> list[Path]:
    """Trains on what the parents, a detector and an exported RoI head, see of drawn tables, and makes a checkpoint of
    the averaged weights. A third parent is a checkpoint to start from.

    Settings: steps, batch (tables), ``optimizer``, ``blocks``, ``ring`` and ``world`` as for the RoI head.
    """
    settings: Any = run.spec.settings
    steps, batch, seed = int(settings["steps"]), int(settings["batch"]), int(settings["seed"])
    shape = RingShape(**settings.get("ring", {}))
    ring = BlockRing(run.folder / "ring", _drawn(run, "training"), shape, steps, run.processes)
    tables: Prefetched[list[Rows]] = Prefetched(lambda n: sampled(ring.blocks(n), batch, seed, n), steps, AHEAD)
    run.continued()
    torch.manual_seed(seed)
    net, over, goes_on = RelationsNet(), False, len(run.spec.parents) > 2
    if goes_on:
        load_state(net, run.parent_file(2))
    try:
        if not goes_on and not steps_done(run.state):
            standardise(net, ring.blocks(0))
        average = train_steps(
            net,
            relations_step(tables),
            Recipe(**settings["optimizer"]),
            steps,
            run.state,
            seed=seed,
            save_every=int(settings.get("save_every", 200)),
            log_every=int(settings.get("log_every", 50)),
            log=run.log,
            saved=lambda average: run.check_time(),
        )
        over = True
    finally:
        tables.close()
        ring.close(remove=over)
    return [save_state(average, run.folder / RESULT)]


def export(run: Run) -> list[Path]:
    """Exports the parent, a network, to ONNX, its weights in half precision."""
    network = export_onnx(run.parent_file(), run.folder / RELATIONS)
    store_fp16(network)
    return [network]


def weights(run: Run) -> list[Path]:
    """The folder of weights that the reader loads: the files of the parents, and how sure a name and a card are, fitted
    to development tables.

    The parents are detector, quantized RoI head, its export with the deck, relations, and their checkpoint for its
    figures. Settings: ``count`` of blocks, ``world``, ``blocks``.
    """
    detector, quantized, head, relations, trained = (run.parents[name] for name in run.spec.parents)
    for path in (*detector, *quantized, head[1], *relations):
        shutil.copyfile(path, run.folder / path.name)
    draw = _drawn(run, "development", (quantized[0], head[1])).tables()
    tables: list[LabelledTable] = [table for n in range(int(run.spec.settings["count"])) for table in draw(n)]
    run.log(0, evaluate(load(trained[0]), block_of(tables)))
    write_fitted(run.folder, fit_certainties([]))
    model = load_relations(run.folder)
    write_fitted(run.folder, fit_certainties([(table, model.score(table.detections)) for table in tables]))
    return sorted(path for path in run.folder.iterdir() if path.suffix in KEPT and path.name not in NOTES)
