"""Measures the time of each stage of a reading, by cards and pixels: ``python -m models.evaluate.stage_times``.

Tables are drawn with various numbers of cards and pixels; each is read a few times and the fastest reading counts. The
column ``networks`` is the share of the whole time spent in the inference engine.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Lock
from typing import Any

import numpy as np

from datasets.decks.drawn_decks import draw_deck
from datasets.scenes.layouts import CARD_MM, lay_table
from datasets.scenes.tables import draw_table
from vision import reader as stages
from vision.crops.batching import Workers, cores
from vision.detect.detector import OnnxDetector
from vision.engines.load import load_corner_side, load_crop_verifier, load_relation_model, onnx_session
from vision.engines.weights import fastest_path
from vision.reader import CardReader
from vision.recognise.index_classifier import OnnxIndexClassifier
from vision.recognise.outline_refiner import OnnxOutlineRefiner
from vision.values import Frame, Pixels

CARDS = (10, 30, 60)
SIZES = ((640, 480), (1280, 960), (1920, 1440), (4032, 3024))
FUNCTIONS = {
    "detect": "detect",
    "recognise": "classify",
    "build_cards": "cards",
    "apply_rule_prior": "rules",
    "photo_warnings": "warnings",
}
"""Functions of ``vision.reader`` that are stages, and the names of their columns."""
METHODS = {
    "relation_model": ("score", "relate"),
    "crop_verifier": ("verify", "verify"),
    "corner_side": ("correct_sides", "sides"),
}
"""Methods of networks that are stages between ``recognise`` and ``build_cards``, and the names of their columns."""
COLUMNS = ("detect", "classify", "relate", "verify", "sides", "cards", "rules", "warnings")


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
        self.get_inputs = session.get_inputs
        self.run = clock.timed("networks", session.run)


@contextmanager
def timed_reader(clock: Clock) -> Iterator[CardReader]:
    """The shipped reader, its stages timed by ``clock`` while the context is open."""

    def timed_session(name: str, threads: int = 1) -> TimedSession:
        return TimedSession(onnx_session(fastest_path(name), threads), clock)

    workers = Workers(cores())
    networks: dict[str, Any] = {
        "relation_model": load_relation_model(),
        "crop_verifier": load_crop_verifier(workers=workers),
        "corner_side": load_corner_side(workers=workers),
    }
    for name, (method, column) in METHODS.items():
        network = networks[name]
        setattr(network, "_session", timed_session(name, 0 if name == "relation_model" else 1))  # noqa: B010
        setattr(network, method, clock.timed(column, getattr(network, method)))
    originals = {name: getattr(stages, name) for name in FUNCTIONS}
    try:
        for name, column in FUNCTIONS.items():
            setattr(stages, name, clock.timed(column, originals[name]))
        detector = OnnxDetector(timed_session("detector", 0))
        refiner = OnnxOutlineRefiner(timed_session("outline_refiner"), workers)
        classifier = OnnxIndexClassifier(timed_session("index_classifier"), workers)
        yield CardReader(detector, refiner, classifier, *networks.values())
    finally:
        for name, function in originals.items():
            setattr(stages, name, function)


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
    options = parser.parse_args()
    clock = Clock()
    print("milliseconds      cards " + " ".join(f"{name:>8}" for name in [*COLUMNS, "all", "networks"]))
    with timed_reader(clock) as reader:
        for size in SIZES:
            for cards in CARDS:
                read, spent = measure(reader, clock, table(cards, size, options.seed), options.looks)
                times = " ".join(f"{1000 * spent.get(name, 0):8.1f}" for name in [*COLUMNS, "all"])
                print(
                    f"{size[0]:>5} x {size[1]:<5} {read:>9} {times} {spent['networks'] / spent['all']:>7.0%}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
