"""Goes on training the namer on what the finder finds: ``python -m models.train.tune_classifier --run runs``.

The first training guesses how the finder errs; here the namer sees its real outlines, and learns to refuse what it
wrongly takes for an index: pips, frames of court cards, lettering. Half of the patches are still of the first kind.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from datasets.art import DeckArt
from datasets.decks import training_decks
from datasets.tables import Table, TrueIndex
from models.samples.index_classifier import NO_SHIFT, Item, PatchStream, patches, shift_of, target
from models.train.index_classifier import train
from vision.crops.index_patch import cut_patch
from vision.crops.pyramid import pyramid
from vision.detect.detector import Finder, Found
from vision.engines.load import load_finder, load_settler
from vision.engines.weights import FOLDER
from vision.geometry import sane, width_of

MATCH, APART = 0.13, 0.25
"""A find within MATCH card widths of an index shows it; one further than APART from all shows none."""


def _off(index: TrueIndex, found: Found, i: int) -> float:
    """How far find ``i`` is from a true index, in card widths, at the corners nearest to the index."""
    apart = np.hypot(*(found.quads[i] - index.quad).T)
    near = apart[[0, 1, 2]] if index.right else apart[[0, 1, 3]]
    return float(0.6 * near[1 if index.right else 0] + 0.4 * near.mean()) / width_of(index.quad)


def proposals(table: Table, found: Found) -> list[Item]:
    """Patches of what was found on ``table``, named after the truth; finds between right and wrong are left out."""
    made: list[Item] = []
    known = (*table.indices, *table.doubtful)
    rights = found.rights().tolist()
    for i in map(int, np.flatnonzero(sane(found.quads))):
        right = rights[i]
        near = sorted((_off(index, found, i), n) for n, index in enumerate(known) if index.right == right)
        patch = cut_patch(table.picture, found.quads[i], right)
        if near and near[0][0] < MATCH:
            index = known[near[0][1]]
            made.append((patch, *target(index.face), shift_of(found.quads[i], right, index.quad)))
        elif not near or near[0][0] > APART:
            made.append((patch, *target(None), NO_SHIFT))
    return made


class FoundStream(PatchStream):
    """Patches for ever, about half of them cut where the finder of ``weights`` points."""

    def __init__(self, decks: Sequence[DeckArt], seed: int, weights: Path) -> None:
        super().__init__(decks, seed, each=1)
        self.weights = weights

    def __iter__(self) -> Iterator[Item]:
        self.finder: Finder = load_finder(weights=self.weights)
        self.settler = load_settler(self.weights)
        return super().__iter__()

    def of_table(self, rng: np.random.Generator, table: Table) -> list[Item]:
        scale = float(rng.uniform(0.8, 1.25))
        found = self.finder.find(table.picture, scale).parted()[0].settled()
        return proposals(table, self.settler.settle(pyramid(table.picture), found).found) + patches(
            rng, table, self.each
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, default=Path("runs"), help="the folder with namer.pt; it is overwritten")
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
        resume=given.run / "namer.pt",
        stream=stream,
    )


if __name__ == "__main__":
    main()
