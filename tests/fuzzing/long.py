"""Fuzzing for a chosen time: ``python -m tests.fuzzing.long --minutes 60``.

Each round sends new random sheets, rule files, photos and requests to every route. After each round it prints how many
of each were tried, the page's responses by status, and the memory of this process and the decoder; the first failure of
each kind is printed in full. Exits 1 if there was any failure.
"""

from __future__ import annotations

import argparse
import logging
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from hypothesis import given
from hypothesis.strategies import SearchStrategy

from tests.fuzzing import targets
from tests.fuzzing.routes import check_operation, described_page, operations
from vision.images.sandbox import Decoder

_SHEETS, _RULES, _PHOTOS, _REQUESTS = 1500, 300, 400, 30
"""Examples in a round; requests are for each route."""


T = TypeVar("T")


class Tally:
    """Counts of examples, responses by status, and failures by kind."""

    def __init__(self) -> None:
        self.tried: Counter[str] = Counter()
        self.statuses: Counter[int] = Counter()
        self.failures: Counter[str] = Counter()

    def run(self, what: str, examples: int, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as error:
            kind = f"{what}: {type(error).__name__}"
            if not self.failures[kind]:
                traceback.print_exc()
            self.failures[kind] += 1
        self.tried[what.split()[0]] += examples


def memory(process: str) -> float:
    """Resident memory of a process in MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
    assert found
    return int(found[1]) / 1000


def feed(strategy: SearchStrategy[T], examples: int, target: Callable[[T], object]) -> Callable[[], None]:
    """A function that calls ``target`` with random examples."""

    @targets.random_examples(examples)
    @given(one=strategy)
    def each(one: T) -> None:
        target(one)

    return each


def one_round(tally: Tally, decoder: Decoder, folder: Path) -> None:
    """Runs all targets once, with a new page."""
    sheets = targets.mutated_sheets() | targets.JSON
    tally.run("sheets", _SHEETS, feed(sheets, _SHEETS, targets.check_sheet))
    tally.run("rules", _RULES, feed(targets.mutated_rule_files(), _RULES, partial(targets.check_rules, folder=folder)))
    tally.run("photos", _PHOTOS, feed(targets.mutated_photos(), _PHOTOS, partial(targets.check_photo, decoder)))
    for unknown, requests in ((False, _REQUESTS), (True, _REQUESTS // 3)):
        with described_page(folder / f"page-{unknown}", unknown) as page:
            for operation in operations(page):
                what = f"requests {operation.method} {operation.path}"
                tally.run(what, requests, partial(check_operation, operation, requests, tally.statuses))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    ends = time.monotonic() + 60 * parser.parse_args().minutes
    logging.disable(logging.CRITICAL)
    tally, decoder, begun = Tally(), Decoder(), time.monotonic()
    while time.monotonic() < ends:
        with tempfile.TemporaryDirectory() as folder:
            one_round(tally, decoder, Path(folder))
        child = decoder._process
        held = memory("self"), memory(str(child.pid)) if child else 0.0
        print(
            f"minute {(time.monotonic() - begun) / 60:.0f}: {dict(tally.tried)}, "
            f"answers {dict(sorted(tally.statuses.items()))}, memory {held[0]:.0f} MB, decoder {held[1]:.0f} MB, "
            f"failures {dict(tally.failures)}",
            flush=True,
        )
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
