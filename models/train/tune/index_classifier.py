"""Fine-tunes the index classifier on what the detector finds: ``python -m models.train.tune.index_classifier``.

The first training simulates the detector's errors. Here the network sees its real outlines and learns to reject what is
wrongly detected: pips, frames of court cards, text. Half of the patches are still of the first kind.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import training_decks
from datasets.scenes.tables import Table
from models.samples.index_classifier import Item, PatchStream, detection_patches, true_patches
from models.train.index_classifier import train
from models.train.options import need_checkpoints, positive
from vision.crops.pyramid import pyramid
from vision.detect.detector import Detector
from vision.engines.load import load_detector, load_outline_refiner
from vision.engines.weights import FOLDER


class DetectionStream(PatchStream):
    """An endless stream of patches, about half of them cut where the detector of ``weights`` finds an index."""

    def __init__(self, decks: Sequence[DeckArt], seed: int, weights: Path) -> None:
        super().__init__(decks, seed, each=1)
        self.weights = weights

    def __iter__(self) -> Iterator[Item]:
        self.detector: Detector = load_detector(weights=self.weights)
        self.refiner = load_outline_refiner(self.weights)
        return super().__iter__()

    def of_table(self, rng: np.random.Generator, table: Table) -> list[Item]:
        scale = float(rng.uniform(0.8, 1.25))
        detections = self.detector.detect(table.picture, scale).split_by_confidence()[0].snapped_to_boxes()
        refined = self.refiner.refine(pyramid(table.picture), detections)
        return detection_patches(table, refined) + true_patches(rng, table, self.each)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--run", type=Path, default=Path("runs"), help="folder with index_classifier.pt, which is overwritten"
    )
    parser.add_argument(
        "--weights", type=Path, default=FOLDER, help="folder with the exported detector and outline refiner"
    )
    parser.add_argument("--minutes", type=positive, default=10, help="length of the training (default: 10)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1, help="processes that draw samples (default: 1)")
    parser.add_argument("--highest", type=float, default=1e-3, help="highest learning rate (default: 0.001)")
    options = parser.parse_args()
    need_checkpoints(parser, options.run, "index_classifier.pt")
    stream = DetectionStream(training_decks(drawn=0), options.seed, options.weights)
    train(
        options.run,
        options.minutes,
        options.seed,
        workers=options.workers,
        highest=options.highest,
        resume=options.run / "index_classifier.pt",
        stream=stream,
    )


if __name__ == "__main__":
    main()
