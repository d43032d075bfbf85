"""What each stage of a look takes, and how that grows with cards and pixels: ``python -m models.evaluate.stage_times``.

Tables are drawn with so many cards at so many pixels, each is read a few times and the quickest look counts. A stage's
time is shown as a whole, and under ``networks`` the share of all stages that the engine itself had.
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
from vision.batching import Workers, cores
from vision.detect.detector import OnnxDetector
from vision.engines.load import load_corner_side, load_crop_verifier, load_relation_model, onnx_session
from vision.engines.weights import fastest_path
from vision.reader import CardReader
from vision.recognise.index_classifier import OnnxIndexClassifier
from vision.recognise.outline_refiner import OnnxOutlineRefiner
from vision.values import Frame, Pixels

CARDS = (10, 30, 60)
SIZES = ((640, 480), (1280, 960), (1920, 1440), (4032, 3024))
NAMES = {
    "detect": "find",
    "recognise": "closely",
    "build_cards": "pair",
    "apply_rule_prior": "rules",
    "photo_warnings": "notices",
}
JUDGED = ("judge", "verify", "place")
"""Stages between ``closely`` and ``pair``, timed where they are called."""


class Clock:
    """Seconds in which each of the things was done that it was put round, by one thread or by several at once."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self._lock = Lock()
        self._doing: Counter[str] = Counter()
        self._since: dict[str, float] = {}

    def round(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """``work``, its time counted under ``name``."""

        def timed(*given: Any, **named: Any) -> Any:
            with self._lock:
                if not self._doing[name]:
                    self._since[name] = time.perf_counter()
                self._doing[name] += 1
            try:
                return work(*given, **named)
            finally:
                with self._lock:
                    self._doing[name] -= 1
                    if not self._doing[name]:
                        self.spent[name] += time.perf_counter() - self._since[name]

        return timed


class TimedSession:
    """A session of ONNX Runtime whose runs are counted under ``networks``."""

    def __init__(self, session: Any, clock: Clock) -> None:
        self.get_inputs = session.get_inputs
        self.run = clock.round("networks", session.run)


@contextmanager
def timed_reader(clock: Clock) -> Iterator[CardReader]:
    """The shipped reader, with ``clock`` round its stages for as long as it is used."""

    def timed(name: str, threads: int = 1) -> TimedSession:
        return TimedSession(onnx_session(fastest_path(name), threads), clock)

    workers = Workers(cores())
    judges = judge, verifier, placer = (
        load_relation_model(),
        load_crop_verifier(workers=workers),
        load_corner_side(workers=workers),
    )
    for network, stage, name in zip(judges, JUDGED, ("relation_model", "crop_verifier", "corner_side"), strict=True):
        setattr(network, "_session", timed(name, 0 if name == "relation_model" else 1))  # noqa: B010
        setattr(network, stage, clock.round(stage, getattr(network, stage)))
    plain = {name: getattr(stages, name) for name in NAMES}
    try:
        for name, stage in NAMES.items():
            setattr(stages, name, clock.round(stage, plain[name]))
        settler, namer = (
            OnnxOutlineRefiner(timed("outline_refiner"), workers),
            OnnxIndexClassifier(timed("index_classifier"), workers),
        )
        yield CardReader(OnnxDetector(timed("detector", 0)), settler, namer, judge, verifier, placer)
    finally:
        for name, work in plain.items():
            setattr(stages, name, work)


def table(cards: int, size: tuple[int, int], seed: int) -> Pixels:
    """A drawn table (height, width, 3) BGR of ``size`` with about so many cards in sight."""
    rng = np.random.default_rng([seed, cards])
    deck = draw_deck("stages", seed)
    across = min(size[0] / 6, size[0] / (1.4 * cards**0.5))
    extent = (size[0] * CARD_MM / across, size[1] * CARD_MM / across)
    best: Pixels | None = None
    nearest = 1_000_000
    for _ in range(12):
        laid = lay_table(rng, [deck], extent, loose_share=0)
        drawn = draw_table(rng, [deck], size, card_pixels=across, max_tilt=0.3, cards=laid[:cards])
        if best is None or abs(len(drawn.cards) - cards) < nearest:
            best, nearest = drawn.picture, abs(len(drawn.cards) - cards)
    assert best is not None
    return best


def measure(reader: CardReader, clock: Clock, pixels: Pixels, looks: int) -> tuple[int, dict[str, float]]:
    """Cards read, and the seconds of each stage in the quickest of ``looks``."""
    frame = Frame(pixels, datetime.now(UTC), "drawn")
    best: dict[str, float] = {}
    cards = 0
    for _ in range(looks):
        clock.spent.clear()
        reading = reader.read(frame)
        if not best or reading.seconds < best["all"]:
            best = {**clock.spent, "all": reading.seconds}
            cards = len(reading.cards)
    return cards, best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--looks", type=int, default=5, help="the quickest of so many counts")
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    clock = Clock()
    columns = [*NAMES.values()]
    columns[2:2] = JUDGED
    print("milliseconds      cards " + " ".join(f"{name:>8}" for name in [*columns, "all", "networks"]))
    with timed_reader(clock) as reader:
        for size in SIZES:
            for cards in CARDS:
                read, spent = measure(reader, clock, table(cards, size, given.seed), given.looks)
                times = " ".join(f"{1000 * spent.get(name, 0):8.1f}" for name in [*columns, "all"])
                print(
                    f"{size[0]:>5} x {size[1]:<5} {read:>9} {times} {spent['networks'] / spent['all']:>7.0%}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
