"""Measures the time of each stage of a reading, by cards and pixels: ``python -m models.evaluate.stage_times``.

Tables are drawn with various numbers of cards and pixels; each is read a few times and the fastest reading counts. The
column ``networks`` is the share of the whole time spent in the inference engine.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any
from unittest.mock import patch

import numpy as np

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.layouts import CARD_MM, lay_table
from datasets.scenes.tables import draw_table
from vision import reader as stages
from vision.engines import load
from vision.engines.weights import FOLDER
from vision.reader import CardReader, load_reader
from vision.recognise.roi_head import OnnxRoiHead
from vision.rescore.relations import Relations
from vision.values import Frame, Pixels

CARDS = (10, 30, 60)
SIZES = ((640, 480), (1280, 960), (1920, 1440), (4032, 3024))
TIMED: dict[str, tuple[Any, str]] = {
    "detect": (stages, "detect"),
    "look": (OnnxRoiHead, "look"),
    "relate": (Relations, "score"),
    "cards": (stages, "build_cards"),
    "rules": (stages, "apply_rule_prior"),
    "warnings": (stages, "photo_warnings"),
}
"""What is timed, by the names of the columns: functions of ``vision.reader``, and methods of the networks."""


class Clock:
    """Seconds spent in each timed function; parallel calls count once."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self._lock = Lock()
        self._running: Counter[str] = Counter()
        self._since: dict[str, float] = {}

    def timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wraps ``function`` so that its time is added to ``name``."""

        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self._lock:
                if not self._running[name]:
                    self._since[name] = time.perf_counter()
                self._running[name] += 1
            try:
                return function(*args, **kwargs)
            finally:
                with self._lock:
                    self._running[name] -= 1
                    if not self._running[name]:
                        self.spent[name] += time.perf_counter() - self._since[name]

        return wrapper


class TimedSession:
    """A session of ONNX Runtime whose runs are timed as ``networks``."""

    def __init__(self, session: Any, clock: Clock) -> None:
        self._session = session
        self.run = clock.timed("networks", session.run)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)


@contextmanager
def timed_reader(clock: Clock, weights: Path = FOLDER) -> Iterator[CardReader]:
    """A reader, its stages timed by ``clock`` while the context is open."""
    start = load.onnx_session
    with ExitStack() as stack:
        for name, (owner, function) in TIMED.items():
            stack.enter_context(patch.object(owner, function, clock.timed(name, getattr(owner, function))))
        stack.enter_context(patch.object(load, "onnx_session", lambda *given: TimedSession(start(*given), clock)))
        yield load_reader(weights=weights)


def table(cards: int, size: tuple[int, int], seed: int) -> Pixels:
    """Draws a table (height, width, 3) BGR of ``size`` with about ``cards`` readable cards."""
    rng = np.random.default_rng([seed, cards])
    deck = draw_deck("stages", seed)
    across = min(size[0] / 6, size[0] / (1.4 * cards**0.5))
    extent = (size[0] * CARD_MM / across, size[1] * CARD_MM / across)
    best: Pixels | None = None
    smallest_difference = 1_000_000
    for _ in range(12):
        laid = lay_table(rng, [deck], extent, loose_share=0)
        drawn = draw_table(rng, [deck], size, card_pixels=across, max_tilt=0.3, cards=laid[:cards])
        if best is None or abs(len(drawn.cards) - cards) < smallest_difference:
            best, smallest_difference = drawn.picture, abs(len(drawn.cards) - cards)
    assert best is not None
    return best


def measure(reader: CardReader, clock: Clock, pixels: Pixels, repeats: int) -> tuple[int, dict[str, float]]:
    """Returns the number of cards read, and the seconds of each stage in the fastest of ``repeats`` readings."""
    frame = Frame(pixels, datetime.now(UTC), "drawn")
    best: dict[str, float] = {}
    cards = 0
    for _ in range(repeats):
        clock.spent.clear()
        reading = reader.read(frame)
        if not best or reading.seconds < best["all"]:
            best = {**clock.spent, "all": reading.seconds}
            cards = len(reading.cards)
    return cards, best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--looks", type=int, default=5, help="readings of each table; the fastest counts (default: 5)")
    parser.add_argument("--seed", type=int, default=3, help="seed of the tables (default: 3)")
    parser.add_argument("--weights", type=Path, default=FOLDER, help="folder of weights (default: the shipped ones)")
    options = parser.parse_args()
    clock = Clock()
    print("milliseconds      cards " + " ".join(f"{name:>8}" for name in [*TIMED, "all", "networks"]))
    with timed_reader(clock, options.weights) as reader:
        for size in SIZES:
            for cards in CARDS:
                read, spent = measure(reader, clock, table(cards, size, options.seed), options.looks)
                times = " ".join(f"{1000 * spent.get(name, 0):8.1f}" for name in [*TIMED, "all"])
                print(
                    f"{size[0]:>5} x {size[1]:<5} {read:>9} {times} {spent['networks'] / spent['all']:>7.0%}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
