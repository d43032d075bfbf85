"""Fuzzing for as long as one likes: ``python -m tests.fuzzing.long --minutes 60``.

Goes round sheets, rule files, photos and every route of the page, each time with other chance. Prints after each round
what was tried, the page's answers by status, and the memory that this process and the decoder's hold; the first
failure of each kind is printed whole, and the exit code is 1 where there was any.
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
from tests.fuzzing.routes import ask, described_page, operations
from vision.images.sandbox import Decoder

_SHEETS, _RULES, _PHOTOS, _ASKED = 1500, 300, 400, 30
"""Examples a round; of the page, for each route."""


T = TypeVar("T")


class Tally:
    """What was tried, and what failed."""

    def __init__(self) -> None:
        self.tried: Counter[str] = Counter()
        self.answers: Counter[int] = Counter()
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
    """What a process holds, in MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text(encoding="utf-8"))
    assert found
    return int(found[1]) / 1000


def feed(strategy: SearchStrategy[T], examples: int, target: Callable[[T], object]) -> Callable[[], None]:
    @targets.trying(examples)
    @given(one=strategy)
    def each(one: T) -> None:
        target(one)

    return each


def one_round(tally: Tally, decoder: Decoder, folder: Path) -> None:
    """Everything once, on a page of its own."""
    sheets = targets.spoilt_documents() | targets.JSON
    tally.run("sheets", _SHEETS, feed(sheets, _SHEETS, targets.check_sheet))
    tally.run("rules", _RULES, feed(targets.spoilt_texts(), _RULES, partial(targets.check_rules, folder=folder)))
    tally.run("photos", _PHOTOS, feed(targets.spoilt_photos(), _PHOTOS, partial(targets.check_photo, decoder)))
    for astray, asked in ((False, _ASKED), (True, _ASKED // 3)):
        with described_page(folder / f"page-{astray}", astray) as page:
            for operation in operations(page):
                what = f"requests {operation.method} {operation.path}"
                tally.run(what, asked, partial(ask, operation, asked, tally.answers))


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
            f"answers {dict(sorted(tally.answers.items()))}, memory {held[0]:.0f} MB, decoder {held[1]:.0f} MB, "
            f"failures {dict(tally.failures)}",
            flush=True,
        )
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
