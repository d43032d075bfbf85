"""Patches and windows as the reader cuts them on drawn tables, stored on disk for several epochs of fine-tuning.

Drawing a table takes longer than training on it. Jokers differ with every printer and must be seen by the thousand, so
all their patches are stored, as are those without an index; of the others only a part.
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
from models.samples.index_classifier import NO_INDEX, RANK_CLASSES, detection_patches, true_patches
from models.samples.outline_refiner import windows
from vision.crops.batching import SERIAL
from vision.crops.pyramid import pyramid
from vision.detect.detector import OnnxDetector
from vision.engines.load import load_outline_refiner, onnx_session
from vision.engines.weights import fastest_path
from vision.recognise.plane_fit import align_to_plane

CARD_SHARE, WINDOW_SHARE = 0.4, 0.5
"""Shares stored of the patches of cards other than jokers, and of all windows."""
TIGHT_SHARE = 0.25
"""Share of tables on which hardly more than its rank shows of any card."""
PATCH_COLUMNS = ("pictures", "ranks", "suits", "shifts")
WINDOW_COLUMNS = ("pictures", "shifts", "rights", "reals")


def draw_crops(seed: int, count: int, weights: Path, folder: Path) -> Path:
    """Draws ``count`` tables and writes the patches and windows that result from detector and outline refiner of
    ``weights`` to ``folder``; returns the path with which the files' names begin. Existing files are kept."""
    target = folder / f"close-{seed}"
    done = target.with_suffix(".npz")
    if done.exists():
        return target
    cv2.setNumThreads(1)
    # one thread each: several processes do this at once
    detector = OnnxDetector(onnx_session(fastest_path("detector", weights), 1))
    refiner = load_outline_refiner(weights, SERIAL)
    rng = np.random.default_rng([seed, 5])
    tables = drawn_tables(rng, training_decks(drawn=0), tight_share=TIGHT_SHARE)
    always_stored = (RANK_CLASSES.index("JK"), NO_INDEX)
    stored_patches: list[Any] = []
    stored_windows: list[Any] = []
    for _ in range(count):
        table = next(tables)
        scale = float(rng.uniform(0.8, 1.25))
        detections = detector.detect(table.picture, scale).split_by_confidence()[0].snapped_to_boxes()
        refined = refiner.refine(pyramid(table.picture), detections)
        for item in (*detection_patches(table, refined), *true_patches(rng, table, 1)):
            if item[1] in always_stored or rng.random() < CARD_SHARE:
                stored_patches.append(item)
        for window in windows(rng, table, align_to_plane(detections, detections.scores)):
            if rng.random() < WINDOW_SHARE:
                stored_windows.append(window)
    folder.mkdir(parents=True, exist_ok=True)
    columns: dict[str, Any] = {}
    for kind, names, items in (
        ("patch", PATCH_COLUMNS, stored_patches),
        ("window", WINDOW_COLUMNS, stored_windows),
    ):
        pictures, *rest = (np.stack([np.asarray(value) for value in part]) for part in zip(*items, strict=True))
        np.save(folder / f"close-{seed}-{kind}.npy", pictures)
        columns |= {f"{kind}-{name}": values for name, values in zip(names[1:], rest, strict=True)}
    np.savez(done, **columns)
    return target


class StoredCrops:
    """The crops of one ``kind``, "patch" or "window", that several calls of ``draw_crops`` wrote."""

    def __init__(self, drawn: Sequence[Path], kind: str) -> None:
        names = (PATCH_COLUMNS if kind == "patch" else WINDOW_COLUMNS)[1:]
        self._pictures = [np.load(f"{path}-{kind}.npy", mmap_mode="r") for path in drawn]
        truth = [np.load(path.with_suffix(".npz")) for path in drawn]
        self._truth = [np.concatenate([part[f"{kind}-{name}"] for part in truth]) for name in names]
        if kind == "window":  # one column per number
            self._truth = [values.reshape(len(values), -1) for values in self._truth]
        sizes = [len(pictures) for pictures in self._pictures]
        self._file = np.repeat(np.arange(len(sizes)), sizes)
        self._position = np.concatenate([np.arange(size) for size in sizes])

    def __len__(self) -> int:
        return len(self._file)

    def batches(self, batch: int, rng: np.random.Generator) -> Iterator[tuple[torch.Tensor, ...]]:
        """Yields batches endlessly, shuffled in each epoch: pictures (n, 3, height, width) RGB in 0..1, and the truth
        as ``collate`` of ``index_classifier`` or ``outline_refiner`` has it."""
        while True:
            order = rng.permutation(len(self))
            for start in range(0, max(len(order) - batch + 1, 1), batch):
                yield self._select(order[start : start + batch])

    def _select(self, numbers: NDArray[np.intp]) -> tuple[torch.Tensor, ...]:
        pictures = np.stack([self._pictures[self._file[n]][self._position[n]] for n in numbers])
        tensor = torch.from_numpy(np.ascontiguousarray(pictures[:, :, :, ::-1].transpose(0, 3, 1, 2))).float() / 255
        truth = []
        for values in self._truth:
            column = torch.from_numpy(values[numbers])
            truth.append(column.float() if column.is_floating_point() else column.long())
        return (tensor, *truth)
