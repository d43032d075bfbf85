"""Reads drawn households round by round: ``python -m models.evaluate.households --count 100 --rounds 12``.

Each has a deck that no training knows, in the fonts of one part of the manifest. Every round is read, corrected by
truth and agreed on. With ``--kept FILE`` results are kept, a line a round, and a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import cv2

from datasets.assets.manifest import PARTS, AssetsError, read_manifest, use_part
from models.evaluate.households.drawn import draw_household
from models.evaluate.households.rounds import RoundResult, read_rounds
from vision.engines.weights import FOLDER
from vision.errors import VisionError
from vision.reader import load_reader

SEED = 880_000
STEPS = ((1, 1), (2, 3), (4, 6), (7, 12))
"""First and last rounds that are counted together."""


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


def table(results: Sequence[RoundResult]) -> str:
    """A table in Markdown: a line for each of STEPS."""
    lines = [
        "| rounds | photos | right, nothing asked | exactly right | wrong, nothing asked | wrong + missed of cards "
        "| jokers missed | questions a photo | nearest looks right: indices, others |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for first, last in STEPS:
        part = [one for one in results if first <= one.number <= last]
        if part:
            lines.append(f"| {first} to {last} | {_figures(part)} |")
    return "\n".join(lines)


def _figures(part: Sequence[RoundResult]) -> str:
    def total(name: str) -> int:
        return sum(getattr(one, name) for one in part)

    def share(count: int, of: int) -> str:
        return f"{count} of {of}" + (f" ({count / of:.1%})" if of else "")

    doubts: Counter[str] = Counter()
    for one in part:
        doubts.update(one.doubts)
    asked = ", ".join(f"{code} {count / len(part):.2f}" for code, count in doubts.most_common())
    figures = (
        str(len(part)),
        share(total("is_quiet"), len(part)),
        share(total("is_exact"), len(part)),
        share(total("is_silent"), len(part)),
        f"{total('wrong')} + {total('missed')} of {total('cards')}",
        share(total("jokers_missed"), total("jokers")),
        f"{doubts.total() / len(part):.2f} ({asked})" if asked else "0",
        f"{share(total('kept_right'), total('kept'))}, {share(total('dropped_right'), total('dropped'))}",
    )
    return " | ".join(figures)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="number of households (default: 100)")
    parser.add_argument("--rounds", type=int, default=12, help="rounds of each (default: 12)")
    parser.add_argument("--first", type=int, default=0, help="number of the first household (default: 0)")
    parser.add_argument("--part", choices=PARTS, default="validation", help="fonts and decks (default: validation)")
    parser.add_argument("--assets", type=Path, default=Path("runs/assets"), help="folder of fonts and decks")
    parser.add_argument("--mistakes", type=float, default=0.0, help="share of cards agreed to with a wrong rank")
    parser.add_argument("--weights", type=Path, default=FOLDER, help="folder of weights (default: models/weights)")
    parser.add_argument("--kept", type=Path, help="file of results")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    try:
        results = kept_results(options.kept)
        packaged = use_part(options.assets, options.part, read_manifest())
        reader = load_reader(weights=options.weights)
    except (ValueError, AssetsError, VisionError) as error:
        parser.error(str(error))
    complete = {one.household for one in results if one.number == options.rounds}
    results = [one for one in results if one.household in complete]
    for number in range(options.first, options.first + options.count):
        if number in complete:
            continue
        household = draw_household(SEED, number, packaged)
        read = list(read_rounds(reader, household, options.rounds, options.mistakes))
        results += read
        if options.kept:
            with options.kept.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(one.as_json()) + "\n" for one in read)
    print(table(results))


if __name__ == "__main__":
    main()
