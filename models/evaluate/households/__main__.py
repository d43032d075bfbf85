"""Reads drawn households round by round: ``python -m models.evaluate.households --count 100 --rounds 12``.

Each has a deck that no training knows, in the fonts of one part of the manifest. Every round is read, corrected by
truth and agreed on. With ``--kept FILE`` results are kept, a line a round, and a run that was stopped goes on. A second
table says how much more is counted than ``--against`` other kept results of the same rounds.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2

from datasets.assets.manifest import PARTS, AssetsError, read_manifest, use_part
from models.evaluate.households.drawn import draw_household
from models.evaluate.households.rounds import RoundResult, read_rounds
from models.evaluate.paired import bootstrap
from vision.engines.weights import FOLDER
from vision.errors import VisionError
from vision.reader import load_reader

SEED = 880_000
STEPS = ((1, 1), (2, 3), (4, 6), (7, 7), (7, 12))
"""First and last rounds that are counted together."""
COUNTED: dict[str, Callable[[RoundResult], float]] = {
    "right, nothing asked": lambda one: one.is_quiet,
    "exactly right": lambda one: one.is_exact,
    "wrong, nothing asked": lambda one: one.is_silent,
    "mistakes a photo": lambda one: one.mistakes,
    "questions a photo": lambda one: sum(one.doubts.values()),
}


def kept_results(path: Path | None) -> list[RoundResult]:
    """The results in a file; none where there is no file.

    Raises:
        ValueError: it holds something else.
    """
    if path is None or not path.exists():
        return []
    try:
        return [RoundResult(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    except (ValueError, TypeError) as error:
        raise ValueError(f"expected results of households, a line a round, in {path}") from error


def table(results: Sequence[RoundResult], others: Sequence[RoundResult] = ()) -> str:
    """A table in Markdown: a line for each of STEPS, with 95 % intervals of households resampled.

    Args:
        results: the rounds.
        others: the same rounds read otherwise; then the table shows how much more is counted of ``results``.
    """
    lines = [f"| rounds | photos | {' | '.join(COUNTED)} | jokers missed |", "|---" * (len(COUNTED) + 3) + "|"]
    for first, last in STEPS:
        part, other = ([one for one in some if first <= one.number <= last] for some in (results, others))
        if part:
            figures = [_mean(part, other, count) for count in COUNTED.values()]
            missed = f"{sum(one.jokers_missed for one in part)} of {sum(one.jokers for one in part)}"
            lines.append(f"| {first} to {last} | {len(part)} | {' | '.join(figures)} | {missed} |")
    return "\n".join(lines)


def _mean(part: Sequence[RoundResult], others: Sequence[RoundResult], count: Callable[[RoundResult], float]) -> str:
    """The mean of a photo, less that of ``others``, and its interval."""
    totals = defaultdict[int, float](float)
    for sign, some in ((1, part), (-1, others)):
        for one in some:
            totals[one.household] += sign * count(one)
    households = len(totals)
    mean, low, high = (value * households / len(part) for value in bootstrap(list(totals.values())))
    return f"{mean:.3f} ({low:.3f} to {high:.3f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="number of households (default: 100)")
    parser.add_argument("--rounds", type=int, default=12, help="rounds of each (default: 12)")
    parser.add_argument("--first", type=int, default=0, help="number of the first household (default: 0)")
    parser.add_argument("--part", choices=PARTS, default="validation", help="fonts and decks (default: validation)")
    parser.add_argument("--assets", type=Path, default=Path("runs/assets"), help="folder of fonts and decks")
    parser.add_argument("--mistakes", type=float, default=0.0, help="share of cards agreed to with a wrong rank")
    parser.add_argument("--weights", type=Path, default=FOLDER, help="folder of weights (default: models/weights)")
    parser.add_argument("--learns-nothing", action="store_true", help="read each round as the first")
    parser.add_argument("--deck", help="name of a deck of that part, for all households")
    parser.add_argument("--kept", type=Path, help="file of results")
    parser.add_argument("--against", type=Path, help="file of results of the same rounds, to compare with")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        results, others = kept_results(options.kept), kept_results(options.against)
        packaged = use_part(options.assets, options.part, read_manifest())
        deck = next((one for one in packaged if one.name == options.deck), None)
        if options.deck and deck is None:
            raise ValueError(f"expected one of {', '.join(one.name for one in packaged)}, got {options.deck}")
        reader = load_reader(weights=options.weights)
    except (ValueError, AssetsError, VisionError) as error:
        parser.error(str(error))
    complete = {one.household for one in results if one.number == options.rounds}
    results = [one for one in results if one.household in complete]
    for number in range(options.first, options.first + options.count):
        if number in complete:
            continue
        household = draw_household(SEED, number, packaged, deck)
        read = list(read_rounds(reader, household, options.rounds, options.mistakes, not options.learns_nothing))
        results += read
        if options.kept:
            with options.kept.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(one.as_json()) + "\n" for one in read)
    print(table(results))
    if others:
        same = {(one.household, one.number) for one in results} & {(one.household, one.number) for one in others}
        both = ([one for one in some if (one.household, one.number) in same] for some in (results, others))
        print(table(*both))


if __name__ == "__main__":
    main()
