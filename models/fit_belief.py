"""Fits what weighs the finds, ``models/weights/belief.json``, to drawn tables: ``python -m models.fit_belief``.

The tables are of decks drawn with seeds that no training uses and of the packages' training decks. What is fitted is
how likely a find, if it is believed, is an index whose rank is read right.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

from datasets.decks import training_decks
from datasets.tables import Table, TrueIndex
from models.drawn_set import readable_table
from models.export import note_hashes
from models.namer_data import RANK_CLASSES
from models.settler_data import APART, SAME, box_middle
from vision.believing import SIGNS, read_belief, signs
from vision.engines import load_finder, load_namer, load_settler
from vision.geometry import Floats, floats, width_of
from vision.looking import look
from vision.naming import Named, name_finds
from vision.weights import FOLDER

FIRST_SEED = 5_000_000
"""Decks are drawn from this seed on; trainings use lower ones and new decks far higher ones."""
LEAST = (9.0, 20.0)
"""Between these, in pixels, lies the least height of a table's readable ranks."""
DEPTH, TREES, RATE = 3, 400, 0.06
RISING = ("found", "real", "some", "rank", "suit", "found around", "mate")
"""The more of these, the likelier is a find, whatever else is said of it."""


def labelled(table: Table, named: Named, scores: Floats) -> tuple[Floats, Floats]:
    """For each named find whether it is an index of ``table`` whose rank is read right, and how much that counts.

    Only the surest find of an index counts. An index that is too much covered to be asked for counts where it is read
    wrongly: read rightly it does no harm.
    """
    known: tuple[TrueIndex, ...] = (*table.indices, *table.doubtful)
    right, weight = np.zeros(len(named.places), np.float32), np.zeros(len(named.places), np.float32)
    middles = floats([box_middle(index) for index in known]).reshape(-1, 2)
    widths = floats([width_of(index.quad) for index in known])
    taken: set[int] = set()
    for n in np.argsort(-scores[list(named.places)]):
        box = named.found.boxes[named.places[n]]
        apart = np.hypot(*(middles - (box[:2] + box[2:]) / 2).T) / widths
        nearest = int(apart.argmin()) if len(apart) else -1
        if not len(apart) or apart[nearest] > APART:
            weight[n] = 1
        elif apart[nearest] < SAME and nearest not in taken:
            taken.add(nearest)
            face, readable = known[nearest].face, nearest < len(table.indices)
            read = face is not None and RANK_CLASSES[int(named.names.ranks[n].argmax())] == face.rank
            right[n], weight[n] = read and readable, readable or not read
    return right, weight


def gather(seed: int, first: int, count: int, weights: Path, drawn: int = 90) -> tuple[Floats, Floats, Floats]:
    """Signs, labels and weights of all finds on ``count`` tables from number ``first`` on."""
    cv2.setNumThreads(1)
    finder, settler, namer = load_finder(weights=weights), load_settler(weights), load_namer(weights)
    decks = training_decks(drawn, first_seed=FIRST_SEED + 100 * seed)
    rows = []
    for number in range(first, first + count):
        least = float(np.random.default_rng([seed, number, 1]).uniform(*LEAST))
        table = readable_table(FIRST_SEED + seed, number, decks, least)
        closer = settler.settle(table.picture, look(finder, table.picture).settled())
        named = name_finds(namer, table.picture, closer.found)
        rows.append((signs(named, closer.real), *labelled(table, named, closer.found.scores)))
    given, right, weight = zip(*rows, strict=True)
    return np.concatenate(given), np.concatenate(right), np.concatenate(weight)


def fit(given: Floats, right: Floats, weight: Floats, target: Path) -> None:
    """Fits trees to signs (n, k), labels (n,) and weights (n,) and writes them to ``target``."""
    model = HistGradientBoostingClassifier(
        max_depth=DEPTH,
        max_iter=TREES,
        learning_rate=RATE,
        monotonic_cst=[int(sign in RISING) for sign in SIGNS],
        early_stopping=False,
        random_state=0,
    )
    model.fit(given, right, sample_weight=weight)
    # scikit-learn has no open form for its trees; this is the one way to their nodes
    trees = [round_of[0].nodes for round_of in model._predictors]
    write_belief(target, float(model._baseline_prediction.ravel()[0]), trees)
    believed, told = read_belief(target)(given), model.predict_proba(given)[:, 1]
    assert np.abs(believed - told).max() < 1e-3, "what was written weighs otherwise than what was fitted"
    said = np.clip(told, 1e-6, 1 - 1e-6)
    loss = -(weight * np.log(np.where(right > 0, said, 1 - said))).sum() / weight.sum()
    print(f"{len(given)} finds, {int(right.sum())} right, loss {loss:.4f}")


def write_belief(target: Path, start: float, trees: Sequence[Any]) -> None:
    """Writes ``trees``, structured arrays of nodes as scikit-learn has them, as ``vision.believing`` reads them.

    Leaves lead to themselves, so that all trees can be gone down together; short ones are filled up with them.
    """
    size = max(len(nodes) for nodes in trees)
    sign, bound, low, high, value = np.zeros((5, len(trees), size))
    for t, nodes in enumerate(trees):
        here, leaf = np.arange(len(nodes)), nodes["is_leaf"].astype(bool)
        sign[t, here] = np.where(leaf, 0, nodes["feature_idx"])
        bound[t, here] = np.where(leaf, 0, nodes["num_threshold"])
        low[t, here] = np.where(leaf, here, nodes["left"])
        high[t, here] = np.where(leaf, here, nodes["right"])
        value[t, here] = np.where(leaf, nodes["value"], 0)
    parts = {"sign": sign.astype(int), "low": low.astype(int), "high": high.astype(int)}
    numbers = {"bound": bound, "value": np.round(value, 6)}
    held = {"signs": list(SIGNS), "start": start} | {name: part.tolist() for name, part in (parts | numbers).items()}
    target.write_text(json.dumps(held) + "\n", encoding="utf-8")


def shares(tables: int, processes: int) -> Iterator[tuple[int, int]]:
    """First number and count of tables for each of the processes."""
    bounds = np.linspace(0, tables, processes + 1).round().astype(int)
    for first, end in pairwise(bounds):
        yield int(first), int(end - first)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument(
        "--weights", type=Path, default=FOLDER, help="where the networks lie and belief.json is written"
    )
    args = parser.parse_args()
    with get_context("spawn").Pool(args.processes) as pool:
        work = [(args.seed, first, count, args.weights) for first, count in shares(args.tables, args.processes)]
        parts = pool.starmap(gather, work)
    given, right, weight = (np.concatenate(part) for part in zip(*parts, strict=True))
    fit(given, right, weight, args.weights / "belief.json")
    note_hashes(args.weights)


if __name__ == "__main__":
    main()
