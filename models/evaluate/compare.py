"""Evaluates two candidates: ``python -m models.evaluate.compare OLD NEW --set development``.

A candidate is a folder of weights; both read the same fixed tables. Results are kept in a file for each candidate (its
weights and the code that reads), so that a comparison that was stopped goes on, and none reads a table twice. Such a
file can be given in place of a folder: so two versions of the code are compared, each having read in its own checkout.
Printed are, for all tables and for each kind, the shares of tables read exactly right and of those wrong without a
doubt, with Wilson intervals; McNemar's exact test on the tables read exactly right; and the difference of mistakes a
table, with the interval of a paired bootstrap.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import cv2

import vision
from datasets.assets.manifest import AssetsError, file_hash, read_manifest, use_part
from datasets.decks.deck_art import DeckArt
from models.evaluate.metrics import Metrics, score_table
from models.evaluate.paired import bootstrap, mcnemar, wilson
from models.evaluate.sets import SealedError, TableSet, fingerprint, open_set
from vision.engines.weights import MANIFEST
from vision.errors import VisionError
from vision.reader import CardReader, load_reader
from vision.values import Frame

VISION = Path(vision.__file__).parent
_drawing: list[tuple[TableSet, list[DeckArt], CardReader]] = []


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a candidate read one table.

    Attributes:
        number, kind, table: which table of the set it is, its kind, and its fingerprint.
        found, wrong, missed: number of cards.
        silent: whether it is wrong without a doubt.
    """

    number: int
    kind: str
    table: str
    found: int
    wrong: int
    missed: int
    silent: bool

    @property
    def mistakes(self) -> int:
        return self.wrong + self.missed


Pair = tuple[Outcome, Outcome]


def candidate_key(weights: Path) -> str:
    """A short hash of a folder of weights and of the code that reads with them.

    Raises:
        ValueError: the folder has no weights.
    """
    if not (weights / MANIFEST).is_file():
        raise ValueError(f"expected a folder of weights with {MANIFEST}, or a file of results, in {weights}")
    total = hashlib.sha256(file_hash(weights / MANIFEST).encode())
    for path in sorted(VISION.rglob("*.py")):
        total.update(path.relative_to(VISION).as_posix().encode() + path.read_bytes())
    return total.hexdigest()[:12]


def _start(table_set: TableSet, assets: Path, weights: Path) -> None:
    cv2.setNumThreads(1)
    decks = use_part(assets, table_set.part, read_manifest())
    _drawing[:] = [(table_set, decks, load_reader(weights=weights))]


def _read(number: int) -> Outcome:
    table_set, decks, reader = _drawing[0]
    table, metrics = table_set.draw(number, decks), Metrics()
    score_table(metrics, reader.read(Frame(table.picture, datetime.now(UTC), f"table {number}")), table)
    counts = (metrics.found, metrics.wrong, metrics.missed)
    return Outcome(number, table_set.order()[number], fingerprint(table), *counts, bool(metrics.undoubted_wrong))


def read_set(
    table_set: TableSet, weights: Path, assets: Path, numbers: Sequence[int], kept: Path, workers: int
) -> dict[int, Outcome]:
    """Reads the tables of these ``numbers`` with one candidate; what is in the file ``kept`` is not read again.

    Raises:
        AssetsError: fonts or decks of the set are missing or differ.
    """
    done = read_results(kept) if kept.exists() else {}
    left = [number for number in numbers if number not in done]
    if left:
        use_part(assets, table_set.part, read_manifest(), verify=True)
        kept.parent.mkdir(parents=True, exist_ok=True)
        with (
            ProcessPoolExecutor(workers, get_context("spawn"), _start, (table_set, assets, weights)) as pool,
            kept.open("a", encoding="utf-8") as file,
        ):
            for outcome in pool.map(_read, left):
                done[outcome.number] = outcome
                file.write(json.dumps(asdict(outcome)) + "\n")
                file.flush()
    return done


def read_results(path: Path) -> dict[int, Outcome]:
    """Reads a file of results, by number of the table.

    Raises:
        ValueError: the file has something else.
    """
    try:
        found = [Outcome(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError, TypeError) as error:
        raise ValueError(f"expected results of an earlier comparison in {path}: {error}") from error
    return {outcome.number: outcome for outcome in found}


def paired(first: dict[int, Outcome], second: dict[int, Outcome], numbers: Sequence[int]) -> list[Pair]:
    """The outcomes of both candidates on the tables of these ``numbers`` that both have read.

    Raises:
        ValueError: they read different tables.
    """
    pairs = [(first[number], second[number]) for number in numbers if number in first and number in second]
    other = [one.number for one, two in pairs if one.table != two.table]
    if other:
        raise ValueError(
            f"expected the same tables for both candidates, {len(other)} differ (first: {other[0]}): read them again "
            "with the same fonts, decks and drawing code"
        )
    return pairs


def summary(name: str, pairs: Sequence[Pair]) -> str:
    """The figures of both candidates on ``pairs``, and the tests, in a few lines."""
    lines = [f"{name}: {len(pairs)} tables"]
    for title, outcomes in (("first", [one for one, _ in pairs]), ("second", [two for _, two in pairs])):
        right, silent = sum(not o.mistakes for o in outcomes), sum(o.silent for o in outcomes)
        shares = [
            f"{told} {count} = {count / max(len(pairs), 1):.1%} ({low:.1%} to {high:.1%})"
            for told, count in (("exactly right", right), ("wrong without a doubt", silent))
            for low, high in [wilson(count, len(pairs))]
        ]
        counts = [sum(getattr(outcome, part) for outcome in outcomes) for part in ("found", "wrong", "missed")]
        lines.append(f"  {title}: {', '.join(shares)}; cards found {counts[0]}, wrong {counts[1]}, missed {counts[2]}")
    only_first = sum(not one.mistakes and two.mistakes > 0 for one, two in pairs)
    only_second = sum(not two.mistakes and one.mistakes > 0 for one, two in pairs)
    mean, low, high = bootstrap([two.mistakes - one.mistakes for one, two in pairs])
    lines.append(
        f"  right by the first alone {only_first}, by the second alone {only_second}: p = "
        f"{mcnemar(only_first, only_second):.3g}; mistakes a table, second less first: {mean:+.3f} "
        f"({low:+.3f} to {high:+.3f})"
    )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    told = "folder of weights, or a file of results that another version of the program wrote"
    parser.add_argument("first", type=Path, help=f"the first candidate, usually what is shipped: {told}")
    parser.add_argument("second", type=Path, help="the second candidate, likewise")
    parser.add_argument(
        "--set", default="development", help="development (default), validation, kinds, sights or sealed"
    )
    parser.add_argument("--kind", help="only the tables of this kind, such as dark, low or bent")
    parser.add_argument("--tables", type=int, help="only the first so many tables")
    parser.add_argument("--assets", type=Path, default=Path("runs/assets"), help="folder of fonts and decks")
    parser.add_argument("--out", type=Path, default=Path("runs/compared"), help="folder for the results")
    parser.add_argument("--workers", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--open-the-sealed-set", action="store_true", help="needed for the sealed set; is noted")
    options = parser.parse_args(arguments)
    candidates = {"first": options.first, "second": options.second}
    try:
        keys = {name: path.stem if path.is_file() else candidate_key(path) for name, path in candidates.items()}
        table_set = open_set(options.set, options.open_the_sealed_set, keys)
        numbers = table_set.numbers(options.kind)[: options.tables]
        results = []
        for name, path in candidates.items():
            kept = options.out / f"{table_set.name}-{keys[name]}.jsonl"
            given = (table_set, path, options.assets, numbers, kept, options.workers)
            results.append(read_results(path) if path.is_file() else read_set(*given))
        pairs = paired(results[0], results[1], numbers)
    except (ValueError, AssetsError, SealedError, VisionError) as error:
        print(error, file=sys.stderr)
        return 1
    print(summary(f"set {table_set.name}", pairs))
    for kind in table_set.kinds if options.kind is None else ():
        print(summary(kind, [pair for pair in pairs if pair[0].kind == kind]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
