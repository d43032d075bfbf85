"""Goes on training the namer on what the finder finds: ``python -m models.train.tune_classifier --run runs``.

The first training guesses how the finder errs; here the namer sees its real outlines, and learns to refuse what it
wrongly takes for an index: pips, frames of court cards, lettering. Half of the patches are still of the first kind.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from datasets.decks.deck_art import DeckArt
from datasets.decks.splits import training_decks
from datasets.scenes.tables import Table
from models.samples.index_classifier import Item, PatchStream, patches, proposals
from models.train.index_classifier import train
from vision.crops.pyramid import pyramid
from vision.detect.detector import Detector
from vision.engines.load import load_detector, load_outline_refiner
from vision.engines.weights import FOLDER


class FoundStream(PatchStream):
    """Patches for ever, about half of them cut where the finder of ``weights`` points."""

    def __init__(self, decks: Sequence[DeckArt], seed: int, weights: Path) -> None:
        super().__init__(decks, seed, each=1)
        self.weights = weights

    def __iter__(self) -> Iterator[Item]:
        self.finder: Detector = load_detector(weights=self.weights)
        self.settler = load_outline_refiner(self.weights)
        return super().__iter__()

    def of_table(self, rng: np.random.Generator, table: Table) -> list[Item]:
        scale = float(rng.uniform(0.8, 1.25))
        found = self.finder.detect(table.picture, scale).split_by_confidence()[0].snapped_to_boxes()
        return proposals(table, self.settler.refine(pyramid(table.picture), found).found) + patches(
            rng, table, self.each
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--run", type=Path, default=Path("runs"), help="the folder with index_classifier.pt; it is overwritten"
    )
    parser.add_argument("--weights", type=Path, default=FOLDER, help="exported weights, for finder and settler")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--highest", type=float, default=1e-3, help="highest learning rate")
    given = parser.parse_args()
    stream = FoundStream(training_decks(drawn=0), given.seed, given.weights)
    train(
        given.run,
        given.minutes,
        given.seed,
        workers=given.workers,
        highest=given.highest,
        resume=given.run / "index_classifier.pt",
        stream=stream,
    )


if __name__ == "__main__":
    main()
