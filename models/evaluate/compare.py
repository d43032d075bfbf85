"""Evaluates two candidates: ``python -m models.evaluate.compare OLD NEW --set development``.

A candidate is a folder of weights; both read the same fixed tables. Each table's result is kept in a file, so that a
comparison that was stopped goes on.
Printed are, for all tables and for each kind, the shares of tables read exactly right and of those wrong without a
doubt, with Wilson intervals; McNemar's exact test on the tables read exactly right; and the difference of mistakes a
table, with the interval of a paired bootstrap.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import cv2

from datasets.assets.manifest import AssetsError, file_hash, read_manifest, use_part
from datasets.decks.deck_art import DeckArt
from models.evaluate.metrics import Metrics, score_table
from models.evaluate.paired import bootstrap, mcnemar, wilson
from models.evaluate.sets import SealedError, TableSet, fingerprint, open_set
from vision.engines.weights import MANIFEST
from vision.errors import VisionError
from vision.reader import CardReader, load_reader
from vision.values import Frame

_drawing: list[tuple[TableSet, list[DeckArt], list[CardReader]]] = []


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one candidate read one table."""

    found: int
    wrong: int
    missed: int
    silent: bool
    """Wrong without a doubt."""

    @property
    def mistakes(self) -> int:
        return self.wrong + self.missed


@dataclass(frozen=True, slots=True)
class Pair:
    """How both candidates read one table: its number, kind and fingerprint, and the outcomes."""

    number: int
    kind: str
    table: str
    first: Outcome
    second: Outcome


def candidate_hash(weights: Path) -> str:
    """Hash of a folder of weights: that of the manifest with its files' hashes.

    Raises:
        ValueError: the folder has none.
    """
    try:
        return file_hash(weights / MANIFEST)
    except OSError as error:
        raise ValueError(f"expected a folder of weights with {MANIFEST} in {weights}") from error


def _start(table_set: TableSet, assets: Path, candidates: Sequence[Path]) -> None:
    cv2.setNumThreads(1)
    decks = use_part(assets, table_set.part, read_manifest())
    _drawing[:] = [(table_set, decks, [load_reader(weights=weights) for weights in candidates])]


def _compare(number: int) -> Pair:
    table_set, decks, readers = _drawing[0]
    table = table_set.draw(number, decks)
    outcomes = []
    for reader in readers:
        metrics = Metrics()
        score_table(metrics, reader.read(Frame(table.picture, datetime.now(UTC), f"table {number}")), table)
        outcomes.append(Outcome(metrics.found, metrics.wrong, metrics.missed, bool(metrics.undoubted_wrong)))
    return Pair(number, table_set.order()[number], fingerprint(table), *outcomes)


def compare(
    table_set: TableSet, candidates: Sequence[Path], assets: Path, numbers: Sequence[int], kept: Path, workers: int
) -> list[Pair]:
    """Reads the tables of these ``numbers`` with both ``candidates``; results are kept in the file ``kept``.

    Raises:
        AssetsError: fonts or decks of the set are missing or differ.
    """
    done = {pair.number: pair for pair in read_pairs(kept)}
    left = [number for number in numbers if number not in done]
    if left:
        use_part(assets, table_set.part, read_manifest(), verify=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        with (
            ProcessPoolExecutor(workers, get_context("spawn"), _start, (table_set, assets, candidates)) as pool,
            kept.open("a", encoding="utf-8") as file,
        ):
            for pair in pool.map(_compare, left):
                done[pair.number] = pair
                file.write(json.dumps(asdict(pair)) + "\n")
                file.flush()
    return [done[number] for number in numbers]


def read_pairs(kept: Path) -> list[Pair]:
    """Reads the results of a comparison; none if there is no such file."""
    if not kept.exists():
        return []
    entries = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    return [
        Pair(**{**entry, "first": Outcome(**entry["first"]), "second": Outcome(**entry["second"])}) for entry in entries
    ]


def summary(name: str, pairs: Sequence[Pair]) -> str:
    """The figures of both candidates on ``pairs``, and the tests, in a few lines."""
    lines = [f"{name}: {len(pairs)} tables"]
    for title, outcomes in (("first", [p.first for p in pairs]), ("second", [p.second for p in pairs])):
        right, silent = sum(not o.mistakes for o in outcomes), sum(o.silent for o in outcomes)
        shares = [
            f"{told} {count} = {count / max(len(pairs), 1):.1%} ({low:.1%} to {high:.1%})"
            for told, count in (("exactly right", right), ("wrong without a doubt", silent))
            for low, high in [wilson(count, len(pairs))]
        ]
        counts = [sum(getattr(outcome, part) for outcome in outcomes) for part in ("found", "wrong", "missed")]
        lines.append(f"  {title}: {', '.join(shares)}; cards found {counts[0]}, wrong {counts[1]}, missed {counts[2]}")
    only_first = sum(not p.first.mistakes and p.second.mistakes > 0 for p in pairs)
    only_second = sum(not p.second.mistakes and p.first.mistakes > 0 for p in pairs)
    mean, low, high = bootstrap([p.second.mistakes - p.first.mistakes for p in pairs])
    lines.append(
        f"  right by the first alone {only_first}, by the second alone {only_second}: p = "
        f"{mcnemar(only_first, only_second):.3g}; mistakes a table, second less first: {mean:+.3f} "
        f"({low:+.3f} to {high:+.3f})"
    )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=Path, help="folder of weights of the first candidate, usually the shipped one")
    parser.add_argument("second", type=Path, help="folder of weights of the second")
    parser.add_argument("--set", default="development", help="development (default), validation, kinds or sealed")
    parser.add_argument("--tables", type=int, help="only the first so many tables")
    parser.add_argument("--assets", type=Path, default=Path("runs/assets"), help="folder of fonts and decks")
    parser.add_argument("--out", type=Path, default=Path("runs/compared"), help="folder for the results")
    parser.add_argument("--workers", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--open-the-sealed-set", action="store_true", help="needed for the sealed set; is noted")
    options = parser.parse_args(arguments)
    try:
        hashes = {"first": candidate_hash(options.first), "second": candidate_hash(options.second)}
        table_set = open_set(options.set, options.open_the_sealed_set, hashes)
        kept = options.out / f"{table_set.name}-{hashes['first'][:8]}-{hashes['second'][:8]}.jsonl"
        numbers = range(len(table_set.order()))[: options.tables]
        candidates = (options.first, options.second)
        pairs = compare(table_set, candidates, options.assets, numbers, kept, options.workers)
    except (ValueError, AssetsError, SealedError, VisionError) as error:
        print(error, file=sys.stderr)
        return 1
    print(summary(f"set {table_set.name}", pairs))
    for kind in table_set.kinds:
        print(summary(kind, [pair for pair in pairs if pair.kind == kind]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
