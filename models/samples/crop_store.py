"""Patches and windows as the reader cuts them on drawn tables, kept on file: what namer and settler go on learning
from together, several times over.

Drawing a table takes longer than learning from it, and jokers, of which no two printers make the same, must be seen by
the thousand; so their patches are all kept, as are those that show no index, and of the others a part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from datasets.decks.splits import training_decks
from models.samples.detector import drawn_tables
from models.samples.index_classifier import NONE, RANK_CLASSES, patches, proposals
from models.samples.outline_refiner import windows
from vision.batching import SERIAL
from vision.crops.pyramid import pyramid
from vision.detect.detector import OnnxDetector
from vision.engines.load import load_outline_refiner, onnx_session
from vision.engines.weights import fastest_path
from vision.recognise.plane_fit import align_to_plane

KEPT_CARDS, KEPT_WINDOWS = 0.4, 0.5
"""So many patches of cards that are no jokers are kept, and so many of all windows."""
TIGHT = 0.25
"""On this share of tables hardly more than its rank shows of any card."""
PATCH_PARTS = ("pictures", "ranks", "suits", "shifts")
WINDOW_PARTS = ("pictures", "shifts", "rights", "reals")


def draw_views(seed: int, count: int, weights: Path, folder: Path) -> Path:
    """Writes what the finder and settler of ``weights`` make the reader cut on ``count`` drawn tables to files in
    ``folder``; returns the path they begin with. What is there already is kept."""
    target = folder / f"close-{seed}"
    done = target.with_suffix(".npz")
    if done.exists():
        return target
    cv2.setNumThreads(1)
    # one thread each: several processes do this at once
    finder = OnnxDetector(onnx_session(fastest_path("detector", weights), 1))
    settler = load_outline_refiner(weights, SERIAL)
    rng = np.random.default_rng([seed, 5])
    tables = drawn_tables(rng, training_decks(drawn=0), tight=TIGHT)
    kept = (RANK_CLASSES.index("JK"), NONE)
    named: list[Any] = []
    settled: list[Any] = []
    for _ in range(count):
        table = next(tables)
        found = finder.detect(table.picture, float(rng.uniform(0.8, 1.25))).split_by_confidence()[0].snapped_to_boxes()
        closer = settler.refine(pyramid(table.picture), found).found
        for item in (*proposals(table, closer), *patches(rng, table, 1)):
            if item[1] in kept or rng.random() < KEPT_CARDS:
                named.append(item)
        for window in windows(rng, table, align_to_plane(found, found.scores)):
            if rng.random() < KEPT_WINDOWS:
                settled.append(window)
    folder.mkdir(parents=True, exist_ok=True)
    columns: dict[str, Any] = {}
    for kind, parts, items in (("patch", PATCH_PARTS, named), ("window", WINDOW_PARTS, settled)):
        pictures, *rest = (np.stack([np.asarray(value) for value in part]) for part in zip(*items, strict=True))
        np.save(folder / f"close-{seed}-{kind}.npy", pictures)
        columns |= {f"{kind}-{name}": values for name, values in zip(parts[1:], rest, strict=True)}
    np.savez(done, **columns)
    return target


class Views:
    """The ``kind``, "patch" or "window", of what several calls of ``draw_views`` wrote, in batches."""

    def __init__(self, drawn: Sequence[Path], kind: str) -> None:
        names = (PATCH_PARTS if kind == "patch" else WINDOW_PARTS)[1:]
        self._pictures = [np.load(f"{path}-{kind}.npy", mmap_mode="r") for path in drawn]
        told = [np.load(path.with_suffix(".npz")) for path in drawn]
        self._told = [np.concatenate([part[f"{kind}-{name}"] for part in told]) for name in names]
        if kind == "window":  # a column for every number
            self._told = [values.reshape(len(values), -1) for values in self._told]
        sizes = [len(pictures) for pictures in self._pictures]
        self._file = np.repeat(np.arange(len(sizes)), sizes)
        self._place = np.concatenate([np.arange(size) for size in sizes])

    def __len__(self) -> int:
        return len(self._file)

    def batches(self, batch: int, rng: np.random.Generator) -> Iterator[tuple[torch.Tensor, ...]]:
        """Batches for ever, nearly all views before any comes again: pictures (n, 3, height, width) RGB in 0..1,
        and the rest as ``namer_data.collate`` or ``settler_data.collate`` has it."""
        while True:
            order = rng.permutation(len(self))
            for start in range(0, max(len(order) - batch + 1, 1), batch):
                yield self._some(order[start : start + batch])

    def _some(self, places: NDArray[np.intp]) -> tuple[torch.Tensor, ...]:
        pictures = np.stack([self._pictures[self._file[n]][self._place[n]] for n in places])
        given = torch.from_numpy(np.ascontiguousarray(pictures[:, :, :, ::-1].transpose(0, 3, 1, 2))).float() / 255
        rest = []
        for values in self._told:
            column = torch.from_numpy(values[places])
            rest.append(column.float() if column.is_floating_point() else column.long())
        return (given, *rest)
